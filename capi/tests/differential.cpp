// Compares all functions of simdutf_c.h with simdutf's functions of the same names, on random and adversarial texts in
// guarded buffers. The program is compiled with simdutf's simdutf.cpp, and runs on each kernel of simdutf. test.sh runs it
// on several kernels of utflane.
#include <simdutf.h>
#include <simdutf_c.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "check.h"

namespace {

std::mt19937_64 generator(1);

size_t random_below(size_t n) { return generator() % n; }

uint32_t random_code_point() {
    static const uint32_t ends[] = {0x80, 0x100, 0x800, 0x10000, 0x110000};
    uint32_t c;
    do c = uint32_t(random_below(ends[random_below(5)]));
    while (c >= 0xD800 && c < 0xE000);
    return c;
}

// Returns at least n bytes of well-formed UTF-8. A narrow text has only characters of Latin-1.
std::vector<char> random_utf8(size_t n, bool is_narrow) {
    std::vector<char> text;
    while (text.size() < n) {
        uint32_t c = is_narrow ? uint32_t(random_below(256)) : random_code_point();
        if (c < 0x80) {
            text.push_back(char(c));
            continue;
        }
        int continuations = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        text.push_back(char((0xFF00 >> (continuations + 1) & 0xFF) | c >> 6 * continuations));
        while (continuations--) text.push_back(char(0x80 | (c >> 6 * continuations & 0x3F)));
    }
    return text;
}

// Removes, inserts or changes up to two bytes of a text, or truncates it.
void make_ill_formed(std::vector<char> &text) {
    static const unsigned char bytes[] = {0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xDF,
                                          0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xF7, 0xF8, 0xFE, 0xFF};
    for (size_t times = random_below(3); times > 0 && !text.empty(); times--) {
        size_t offset = random_below(text.size());
        switch (random_below(4)) {
        case 0: text.erase(text.begin() + long(offset)); break;
        case 1: text.resize(offset); break;
        case 2: text.insert(text.begin() + long(offset), char(bytes[random_below(sizeof bytes)])); break;
        default: text[offset] = char(bytes[random_below(sizeof bytes)]);
        }
    }
}

// Returns at least n units of UTF-16 or UTF-32. Up to two units are replaced by units that are ill-formed, or not in
// Latin-1. `swap` swaps the bytes of each unit of UTF-16.
template <class Unit> std::vector<Unit> random_units(size_t n, bool is_narrow, bool swap) {
    static const uint32_t units16[] = {0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x100, 0xFFFF};
    static const uint32_t units32[] = {0xD800, 0xDFFF, 0x110000, 0xFFFFFFFF, 0x100, 0x80000000};
    std::vector<Unit> text;
    while (text.size() < n) {
        uint32_t c = is_narrow ? uint32_t(random_below(256)) : random_code_point();
        if (sizeof(Unit) == 2 && c > 0xFFFF) {
            text.push_back(Unit(0xD7C0 + (c >> 10)));
            c = 0xDC00 | (c & 0x3FF);
        }
        text.push_back(Unit(c));
    }
    for (size_t times = random_below(3); times > 0 && !text.empty(); times--) {
        text[random_below(text.size())] = Unit(sizeof(Unit) == 2 ? units16[random_below(6)] : units32[random_below(6)]);
    }
    if (swap && sizeof(Unit) == 2) {
        for (Unit &unit : text) unit = Unit(uint16_t(unit << 8) | uint16_t(unit) >> 8);
    }
    return text;
}

bool are_equal(simdutf_result ours, simdutf::result theirs) {
    return int(ours.error) == int(theirs.error) && ours.count == theirs.count;
}

// Compares one conversion. simdutf converts into a large output, and utflane into a guarded buffer with the capacity that
// the length function returns.
#define CHECK_CONVERSION(pair, Unit, capacity)                                                                \
    do {                                                                                                      \
        Unit *dst = (Unit *)guarded_alloc((capacity) * sizeof(Unit));                                         \
        std::vector<Unit> wanted(4 * n + 64);                                                                 \
        const size_t count = simdutf::convert_##pair(src, n, wanted.data());                                  \
        CHECK(simdutf_convert_##pair(src, n, dst) == count);                                                  \
        CHECK(memcmp(dst, wanted.data(), count * sizeof(Unit)) == 0);                                         \
        release(dst);                                                                                         \
    } while (0)
// Compares the three functions of one conversion. simdutf's `valid` function requires a text without an error.
#define CHECK_CONVERSIONS(pair, Unit, capacity)                                                               \
    do {                                                                                                      \
        CHECK_CONVERSION(pair, Unit, capacity);                                                               \
        Unit *dst = (Unit *)guarded_alloc((capacity) * sizeof(Unit));                                         \
        std::vector<Unit> wanted(4 * n + 64);                                                                 \
        const simdutf::result theirs = simdutf::convert_##pair##_with_errors(src, n, wanted.data());          \
        CHECK(are_equal(simdutf_convert_##pair##_with_errors(src, n, dst), theirs));                          \
        if (theirs.error == simdutf::SUCCESS) CHECK_CONVERSION(valid_##pair, Unit, capacity);                 \
        release(dst);                                                                                         \
    } while (0)
#define CHECK_EQUAL(name) CHECK(simdutf_##name(src, n) == simdutf::name(src, n))
#define CHECK_VALIDATION(a)                                                                                   \
    CHECK_EQUAL(validate_##a);                                                                                \
    CHECK(are_equal(simdutf_validate_##a##_with_errors(src, n), simdutf::validate_##a##_with_errors(src, n)))

// Compares the lengths of a well-formed text that is cut at each of its last offsets.
#define CHECK_TRIM(a)                                                                                         \
    for (size_t cut = n - std::min<size_t>(n, 4); cut <= n; cut++)                                            \
        CHECK(simdutf_trim_partial_##a(src, cut) == simdutf::trim_partial_##a(src, cut))
#define CHECK_EQUAL_LENGTH(name) CHECK(simdutf_##name(n) == simdutf::name(n))

void check_detection(const char *src, size_t n) {
    CHECK(int(simdutf_autodetect_encoding(src, n)) == int(simdutf::autodetect_encoding(src, n)));
    CHECK_EQUAL(detect_encodings);
    CHECK(int(simdutf_check_bom(src, n)) == int(simdutf::BOM::check_bom(src, n)));
}

// Compares detection for byte order marks, complete and incomplete.
void check_marks() {
    static const char marks[][5] = {"\xEF\xBB\xBF" "a", "\xFF\xFE" "ab", "\xFE\xFF" "ab", "\xFF\xFE\0\0", "\0\0\xFE\xFF"};
    for (const char *mark : marks) {
        for (size_t n = 0; n <= 4; n++) check_detection(mark, n);
    }
    for (int encoding = 0; encoding < 64; encoding++) {
        CHECK(simdutf_bom_byte_size(simdutf_encoding_type(encoding)) ==
              simdutf::BOM::bom_byte_size(simdutf::encoding_type(encoding)));
    }
}

void check_utf8(const std::vector<char> &text) {
    const size_t n = text.size();
    const char *src = (const char *)guarded_copy(text.data(), n);
    CHECK_VALIDATION(utf8);
    CHECK_VALIDATION(ascii);
    check_detection(src, n);
    CHECK_EQUAL(count_utf8);
    CHECK_EQUAL(latin1_length_from_utf8);
    CHECK_EQUAL(utf32_length_from_utf8);
    const size_t units = simdutf_utf16_length_from_utf8(src, n);
    CHECK_CONVERSIONS(utf8_to_latin1, char, simdutf_latin1_length_from_utf8(src, n));
    CHECK_CONVERSIONS(utf8_to_utf16, char16_t, units);
    CHECK_CONVERSIONS(utf8_to_utf16le, char16_t, units);
    CHECK_CONVERSIONS(utf8_to_utf16be, char16_t, units);
    CHECK_CONVERSIONS(utf8_to_utf32, char32_t, simdutf_utf32_length_from_utf8(src, n));
    if (simdutf::validate_utf8(src, n)) {
        CHECK_EQUAL(utf16_length_from_utf8);
        CHECK_TRIM(utf8);
    }
    release(src);
}

void check_latin1(const std::vector<char> &text) {
    const size_t n = text.size();
    const char *src = (const char *)guarded_copy(text.data(), n);
    CHECK_EQUAL(utf8_length_from_latin1);
    CHECK_EQUAL_LENGTH(utf16_length_from_latin1);
    CHECK_EQUAL_LENGTH(utf32_length_from_latin1);
    CHECK_EQUAL_LENGTH(latin1_length_from_utf16);
    CHECK_EQUAL_LENGTH(latin1_length_from_utf32);
    const size_t bytes = simdutf_utf8_length_from_latin1(src, n);
    CHECK_CONVERSION(latin1_to_utf8, char, bytes);
    CHECK_CONVERSION(latin1_to_utf16, char16_t, n);
    CHECK_CONVERSION(latin1_to_utf16le, char16_t, n);
    CHECK_CONVERSION(latin1_to_utf16be, char16_t, n);
    CHECK_CONVERSION(latin1_to_utf32, char32_t, n);
    const size_t capacity = random_below(bytes + 2);
    char *dst = (char *)guarded_alloc(capacity);
    std::vector<char> wanted(capacity + 64);
    const size_t count = simdutf::convert_latin1_to_utf8_safe(src, n, wanted.data(), capacity);
    CHECK(simdutf_convert_latin1_to_utf8_safe(src, n, dst, capacity) == count);
    CHECK(memcmp(dst, wanted.data(), count) == 0);
    release(dst);
    const char byte = char(generator());
    // The expected result is from std::find: with AVX-512, simdutf 7.7 finds NUL beyond the end of the text, in the lanes
    // that a masked load fills with zeros.
    CHECK(simdutf_find(src, src + n, byte) == std::find(src, src + n, byte));
    release(src);
}

#define CHECK_UTF16(a)                                                                                        \
    void check_##a(const std::vector<char16_t> &text) {                                                       \
        const size_t n = text.size();                                                                         \
        const char16_t *src = (const char16_t *)guarded_copy(text.data(), 2 * n);                             \
        CHECK_VALIDATION(a);                                                                                  \
        CHECK_EQUAL(validate_##a##_as_ascii);                                                                 \
        CHECK_EQUAL(count_##a);                                                                               \
        CHECK_EQUAL(utf32_length_from_##a);                                                                   \
        check_detection((const char *)src, 2 * n);                                                            \
        CHECK(are_equal(simdutf_utf8_length_from_##a##_with_replacement(src, n),                              \
                        simdutf::utf8_length_from_##a##_with_replacement(src, n)));                           \
        CHECK_CONVERSIONS(a##_to_utf8, char, simdutf_utf8_length_from_##a(src, n));                           \
        CHECK_CONVERSIONS(a##_to_utf32, char32_t, simdutf_utf32_length_from_##a(src, n));                     \
        CHECK_CONVERSIONS(a##_to_latin1, char, n);                                                            \
        if (simdutf::validate_##a(src, n)) {                                                                  \
            CHECK_EQUAL(utf8_length_from_##a);                                                                \
            CHECK_TRIM(a);                                                                                    \
        }                                                                                                     \
        char16_t *repaired = (char16_t *)guarded_alloc(2 * n);                                                \
        std::vector<char16_t> wanted(n + 64);                                                                 \
        simdutf::change_endianness_utf16(src, n, wanted.data());                                              \
        simdutf_change_endianness_utf16(src, n, repaired);                                                    \
        CHECK(memcmp(repaired, wanted.data(), 2 * n) == 0);                                                   \
        simdutf::to_well_formed_##a(src, n, wanted.data());                                                   \
        simdutf_to_well_formed_##a(src, n, repaired);                                                         \
        CHECK(memcmp(repaired, wanted.data(), 2 * n) == 0);                                                   \
        const size_t length = simdutf_utf8_length_from_##a(repaired, n);                                      \
        char *with_replacement = (char *)guarded_alloc(length), *strict = (char *)guarded_alloc(length);      \
        CHECK(simdutf_convert_##a##_to_utf8_with_replacement(src, n, with_replacement) == length);            \
        CHECK(simdutf_convert_##a##_to_utf8(repaired, n, strict) == length);                                  \
        CHECK(memcmp(with_replacement, strict, length) == 0);                                                 \
        release(with_replacement), release(strict), release(repaired), release(src);                          \
    }
CHECK_UTF16(utf16)
CHECK_UTF16(utf16le)
CHECK_UTF16(utf16be)

// simdutf's convert_utf16_to_utf8_safe writes beyond its capacity in versions 7 and 8, so the expected result is a prefix
// of simdutf's complete conversion.
void check_utf16_safe(const std::vector<char16_t> &text) {
    const size_t n = text.size(), capacity = random_below(3 * n + 2);
    char *dst = (char *)guarded_alloc(capacity);
    std::vector<char> wanted(4 * n + 64);
    const size_t got = simdutf_convert_utf16_to_utf8_safe(text.data(), n, dst, capacity);
    const size_t all = simdutf::convert_utf16_to_utf8(text.data(), n, wanted.data());
    if (all > 0) {
        size_t boundary = capacity < all ? capacity : all;
        while (boundary < all && boundary > 0 && (wanted[boundary] & 0xC0) == 0x80) boundary--;
        CHECK(got == boundary && memcmp(dst, wanted.data(), got) == 0);
    }
    release(dst);
    const char16_t *src = text.data();
    const char16_t unit = char16_t(random_below(300));
    CHECK(simdutf_find_utf16(src, src + n, unit) == std::find(src, src + n, unit));
}

void check_utf32(const std::vector<char32_t> &text) {
    const size_t n = text.size();
    const char32_t *src = (const char32_t *)guarded_copy(text.data(), 4 * n);
    CHECK_VALIDATION(utf32);
    check_detection((const char *)src, 4 * n);
    const size_t units = simdutf_utf16_length_from_utf32(src, n);
    CHECK_CONVERSIONS(utf32_to_utf8, char, simdutf_utf8_length_from_utf32(src, n));
    CHECK_CONVERSIONS(utf32_to_latin1, char, n);
    CHECK_CONVERSIONS(utf32_to_utf16, char16_t, units);
    CHECK_CONVERSIONS(utf32_to_utf16le, char16_t, units);
    CHECK_CONVERSIONS(utf32_to_utf16be, char16_t, units);
    if (simdutf::validate_utf32(src, n)) {
        CHECK_EQUAL(utf8_length_from_utf32);
        CHECK_EQUAL(utf16_length_from_utf32);
    }
    release(src);
}

// Compares texts with each kind of sequence near the ends of the parts in which functions convert long texts: 8 KiB, or
// 1,024 units. Characters of one length precede the sequence.
void check_ends_of_parts() {
    static const std::string fillers[] = {"a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
    static const std::string sequences[] = {
        "a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\x80", "\xFF", "\xC3", "\xC0\xAF", "\xE2", "\xE2\x82",
        "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x9F", "\xF0\x9F\x98", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80"};
    for (size_t end = 1 << 13; end <= 1 << 15; end *= 2) {
        for (size_t offset = end - 5; offset <= end; offset++) {
            for (const std::string &filler : fillers) {
                std::string text(offset % filler.size(), 'a');
                while (text.size() < offset) text += filler;
                for (const std::string &sequence : sequences) {
                    for (const char *after : {"", "bcdefg"}) {
                        const std::string whole = text + sequence + after;
                        check_utf8({whole.begin(), whole.end()});
                    }
                }
            }
            check_latin1(std::vector<char>(offset + 3, char(0xE9)));
        }
    }
    static const std::u16string fillers16[] = {u"a", u"\u00E9", u"\u20AC", u"\U0001F600"};
    static const char16_t sequences16[][2] = {{0xD83D, 0xDE00}, {0xD83D, 'b'}, {0xDE00, 'b'}, {'b', 0xDE00}, {'b', 0xD83D}};
    for (size_t end = 1 << 10; end <= 1 << 14; end += end < 1 << 12 ? 1 << 10 : end) {
        for (size_t offset = end - 4; offset <= end + 1; offset++) {
            for (const std::u16string &filler : fillers16) {
                for (const char16_t *sequence : sequences16) {
                    std::u16string text(offset % filler.size(), u'a');
                    while (text.size() < offset) text += filler;
                    text.append(sequence, 2);
                    check_utf16le({text.begin(), text.end()});
                    check_utf16_safe({text.begin(), text.end()});
                    for (char16_t &unit : text) unit = char16_t(uint16_t(unit << 8) | uint16_t(unit) >> 8);
                    check_utf16be({text.begin(), text.end()});
                }
            }
        }
    }
}

}  // namespace

int main(int argc, char **argv) {
    const long rounds = argc > 1 ? atol(argv[1]) : 2000;
    check_marks();
    check_ends_of_parts();
    for (const auto *theirs : simdutf::get_available_implementations()) {
        if (!theirs->supported_by_runtime_system()) continue;
        simdutf::get_active_implementation() = theirs;
        for (long round = 0; round < rounds; round++) {
            const size_t n = random_below(random_below(8) ? 200 : 6000);
            const bool is_narrow = random_below(3) == 0;
            std::vector<char> bytes = random_utf8(n, is_narrow);
            check_latin1(bytes);
            make_ill_formed(bytes);
            check_utf8(bytes);
            check_utf16(random_units<char16_t>(n, is_narrow, false));
            check_utf16le(random_units<char16_t>(n, is_narrow, false));
            check_utf16be(random_units<char16_t>(n, is_narrow, true));
            check_utf16_safe(random_units<char16_t>(n, is_narrow, false));
            check_utf32(random_units<char32_t>(n, is_narrow, false));
        }
        // Every sequence of four bytes from an alphabet that has a byte of each class, after a run of ASCII.
        static const unsigned char alphabet[] = {0x41, 0x80, 0x90, 0xA0, 0xBF, 0xC0, 0xC3, 0xC4, 0xE0, 0xE1, 0xED, 0xF0, 0xF1, 0xF4, 0xF5, 0xF8};
        for (size_t ascii_length : {0, 15, 61}) {
            for (unsigned text = 0; text < 65536; text++) {
                std::vector<char> bytes(ascii_length, 'a');
                for (int i = 0; i < 4; i++) bytes.push_back(char(alphabet[text >> 4 * i & 15]));
                check_utf8(bytes);
            }
        }
        std::printf("differential: equal to simdutf %s on %s\n", SIMDUTF_VERSION, theirs->name().c_str());
    }
    return 0;
}
