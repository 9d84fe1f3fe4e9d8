#pragma once

#include <string>
#include <string_view>

namespace inkwell {

enum class LineKind { blank, comment, section, entry };

/// One line of a file. `name` is the section's or the key's; `value` is an entry's, unquoted.
struct Line {
    LineKind kind = LineKind::blank;
    std::string name;
    std::string value;
};

/// The text without white space at both ends.
std::string_view trim(std::string_view text);

/// Reads one line without its line end. Throws ParseError with `number` when it is none of the four kinds.
Line parse_line(std::string_view text, int number);

}  // namespace inkwell
