#pragma once

#include <string>
#include <string_view>

#include <inkwell/document.hpp>

namespace inkwell {

/// The value as it must be written so that reading gives it back: quoted only where that is needed.
std::string quote(std::string_view value);

/// The document as text. Reading it gives the same document.
std::string write(const Document& document);

}  // namespace inkwell
