// A test harness of one header: the macros, flags and report of GoogleTest that these tests use.
// Include it in exactly one file of each test executable; it defines main().
#pragma once

#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace harness {

struct Test {
    const char* suite;
    const char* name;
    const char* file;
    int line;
    void (*body)();
    std::string failures;
    double seconds = 0;

    std::string full_name() const { return std::string(suite) + '.' + name; }
};

inline std::vector<Test>& tests() {
    static std::vector<Test> all;
    return all;
}

inline Test*& running() {
    static Test* test = nullptr;
    return test;
}

inline bool add(const char* suite, const char* name, const char* file, int line, void (*body)()) {
    tests().push_back({suite, name, file, line, body, {}, 0});
    return true;
}

template <typename T>
std::string show(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
        return value ? "true" : "false";
    } else if constexpr (std::is_arithmetic_v<T>) {
        return std::to_string(value);
    } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
        return '"' + std::string(std::string_view(value)) + '"';
    } else {
        return "(a value)";
    }
}

/// What a test adds to an assertion with `<<`.
class Message {
public:
    template <typename T>
    Message& operator<<(const T& value) {
        if constexpr (std::is_convertible_v<const T&, std::string_view>) {
            text_ += std::string_view(value);
        } else {
            text_ += show(value);
        }
        return *this;
    }
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

/// Takes the message by assignment, so that an assertion can be used as `return Failure(...) = Message() << ...`.
class Failure {
public:
    Failure(const char* file, int line, std::string what) : file_(file), line_(line), what_(std::move(what)) {}
    void operator=(const Message& message) const {
        std::string text = std::string(file_) + ':' + std::to_string(line_) + ": Failure\n" + what_;
        if (!message.text().empty()) text += '\n' + message.text();
        std::printf("%s\n", text.c_str());
        running()->failures += text + '\n';
    }

private:
    const char* file_;
    int line_;
    std::string what_;
};

struct Check {
    bool ok;
    std::string what;
    explicit operator bool() const { return ok; }
};

template <typename A, typename B>
Check compare(bool ok, const char* sign, const char* left, const char* right, const A& a, const B& b) {
    if (ok) return {true, {}};
    return {false, std::string("Expected: (") + left + ") " + sign + " (" + right + "), actual: " + show(a) + " vs " + show(b)};
}

template <typename A, typename B>
bool equal(const A& a, const B& b) {
    if constexpr (std::is_convertible_v<const A&, std::string_view> && std::is_convertible_v<const B&, std::string_view>) {
        return std::string_view(a) == std::string_view(b);
    } else if constexpr (std::is_integral_v<A> && std::is_integral_v<B>) {
        return a == static_cast<A>(b) && (a < A()) == (b < B());
    } else {
        return a == b;
    }
}

/// GoogleTest's pattern language: `*`, `?`, `:` between alternatives.
inline bool matches_one(const char* pattern, const char* end, const char* text) {
    if (pattern == end) return *text == '\0';
    if (*pattern == '*') return matches_one(pattern + 1, end, text) || (*text != '\0' && matches_one(pattern, end, text + 1));
    return *text != '\0' && (*pattern == '?' || *pattern == *text) && matches_one(pattern + 1, end, text + 1);
}

inline bool matches_any(const std::string& patterns, const std::string& name) {
    std::size_t start = 0;
    while (start <= patterns.size()) {
        const auto colon = patterns.find(':', start);
        const auto end = colon == std::string::npos ? patterns.size() : colon;
        if (matches_one(patterns.data() + start, patterns.data() + end, name.c_str())) return true;
        start = end + 1;
    }
    return false;
}

inline bool selected(const std::string& filter, const std::string& name) {
    const auto dash = filter.find('-');
    const std::string wanted = filter.substr(0, dash);
    if (!matches_any(wanted.empty() ? "*" : wanted, name)) return false;
    return dash == std::string::npos || !matches_any(filter.substr(dash + 1), name);
}

inline std::string escape(const std::string& text) {
    std::string out;
    for (const char letter : text) {
        switch (letter) {
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '&': out += "&amp;"; break;
            case '"': out += "&quot;"; break;
            case '\n': out += "&#x0A;"; break;
            default:
                if (static_cast<unsigned char>(letter) >= 0x20 || letter == '\t') out += letter;
        }
    }
    return out;
}

inline std::string seconds(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3f", value);
    return text;
}

inline std::string timestamp() {
    const std::time_t now = std::time(nullptr);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S.000", std::localtime(&now));
    return text;
}

/// The suites' names in the order in which they first occur.
inline std::vector<std::string> suites(const std::vector<Test*>& all) {
    std::vector<std::string> names;
    for (const Test* test : all) {
        bool known = false;
        for (const auto& name : names) known = known || name == test->suite;
        if (!known) names.push_back(test->suite);
    }
    return names;
}

inline std::string counts(const std::vector<Test*>& all) {
    int failed = 0;
    double time = 0;
    for (const Test* test : all) {
        failed += test->failures.empty() ? 0 : 1;
        time += test->seconds;
    }
    return " tests=\"" + std::to_string(all.size()) + "\" failures=\"" + std::to_string(failed) +
           "\" disabled=\"0\" errors=\"0\" time=\"" + seconds(time) + "\" timestamp=\"" + timestamp() + '"';
}

inline std::string report(const std::vector<Test*>& ran) {
    std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + counts(ran) + " name=\"AllTests\">\n";
    for (const auto& suite : suites(ran)) {
        std::vector<Test*> own;
        for (Test* test : ran)
            if (suite == test->suite) own.push_back(test);
        xml += "  <testsuite name=\"" + escape(suite) + '"' + counts(own) + ">\n";
        for (const Test* test : own) {
            xml += "    <testcase name=\"" + escape(test->name) + "\" file=\"" + escape(test->file) + "\" line=\"" +
                   std::to_string(test->line) + "\" status=\"run\" result=\"completed\" time=\"" + seconds(test->seconds) +
                   "\" timestamp=\"" + timestamp() + "\" classname=\"" + escape(suite) + '"';
            if (test->failures.empty()) {
                xml += " />\n";
            } else {
                const auto text = escape(test->failures);
                xml += ">\n      <failure message=\"" + text + "\" type=\"\">" + text + "</failure>\n    </testcase>\n";
            }
        }
        xml += "  </testsuite>\n";
    }
    return xml + "</testsuites>\n";
}

inline bool exists(const std::string& path) {
    struct stat status;
    return stat(path.c_str(), &status) == 0;
}

/// `xml`, `xml:FILE` or `xml:FOLDER/`, in which the first free name of EXE.xml, EXE_1.xml, … is taken.
inline std::string report_path(const std::string& output, const std::string& executable) {
    if (output.compare(0, 4, "xml:") != 0) return output == "xml" ? "test_detail.xml" : "";
    const std::string path = output.substr(4);
    if (path.empty() || path.back() != '/') return path;
    for (std::size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1))
        mkdir(path.substr(0, end).c_str(), 0777);
    std::string file = path + executable + ".xml";
    for (int number = 1; exists(file); ++number) file = path + executable + '_' + std::to_string(number) + ".xml";
    return file;
}

inline bool write_report(const std::string& path, const std::vector<Test*>& ran) {
    std::FILE* file = std::fopen(path.c_str(), "w");
    if (file == nullptr) {
        std::fprintf(stderr, "cannot write %s: %s\n", path.c_str(), std::strerror(errno));
        return false;
    }
    const auto xml = report(ran);
    std::fwrite(xml.data(), 1, xml.size(), file);
    return std::fclose(file) == 0;
}

inline double now() {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

inline void run(Test& test) {
    running() = &test;
    std::printf("[ RUN      ] %s\n", test.full_name().c_str());
    std::fflush(stdout);
    const double start = now();
    try {
        test.body();
    } catch (const std::exception& error) {
        Failure(test.file, test.line, std::string("an exception left the test: ") + error.what()) = Message();
    } catch (...) {
        Failure(test.file, test.line, "something that is no exception left the test") = Message();
    }
    test.seconds = now() - start;
    std::printf("[%s] %s (%d ms)\n", test.failures.empty() ? "       OK " : "  FAILED  ", test.full_name().c_str(),
                static_cast<int>(test.seconds * 1000));
}

inline int main(int argc, char** argv) {
    const auto from_environment = [](const char* name, const char* fallback) {
        const char* value = std::getenv(name);
        return std::string(value != nullptr && *value != '\0' ? value : fallback);
    };
    std::string filter = from_environment("GTEST_FILTER", "*");
    std::string output = from_environment("GTEST_OUTPUT", "");
    bool list = false;
    for (int i = 1; i < argc; ++i) {
        const std::string flag = argv[i];
        if (flag.compare(0, 15, "--gtest_filter=") == 0) filter = flag.substr(15);
        if (flag.compare(0, 15, "--gtest_output=") == 0) output = flag.substr(15);
        if (flag == "--gtest_list_tests") list = true;
    }
    std::vector<Test*> chosen;
    for (auto& test : tests())
        if (selected(filter, test.full_name())) chosen.push_back(&test);
    if (list) {
        for (const auto& suite : suites(chosen)) {
            std::printf("%s.\n", suite.c_str());
            for (const Test* test : chosen)
                if (suite == test->suite) std::printf("  %s\n", test->name);
        }
        return 0;
    }
    std::printf("[==========] Running %zu tests from %zu test suites.\n", chosen.size(), suites(chosen).size());
    for (Test* test : chosen) run(*test);
    std::size_t failed = 0;
    for (const Test* test : chosen) failed += test->failures.empty() ? 0 : 1;
    std::printf("[==========] %zu tests from %zu test suites ran.\n[  PASSED  ] %zu tests.\n", chosen.size(),
                suites(chosen).size(), chosen.size() - failed);
    if (failed > 0) std::printf("[  FAILED  ] %zu tests, listed below:\n", failed);
    for (const Test* test : chosen)
        if (!test->failures.empty()) std::printf("[  FAILED  ] %s\n", test->full_name().c_str());
    const std::string executable = std::strrchr(argv[0], '/') ? std::strrchr(argv[0], '/') + 1 : argv[0];
    const auto path = report_path(output, executable);
    if (!path.empty() && !write_report(path, chosen)) return 1;
    return failed > 0 ? 1 : 0;
}

}  // namespace harness

#define TEST(SUITE, NAME)                                                                                       \
    static void SUITE##_##NAME##_body();                                                                        \
    static const bool SUITE##_##NAME##_added = harness::add(#SUITE, #NAME, __FILE__, __LINE__, SUITE##_##NAME##_body); \
    static void SUITE##_##NAME##_body()

// `switch (0) case 0: default:` keeps a following `else` of the test from binding to the macro's `if`.
#define HARNESS_CHECK(CHECK, STOP)                     \
    switch (0)                                         \
    case 0:                                            \
    default:                                           \
        if (const harness::Check harness_check = CHECK) \
            ;                                          \
        else                                           \
            STOP harness::Failure(__FILE__, __LINE__, harness_check.what) = harness::Message()

#define HARNESS_COMPARE(A, B, OK, SIGN, STOP)                                          \
    HARNESS_CHECK(([&]() -> harness::Check {                                           \
                      const auto& harness_a = A;                                       \
                      const auto& harness_b = B;                                       \
                      return harness::compare(OK, SIGN, #A, #B, harness_a, harness_b); \
                  }()),                                                                \
                  STOP)

#define HARNESS_BOOL(VALUE, WANTED, STOP) \
    HARNESS_CHECK((harness::Check{static_cast<bool>(VALUE) == WANTED, "Expected: " #VALUE " is " #WANTED}), STOP)

#define HARNESS_THROWS(STATEMENT, TYPE, STOP)                                    \
    HARNESS_CHECK(([&]() -> harness::Check {                                     \
                      try {                                                      \
                          static_cast<void>(STATEMENT);                          \
                      } catch (const TYPE&) {                                    \
                          return {true, {}};                                     \
                      } catch (...) {                                            \
                          return {false, #STATEMENT " throws something else than " #TYPE}; \
                      }                                                          \
                      return {false, #STATEMENT " throws nothing"};              \
                  }()),                                                          \
                  STOP)

#define HARNESS_CALM(STATEMENT, STOP)                                      \
    HARNESS_CHECK(([&]() -> harness::Check {                               \
                      try {                                                \
                          static_cast<void>(STATEMENT);                    \
                      } catch (const std::exception& error) {              \
                          return {false, std::string(#STATEMENT " throws: ") + error.what()}; \
                      } catch (...) {                                      \
                          return {false, #STATEMENT " throws"};            \
                      }                                                    \
                      return {true, {}};                                   \
                  }()),                                                    \
                  STOP)

#define EXPECT_EQ(A, B) HARNESS_COMPARE(A, B, harness::equal(harness_a, harness_b), "==", )
#define EXPECT_NE(A, B) HARNESS_COMPARE(A, B, !harness::equal(harness_a, harness_b), "!=", )
#define EXPECT_LT(A, B) HARNESS_COMPARE(A, B, harness_a < harness_b, "<", )
#define EXPECT_LE(A, B) HARNESS_COMPARE(A, B, harness_a <= harness_b, "<=", )
#define EXPECT_GT(A, B) HARNESS_COMPARE(A, B, harness_a > harness_b, ">", )
#define EXPECT_GE(A, B) HARNESS_COMPARE(A, B, harness_a >= harness_b, ">=", )
#define EXPECT_TRUE(VALUE) HARNESS_BOOL(VALUE, true, )
#define EXPECT_FALSE(VALUE) HARNESS_BOOL(VALUE, false, )
#define EXPECT_THROW(STATEMENT, TYPE) HARNESS_THROWS(STATEMENT, TYPE, )
#define EXPECT_NO_THROW(STATEMENT) HARNESS_CALM(STATEMENT, )

#define ASSERT_EQ(A, B) HARNESS_COMPARE(A, B, harness::equal(harness_a, harness_b), "==", return)
#define ASSERT_NE(A, B) HARNESS_COMPARE(A, B, !harness::equal(harness_a, harness_b), "!=", return)
#define ASSERT_LT(A, B) HARNESS_COMPARE(A, B, harness_a < harness_b, "<", return)
#define ASSERT_GT(A, B) HARNESS_COMPARE(A, B, harness_a > harness_b, ">", return)
#define ASSERT_TRUE(VALUE) HARNESS_BOOL(VALUE, true, return)
#define ASSERT_FALSE(VALUE) HARNESS_BOOL(VALUE, false, return)
#define ASSERT_THROW(STATEMENT, TYPE) HARNESS_THROWS(STATEMENT, TYPE, return)
#define ASSERT_NO_THROW(STATEMENT) HARNESS_CALM(STATEMENT, return)

#define ADD_FAILURE() harness::Failure(__FILE__, __LINE__, "Failed") = harness::Message()
#define FAIL() return ADD_FAILURE()

int main(int argc, char** argv) { return harness::main(argc, argv); }
