/* Compares the conversions between all pairs of encodings with iconv. Each text is converted with each capacity
 * from 0 to the length of the result, in guarded buffers. */
#include <iconv.h>
#include <stdint.h>
#include <utflane.h>

#include "check.h"

typedef struct {
    const char *iconv_name;
    size_t unit_size; /* in bytes */
    int is_unicode;
    utflane_status status; /* the error of a byte 0xFF, or of an unpaired surrogate; UTFLANE_OK if the byte is a character */
    utflane_encoding number;
} encoding;

static encoding encodings[] = {
    {"UTF-8", 1, 1, UTFLANE_INVALID_LEAD_BYTE, 0}, {"UTF-16LE", 2, 1, UTFLANE_SURROGATE, 0},
    {"UTF-16BE", 2, 1, UTFLANE_SURROGATE, 0},      {"UTF-32LE", 4, 1, UTFLANE_SURROGATE, 0},
    {"UTF-32BE", 4, 1, UTFLANE_SURROGATE, 0},      {"ISO-8859-1", 1, 0, UTFLANE_OK, 0},
    {"US-ASCII", 1, 0, UTFLANE_TOO_LARGE, 0},      {"CP1251", 1, 0, UTFLANE_OK, 0},
    {"ISO-8859-7", 1, 0, UTFLANE_UNASSIGNED, 0},   {"IBM437", 1, 0, UTFLANE_OK, 0},
    {"IBM037", 1, 0, UTFLANE_OK, 0},
};
enum { ENCODING_COUNT = sizeof encodings / sizeof *encodings };
static const char *const native_utf32 = UTFLANE_UTF32 == UTFLANE_UTF32BE ? "UTF-32BE" : "UTF-32LE";

/* Each text has characters of one alphabet. */
static const uint32_t alphabets[][6] = {
    {'a', 'b', 'c', ' ', '\n', 0},
    {0xE9, 'x', 0xFF, 0x80, 'y', 0x7F},
    {0x439, 0x5D0, 0x7FF, 'z', 0x80, 0x3B1},
    {0x41F, 0x440, 'z', 0x438, 0x432, 0x2014},
    {0x3B1, 0x3C3, 'z', 0x3C0, 0x393, 0xB1},
    {0x4E2D, 0x20AC, 0xFFFD, 0x800, 'q', 0xD7FF},
    {0x1F600, 'e', 0x10FFFF, 0x10000, 0xE000, 0xE9},
};
/* The lengths of texts in characters: some are next to the length of a vector. */
static const size_t sizes[] = {0, 1, 2, 7, 15, 16, 17, 33, 70, 131};

/* Returns iconv's encoding of `n` code points in a guarded buffer, and stores its length in `*bytes`. Returns NULL if the
 * encoding lacks a character. */
static unsigned char *encode(const encoding *to, const uint32_t *text, size_t n, size_t *bytes) {
    size_t in_left = 4 * n, out_left = 4 * n + 16, capacity = out_left, status;
    char *in = (char *)guarded_copy(text, in_left), *out = (char *)guarded_alloc(capacity);
    char *in_end = in, *out_end = out;
    iconv_t converter = iconv_open(to->iconv_name, native_utf32);
    CHECK(converter != (iconv_t)-1);
    status = iconv(converter, &in_end, &in_left, &out_end, &out_left);
    iconv_close(converter);
    release(in);
    *bytes = capacity - out_left;
    if (status == (size_t)-1) {
        release(out);
        return NULL;
    }
    return (unsigned char *)out;
}

static int is_result(utflane_result got, utflane_status status, size_t read, size_t written) {
    return got.status == status && got.read == read && got.written == written;
}

/* Converts one text from `from` to `to` with each capacity. */
static void check_pair(const encoding *from, const encoding *to, const uint32_t *text, size_t n) {
    size_t length, expected, capacity;
    unsigned char *src = encode(from, text, n, &length), *wanted, *dst;
    utflane_validation valid;
    utflane_result result;
    utflane_lossy_result lossy;
    if (!src) return;
    dst = (unsigned char *)guarded_copy(src, length); /* this buffer has exactly the length of the text */
    release(src), src = dst;
    valid = utflane_validate(from->number, src, length);
    CHECK(valid.status == UTFLANE_OK && valid.valid_up_to == length && valid.error_length == 0);
    CHECK(utflane_count(from->number, src, length) == n);
    wanted = encode(to, text, n, &expected);
    if (!wanted) { /* The target lacks a character, so a character is one byte in it. */
        size_t mappable = 0, prefix_bytes;
        while ((wanted = encode(to, text, mappable + 1, &prefix_bytes))) release(wanted), mappable++;
        release(encode(from, text, mappable, &prefix_bytes));
        dst = (unsigned char *)guarded_alloc(n);
        result = utflane_convert(from->number, to->number, src, length, dst, n);
        CHECK(is_result(result, UTFLANE_UNMAPPABLE, prefix_bytes, mappable) && result.error_length >= from->unit_size);
        release(dst), release(src);
        return;
    }
    CHECK(utflane_length(from->number, to->number, src, length) == expected);
    CHECK(utflane_length_lossy(from->number, to->number, src, length) == expected);
    CHECK(utflane_max_length(from->number, to->number, length) >= expected);
    for (capacity = 0; capacity <= expected; capacity++) {
        dst = (unsigned char *)guarded_alloc(capacity);
        result = utflane_convert(from->number, to->number, src, length, dst, capacity);
        CHECK(result.status == (capacity == expected ? UTFLANE_OK : UTFLANE_OUTPUT_FULL));
        CHECK(result.written <= capacity && capacity - result.written < 4 && result.error_length == 0);
        CHECK(memcmp(dst, wanted, result.written) == 0);
        if (capacity == expected) CHECK(is_result(result, UTFLANE_OK, length, expected));
        release(dst);
    }
    dst = (unsigned char *)guarded_alloc(expected);
    lossy = utflane_convert_lossy(from->number, to->number, src, length, dst, expected);
    CHECK(lossy.status == UTFLANE_OK && lossy.written == expected && lossy.repairs == 0 && lossy.read == length);
    CHECK(memcmp(dst, wanted, expected) == 0);
    release(dst), release(wanted), release(src);
}

/* Writes one code unit to `dst`, in the byte order of an encoding. */
static void write_unit(const encoding *to, unsigned char *dst, uint32_t unit) {
    const int is_big_endian = strstr(to->iconv_name, "BE") != NULL;
    for (size_t i = 0; i < to->unit_size; i++) {
        dst[i] = (unsigned char)(unit >> 8 * (is_big_endian ? to->unit_size - 1 - i : i));
    }
}

/* Checks errors and replacements of a pair of encodings, for a text with an ill-formed unit between two characters. */
static void check_ill_formed(const encoding *from, const encoding *to) {
    const size_t unit = from->unit_size;
    const uint32_t text[] = {'a', unit == 1 ? 0xFF : unit == 2 ? 0xDC00 : 0xD800, 'b'};
    const uint32_t repaired[] = {'a', to->is_unicode ? 0xFFFD : '?', 'b'};
    const utflane_status kind = from->status;
    size_t bytes;
    unsigned char *src = (unsigned char *)guarded_alloc(3 * unit);
    unsigned char *wanted = encode(to, repaired, 3, &bytes), *dst = (unsigned char *)guarded_alloc(bytes);
    utflane_validation valid;
    utflane_result result;
    utflane_lossy_result lossy;
    for (size_t i = 0; i < 3; i++) write_unit(from, src + i * unit, text[i]);
    result = utflane_convert(from->number, to->number, src, 3 * unit, dst, bytes);
    CHECK(is_result(result, kind, unit, to->unit_size) && result.error_length == unit);
    CHECK(memcmp(dst, wanted, to->unit_size) == 0);
    valid = utflane_validate(from->number, src, 3 * unit);
    CHECK(valid.valid_up_to == unit && valid.status == kind && valid.error_length == unit);
    CHECK(utflane_length_lossy(from->number, to->number, src, 3 * unit) == bytes);
    lossy = utflane_convert_lossy(from->number, to->number, src, 3 * unit, dst, bytes);
    CHECK(lossy.status == UTFLANE_OK && lossy.read == 3 * unit && lossy.written == bytes && lossy.repairs == 1);
    CHECK(memcmp(dst, wanted, bytes) == 0);
    lossy = utflane_convert_lossy(from->number, to->number, src, 3 * unit, dst, bytes - 1);
    CHECK(lossy.status == UTFLANE_OUTPUT_FULL && lossy.read == 2 * unit && lossy.written == bytes - to->unit_size);
    release(dst), release(wanted), release(src);
}

/* Checks null pointers with length 0 and capacity 0. */
static void check_null(utflane_encoding from, utflane_encoding to) {
    CHECK(is_result(utflane_convert(from, to, NULL, 0, NULL, 0), UTFLANE_OK, 0, 0));
    CHECK(utflane_convert_lossy(from, to, NULL, 0, NULL, 0).status == UTFLANE_OK);
    CHECK(utflane_length(from, to, NULL, 0) == 0 && utflane_length_lossy(from, to, NULL, 0) == 0);
    CHECK(utflane_validate(from, NULL, 0).status == UTFLANE_OK && utflane_count(from, NULL, 0) == 0);
}

int main(void) {
    for (encoding *each = encodings; each < encodings + ENCODING_COUNT; each++) {
        each->number = utflane_encoding_from_label(each->iconv_name, strlen(each->iconv_name));
        CHECK(each->number != UTFLANE_NO_ENCODING);
    }
    for (const encoding *from = encodings; from < encodings + ENCODING_COUNT; from++) {
        for (const encoding *to = encodings; to < encodings + ENCODING_COUNT; to++) {
            const int has_page = from->number >= UTFLANE_FIRST_CODE_PAGE || to->number >= UTFLANE_FIRST_CODE_PAGE;
            if (has_page && !from->is_unicode && !to->is_unicode) {
                CHECK(is_result(utflane_convert(from->number, to->number, "a", 1, NULL, 0), UTFLANE_INVALID_ARGUMENT, 0, 0));
                CHECK(utflane_convert_lossy(from->number, to->number, "a", 1, NULL, 0).status == UTFLANE_INVALID_ARGUMENT);
                CHECK(utflane_length(from->number, to->number, "a", 1) == 0);
                CHECK(utflane_max_length(from->number, to->number, 1) == SIZE_MAX);
                continue;
            }
            check_null(from->number, to->number);
            for (size_t alphabet = 0; alphabet < sizeof alphabets / sizeof *alphabets; alphabet++) {
                for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
                    uint32_t text[131];
                    for (size_t i = 0; i < sizes[size]; i++) text[i] = alphabets[alphabet][(i * i + i / 5) % 6];
                    check_pair(from, to, text, sizes[size]);
                }
            }
            if (from->status != UTFLANE_OK) check_ill_formed(from, to);
        }
    }
    for (utflane_encoding from = UTFLANE_UTF8; from <= UTFLANE_WTF16BE; from++) {
        for (utflane_encoding to = UTFLANE_UTF8; to <= UTFLANE_WTF16BE; to++) check_null(from, to);
    }
    printf("pairs: ok, on %s\n", utflane_active_kernel());
    return 0;
}
