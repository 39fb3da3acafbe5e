// A file of persons from arbitrary bytes: a person for each column, or a sentence.
#include <string>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/io/persons.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::vector<std::string> none;
  const std::vector<std::string> names = {"x", "y, z", "w"};
  for (const auto* columns : {&none, &names}) {
    const auto persons = ppdnmf::io::parse_persons(text, *columns, 3);
    PPDNMF_CHECK(persons ? persons->size() == 3 : !persons.error().message.empty());
    for (std::size_t i = 0; persons && i < persons->size(); ++i) PPDNMF_CHECK(!(*persons)[i].empty());
  }
  return 0;
}
