#include "harness.hpp"

#include <inkwell/document.hpp>
#include <inkwell/writer.hpp>

using inkwell::Document;
using inkwell::quote;
using inkwell::write;

TEST(Writer, QuotesOnlyWhereNeeded) {
    EXPECT_EQ(quote("plain"), "plain");
    EXPECT_EQ(quote(" padded "), "\" padded \"");
    EXPECT_EQ(quote("\"so\""), "\"\\\"so\\\"\"");
}

TEST(Writer, SectionsAreSeparated) {
    Document document;
    document.set("b", "y", "2");
    document.set("", "x", "1");
    EXPECT_EQ(write(document), "x = 1\n\n[b]\ny = 2\n");
}

TEST(Writer, ReadingGivesTheSameBack) {
    Document document;
    document.set("a", "path", "  C:\\temp ");
    document.set("a", "lines", "one\ntwo");
    const auto again = Document::parse(write(document));
    EXPECT_EQ(again.get("a", "path", ""), "  C:\\temp ");
    EXPECT_EQ(again.get("a", "lines", ""), "one\ntwo");
}
