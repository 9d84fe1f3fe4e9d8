#include <inkwell/document.hpp>

#include <inkwell/line.hpp>
#include <inkwell/value.hpp>

namespace inkwell {

namespace {

void assign(Section& section, std::string_view key, std::string_view value) {
    for (auto& entry : section.entries) {
        if (entry.key == key) {
            entry.value = value;
            return;
        }
    }
    section.entries.push_back({std::string(key), std::string(value)});
}

}  // namespace

Document Document::parse(std::string_view text) {
    Document document;
    std::string current;
    int number = 0;
    while (!text.empty()) {
        const auto end = text.find('\n');
        const auto line = parse_line(text.substr(0, end), ++number);
        if (line.kind == LineKind::section) {
            current = line.name;
            document.section(current);
        }
        if (line.kind == LineKind::entry) assign(document.section(current), line.name, line.value);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    return document;
}

std::optional<std::string> Document::find(std::string_view section, std::string_view key) const {
    for (const auto& candidate : sections_) {
        if (candidate.name != section) continue;
        for (const auto& entry : candidate.entries)
            if (entry.key == key) return entry.value;
    }
    return std::nullopt;
}

std::string Document::get(std::string_view section, std::string_view key, std::string_view fallback) const {
    const auto value = find(section, key);
    return value ? *value : std::string(fallback);
}

bool Document::get_bool(std::string_view section, std::string_view key, bool fallback) const {
    const auto value = find(section, key);
    return value ? to_bool(*value).value_or(fallback) : fallback;
}

long Document::get_int(std::string_view section, std::string_view key, long fallback) const {
    const auto value = find(section, key);
    return value ? to_int(*value).value_or(fallback) : fallback;
}

void Document::set(std::string_view section_name, std::string_view key, std::string_view value) {
    assign(section(section_name), key, value);
}

Section& Document::section(std::string_view name) {
    for (auto& candidate : sections_)
        if (candidate.name == name) return candidate;
    Section added{std::string(name), {}};
    // Entries without a section stand first, or they would be read as part of another one.
    return *sections_.insert(name.empty() ? sections_.begin() : sections_.end(), added);
}

}  // namespace inkwell
