#include <ppdnmf/io/pgm.h>

#include <filesystem>

#include <ppdnmf/io/test_files.h>

namespace ppdnmf::io {
namespace {

using ::testing::EndsWith;

std::string refusal(std::string_view text) { return message_of(parse_pgm(bytes_of(text))); }

TEST(Pgm, PixelsGoColumnByColumn) {
  const std::string binary = std::string("P5 3 2 255\n") + std::string("\x00\x80\xFF\x01\x02\x03", 6);
  for (const std::string& text : {std::string("P2\n# c\n3 2 # d\n255\n0 128 255\n1 2 3\n"), binary, binary + "\n"}) {
    const auto image = parse_pgm(bytes_of(text));
    ASSERT_TRUE(image) << message_of(image);
    EXPECT_EQ(image->shape.height, 2);
    EXPECT_EQ(image->shape.width, 3);
    EXPECT_EQ(image->pixels, (std::vector<double>{0, 1.0 / 255, 128.0 / 255, 2.0 / 255, 1, 3.0 / 255}));
  }
}

TEST(Pgm, SixteenBitsAreBigEndian) {
  const auto image = parse_pgm(bytes_of(std::string("P5 2 1 1000\n\x03\xE8\x00\x01", 16)));
  ASSERT_TRUE(image) << message_of(image);
  EXPECT_EQ(image->pixels, (std::vector<double>{1, 0.001}));
  EXPECT_EQ(parse_pgm(bytes_of("P2 2 1 1000 1000 1"))->pixels, (std::vector<double>{1, 0.001}));
}

TEST(Pgm, RefusesInASentence) {
  EXPECT_EQ(refusal(""), "it is not a PGM image (P2 or P5)");
  EXPECT_EQ(refusal("P6 1 1 255\nabc"), "it is not a PGM image (P2 or P5)");
  EXPECT_EQ(refusal("P5 3 2"), "it ends within its header: it is not complete");
  EXPECT_EQ(refusal("P5 3 x 255\n"), "its header holds 'x' where a number should be");
  EXPECT_EQ(refusal("P5 3 2 0\n"), "its largest value is 0, outside 1 to 65535");
  EXPECT_EQ(refusal("P5 3 2 65536\n"), "its largest value is 65536, outside 1 to 65535");
  EXPECT_EQ(refusal("P5 0 2 255\n"), "it holds an empty matrix (2 rows, 0 columns)");
  EXPECT_EQ(refusal("P5 3 2 255\nabc"),
            "3 x 2 pixels do not fit the 3 bytes that follow: it is not one complete image");
  EXPECT_EQ(refusal("P5 3 2 255"), "3 x 2 pixels do not fit the 0 bytes that follow: it is not one complete image");
  EXPECT_EQ(refusal("P5 1 1 255\naP5 1 1 255\na"),
            "1 x 1 pixels do not fit the 13 bytes that follow: it is not one complete image");
  EXPECT_EQ(refusal("P5 1 1 9\na"), "a pixel is 97, above its largest value 9");
  EXPECT_EQ(refusal("P2 1 1 9 10"), "a pixel is 10, above its largest value 9");
  EXPECT_EQ(refusal("P2 2 1 9 \n1"), "it ends after 1 pixels: it is not complete");
  EXPECT_EQ(refusal("P2 2 1 9 \n1 x"), "line 2: 'x' is not a pixel value");
  EXPECT_EQ(refusal("P2 1 1 9 \n1 2"), "line 2: more follows after the last pixel");
  EXPECT_EQ(refusal("P5 1000000 1000000 255\nabc"),
            "it claims 1000000 x 1000000 entries; at most 268435456 can be read");
  EXPECT_EQ(refusal("P5 16384 16384 255\nabc"),
            "16384 x 16384 pixels do not fit the 3 bytes that follow: it is not one complete image");
}

class PgmFolder : public FolderTest {};

TEST_F(PgmFolder, OneColumnPerImageInNameOrder) {
  (void)write("b.pgm", "P2 1 2 4 1 2");
  (void)write("a.PGM", "P2 1 2 4 3 4");
  (void)write("notes.txt", "not an image");
  (void)write("._b.pgm", "what some systems leave behind");
  std::filesystem::create_directory(folder_ / "c.pgm");
  const auto table = read_pgm_folder(folder_);
  ASSERT_TRUE(table) << message_of(table);
  EXPECT_EQ(table->values, (Matrix(2, 2) << 0.75, 0.25, 1, 0.5).finished());
  EXPECT_EQ(table->column_names, (std::vector<std::string>{"a.PGM", "b.pgm"}));
  EXPECT_EQ(table->image->height, 2);
  EXPECT_EQ(table->image->width, 1);
}

TEST_F(PgmFolder, RefusesDifferentSizesAndNoImages) {
  EXPECT_EQ(message_of(read_pgm_folder(folder_)), folder_.string() + ": the folder holds no .pgm image");
  (void)write("a.pgm", "P2 1 2 4 1 2");
  (void)write("b.pgm", "P2 2 1 4 3 4");
  EXPECT_THAT(message_of(read_pgm_folder(folder_)),
              EndsWith("b.pgm: the image is 2 x 1, but a.pgm is 1 x 2; all must have one size (width x height)"));
  (void)write("b.pgm", "P2 2 1 4 3");
  EXPECT_THAT(message_of(read_pgm_folder(folder_)), EndsWith("b.pgm: it ends after 1 pixels: it is not complete"));
  EXPECT_THAT(message_of(read_pgm_folder(folder_ / "none")),
              EndsWith("the folder cannot be read: No such file or directory"));
}

}  // namespace
}  // namespace ppdnmf::io
