#include <inkwell/value.hpp>

#include <cerrno>
#include <cstdlib>

#include <inkwell/error.hpp>

namespace inkwell {

namespace {

char escaped(char letter) {
    switch (letter) {
        case 'n': return '\n';
        case 't': return '\t';
        default: return letter;
    }
}

bool same_word(std::string_view text, std::string_view lower) {
    if (text.size() != lower.size()) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char letter = text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
        if (letter != lower[i]) return false;
    }
    return true;
}

}  // namespace

std::string unquote(std::string_view text) {
    if (text.empty() || (text.front() != '"' && text.front() != '\'')) return std::string(text);
    const char mark = text.front();
    std::string value;
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == mark) {
            if (i + 1 != text.size()) throw ParseError("unexpected text after a quoted value", 0);
            return value;
        }
        if (mark == '"' && text[i] == '\\' && i + 1 < text.size()) {
            value += escaped(text[++i]);
        } else {
            value += text[i];
        }
    }
    throw ParseError("a quote is not closed", 0);
}

std::optional<bool> to_bool(std::string_view text) {
    for (const auto word : {"yes", "true", "on", "1"})
        if (same_word(text, word)) return true;
    for (const auto word : {"no", "false", "off", "0"})
        if (same_word(text, word)) return false;
    return std::nullopt;
}

std::optional<long> to_int(std::string_view text) {
    const std::string digits(text);
    if (digits.empty() || digits.front() == ' ') return std::nullopt;
    char* end = nullptr;
    errno = 0;
    const long value = std::strtol(digits.c_str(), &end, 10);
    if (errno != 0 || end != digits.c_str() + digits.size()) return std::nullopt;
    return value;
}

}  // namespace inkwell
