// All functions of simdutf_c.h that simdutf itself has, against it: random and adversarial texts, in memory of their
// exact size. Compiled with simdutf's simdutf.cpp, and run on each kernel of both.
#include <simdutf.h>
#include <simdutf_c.h>

#include <algorithm>
#include <random>
#include <vector>

#include "check.h"

namespace {

std::mt19937_64 randomness(1);

size_t below(size_t n) { return randomness() % n; }

// Texts: whole characters of one range, with some units changed, removed, or put in.
uint32_t code_point() {
    static const uint32_t ends[] = {0x80, 0x100, 0x800, 0x10000, 0x110000};
    uint32_t c;
    do c = uint32_t(below(ends[below(5)]));
    while (c >= 0xD800 && c < 0xE000);
    return c;
}

std::vector<char> utf8_text(size_t n, bool is_narrow) {
    std::vector<char> text;
    while (text.size() < n) {
        uint32_t c = is_narrow ? uint32_t(below(256)) : code_point();
        if (c < 0x80) {
            text.push_back(char(c));
            continue;
        }
        int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        text.push_back(char((0xFF00 >> (more + 1) & 0xFF) | c >> 6 * more));
        while (more--) text.push_back(char(0x80 | (c >> 6 * more & 0x3F)));
    }
    return text;
}

void put_ill_formed_bytes(std::vector<char> &text) {
    static const unsigned char bytes[] = {0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xDF,
                                          0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xF7, 0xF8, 0xFE, 0xFF};
    for (size_t times = below(3); times > 0 && !text.empty(); times--) {
        size_t at = below(text.size());
        switch (below(4)) {
        case 0: text.erase(text.begin() + long(at)); break;
        case 1: text.resize(at); break;
        case 2: text.insert(text.begin() + long(at), char(bytes[below(sizeof bytes)])); break;
        default: text[at] = char(bytes[below(sizeof bytes)]);
        }
    }
}

template <class Unit> std::vector<Unit> wide_text(size_t n, bool is_narrow, bool swap) {
    static const uint32_t bad16[] = {0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x100, 0xFFFF};
    static const uint32_t bad32[] = {0xD800, 0xDFFF, 0x110000, 0xFFFFFFFF, 0x100, 0x80000000};
    std::vector<Unit> text;
    while (text.size() < n) {
        uint32_t c = is_narrow ? uint32_t(below(256)) : code_point();
        if (sizeof(Unit) == 2 && c > 0xFFFF) {
            text.push_back(Unit(0xD7C0 + (c >> 10)));
            c = 0xDC00 | (c & 0x3FF);
        }
        text.push_back(Unit(c));
    }
    for (size_t times = below(3); times > 0 && !text.empty(); times--) {
        text[below(text.size())] = Unit(sizeof(Unit) == 2 ? bad16[below(6)] : bad32[below(6)]);
    }
    if (swap && sizeof(Unit) == 2) {
        for (Unit &unit : text) unit = Unit(uint16_t(unit << 8) | uint16_t(unit) >> 8);
    }
    return text;
}

bool same(simdutf_result ours, simdutf::result theirs) {
    return int(ours.error) == int(theirs.error) && ours.count == theirs.count;
}

// One conversion: of simdutf into a large output, of ours into one of the size of the length function.
#define CONVERSION(pair, Unit, capacity)                                                                      \
    do {                                                                                                      \
        Unit *dst = (Unit *)exact((capacity) * sizeof(Unit));                                                 \
        std::vector<Unit> wanted(4 * n + 64);                                                                 \
        const size_t count = simdutf::convert_##pair(src, n, wanted.data());                                  \
        CHECK(simdutf_convert_##pair(src, n, dst) == count);                                                  \
        CHECK(memcmp(dst, wanted.data(), count * sizeof(Unit)) == 0);                                         \
        release(dst);                                                                                         \
    } while (0)
#define WITH_ERRORS(pair, Unit, capacity)                                                                     \
    do {                                                                                                      \
        CONVERSION(pair, Unit, capacity);                                                                     \
        Unit *dst = (Unit *)exact((capacity) * sizeof(Unit));                                                 \
        std::vector<Unit> wanted(4 * n + 64);                                                                 \
        const simdutf::result theirs = simdutf::convert_##pair##_with_errors(src, n, wanted.data());          \
        CHECK(same(simdutf_convert_##pair##_with_errors(src, n, dst), theirs));                               \
        release(dst);                                                                                         \
    } while (0)
#define SAME(name) CHECK(simdutf_##name(src, n) == simdutf::name(src, n))
#define VALIDATION(a)                                                                                         \
    SAME(validate_##a);                                                                                       \
    CHECK(same(simdutf_validate_##a##_with_errors(src, n), simdutf::validate_##a##_with_errors(src, n)))

// utf32_to_latin1 alone is not in simdutf_c.h.
size_t simdutf_convert_utf32_to_latin1(const char32_t *src, size_t n, char *dst) {
    const simdutf_result result = simdutf_convert_utf32_to_latin1_with_errors(src, n, dst);
    return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : 0;
}

void check_detection(const char *src, size_t n) {
    CHECK(int(simdutf_autodetect_encoding(src, n)) == int(simdutf::autodetect_encoding(src, n)));
    SAME(detect_encodings);
}

void check_utf8(const std::vector<char> &text) {
    const size_t n = text.size();
    const char *src = (const char *)exact_copy(text.data(), n);
    VALIDATION(utf8);
    VALIDATION(ascii);
    check_detection(src, n);
    SAME(count_utf8);
    SAME(latin1_length_from_utf8);
    SAME(utf32_length_from_utf8);
    const size_t units = simdutf_utf16_length_from_utf8(src, n);
    WITH_ERRORS(utf8_to_latin1, char, simdutf_latin1_length_from_utf8(src, n));
    WITH_ERRORS(utf8_to_utf16, char16_t, units);
    WITH_ERRORS(utf8_to_utf16le, char16_t, units);
    WITH_ERRORS(utf8_to_utf16be, char16_t, units);
    WITH_ERRORS(utf8_to_utf32, char32_t, simdutf_utf32_length_from_utf8(src, n));
    if (simdutf::validate_utf8(src, n)) {
        SAME(utf16_length_from_utf8);
        CONVERSION(valid_utf8_to_utf16le, char16_t, units);
        CONVERSION(valid_utf8_to_utf16be, char16_t, units);
        CONVERSION(valid_utf8_to_utf32, char32_t, simdutf_utf32_length_from_utf8(src, n));
        std::vector<char> narrow(n + 64);
        if (n > 0 && simdutf::convert_utf8_to_latin1(src, n, narrow.data()) > 0) {
            CONVERSION(valid_utf8_to_latin1, char, simdutf_latin1_length_from_utf8(src, n));
        }
    }
    release(src);
}

void check_latin1(const std::vector<char> &text) {
    const size_t n = text.size();
    const char *src = (const char *)exact_copy(text.data(), n);
    SAME(utf8_length_from_latin1);
    const size_t bytes = simdutf_utf8_length_from_latin1(src, n);
    CONVERSION(latin1_to_utf8, char, bytes);
    CONVERSION(latin1_to_utf16, char16_t, n);
    CONVERSION(latin1_to_utf16le, char16_t, n);
    CONVERSION(latin1_to_utf16be, char16_t, n);
    CONVERSION(latin1_to_utf32, char32_t, n);
    const size_t capacity = below(bytes + 2);
    char *dst = (char *)exact(capacity);
    std::vector<char> wanted(capacity + 64);
    const size_t count = simdutf::convert_latin1_to_utf8_safe(src, n, wanted.data(), capacity);
    CHECK(simdutf_convert_latin1_to_utf8_safe(src, n, dst, capacity) == count);
    CHECK(memcmp(dst, wanted.data(), count) == 0);
    release(dst);
    const char byte = char(randomness());
    // With AVX-512, simdutf 7.7 finds NUL after the end, in the lanes that a masked load fills with zeros.
    CHECK(simdutf_find(src, src + n, byte) == std::find(src, src + n, byte));
    release(src);
}

#define CHECK_UTF16(a)                                                                                        \
    void check_##a(const std::vector<char16_t> &text) {                                                       \
        const size_t n = text.size();                                                                         \
        const char16_t *src = (const char16_t *)exact_copy(text.data(), 2 * n);                               \
        VALIDATION(a);                                                                                        \
        SAME(validate_##a##_as_ascii);                                                                        \
        SAME(count_##a);                                                                                      \
        check_detection((const char *)src, 2 * n);                                                            \
        CHECK(same(simdutf_utf8_length_from_##a##_with_replacement(src, n),                                   \
                   simdutf::utf8_length_from_##a##_with_replacement(src, n)));                                \
        const size_t bytes = simdutf_utf8_length_from_##a(src, n);                                            \
        const bool is_valid = simdutf::validate_##a(src, n);                                                  \
        WITH_ERRORS(a##_to_utf8, char, bytes);                                                                    \
        WITH_ERRORS(a##_to_utf32, char32_t, simdutf_count_##a(src, n));                                           \
        WITH_ERRORS(a##_to_latin1, char, n);                                                                      \
        if (is_valid) {                                                                                       \
            SAME(utf8_length_from_##a);                                                                       \
            CONVERSION(valid_##a##_to_utf8, char, bytes);                                                                      \
            CONVERSION(valid_##a##_to_utf32, char32_t, simdutf_count_##a(src, n));                                             \
            std::vector<char> narrow(n + 64);                                                                 \
            if (n > 0 && simdutf::convert_##a##_to_latin1(src, n, narrow.data()) > 0) CONVERSION(valid_##a##_to_latin1, char, n);\
        }                                                                                                     \
        char16_t *repaired = (char16_t *)exact(2 * n);                                                        \
        std::vector<char16_t> wanted(n + 64);                                                                 \
        simdutf::to_well_formed_##a(src, n, wanted.data());                                                   \
        simdutf_to_well_formed_##a(src, n, repaired);                                                         \
        CHECK(memcmp(repaired, wanted.data(), 2 * n) == 0);                                                   \
        const size_t length = simdutf_utf8_length_from_##a(repaired, n);                                      \
        char *with_replacement = (char *)exact(length), *strict = (char *)exact(length);                      \
        CHECK(simdutf_convert_##a##_to_utf8_with_replacement(src, n, with_replacement) == length);            \
        CHECK(simdutf_convert_##a##_to_utf8(repaired, n, strict) == length);                                  \
        CHECK(memcmp(with_replacement, strict, length) == 0);                                                 \
        release(with_replacement), release(strict), release(repaired), release(src);                          \
    }
CHECK_UTF16(utf16)
CHECK_UTF16(utf16le)
CHECK_UTF16(utf16be)

// Versions 7 and 8 of simdutf's convert_utf16_to_utf8_safe write too far, so the whole conversion is the oracle.
void check_utf16_safe(const std::vector<char16_t> &text) {
    const size_t n = text.size(), capacity = below(3 * n + 2);
    char *dst = (char *)exact(capacity);
    std::vector<char> wanted(4 * n + 64);
    const size_t got = simdutf_convert_utf16_to_utf8_safe(text.data(), n, dst, capacity);
    const size_t all = simdutf::convert_utf16_to_utf8(text.data(), n, wanted.data());
    if (all > 0) {
        size_t fits = capacity < all ? capacity : all;
        while (fits < all && fits > 0 && (wanted[fits] & 0xC0) == 0x80) fits--;
        CHECK(got == fits && memcmp(dst, wanted.data(), got) == 0);
    }
    release(dst);
    const char16_t *src = text.data();
    const char16_t unit = char16_t(below(300));
    CHECK(simdutf_find_utf16(src, src + n, unit) == std::find(src, src + n, unit));
}

void check_utf32(const std::vector<char32_t> &text) {
    const size_t n = text.size();
    const char32_t *src = (const char32_t *)exact_copy(text.data(), 4 * n);
    VALIDATION(utf32);
    check_detection((const char *)src, 4 * n);
    const size_t bytes = simdutf_utf8_length_from_utf32(src, n);
    WITH_ERRORS(utf32_to_utf8, char, bytes);
    WITH_ERRORS(utf32_to_latin1, char, n);
    CONVERSION(utf32_to_utf16, char16_t, 2 * n);
    CONVERSION(utf32_to_utf16le, char16_t, 2 * n);
    CONVERSION(utf32_to_utf16be, char16_t, 2 * n);
    if (simdutf::validate_utf32(src, n)) {
        SAME(utf8_length_from_utf32);
        CONVERSION(valid_utf32_to_utf8, char, bytes);
    }
    release(src);
}

}  // namespace

int main(int argc, char **argv) {
    const long rounds = argc > 1 ? atol(argv[1]) : 2000;
    for (const auto *theirs : simdutf::get_available_implementations()) {
        if (!theirs->supported_by_runtime_system()) continue;
        simdutf::get_active_implementation() = theirs;
        for (long round = 0; round < rounds; round++) {
            const size_t n = below(below(8) ? 200 : 6000);
            const bool is_narrow = below(3) == 0;
            std::vector<char> bytes = utf8_text(n, is_narrow);
            check_latin1(bytes);
            put_ill_formed_bytes(bytes);
            check_utf8(bytes);
            check_utf16(wide_text<char16_t>(n, is_narrow, false));
            check_utf16le(wide_text<char16_t>(n, is_narrow, false));
            check_utf16be(wide_text<char16_t>(n, is_narrow, true));
            check_utf16_safe(wide_text<char16_t>(n, is_narrow, false));
            check_utf32(wide_text<char32_t>(n, is_narrow, false));
        }
        // Every text of up to three bytes of an alphabet that has all classes, after a run of ASCII.
        static const unsigned char classes[] = {0x41, 0x80, 0x90, 0xA0, 0xBF, 0xC0, 0xC3, 0xC4, 0xE0, 0xE1, 0xED, 0xF0, 0xF1, 0xF4, 0xF5, 0xF8};
        for (size_t before : {0, 15, 61}) {
            for (unsigned text = 0; text < 65536; text++) {
                std::vector<char> bytes(before, 'a');
                for (int at = 0; at < 4; at++) bytes.push_back(char(classes[text >> 4 * at & 15]));
                check_utf8(bytes);
            }
        }
        std::printf("differential: as simdutf %s on %s\n", SIMDUTF_VERSION, theirs->name().c_str());
    }
    return 0;
}
