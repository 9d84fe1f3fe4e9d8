#include "harness.hpp"

#include <inkwell/error.hpp>
#include <inkwell/line.hpp>

using inkwell::LineKind;
using inkwell::parse_line;

TEST(Line, BlankLinesAndComments) {
    EXPECT_TRUE(parse_line("  \t", 1).kind == LineKind::blank);
    EXPECT_TRUE(parse_line("# note", 1).kind == LineKind::comment);
    EXPECT_TRUE(parse_line("  ; note", 1).kind == LineKind::comment);
}

TEST(Line, SectionNameIsTrimmed) {
    const auto line = parse_line("[ window ]", 1);
    EXPECT_TRUE(line.kind == LineKind::section);
    EXPECT_EQ(line.name, "window");
}

TEST(Line, SectionMustBeClosedAndNamed) {
    EXPECT_THROW(parse_line("[window", 1), inkwell::ParseError);
    EXPECT_THROW(parse_line("[ ]", 1), inkwell::ParseError);
}

TEST(Line, EntryIsSplitAtTheFirstEqualsSign) {
    const auto line = parse_line("query = a=b", 1);
    EXPECT_EQ(line.name, "query");
    EXPECT_EQ(line.value, "a=b");
}

TEST(Line, ValueMayBeEmpty) {
    EXPECT_EQ(parse_line("path =", 1).value, "");
}

TEST(Line, EntryNeedsAKey) {
    EXPECT_THROW(parse_line("= 3", 1), inkwell::ParseError);
    EXPECT_THROW(parse_line("lonely", 1), inkwell::ParseError);
}

TEST(Line, ErrorNamesTheLine) {
    try {
        parse_line("[window", 12);
        FAIL() << "no error";
    } catch (const inkwell::ParseError& error) {
        EXPECT_EQ(error.line(), 12);
    }
}
