#include "harness.hpp"

#include <inkwell/document.hpp>
#include <inkwell/error.hpp>

using inkwell::Document;

TEST(Document, EntriesBelongToTheirSection) {
    const auto document = Document::parse("name = top\n[a]\nname = first\n[b]\nname = second\n");
    EXPECT_EQ(document.get("", "name", ""), "top");
    EXPECT_EQ(document.get("a", "name", ""), "first");
    EXPECT_EQ(document.get("b", "name", ""), "second");
}

TEST(Document, MissingGivesTheFallback) {
    const auto document = Document::parse("[a]\nx = 1\n");
    EXPECT_FALSE(document.find("a", "y").has_value());
    EXPECT_EQ(document.get("b", "x", "none"), "none");
}

TEST(Document, TypedValues) {
    const auto document = Document::parse("[a]\nwidth = 640\nvisible = yes\ntitle = main\n");
    EXPECT_EQ(document.get_int("a", "width", 0), 640);
    EXPECT_TRUE(document.get_bool("a", "visible", false));
    EXPECT_EQ(document.get_int("a", "title", 7), 7);
}

TEST(Document, LastValueOfAKeyCounts) {
    const auto document = Document::parse("[a]\nx = 1\nx = 2\n[b]\n[a]\nx = 3\n");
    EXPECT_EQ(document.get("a", "x", ""), "3");
    EXPECT_EQ(document.sections().size(), 2u);
}

TEST(Document, LineEndsOfOtherSystems) {
    EXPECT_EQ(Document::parse("[a]\r\nx = 1\r\n").get("a", "x", ""), "1");
}

TEST(Document, ErrorNamesTheLine) {
    try {
        Document::parse("[a]\nx = 1\nbroken\n");
        FAIL() << "no error";
    } catch (const inkwell::ParseError& error) {
        EXPECT_EQ(error.line(), 3);
    }
}
