/* All pairs of encodings against iconv: every text in every capacity, in memory of its exact size. */
#include <iconv.h>
#include <stdint.h>
#include <utflane.h>

#include "check.h"

/* The encodings: name, unit, name in iconv, number. */
#define ENCODINGS(X)                                            \
    X(utf8, char, "UTF-8", UTFLANE_UTF8)                        \
    X(utf16, char16_t, NATIVE("UTF-16"), UTFLANE_UTF16)         \
    X(utf16le, char16_t, "UTF-16LE", UTFLANE_UTF16LE)           \
    X(utf16be, char16_t, "UTF-16BE", UTFLANE_UTF16BE)           \
    X(utf32, char32_t, NATIVE("UTF-32"), UTFLANE_UTF32)         \
    X(utf32le, char32_t, "UTF-32LE", UTFLANE_UTF32LE)           \
    X(utf32be, char32_t, "UTF-32BE", UTFLANE_UTF32BE)           \
    X(latin1, char, "ISO-8859-1", UTFLANE_LATIN1)

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define NATIVE(name) name "BE"
#else
#define NATIVE(name) name "LE"
#endif

typedef struct {
    const char *name, *iconv_name;
    size_t unit;
    utflane_encoding number;
} encoding;

#define ENTRY(name, unit, iconv_name, number) {#name, iconv_name, sizeof(unit), number},
static const encoding encodings[] = {ENCODINGS(ENTRY)};
enum { COUNT = sizeof encodings / sizeof *encodings };

#define UNIT(name, unit, iconv_name, number) typedef unit unit_##name;
ENCODINGS(UNIT)

/* The functions of each pair behind one type. */
#define PAIR(a, b)                                                                             \
    static utflane_result convert_##a##_##b(const void *s, size_t n, void *d, size_t room) {   \
        return utflane_convert_##a##_to_##b((const unit_##a *)s, n, (unit_##b *)d, room);      \
    }
#define LOSSY(a, b)                                                                            \
    static utflane_lossy_result lossy_##a##_##b(const void *s, size_t n, void *d, size_t room) {\
        return utflane_convert_##a##_to_##b##_lossy((const unit_##a *)s, n, (unit_##b *)d, room);\
    }
#define ROW(F, a) F(a, utf8) F(a, utf16) F(a, utf16le) F(a, utf16be) F(a, utf32) F(a, utf32le) F(a, utf32be) F(a, latin1)
#define EACH_BUT_LATIN1(F, G) G(F, utf8) G(F, utf16) G(F, utf16le) G(F, utf16be) G(F, utf32) G(F, utf32le) G(F, utf32be)
EACH_BUT_LATIN1(PAIR, ROW)
ROW(PAIR, latin1)
EACH_BUT_LATIN1(LOSSY, ROW)

#define CONVERT_OF(a, b) convert_##a##_##b,
#define LOSSY_OF(a, b) lossy_##a##_##b,
#define BRACES(F, a) {ROW(F, a)},
typedef utflane_result convert_fn(const void *, size_t, void *, size_t);
typedef utflane_lossy_result lossy_fn(const void *, size_t, void *, size_t);
static convert_fn *const converts[COUNT][COUNT] = {EACH_BUT_LATIN1(CONVERT_OF, BRACES) BRACES(CONVERT_OF, latin1)};
static lossy_fn *const lossies[COUNT - 1][COUNT] = {EACH_BUT_LATIN1(LOSSY_OF, BRACES)};

/* Lengths and counts: a target of lengths is a family of encodings. */
typedef size_t length_fn(const void *, size_t);
#define LENGTH(a, b)                                                                     \
    static size_t length_##a##_##b(const void *s, size_t n) {                            \
        return utflane_##b##_length_from_##a((const unit_##a *)s, n);                    \
    }
#define LENGTH_LOSSY(a, b)                                                               \
    static size_t length_lossy_##a##_##b(const void *s, size_t n) {                      \
        return utflane_##b##_length_from_##a##_lossy((const unit_##a *)s, n);            \
    }
#define LENGTHS_16(a) LENGTH(a, utf8) LENGTH(a, utf32) LENGTH(a, latin1)
#define LENGTHS_32(a) LENGTH(a, utf8) LENGTH(a, utf16) LENGTH(a, latin1)
LENGTH(utf8, utf16) LENGTH(utf8, utf32) LENGTH(utf8, latin1)
LENGTHS_16(utf16) LENGTHS_16(utf16le) LENGTHS_16(utf16be)
LENGTHS_32(utf32) LENGTHS_32(utf32le) LENGTHS_32(utf32be)
LENGTH(latin1, utf8) LENGTH(latin1, utf16) LENGTH(latin1, utf32)
#define LENGTHS_LOSSY(a) LENGTH_LOSSY(a, utf8) LENGTH_LOSSY(a, utf16) LENGTH_LOSSY(a, utf32) LENGTH_LOSSY(a, latin1)
LENGTHS_LOSSY(utf8) LENGTHS_LOSSY(utf16) LENGTHS_LOSSY(utf16le) LENGTHS_LOSSY(utf16be)
LENGTHS_LOSSY(utf32) LENGTHS_LOSSY(utf32le) LENGTHS_LOSSY(utf32be)

#define OF_16(a) {length_##a##_utf8, NULL, length_##a##_utf32, length_##a##_latin1},
#define OF_32(a) {length_##a##_utf8, length_##a##_utf16, NULL, length_##a##_latin1},
#define OF_LOSSY(a) {length_lossy_##a##_utf8, length_lossy_##a##_utf16, length_lossy_##a##_utf32, length_lossy_##a##_latin1},
static length_fn *const lengths[COUNT][4] = {
    {NULL, length_utf8_utf16, length_utf8_utf32, length_utf8_latin1},
    OF_16(utf16) OF_16(utf16le) OF_16(utf16be) OF_32(utf32) OF_32(utf32le) OF_32(utf32be)
    {length_latin1_utf8, length_latin1_utf16, length_latin1_utf32, NULL}};
static length_fn *const lengths_lossy[COUNT - 1][4] = {
    OF_LOSSY(utf8) OF_LOSSY(utf16) OF_LOSSY(utf16le) OF_LOSSY(utf16be)
    OF_LOSSY(utf32) OF_LOSSY(utf32le) OF_LOSSY(utf32be)};
static int family_of(int b) { return b == 0 ? 0 : b <= 3 ? 1 : b <= 6 ? 2 : 3; }

typedef utflane_validation validate_fn(const void *, size_t);
#define VALIDATE(a)                                                                       \
    static utflane_validation validate_##a(const void *s, size_t n) {                     \
        return utflane_validate_##a((const unit_##a *)s, n);                              \
    }                                                                                     \
    static size_t count_##a(const void *s, size_t n) { return utflane_count_##a((const unit_##a *)s, n); }
VALIDATE(utf8) VALIDATE(utf16) VALIDATE(utf16le) VALIDATE(utf16be)
VALIDATE(utf32) VALIDATE(utf32le) VALIDATE(utf32be)
static validate_fn *const validates[COUNT - 1] = {validate_utf8, validate_utf16, validate_utf16le, validate_utf16be,
    validate_utf32, validate_utf32le, validate_utf32be};
static length_fn *const counts[COUNT - 1] = {count_utf8, count_utf16, count_utf16le, count_utf16be,
    count_utf32, count_utf32le, count_utf32be};

/* Some code points, repeated to a few lengths around those of vectors. */
static const uint32_t alphabets[][6] = {
    {'a', 'b', 'c', ' ', '\n', 0},
    {0xE9, 'x', 0xFF, 0x80, 'y', 0x7F},
    {0x439, 0x5D0, 0x7FF, 'z', 0x80, 0x3B1},
    {0x4E2D, 0x20AC, 0xFFFD, 0x800, 'q', 0xD7FF},
    {0x1F600, 'e', 0x10FFFF, 0x10000, 0xE000, 0xE9},
};
static const size_t sizes[] = {0, 1, 2, 7, 15, 16, 17, 33, 70, 131};

/* What iconv makes of code points in this encoding; bytes in `*bytes`. NULL if it has not all of them. */
static unsigned char *encode(const encoding *to, const uint32_t *text, size_t n, size_t *bytes) {
    size_t in_left = 4 * n, out_left = 4 * n + 16, room = out_left, status;
    char *in = (char *)exact_copy(text, in_left), *out = (char *)exact(room);
    char *at = in, *end = out;
    iconv_t converter = iconv_open(to->iconv_name, NATIVE("UTF-32"));
    CHECK(converter != (iconv_t)-1);
    status = iconv(converter, &at, &in_left, &end, &out_left);
    iconv_close(converter);
    release(in);
    *bytes = room - out_left;
    if (status == (size_t)-1) {
        release(out);
        return NULL;
    }
    return (unsigned char *)out;
}

/* One text through one pair, in every capacity. */
static void check_pair(int a, int b, const uint32_t *text, size_t n) {
    const encoding *from = &encodings[a], *to = &encodings[b];
    size_t from_bytes, to_bytes, capacity, length, expected;
    unsigned char *encoded = encode(from, text, n, &from_bytes), *wanted, *src, *dst;
    utflane_result result;
    if (!encoded) return;
    src = (unsigned char *)exact_copy(encoded, from_bytes);
    length = from_bytes / from->unit;
    if (a < COUNT - 1) {
        utflane_validation valid = validates[a](src, length);
        CHECK(valid.status == UTFLANE_OK && valid.valid_up_to == length && valid.error_length == 0);
        CHECK(counts[a](src, length) == n);
    }
    CHECK(utflane_count(from->number, src, from_bytes) == n);
    CHECK(utflane_validate(from->number, src, from_bytes).status == UTFLANE_OK);
    wanted = encode(to, text, n, &to_bytes);
    if (!wanted) { /* a character that Latin-1 does not have */
        size_t before = 0, prefix_bytes;
        unsigned char *prefix;
        while (text[before] <= 0xFF) before++;
        prefix = encode(from, text, before, &prefix_bytes);
        dst = (unsigned char *)exact(n);
        result = converts[a][b](src, length, dst, n);
        CHECK(result.status == UTFLANE_UNMAPPABLE && result.written == before);
        CHECK(result.read == prefix_bytes / from->unit && result.error_length >= 1);
        release(prefix), release(dst), release(src), release(encoded);
        return;
    }
    expected = to_bytes / to->unit;
    if (lengths[a][family_of(b)]) CHECK(lengths[a][family_of(b)](src, length) == expected);
    if (a < COUNT - 1) CHECK(lengths_lossy[a][family_of(b)](src, length) == expected);
    CHECK(utflane_length(from->number, to->number, src, from_bytes) == to_bytes);
    CHECK(utflane_length_lossy(from->number, to->number, src, from_bytes) == to_bytes);
    CHECK(utflane_max_length(from->number, to->number, from_bytes) >= to_bytes);
    for (capacity = 0; capacity <= expected; capacity++) {
        dst = (unsigned char *)exact(capacity * to->unit);
        result = converts[a][b](src, length, dst, capacity);
        CHECK(result.status == (capacity == expected ? (utflane_status)UTFLANE_OK : (utflane_status)UTFLANE_OUTPUT_FULL));
        CHECK(result.written <= capacity && capacity - result.written < 4 && result.error_length == 0);
        CHECK(memcmp(dst, wanted, result.written * to->unit) == 0);
        if (capacity == expected) CHECK(result.read == length && result.written == expected);
        release(dst);
    }
    dst = (unsigned char *)exact(to_bytes);
    result = utflane_convert(from->number, to->number, src, from_bytes, dst, to_bytes);
    CHECK(result.status == UTFLANE_OK && result.read == from_bytes && result.written == to_bytes);
    CHECK(memcmp(dst, wanted, to_bytes) == 0);
    if (a < COUNT - 1) {
        utflane_lossy_result lossy = lossies[a][b](src, length, dst, expected);
        CHECK(lossy.status == UTFLANE_OK && lossy.written == expected && lossy.repairs == 0 && lossy.read == length);
        CHECK(memcmp(dst, wanted, to_bytes) == 0);
    }
    release(dst), release(wanted), release(src), release(encoded);
}

/* Writes one code unit in the byte order of an encoding. */
static void put(const encoding *to, unsigned char *at, uint32_t unit) {
    const int big = strstr(to->iconv_name, "BE") != NULL;
    for (size_t i = 0; i < to->unit; i++) {
        at[i] = (unsigned char)(unit >> 8 * (big ? to->unit - 1 - i : i));
    }
}

/* A unit that is ill-formed alone, between two characters: errors and repairs of each pair. */
static void check_ill_formed(int a, int b) {
    const size_t unit = encodings[a].unit;
    const uint32_t units_of_text[] = {'a', unit == 1 ? 0xFF : unit == 2 ? 0xDC00 : 0xD800, 'b'};
    const uint32_t repaired[] = {'a', family_of(b) == 3 ? '?' : 0xFFFD, 'b'};
    const utflane_status kind = unit == 1 ? UTFLANE_INVALID_LEAD_BYTE : UTFLANE_SURROGATE;
    size_t bytes;
    unsigned char *src = (unsigned char *)exact(3 * unit);
    unsigned char *wanted = encode(&encodings[b], repaired, 3, &bytes), *dst = (unsigned char *)exact(bytes);
    const size_t units = bytes / encodings[b].unit;
    utflane_result result;
    utflane_lossy_result lossy;
    for (size_t i = 0; i < 3; i++) put(&encodings[a], src + i * unit, units_of_text[i]);
    result = converts[a][b](src, 3, dst, units);
    CHECK(result.read == 1 && result.written == 1 && result.error_length == 1);
    CHECK(result.status == kind);
    CHECK(memcmp(dst, wanted, encodings[b].unit) == 0);
    CHECK(validates[a](src, 3).valid_up_to == 1 && validates[a](src, 3).status == kind);
    CHECK(lengths_lossy[a][family_of(b)](src, 3) == units);
    lossy = lossies[a][b](src, 3, dst, units);
    CHECK(lossy.status == UTFLANE_OK && lossy.read == 3 && lossy.written == units && lossy.repairs == 1);
    CHECK(memcmp(dst, wanted, bytes) == 0);
    lossy = lossies[a][b](src, 3, dst, units - 1);
    CHECK(lossy.status == UTFLANE_OUTPUT_FULL && lossy.read == 2 && lossy.written == units - 1);
    release(dst), release(wanted), release(src);
}

/* Null pointers with 0, in every function of a pair. */
static void check_null(int a, int b) {
    utflane_result result = converts[a][b](NULL, 0, NULL, 0);
    CHECK(result.status == UTFLANE_OK && result.read == 0 && result.written == 0);
    if (lengths[a][family_of(b)]) CHECK(lengths[a][family_of(b)](NULL, 0) == 0);
    if (a == COUNT - 1) return;
    CHECK(lossies[a][b](NULL, 0, NULL, 0).status == UTFLANE_OK);
    CHECK(lengths_lossy[a][family_of(b)](NULL, 0) == 0);
    CHECK(validates[a](NULL, 0).status == UTFLANE_OK && counts[a](NULL, 0) == 0);
}

int main(void) {
    for (int a = 0; a < COUNT; a++) {
        for (int b = 0; b < COUNT; b++) {
            for (size_t alphabet = 0; alphabet < sizeof alphabets / sizeof *alphabets; alphabet++) {
                for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
                    uint32_t text[131];
                    for (size_t i = 0; i < sizes[size]; i++) text[i] = alphabets[alphabet][(i * i + i / 5) % 6];
                    check_pair(a, b, text, sizes[size]);
                }
            }
            if (a < COUNT - 1) check_ill_formed(a, b);
            check_null(a, b);
        }
    }
    printf("pairs: ok, on %s\n", utflane_active_kernel());
    return 0;
}
