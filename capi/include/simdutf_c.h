/*
 * The text functions of simdutf's C API, with its names and results, in the library utflane.
 * A program that includes simdutf_c.h and uses no base64 links with -lutflane instead.
 *
 * All lengths, positions and counts are in the units of the pointers: bytes, 16-bit units, 32-bit
 * units. A null pointer with length 0 is an empty text. With another length, or a length of
 * more than SIZE_MAX / 2 bytes, a function fails and writes nothing: false, 0, or OTHER.
 *
 *   function                  returns
 *   validate_*                true if the text is well-formed
 *   validate_*_with_errors    SUCCESS and the length, or an error and its position
 *   convert_*                 the units written; 0 for ill-formed text
 *   convert_*_with_errors     SUCCESS and the units written, or an error and its position
 *   convert_valid_*           the units written; the text must be well-formed (here, 0 if it isn't)
 *   convert_*_with_replacement  the units written, with U+FFFD for every unpaired surrogate
 *   convert_*_safe            the units written, whole characters within a capacity; 0 for errors
 *   count_*, *_length_from_*  the code points, the units of output; exact for well-formed text
 *
 * The position of an error is the number of units before the first ill-formed sequence. For the
 * kinds, the first of these that applies counts: HEADER_BITS (a byte that never occurs), TOO_LONG
 * (a stray continuation byte), TOO_SHORT, OVERLONG, SURROGATE, TOO_LARGE. A character that Latin-1
 * does not have is TOO_LARGE, and so is a byte above 0x7F in ASCII.
 *
 * An output needs the capacity that the length function returns, or the capacity for the longest
 * result of a text of this length. On an error, the contents of the output are unspecified. Texts
 * and outputs must not overlap; only the output of to_well_formed_utf16* may be its input.
 *
 * Any function may be called from any thread. Nothing is allocated. utflane.h has functions with
 * the capacity of an output, and streams.
 */
#ifndef SIMDUTF_C_H
#define SIMDUTF_C_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* char16_t and char32_t are types of the language in C++, and of <uchar.h> in C, which not every system has. */
#ifndef __cplusplus
#if defined(__has_include)
#if __has_include(<uchar.h>)
#include <uchar.h>
#define UTFLANE_HAS_UCHAR
#endif
#endif
#ifndef UTFLANE_HAS_UCHAR
typedef uint_least16_t char16_t;
typedef uint_least32_t char32_t;
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum simdutf_error_code {
    SIMDUTF_ERROR_SUCCESS = 0,
    SIMDUTF_ERROR_HEADER_BITS = 1,
    SIMDUTF_ERROR_TOO_SHORT = 2,
    SIMDUTF_ERROR_TOO_LONG = 3,
    SIMDUTF_ERROR_OVERLONG = 4,
    SIMDUTF_ERROR_TOO_LARGE = 5,
    SIMDUTF_ERROR_SURROGATE = 6,
    /* Numbers 7 to 10 are for base64 and for outputs with a capacity; no function here returns them. */
    SIMDUTF_ERROR_INVALID_BASE64_CHARACTER = 7,
    SIMDUTF_ERROR_BASE64_INPUT_REMAINDER = 8,
    SIMDUTF_ERROR_BASE64_EXTRA_BITS = 9,
    SIMDUTF_ERROR_OUTPUT_BUFFER_TOO_SMALL = 10,
    SIMDUTF_ERROR_OTHER = 11
} simdutf_error_code;

typedef struct simdutf_result {
    simdutf_error_code error;
    /* Units before the error; without one, units validated or written. */
    size_t count;
} simdutf_result;

/* The values are bits of the set that simdutf_detect_encodings returns. */
typedef enum simdutf_encoding_type {
    SIMDUTF_ENCODING_UNSPECIFIED = 0,
    SIMDUTF_ENCODING_UTF8 = 1,
    SIMDUTF_ENCODING_UTF16_LE = 2,
    SIMDUTF_ENCODING_UTF16_BE = 4,
    SIMDUTF_ENCODING_UTF32_LE = 8,
    SIMDUTF_ENCODING_UTF32_BE = 16
} simdutf_encoding_type;

/* By a byte order mark; otherwise the first of UTF-8, UTF-16LE, UTF-32LE that is well-formed. */
simdutf_encoding_type simdutf_autodetect_encoding(const char *input, size_t length);

/* By a byte order mark; otherwise all of UTF-8, UTF-16LE, UTF-32LE that are well-formed. */
int simdutf_detect_encodings(const char *input, size_t length);

/* True if a text is well-formed, or its first error. The `as_ascii` functions are true if all units
 * are below 0x80. */
bool simdutf_validate_utf8(const char *input, size_t length);
simdutf_result simdutf_validate_utf8_with_errors(const char *input, size_t length);
bool simdutf_validate_ascii(const char *input, size_t length);
simdutf_result simdutf_validate_ascii_with_errors(const char *input, size_t length);
bool simdutf_validate_utf16(const char16_t *input, size_t length);
simdutf_result simdutf_validate_utf16_with_errors(const char16_t *input, size_t length);
bool simdutf_validate_utf16le(const char16_t *input, size_t length);
simdutf_result simdutf_validate_utf16le_with_errors(const char16_t *input, size_t length);
bool simdutf_validate_utf16be(const char16_t *input, size_t length);
simdutf_result simdutf_validate_utf16be_with_errors(const char16_t *input, size_t length);
bool simdutf_validate_utf32(const char32_t *input, size_t length);
simdutf_result simdutf_validate_utf32_with_errors(const char32_t *input, size_t length);
bool simdutf_validate_utf16_as_ascii(const char16_t *input, size_t length);
bool simdutf_validate_utf16le_as_ascii(const char16_t *input, size_t length);
bool simdutf_validate_utf16be_as_ascii(const char16_t *input, size_t length);

/* Every unpaired surrogate becomes U+FFFD, in the text's byte order. */
void simdutf_to_well_formed_utf16(const char16_t *input, size_t len, char16_t *output);
void simdutf_to_well_formed_utf16le(const char16_t *input, size_t len, char16_t *output);
void simdutf_to_well_formed_utf16be(const char16_t *input, size_t len, char16_t *output);

/* Code points; units of output. */
size_t simdutf_count_utf8(const char *input, size_t length);
size_t simdutf_count_utf16(const char16_t *input, size_t length);
size_t simdutf_count_utf16le(const char16_t *input, size_t length);
size_t simdutf_count_utf16be(const char16_t *input, size_t length);
size_t simdutf_utf8_length_from_latin1(const char *input, size_t length);
size_t simdutf_latin1_length_from_utf8(const char *input, size_t length);
size_t simdutf_utf16_length_from_utf8(const char *input, size_t length);
size_t simdutf_utf32_length_from_utf8(const char *input, size_t length);
size_t simdutf_utf8_length_from_utf16(const char16_t *input, size_t length);
size_t simdutf_utf8_length_from_utf16le(const char16_t *input, size_t length);
size_t simdutf_utf8_length_from_utf16be(const char16_t *input, size_t length);
size_t simdutf_utf8_length_from_utf32(const char32_t *input, size_t length);
size_t simdutf_latin1_length_from_utf16(size_t length);
size_t simdutf_latin1_length_from_utf32(size_t length);

/* The bytes of UTF-8 with U+FFFD for every unpaired surrogate. The error is SURROGATE if there are
 * surrogates at all, in pairs or not. */
simdutf_result simdutf_utf8_length_from_utf16_with_replacement(const char16_t *input, size_t length);
simdutf_result simdutf_utf8_length_from_utf16le_with_replacement(const char16_t *input, size_t length);
simdutf_result simdutf_utf8_length_from_utf16be_with_replacement(const char16_t *input, size_t length);

/* Conversions. */
size_t simdutf_convert_latin1_to_utf8(const char *input, size_t length, char *output);
size_t simdutf_convert_latin1_to_utf16(const char *input, size_t length, char16_t *output);
size_t simdutf_convert_latin1_to_utf16le(const char *input, size_t length, char16_t *output);
size_t simdutf_convert_latin1_to_utf16be(const char *input, size_t length, char16_t *output);
size_t simdutf_convert_latin1_to_utf32(const char *input, size_t length, char32_t *output);
size_t simdutf_convert_utf8_to_latin1(const char *input, size_t length, char *output);
size_t simdutf_convert_utf8_to_utf16(const char *input, size_t length, char16_t *output);
size_t simdutf_convert_utf8_to_utf16le(const char *input, size_t length, char16_t *output);
size_t simdutf_convert_utf8_to_utf16be(const char *input, size_t length, char16_t *output);
size_t simdutf_convert_utf8_to_utf32(const char *input, size_t length, char32_t *output);
size_t simdutf_convert_utf16_to_utf8(const char16_t *input, size_t length, char *output);
size_t simdutf_convert_utf16_to_latin1(const char16_t *input, size_t length, char *output);
size_t simdutf_convert_utf16_to_utf32(const char16_t *input, size_t length, char32_t *output);
size_t simdutf_convert_utf16le_to_utf8(const char16_t *input, size_t length, char *output);
size_t simdutf_convert_utf16le_to_latin1(const char16_t *input, size_t length, char *output);
size_t simdutf_convert_utf16le_to_utf32(const char16_t *input, size_t length, char32_t *output);
size_t simdutf_convert_utf16be_to_utf8(const char16_t *input, size_t length, char *output);
size_t simdutf_convert_utf16be_to_latin1(const char16_t *input, size_t length, char *output);
size_t simdutf_convert_utf16be_to_utf32(const char16_t *input, size_t length, char32_t *output);
size_t simdutf_convert_utf32_to_utf8(const char32_t *input, size_t length, char *output);
size_t simdutf_convert_utf32_to_utf16(const char32_t *input, size_t length, char16_t *output);
size_t simdutf_convert_utf32_to_utf16le(const char32_t *input, size_t length, char16_t *output);
size_t simdutf_convert_utf32_to_utf16be(const char32_t *input, size_t length, char16_t *output);
simdutf_result simdutf_convert_utf8_to_latin1_with_errors(const char *input, size_t length, char *output);
simdutf_result simdutf_convert_utf8_to_utf16_with_errors(const char *input, size_t length, char16_t *output);
simdutf_result simdutf_convert_utf8_to_utf16le_with_errors(const char *input, size_t length, char16_t *output);
simdutf_result simdutf_convert_utf8_to_utf16be_with_errors(const char *input, size_t length, char16_t *output);
simdutf_result simdutf_convert_utf8_to_utf32_with_errors(const char *input, size_t length, char32_t *output);
simdutf_result simdutf_convert_utf16_to_utf8_with_errors(const char16_t *input, size_t length, char *output);
simdutf_result simdutf_convert_utf16_to_latin1_with_errors(const char16_t *input, size_t length, char *output);
simdutf_result simdutf_convert_utf16_to_utf32_with_errors(const char16_t *input, size_t length, char32_t *output);
simdutf_result simdutf_convert_utf16le_to_utf8_with_errors(const char16_t *input, size_t length, char *output);
simdutf_result simdutf_convert_utf16le_to_latin1_with_errors(const char16_t *input, size_t length, char *output);
simdutf_result simdutf_convert_utf16le_to_utf32_with_errors(const char16_t *input, size_t length, char32_t *output);
simdutf_result simdutf_convert_utf16be_to_utf8_with_errors(const char16_t *input, size_t length, char *output);
simdutf_result simdutf_convert_utf16be_to_latin1_with_errors(const char16_t *input, size_t length, char *output);
simdutf_result simdutf_convert_utf16be_to_utf32_with_errors(const char16_t *input, size_t length, char32_t *output);
simdutf_result simdutf_convert_utf32_to_utf8_with_errors(const char32_t *input, size_t length, char *output);
simdutf_result simdutf_convert_utf32_to_latin1_with_errors(const char32_t *input, size_t length, char *output);
size_t simdutf_convert_valid_utf8_to_latin1(const char *input, size_t length, char *output);
size_t simdutf_convert_valid_utf8_to_utf16le(const char *input, size_t length, char16_t *output);
size_t simdutf_convert_valid_utf8_to_utf16be(const char *input, size_t length, char16_t *output);
size_t simdutf_convert_valid_utf8_to_utf32(const char *input, size_t length, char32_t *output);
size_t simdutf_convert_valid_utf16_to_utf8(const char16_t *input, size_t length, char *output);
size_t simdutf_convert_valid_utf16_to_latin1(const char16_t *input, size_t length, char *output);
size_t simdutf_convert_valid_utf16_to_utf32(const char16_t *input, size_t length, char32_t *output);
size_t simdutf_convert_valid_utf16le_to_utf8(const char16_t *input, size_t length, char *output);
size_t simdutf_convert_valid_utf16le_to_latin1(const char16_t *input, size_t length, char *output);
size_t simdutf_convert_valid_utf16le_to_utf32(const char16_t *input, size_t length, char32_t *output);
size_t simdutf_convert_valid_utf16be_to_utf8(const char16_t *input, size_t length, char *output);
size_t simdutf_convert_valid_utf16be_to_latin1(const char16_t *input, size_t length, char *output);
size_t simdutf_convert_valid_utf16be_to_utf32(const char16_t *input, size_t length, char32_t *output);
size_t simdutf_convert_valid_utf32_to_utf8(const char32_t *input, size_t length, char *output);
size_t simdutf_convert_utf16_to_utf8_with_replacement(const char16_t *input, size_t length, char *output);
size_t simdutf_convert_utf16le_to_utf8_with_replacement(const char16_t *input, size_t length, char *output);
size_t simdutf_convert_utf16be_to_utf8_with_replacement(const char16_t *input, size_t length, char *output);
size_t simdutf_convert_latin1_to_utf8_safe(const char *input, size_t length, char *output, size_t capacity);
size_t simdutf_convert_utf16_to_utf8_safe(const char16_t *input, size_t length, char *output, size_t capacity);

/* The first `character`, or `end`. */
const char *simdutf_find(const char *start, const char *end, char character);
const char16_t *simdutf_find_utf16(const char16_t *start, const char16_t *end, char16_t character);

#ifdef __cplusplus
}
#endif

#endif
