#include "harness.hpp"

#include <inkwell/error.hpp>
#include <inkwell/value.hpp>

using inkwell::to_bool;
using inkwell::to_int;
using inkwell::unquote;

TEST(Value, PlainTextIsKept) {
    EXPECT_EQ(unquote("plain"), "plain");
    EXPECT_EQ(unquote(""), "");
}

TEST(Value, DoubleQuotesKeepWhiteSpace) {
    EXPECT_EQ(unquote("\"  two  \""), "  two  ");
}

TEST(Value, EscapesOnlyInDoubleQuotes) {
    EXPECT_EQ(unquote("\"a\\\"b\\\\c\\nd\""), "a\"b\\c\nd");
    EXPECT_EQ(unquote("'a\\nb'"), "a\\nb");
}

TEST(Value, QuoteMustBeClosed) {
    EXPECT_THROW(unquote("\"open"), inkwell::ParseError);
    EXPECT_THROW(unquote("'open\""), inkwell::ParseError);
}

TEST(Value, NothingMayFollowTheClosingQuote) {
    EXPECT_THROW(unquote("\"a\" b"), inkwell::ParseError);
}

TEST(Value, BooleanWords) {
    EXPECT_TRUE(to_bool("Yes").value_or(false));
    EXPECT_FALSE(to_bool("OFF").value_or(true));
    EXPECT_FALSE(to_bool("maybe").has_value());
}

TEST(Value, Integers) {
    EXPECT_EQ(to_int("-42").value_or(0), -42);
    EXPECT_FALSE(to_int("4 2").has_value());
    EXPECT_FALSE(to_int("99999999999999999999999").has_value());
}
