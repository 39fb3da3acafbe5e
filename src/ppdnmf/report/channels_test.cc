#include <ppdnmf/report/channels.h>

#include <algorithm>
#include <set>

#include <ppdnmf/io/test_files.h>

namespace ppdnmf::report {
namespace {

std::string canonical(ChannelKind kind, std::string_view name) {
  const auto place = channel_of(kind, name);
  return place ? channel_scheme(kind).names[static_cast<std::size_t>(*place)] : "none";
}

TEST(Channels, AreAsManyAsTheirNamesSay) {
  const std::size_t sizes[] = {96, 78, 83};
  for (std::size_t i = 0; i < 3; ++i) {
    const ChannelScheme& scheme = channel_scheme(kChannelKinds[i]);
    EXPECT_EQ(scheme.names.size(), sizes[i]) << scheme.name;
    EXPECT_EQ(std::set<std::string>(scheme.names.begin(), scheme.names.end()).size(), sizes[i]) << scheme.name;
    std::size_t places = 0;
    for (const ChannelClass& one : scheme.classes) places += one.places.size();
    EXPECT_EQ(places, sizes[i]) << scheme.name;
    for (std::size_t channel = 0; channel < sizes[i]; ++channel)
      EXPECT_EQ(channel_of(scheme.kind, scheme.names[channel]), static_cast<Index>(channel)) << scheme.names[channel];
  }
  EXPECT_EQ(channel_scheme(ChannelKind::kSbs96).names[17], "A[C>G]C") << "classes first, then the base before";
  EXPECT_EQ(channel_scheme(ChannelKind::kDbs78).names[9], "AT>CA");
  EXPECT_EQ(channel_scheme(ChannelKind::kId83).names[24], "2:Del:R:0");
  EXPECT_EQ(channel_scheme(ChannelKind::kId83).names[82], "5:Del:M:5");
}

TEST(Channels, OfSubstitutionsInEverySpelling) {
  for (const char* name : {"T[C>G]A", "t[c>g]a", "C>G:TCA", "C>G TCA", "C>G,TCA", "TCA:C>G", "TCA>TGA", "TCA>G", "TCAG",
                           "T.C.G.A", "T_C>G_A", "T(C>G)A", "T[C->G]A", "T[G>C]A", "TGAC", "G>C TGA"})
    EXPECT_EQ(canonical(ChannelKind::kSbs96, name), "T[C>G]A") << name;
  for (const char* name : {"T[C>C]A", "T[C>G]", "N[C>G]A", "C>G TTA", "TCA>TGC", "", "gene", "T[C>G]AA", "5"})
    EXPECT_EQ(canonical(ChannelKind::kSbs96, name), "none") << name;
}

TEST(Channels, OfDoubleSubstitutionsOnEitherStrand) {
  for (const char* name : {"AC>TG", "ac>tg", "ACTG", "AC:TG", "GT>CA"})
    EXPECT_EQ(canonical(ChannelKind::kDbs78, name), "AC>TG") << name;
  EXPECT_EQ(canonical(ChannelKind::kDbs78, "CG>AA"), "CG>TT") << "its own other strand";
  for (const char* name : {"AC>AG", "AC>NN", "A>C", "ACTGA"})
    EXPECT_EQ(canonical(ChannelKind::kDbs78, name), "none") << name;
}

TEST(Channels, OfIndelsInEverySpelling) {
  const std::pair<const char*, const char*> pairs[] = {{"DEL:C:1:0", "1:Del:C:0"},
                                                       {"DEL C 1 5+", "1:Del:C:5"},
                                                       {"INS_T_1_0", "1:Ins:T:0"},
                                                       {"DEL:repeats:5+:5+", "5:Del:R:5"},
                                                       {"INS:repeats:2:0", "2:Ins:R:0"},
                                                       {"DEL:MH:5+:5+", "5:Del:M:5"},
                                                       {"DEL MH 3 2", "3:Del:M:2"},
                                                       {"1:del:c:0", "1:Del:C:0"},
                                                       {"C_deletion_1", "1:Del:C:0"},
                                                       {"T_deletion_6+", "1:Del:T:5"},
                                                       {"C_insertion_0", "1:Ins:C:0"},
                                                       {"T_insertion_5+", "1:Ins:T:5"},
                                                       {"2bp_deletion_1", "2:Del:R:0"},
                                                       {"5+bp_insertion_5+", "5:Ins:R:5"},
                                                       {"5+bp_deletion_6+", "5:Del:R:5"},
                                                       {"2bp_deletion_with_microhomology_1", "2:Del:M:1"},
                                                       {"INS:MH:2:1", "none"},
                                                       {"DEL:MH:2:2", "none"},
                                                       {"1:Del:C:6", "none"},
                                                       {"C_deletion_0", "none"},
                                                       {"1:Del:A:0", "none"},
                                                       {"1:Del:C", "none"}};
  for (const auto& [name, channel] : pairs) EXPECT_EQ(canonical(ChannelKind::kId83, name), channel) << name;
}

TEST(Channels, AreFoundInAnyOrderAndOnlyAllTogether) {
  std::vector<std::string> names = channel_scheme(ChannelKind::kDbs78).names;
  std::reverse(names.begin(), names.end());
  auto found = find_channels(names);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, ChannelKind::kDbs78);
  EXPECT_EQ(found->place.front(), 77);
  names[3] = "AC>CA";
  EXPECT_FALSE(find_channels(names)) << "two rows of one channel";
  names[3] = "other";
  EXPECT_FALSE(find_channels(names));
  EXPECT_FALSE(find_channels({}));
  found = find_channels({"A[C>A]A", "T[T>G]T"});
  ASSERT_TRUE(found) << "some of them are enough";
  EXPECT_EQ(found->place, (std::vector<Index>{0, 95}));
}

TEST(Channels, FourLettersAreWhatLeavesNothingOut) {
  std::vector<std::string> doubles;
  for (std::string name : channel_scheme(ChannelKind::kDbs78).names) doubles.push_back(name.erase(2, 1));
  const auto found = find_channels(doubles);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, ChannelKind::kDbs78);
}

}  // namespace
}  // namespace ppdnmf::report
