#include <inkwell/line.hpp>

#include <inkwell/error.hpp>
#include <inkwell/value.hpp>

namespace inkwell {

namespace {

constexpr std::string_view blanks = " \t\r";

std::string section_name(std::string_view text, int number) {
    if (text.back() != ']') throw ParseError("expected ']' at the end of a section", number);
    const auto name = trim(text.substr(1, text.size() - 2));
    if (name.empty()) throw ParseError("a section needs a name", number);
    return std::string(name);
}

}  // namespace

std::string_view trim(std::string_view text) {
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

Line parse_line(std::string_view text, int number) {
    text = trim(text);
    if (text.empty()) return {};
    if (text.front() == '#' || text.front() == ';') return {LineKind::comment, {}, {}};
    if (text.front() == '[') return {LineKind::section, section_name(text, number), {}};
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) throw ParseError("expected 'key = value'", number);
    const auto key = trim(text.substr(0, equals));
    if (key.empty()) throw ParseError("an entry needs a key", number);
    try {
        return {LineKind::entry, std::string(key), unquote(trim(text.substr(equals + 1)))};
    } catch (const ParseError& error) {
        throw ParseError(error.what(), number);
    }
}

}  // namespace inkwell
