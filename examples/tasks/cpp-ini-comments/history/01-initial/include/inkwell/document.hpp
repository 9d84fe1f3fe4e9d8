#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inkwell {

struct Entry {
    std::string key;
    std::string value;
};

struct Section {
    std::string name;
    std::vector<Entry> entries;
};

/// An INI file in memory; sections and entries keep the order of the file.
class Document {
public:
    /// Throws ParseError. A section that occurs twice is continued; of a key that occurs twice the last value counts.
    static Document parse(std::string_view text);

    const std::vector<Section>& sections() const noexcept { return sections_; }

    std::optional<std::string> find(std::string_view section, std::string_view key) const;
    std::string get(std::string_view section, std::string_view key, std::string_view fallback) const;
    bool get_bool(std::string_view section, std::string_view key, bool fallback) const;
    long get_int(std::string_view section, std::string_view key, long fallback) const;

    void set(std::string_view section, std::string_view key, std::string_view value);

private:
    Section& section(std::string_view name);

    std::vector<Section> sections_;
};

}  // namespace inkwell
