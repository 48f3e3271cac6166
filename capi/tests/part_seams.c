/* Tests conversions of simdutf_c.h with texts above 8 KiB, which the library converts in parts of 8 KiB. Each kind of
 * sequence is at each offset near a multiple of 8 KiB, after characters of each length. The outputs are guarded buffers of
 * the size that the length function returns. */
#include <simdutf_c.h>

#include "check.h"

enum { PART_BYTES = 1 << 13, TEXT_MAX_CHARS = 4 * PART_BYTES + 64 };

/* Ill-formed sequences, with the error codes of conversions to Unicode encodings and to Latin-1 if ASCII or the end
 * follows. */
static const struct {
    const char *bytes;
    simdutf_error_code error, latin1_error;
} ill_formed[] = {
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
enum { ILL_FORMED_COUNT = sizeof ill_formed / sizeof *ill_formed };

/* A text in all encodings. `swapped` is UTF-16 in the other byte order. `latin1` is valid if `is_latin1`. */
static struct {
    char utf8[4 * TEXT_MAX_CHARS], latin1[TEXT_MAX_CHARS];
    char16_t utf16[2 * TEXT_MAX_CHARS], swapped[2 * TEXT_MAX_CHARS];
    char32_t utf32[TEXT_MAX_CHARS];
    size_t bytes, units, chars; /* the lengths of `utf8`, of `utf16` and `swapped`, of `utf32` and `latin1` */
    int is_latin1;
} text;

/* Appends a code unit to the UTF-16 texts. */
static void append_unit(uint16_t unit) {
    text.swapped[text.units] = (char16_t)(unit << 8 | unit >> 8);
    text.utf16[text.units++] = unit;
}

/* Appends a character to the text in all encodings. */
static void append(uint32_t c) {
    const int continuations = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    const uint32_t lead = continuations ? (0xFF00 >> (continuations + 1) & 0xFF) | c >> 6 * continuations : c;
    text.utf8[text.bytes++] = (char)lead;
    for (int i = continuations; i-- > 0;) text.utf8[text.bytes++] = (char)(0x80 | (c >> 6 * i & 0x3F));
    if (c > 0xFFFF) append_unit((uint16_t)(0xD7C0 + (c >> 10)));
    append_unit((uint16_t)(c > 0xFFFF ? 0xDC00 | (c & 0x3FF) : c));
    text.latin1[text.chars] = (char)c;
    text.utf32[text.chars++] = c;
    text.is_latin1 &= c < 0x100;
}

/* Begins a text of `length` code units, which have `unit_size` bytes: ASCII as necessary, then characters `c`. */
static void begin_text(uint32_t c, size_t length, int unit_size) {
    text.bytes = text.units = text.chars = 0;
    text.is_latin1 = 1;
    const size_t width =
        unit_size == 2 ? (c > 0xFFFF ? 2 : 1) : (size_t)(c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4);
    for (size_t i = 0; i < length % width; i++) append('a');
    for (size_t i = 0; i < length / width; i++) append(c);
}

#define CHECK_CONVERSION(from, to, src, n, Unit, wanted, size)                                                \
    do {                                                                                                      \
        Unit *dst = (Unit *)guarded_alloc((size) * sizeof(Unit));                                            \
        CHECK(simdutf_convert_##from##_to_##to(src, n, dst) == (size));                                      \
        CHECK(memcmp(dst, wanted, (size) * sizeof(Unit)) == 0);                                              \
        memset(dst, 0, (size) * sizeof(Unit));                                                               \
        const simdutf_result got = simdutf_convert_##from##_to_##to##_with_errors(src, n, dst);               \
        CHECK(got.error == SIMDUTF_ERROR_SUCCESS && got.count == (size));                                    \
        CHECK(memcmp(dst, wanted, (size) * sizeof(Unit)) == 0);                                              \
        release(dst);                                                                                         \
    } while (0)

#define CHECK_ERROR(from, to, src, n, Unit, capacity, code, position)                                         \
    do {                                                                                                      \
        Unit *dst = (Unit *)guarded_alloc((capacity) * sizeof(Unit));                                         \
        CHECK(simdutf_convert_##from##_to_##to(src, n, dst) == 0);                                            \
        const simdutf_result got = simdutf_convert_##from##_to_##to##_with_errors(src, n, dst);               \
        CHECK(got.error == (code) && got.count == (position));                                                \
        release(dst);                                                                                         \
    } while (0)

/* Checks the conversions of `text` between all encodings. */
static void check_well_formed(void) {
    const size_t bytes = text.bytes, units = text.units, chars = text.chars;
    const char *utf8 = (const char *)guarded_copy(text.utf8, bytes);
    CHECK(simdutf_utf16_length_from_utf8(utf8, bytes) == units && simdutf_utf8_length_from_utf16(text.utf16, units) == bytes);
    CHECK_CONVERSION(utf8, utf16le, utf8, bytes, char16_t, text.utf16, units);
    CHECK_CONVERSION(utf8, utf16be, utf8, bytes, char16_t, text.swapped, units);
    CHECK_CONVERSION(utf8, utf32, utf8, bytes, char32_t, text.utf32, chars);
    CHECK_CONVERSION(utf16le, utf8, text.utf16, units, char, text.utf8, bytes);
    CHECK_CONVERSION(utf16be, utf8, text.swapped, units, char, text.utf8, bytes);
    CHECK_CONVERSION(utf16le, utf32, text.utf16, units, char32_t, text.utf32, chars);
    CHECK_CONVERSION(utf16be, utf32, text.swapped, units, char32_t, text.utf32, chars);
    CHECK_CONVERSION(utf32, utf8, text.utf32, chars, char, text.utf8, bytes);
    if (text.is_latin1) {
        CHECK_CONVERSION(utf8, latin1, utf8, bytes, char, text.latin1, chars);
        CHECK_CONVERSION(utf16le, latin1, text.utf16, units, char, text.latin1, chars);
    }
    release(utf8);
}

/* A character of each length in UTF-8. */
static const uint32_t characters[] = {'a', 0xE9, 0x20AC, 0x1F600};

static void check_utf8_at(size_t offset) {
    for (int filler = 0; filler < 4; filler++) {
        for (int c = 0; c < 4; c++) {
            begin_text(characters[filler], offset, 1);
            append(characters[c]), append('b'), append(characters[c]);
            check_well_formed();
        }
        for (int kind = 0; kind < ILL_FORMED_COUNT; kind++) {
            begin_text(characters[filler], offset, 1);
            const size_t length = strlen(ill_formed[kind].bytes);
            memcpy(text.utf8 + offset, ill_formed[kind].bytes, length);
            memcpy(text.utf8 + offset + length, "bcdefg", 6);
            /* The sequence is at the end of the text, or six bytes of ASCII follow. */
            for (int after = 0; after <= 6; after += 6) {
                const size_t n = offset + length + (size_t)after;
                const char *utf8 = (const char *)guarded_copy(text.utf8, n);
                const size_t units = simdutf_utf16_length_from_utf8(utf8, n);
                CHECK_ERROR(utf8, utf16le, utf8, n, char16_t, units, ill_formed[kind].error, offset);
                CHECK_ERROR(utf8, utf16be, utf8, n, char16_t, units, ill_formed[kind].error, offset);
                const size_t chars = simdutf_utf32_length_from_utf8(utf8, n);
                CHECK_ERROR(utf8, utf32, utf8, n, char32_t, chars, ill_formed[kind].error, offset);
                if (text.is_latin1) CHECK_ERROR(utf8, latin1, utf8, n, char, chars, ill_formed[kind].latin1_error, offset);
                release(utf8);
            }
        }
    }
}

static void check_utf16_at(size_t offset) {
    static const uint16_t unpaired[] = {0xD83D, 0xDE00};
    for (int filler = 0; filler < 4; filler++) {
        begin_text(characters[filler], offset, 2);
        append(0x1F600), append('b');
        check_well_formed();
        for (int kind = 0; kind < 2; kind++) {
            begin_text(characters[filler], offset, 2);
            const size_t prefix_bytes = text.bytes;
            append_unit(unpaired[kind]), append('b'), append('c');
            const size_t n = text.units, bytes = simdutf_utf8_length_from_utf16(text.utf16, n);
            CHECK_ERROR(utf16le, utf8, text.utf16, n, char, bytes, SIMDUTF_ERROR_SURROGATE, offset);
            CHECK_ERROR(utf16be, utf8, text.swapped, n, char, bytes, SIMDUTF_ERROR_SURROGATE, offset);
            const size_t chars = simdutf_count_utf16(text.utf16, n);
            CHECK_ERROR(utf16le, utf32, text.utf16, n, char32_t, chars, SIMDUTF_ERROR_SURROGATE, offset);
            /* U+FFFD, three bytes, replaces the surrogate. */
            const size_t capacity = prefix_bytes + 5;
            const simdutf_result length = simdutf_utf8_length_from_utf16_with_replacement(text.utf16, n);
            CHECK(length.count == capacity && length.error == SIMDUTF_ERROR_SURROGATE);
            char *dst = (char *)guarded_alloc(capacity);
            CHECK(simdutf_convert_utf16_to_utf8_with_replacement(text.utf16, n, dst) == capacity);
            CHECK(memcmp(dst, text.utf8, prefix_bytes) == 0 && memcmp(dst + prefix_bytes, "\xEF\xBF\xBD" "bc", 5) == 0);
            release(dst);
        }
    }
}

/* Checks simdutf_to_well_formed_utf16le with a surrogate pair and with an unpaired surrogate. The function processes 1,024
 * units at a time. */
static void check_repair_at(size_t offset) {
    static char16_t repaired[TEXT_MAX_CHARS];
    begin_text('a', offset, 2);
    append(0x1F600), append('b');
    simdutf_to_well_formed_utf16le(text.utf16, text.units, repaired);
    CHECK(memcmp(repaired, text.utf16, 2 * text.units) == 0);
    text.utf16[offset + 1] = 'x';
    simdutf_to_well_formed_utf16le(text.utf16, text.units, text.utf16);
    CHECK(text.utf16[offset] == 0xFFFD && text.utf16[offset + 1] == 'x' && text.utf16[offset - 1] == 'a');
    CHECK(simdutf_validate_utf16le(text.utf16, text.units));
}

int main(void) {
    /* Offsets from four units before to one unit after each multiple of 1,024. */
    for (size_t offset = 1020; offset < 4100; offset += offset % 1024 == 1 ? 1019 : 1) check_repair_at(offset);
    for (size_t parts = 1; parts <= 4; parts *= 2) {
        for (size_t distance = 0; distance <= 5; distance++) {
            check_utf8_at(parts * PART_BYTES - distance);
            if (distance <= 2) check_utf16_at(parts * PART_BYTES / 2 - distance);
        }
    }
    /* A part of UTF-32 or Latin-1 cannot end inside a character, but the output in UTF-8 can exceed the size of a part. */
    for (size_t chars = PART_BYTES - 2; chars <= PART_BYTES + 2; chars++) {
        begin_text(0xE9, 2 * chars, 1);
        append('b'), append(0xE9);
        check_well_formed();
        const size_t length = simdutf_utf8_length_from_latin1(text.latin1, text.chars);
        char *dst = (char *)guarded_alloc(length);
        CHECK(length == text.bytes && simdutf_convert_latin1_to_utf8(text.latin1, text.chars, dst) == length);
        CHECK(memcmp(dst, text.utf8, length) == 0);
        release(dst);
        /* The `safe` functions convert as many whole characters as fit. */
        for (size_t missing = 0; missing < 5; missing++) {
            const size_t capacity = length - missing, n = text.chars;
            size_t boundary = capacity;
            while (boundary < length && (text.utf8[boundary] & 0xC0) == 0x80) boundary--;
            dst = (char *)guarded_alloc(capacity);
            CHECK(simdutf_convert_latin1_to_utf8_safe(text.latin1, n, dst, capacity) == boundary);
            CHECK(memcmp(dst, text.utf8, boundary) == 0);
            CHECK(simdutf_convert_utf16_to_utf8_safe(text.utf16, n, dst, capacity) == boundary);
            CHECK(memcmp(dst, text.utf8, boundary) == 0);
            release(dst);
        }
    }
    puts("part seams: ok");
    return 0;
}
