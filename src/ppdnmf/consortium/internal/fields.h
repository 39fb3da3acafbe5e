// The entries of one TOML table, each asked for by name, with one sentence for the first that is wrong.
//
// Include after toml++. A wrong, missing or unknown entry makes every later question answer with a default, so that a
// caller may read a whole table and ask status() once.
#ifndef PPDNMF_CONSORTIUM_INTERNAL_FIELDS_H_
#define PPDNMF_CONSORTIUM_INTERNAL_FIELDS_H_

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ppdnmf/base/result.h>
#include <ppdnmf/identity/public_identity.h>
#include <ppdnmf/io/text.h>
#include <ppdnmf/protocol/settings_table.h>

namespace ppdnmf::consortium::internal {

class Fields {
 public:
  // `name` is for sentences: "[run]". Null: the table is missing, and only optional entries can be asked for.
  Fields(const toml::table* table, std::string name) : table_(table), name_(std::move(name)) {
    if (table == nullptr) fail(0, "{} is missing: make the file with 'ppdnmf consortium new'", name_);
  }

  [[nodiscard]] bool has(std::string_view key) const { return table_ != nullptr && table_->contains(key); }

  std::int64_t integer(std::string_view key, std::int64_t least, std::int64_t most) {
    const toml::node* node = find(key);
    const auto* value = node != nullptr ? node->as_integer() : nullptr;
    if (value != nullptr && value->get() >= least && value->get() <= most) return value->get();
    if (node != nullptr) fail(line(*node), "'{}' must be a whole number from {} to {}", key, least, most);
    return least;
  }
  // An entry of the table of settings, as its row says.
  void setting(const protocol::Setting& setting, protocol::Settings& settings) {
    const toml::node* node = find(setting.name);
    if (node == nullptr) return;
    protocol::Value value;
    if (const auto* whole = node->as_integer()) value = whole->get();
    if (const auto* number = node->as_floating_point()) value = number->get();
    if (const auto* word = node->as_string()) value = word->get();
    if (const auto* yes = node->as_boolean()) value = yes->get();
    if (node->is_string() && node->as_string()->get() == "auto" && !setting.automatic.empty()) {
      value = std::monostate();
    } else if (std::holds_alternative<std::monostate>(value)) {
      value = std::string("a list, table or date");
    }
    if (const Status done = protocol::set_value(setting, settings, value); !done) {
      fail(line(*node), "{}", protocol::render_names(done.error().message, [](std::string_view name, std::string_view) {
             return fmt::format("'{}'", name);
           }));
    }
  }
  std::string text(std::string_view key, std::size_t max_bytes) {
    const toml::node* node = find(key);
    const auto* value = node != nullptr ? node->as_string() : nullptr;
    if (value != nullptr && value->get().size() <= max_bytes) return value->get();
    if (node != nullptr) fail(line(*node), "'{}' must be a text of at most {} bytes", key, max_bytes);
    return {};
  }
  const toml::array* array(std::string_view key, std::size_t most) {
    const toml::node* node = find(key);
    const auto* value = node != nullptr ? node->as_array() : nullptr;
    if (value != nullptr && value->size() <= most) return value;
    if (node != nullptr) fail(line(*node), "'{}' must be a list of at most {}", key, most);
    return nullptr;
  }
  // Texts that are names.
  std::vector<std::string> names(std::string_view key, std::size_t most) {
    std::vector<std::string> out;
    const toml::array* list = array(key, most);
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) out.push_back(name_in(*list, i, key));
    return out;
  }
  std::string name_in(const toml::array& list, std::size_t i, std::string_view key) {
    const auto* value = list[i].as_string();
    if (value != nullptr && identity::check_name(value->get())) return value->get();
    fail(line(list[i]), "'{}' must hold names of members", key);
    return {};
  }
  const toml::table* table(std::string_view key) {
    const toml::node* node = find(key);
    const auto* value = node != nullptr ? node->as_table() : nullptr;
    if (node != nullptr && value == nullptr) fail(line(*node), "'{}' must be a table", key);
    return value;
  }

  template <typename... Args>
  void fail(std::size_t at_line, fmt::format_string<Args...> format, Args&&... args) {
    if (!status_) return;
    const std::string sentence = fmt::format(format, std::forward<Args>(args)...);
    status_ = at_line == 0 ? Status(error(ErrorCode::kInvalidData, "{}", sentence))
                           : Status(error(ErrorCode::kInvalidData, "line {}: {}", at_line, sentence));
  }
  // The line of the entry, 0 if it is missing.
  [[nodiscard]] std::size_t line_of(std::string_view key) const { return has(key) ? line(*table_->get(key)) : 0; }

  // Fails with kInvalidData if an entry that somebody asked for is wrong or missing.
  [[nodiscard]] const Status& status_so_far() const { return status_; }
  // The same, also on an entry that nobody asked for.
  [[nodiscard]] Status status() {
    if (!status_) return status_;
    for (const auto& [key, value] : *table_) {
      if (!asked_.contains(key.str()))
        fail(line(value), "{} has no entry {}: correct or remove it", name_, io::in_quotes(key.str()));
    }
    return status_;
  }

 private:
  static std::size_t line(const toml::node& node) { return node.source().begin.line; }
  const toml::node* find(std::string_view key) {
    if (table_ == nullptr) return nullptr;
    asked_.insert(key);
    const toml::node* node = table_->get(key);
    if (node == nullptr) fail(0, "{} lacks the entry '{}': make the file with 'ppdnmf consortium new'", name_, key);
    return node;
  }

  const toml::table* table_;
  std::string name_;
  std::set<std::string_view> asked_;
  Status status_;
};

}  // namespace ppdnmf::consortium::internal

#endif  // PPDNMF_CONSORTIUM_INTERNAL_FIELDS_H_
