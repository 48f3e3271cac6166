/* Conversions of simdutf_c.h of texts above 8 KiB, which the library converts in parts: each kind of sequence at each offset
 * about a multiple of 8 KiB, between characters of each length, into outputs of exactly the length function's size. */
#include <simdutf_c.h>

#include "check.h"

enum { PART = 1 << 13, MOST = 4 * PART + 64 };

/* Ill-formed sequences, each followed by ASCII. */
static const struct {
    const char *bytes;
    simdutf_error_code error, to_latin1;
} wrong[] = {
    {"\x80", SIMDUTF_ERROR_TOO_LONG, SIMDUTF_ERROR_TOO_LONG},
    {"\xFF", SIMDUTF_ERROR_HEADER_BITS, SIMDUTF_ERROR_HEADER_BITS},
    {"\xC3", SIMDUTF_ERROR_TOO_SHORT, SIMDUTF_ERROR_TOO_SHORT},
    {"\xC0\xAF", SIMDUTF_ERROR_OVERLONG, SIMDUTF_ERROR_OVERLONG},
    {"\xE2", SIMDUTF_ERROR_TOO_SHORT, SIMDUTF_ERROR_TOO_LARGE},
    {"\xE2\x82", SIMDUTF_ERROR_TOO_SHORT, SIMDUTF_ERROR_TOO_LARGE},
    {"\xE0\x9F\xBF", SIMDUTF_ERROR_OVERLONG, SIMDUTF_ERROR_TOO_LARGE},
    {"\xED\xA0\x80", SIMDUTF_ERROR_SURROGATE, SIMDUTF_ERROR_TOO_LARGE},
    {"\xF0\x9F", SIMDUTF_ERROR_TOO_SHORT, SIMDUTF_ERROR_TOO_LARGE},
    {"\xF0\x9F\x98", SIMDUTF_ERROR_TOO_SHORT, SIMDUTF_ERROR_TOO_LARGE},
    {"\xF0\x8F\xBF\xBF", SIMDUTF_ERROR_OVERLONG, SIMDUTF_ERROR_TOO_LARGE},
    {"\xF4\x90\x80\x80", SIMDUTF_ERROR_TOO_LARGE, SIMDUTF_ERROR_TOO_LARGE},
};
enum { WRONG = sizeof wrong / sizeof *wrong };

/* A text in four encodings. The last one may lack characters. */
static struct {
    char utf8[4 * MOST], latin1[MOST];
    char16_t utf16[2 * MOST], swapped[2 * MOST];
    char32_t utf32[MOST];
    size_t bytes, units, chars;
    int is_latin1;
} text;

static void put_unit(uint16_t unit) {
    text.swapped[text.units] = (char16_t)(unit << 8 | unit >> 8);
    text.utf16[text.units++] = unit;
}

static void put(uint32_t c) {
    const int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    text.utf8[text.bytes++] = (char)(more ? (0xFF00 >> (more + 1) & 0xFF) | c >> 6 * more : c);
    for (int i = more; i-- > 0;) text.utf8[text.bytes++] = (char)(0x80 | (c >> 6 * i & 0x3F));
    if (c > 0xFFFF) put_unit((uint16_t)(0xD7C0 + (c >> 10)));
    put_unit((uint16_t)(c > 0xFFFF ? 0xDC00 | (c & 0x3FF) : c));
    text.latin1[text.chars] = (char)c;
    text.utf32[text.chars++] = c;
    text.is_latin1 &= c < 0x100;
}

/* Begins a text: characters `c`, and ASCII first, so that `at` code units of `size` bytes are filled. */
static void fill(uint32_t c, size_t at, int size) {
    text.bytes = text.units = text.chars = 0;
    text.is_latin1 = 1;
    const size_t width = size == 2 ? (c > 0xFFFF ? 2 : 1) : (size_t)(c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4);
    for (size_t i = 0; i < at % width; i++) put('a');
    for (size_t i = 0; i < at / width; i++) put(c);
}

#define CONVERTED(from, to, src, n, Unit, wanted, size)                                                       \
    do {                                                                                                      \
        Unit *dst = (Unit *)exact((size) * sizeof(Unit));                                                    \
        CHECK(simdutf_convert_##from##_to_##to(src, n, dst) == (size));                                      \
        CHECK(memcmp(dst, wanted, (size) * sizeof(Unit)) == 0);                                              \
        memset(dst, 0, (size) * sizeof(Unit));                                                               \
        const simdutf_result got = simdutf_convert_##from##_to_##to##_with_errors(src, n, dst);               \
        CHECK(got.error == SIMDUTF_ERROR_SUCCESS && got.count == (size));                                    \
        CHECK(memcmp(dst, wanted, (size) * sizeof(Unit)) == 0);                                              \
        release(dst);                                                                                         \
    } while (0)

#define FAILS(from, to, src, n, Unit, capacity, code, at)                                                     \
    do {                                                                                                      \
        Unit *dst = (Unit *)exact((capacity) * sizeof(Unit));                                                 \
        CHECK(simdutf_convert_##from##_to_##to(src, n, dst) == 0);                                            \
        const simdutf_result got = simdutf_convert_##from##_to_##to##_with_errors(src, n, dst);               \
        CHECK(got.error == (code) && got.count == (at));                                                      \
        release(dst);                                                                                         \
    } while (0)

/* The text that has been put, between all encodings. */
static void check_well_formed(void) {
    const size_t bytes = text.bytes, units = text.units, chars = text.chars;
    const char *utf8 = (const char *)exact_copy(text.utf8, bytes);
    CHECK(simdutf_utf16_length_from_utf8(utf8, bytes) == units && simdutf_utf8_length_from_utf16(text.utf16, units) == bytes);
    CONVERTED(utf8, utf16le, utf8, bytes, char16_t, text.utf16, units);
    CONVERTED(utf8, utf16be, utf8, bytes, char16_t, text.swapped, units);
    CONVERTED(utf8, utf32, utf8, bytes, char32_t, text.utf32, chars);
    CONVERTED(utf16le, utf8, text.utf16, units, char, text.utf8, bytes);
    CONVERTED(utf16be, utf8, text.swapped, units, char, text.utf8, bytes);
    CONVERTED(utf16le, utf32, text.utf16, units, char32_t, text.utf32, chars);
    CONVERTED(utf16be, utf32, text.swapped, units, char32_t, text.utf32, chars);
    CONVERTED(utf32, utf8, text.utf32, chars, char, text.utf8, bytes);
    if (text.is_latin1) {
        CONVERTED(utf8, latin1, utf8, bytes, char, text.latin1, chars);
        CONVERTED(utf16le, latin1, text.utf16, units, char, text.latin1, chars);
    }
    release(utf8);
}

static const uint32_t fillers[] = {'a', 0xE9, 0x20AC, 0x1F600};

static void check_utf8_at(size_t at) {
    for (int filler = 0; filler < 4; filler++) {
        for (int c = 0; c < 4; c++) {
            fill(fillers[filler], at, 1);
            put(fillers[c]), put('b'), put(fillers[c]);
            check_well_formed();
        }
        for (int kind = 0; kind < WRONG; kind++) {
            fill(fillers[filler], at, 1);
            const size_t length = strlen(wrong[kind].bytes);
            memcpy(text.utf8 + at, wrong[kind].bytes, length);
            memcpy(text.utf8 + at + length, "bcdefg", 6);
            /* Followed by ASCII, and by the end. */
            for (int after = 0; after <= 6; after += 6) {
                const size_t n = at + length + (size_t)after;
                const char *utf8 = (const char *)exact_copy(text.utf8, n);
                const size_t units = simdutf_utf16_length_from_utf8(utf8, n);
                FAILS(utf8, utf16le, utf8, n, char16_t, units, wrong[kind].error, at);
                FAILS(utf8, utf16be, utf8, n, char16_t, units, wrong[kind].error, at);
                const size_t chars = simdutf_utf32_length_from_utf8(utf8, n);
                FAILS(utf8, utf32, utf8, n, char32_t, chars, wrong[kind].error, at);
                if (text.is_latin1) FAILS(utf8, latin1, utf8, n, char, chars, wrong[kind].to_latin1, at);
                release(utf8);
            }
        }
    }
}

static void check_utf16_at(size_t at) {
    static const uint16_t unpaired[] = {0xD83D, 0xDE00};
    for (int filler = 0; filler < 4; filler++) {
        fill(fillers[filler], at, 2);
        put(0x1F600), put('b');
        check_well_formed();
        for (int kind = 0; kind < 2; kind++) {
            fill(fillers[filler], at, 2);
            const size_t before = text.bytes;
            put_unit(unpaired[kind]), put('b'), put('c');
            const size_t n = text.units, bytes = simdutf_utf8_length_from_utf16(text.utf16, n);
            FAILS(utf16le, utf8, text.utf16, n, char, bytes, SIMDUTF_ERROR_SURROGATE, at);
            FAILS(utf16be, utf8, text.swapped, n, char, bytes, SIMDUTF_ERROR_SURROGATE, at);
            const size_t chars = simdutf_count_utf16(text.utf16, n);
            FAILS(utf16le, utf32, text.utf16, n, char32_t, chars, SIMDUTF_ERROR_SURROGATE, at);
            /* U+FFFD replaces it. */
            const size_t capacity = before + 5;
            const simdutf_result length = simdutf_utf8_length_from_utf16_with_replacement(text.utf16, n);
            CHECK(length.count == capacity && length.error == SIMDUTF_ERROR_SURROGATE);
            char *dst = (char *)exact(capacity);
            CHECK(simdutf_convert_utf16_to_utf8_with_replacement(text.utf16, n, dst) == capacity);
            CHECK(memcmp(dst, text.utf8, before) == 0 && memcmp(dst + before, "\xEF\xBF\xBD" "bc", 5) == 0);
            release(dst);
        }
    }
}

/* Repairs take 1,024 units at a time. */
static void check_repair_at(size_t at) {
    static char16_t repaired[MOST];
    fill('a', at, 2);
    put(0x1F600), put('b');
    simdutf_to_well_formed_utf16le(text.utf16, text.units, repaired);
    CHECK(memcmp(repaired, text.utf16, 2 * text.units) == 0);
    text.utf16[at + 1] = 'x';
    simdutf_to_well_formed_utf16le(text.utf16, text.units, text.utf16);
    CHECK(text.utf16[at] == 0xFFFD && text.utf16[at + 1] == 'x' && text.utf16[at - 1] == 'a');
    CHECK(simdutf_validate_utf16le(text.utf16, text.units));
}

int main(void) {
    for (size_t at = 1020; at < 4100; at += at % 1024 == 1 ? 1019 : 1) check_repair_at(at);
    for (size_t parts = 1; parts <= 4; parts *= 2) {
        for (size_t back = 0; back <= 5; back++) {
            check_utf8_at(parts * PART - back);
            if (back <= 2) check_utf16_at(parts * PART / 2 - back);
        }
    }
    /* From UTF-32 and Latin-1 nothing is cut, and the output is longer than the input. */
    for (size_t at = PART - 2; at <= PART + 2; at++) {
        fill(0xE9, 2 * at, 1);
        put('b'), put(0xE9);
        check_well_formed();
        const size_t length = simdutf_utf8_length_from_latin1(text.latin1, text.chars);
        char *dst = (char *)exact(length);
        CHECK(length == text.bytes && simdutf_convert_latin1_to_utf8(text.latin1, text.chars, dst) == length);
        CHECK(memcmp(dst, text.utf8, length) == 0);
        release(dst);
        /* As many whole characters as fit. */
        for (size_t less = 0; less < 5; less++) {
            const size_t capacity = length - less, n = text.chars;
            size_t fits = capacity;
            while (fits < length && (text.utf8[fits] & 0xC0) == 0x80) fits--;
            dst = (char *)exact(capacity);
            CHECK(simdutf_convert_latin1_to_utf8_safe(text.latin1, n, dst, capacity) == fits);
            CHECK(memcmp(dst, text.utf8, fits) == 0);
            CHECK(simdutf_convert_utf16_to_utf8_safe(text.utf16, n, dst, capacity) == fits);
            CHECK(memcmp(dst, text.utf8, fits) == 0);
            release(dst);
        }
    }
    puts("part seams: ok");
    return 0;
}
