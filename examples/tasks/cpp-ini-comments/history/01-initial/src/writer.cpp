#include <inkwell/writer.hpp>

#include <inkwell/line.hpp>

namespace inkwell {

namespace {

bool needs_quotes(std::string_view value) {
    if (value.empty()) return false;
    if (value != trim(value)) return true;
    if (value.front() == '"' || value.front() == '\'') return true;
    return value.find('\n') != std::string_view::npos;
}

}  // namespace

std::string quote(std::string_view value) {
    if (!needs_quotes(value)) return std::string(value);
    std::string text = "\"";
    for (const char letter : value) {
        switch (letter) {
            case '"': text += "\\\""; break;
            case '\\': text += "\\\\"; break;
            case '\n': text += "\\n"; break;
            case '\t': text += "\\t"; break;
            default: text += letter;
        }
    }
    return text + '"';
}

std::string write(const Document& document) {
    std::string text;
    for (const auto& section : document.sections()) {
        if (!section.name.empty()) {
            if (!text.empty()) text += '\n';
            text += '[' + section.name + "]\n";
        }
        for (const auto& entry : section.entries) text += entry.key + " = " + quote(entry.value) + '\n';
    }
    return text;
}

}  // namespace inkwell
