#pragma once

#include <stdexcept>
#include <string>

namespace inkwell {

/// A text that is not INI. `line()` is 1-based; 0 when a single value was read.
class ParseError : public std::runtime_error {
public:
    ParseError(const std::string& message, int line)
        : std::runtime_error(line > 0 ? "line " + std::to_string(line) + ": " + message : message), line_(line) {}

    int line() const noexcept { return line_; }

private:
    int line_;
};

}  // namespace inkwell
