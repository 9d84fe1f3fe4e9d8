#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace inkwell {

/// The value that a written one stands for: quotes and escapes resolved. Throws ParseError when a quote is not closed.
std::string unquote(std::string_view text);

/// `yes`, `true`, `on`, `1` and their opposites, in any case; empty for anything else.
std::optional<bool> to_bool(std::string_view text);

/// A decimal number with an optional sign; empty for anything else or when it does not fit.
std::optional<long> to_int(std::string_view text);

}  // namespace inkwell
