/*
 * The text functions of simdutf, with simdutf's names and results, in the library utflane. A program
 * that includes simdutf_c.h and does not use base64 can link with -lutflane instead. Functions that
 * simdutf has only in C++ are here with the prefix `simdutf_`.
 *
 * All lengths, positions and counts are in the units of the pointers: bytes, 16-bit units or 32-bit
 * units. A null pointer with length 0 is an empty text. If a null pointer has another length, or a
 * text has more than SIZE_MAX / 2 bytes, a function fails: it writes nothing, and returns false, 0
 * or OTHER.
 *
 *   function                    result (counts are in units)
 *   validate_*                  true if the text is well-formed
 *   validate_*_with_errors      SUCCESS and the length, or an error and its position
 *   convert_*                   the number of units written; 0 for ill-formed text
 *   convert_*_with_errors       SUCCESS and the number of units written, or an error and its position
 *   convert_valid_*             the number of units written; simdutf requires well-formed text, this
 *                               library returns 0 for ill-formed text
 *   convert_*_with_replacement  the number of units written; U+FFFD replaces unpaired surrogates
 *   convert_*_safe              the number of units written; writes as many whole characters as fit
 *                               into the capacity; 0 for ill-formed text
 *   count_*                     the number of code points; exact for well-formed text
 *   trim_partial_*              the number of units before an incomplete character at the end
 *   *_length_from_*             the number of units of output; exact for well-formed text
 *
 * The position of an error is the number of units before the first ill-formed sequence. If several
 * errors apply, the first in this list is returned: HEADER_BITS (a byte that never occurs), TOO_LONG
 * (a stray continuation byte), TOO_SHORT, OVERLONG, SURROGATE, TOO_LARGE. A character that Latin-1
 * lacks is TOO_LARGE. A byte above 0x7F in ASCII is TOO_LARGE too.
 *
 * An output needs the capacity that the length function returns, or the capacity for the longest
 * result of a text of this length. On an error, the contents of the output are unspecified. Texts
 * and outputs must not overlap, except that to_well_formed_utf16* and change_endianness_utf16 can
 * write over their input.
 *
 * Any function may be called from any thread. No function allocates memory. utflane.h has functions
 * that take the capacity of an output, and functions for streams.
 */
#ifndef SIMDUTF_C_H
#define SIMDUTF_C_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* C++ has the types char16_t and char32_t. In C, <uchar.h> defines them, but some systems lack this header. */
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
    /* simdutf returns the numbers 7 to 10 for base64 and for outputs with a capacity. No function here returns them. */
    SIMDUTF_ERROR_INVALID_BASE64_CHARACTER = 7,
    SIMDUTF_ERROR_BASE64_INPUT_REMAINDER = 8,
    SIMDUTF_ERROR_BASE64_EXTRA_BITS = 9,
    SIMDUTF_ERROR_OUTPUT_BUFFER_TOO_SMALL = 10,
    SIMDUTF_ERROR_OTHER = 11
} simdutf_error_code;

typedef struct simdutf_result {
    simdutf_error_code error;
    /* The number of units before the error; on success, the number of units validated or written. */
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

/* Detection, by the byte order mark. Without a mark, autodetect_encoding returns the first of UTF-8, UTF-16LE and UTF-32LE
 * in which the text is well-formed, detect_encodings returns the set of them, and check_bom returns UNSPECIFIED.
 * bom_byte_size returns the length of the mark of an encoding, in bytes. */
simdutf_encoding_type simdutf_autodetect_encoding(const char *input, size_t length);
int simdutf_detect_encodings(const char *input, size_t length);
simdutf_encoding_type simdutf_check_bom(const char *input, size_t length);
size_t simdutf_bom_byte_size(simdutf_encoding_type bom);

/* Validation. The `as_ascii` functions return true if all units are below 0x80. */
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

/* Replaces every unpaired surrogate with U+FFFD, in the text's byte order. */
void simdutf_to_well_formed_utf16(const char16_t *input, size_t len, char16_t *output);
void simdutf_to_well_formed_utf16le(const char16_t *input, size_t len, char16_t *output);
void simdutf_to_well_formed_utf16be(const char16_t *input, size_t len, char16_t *output);

/* Swaps the bytes of each unit. */
void simdutf_change_endianness_utf16(const char16_t *input, size_t length, char16_t *output);

/* Returns the length without an incomplete character at the end of a text that is well-formed before it. */
size_t simdutf_trim_partial_utf8(const char *input, size_t length);
size_t simdutf_trim_partial_utf16(const char16_t *input, size_t length);
size_t simdutf_trim_partial_utf16le(const char16_t *input, size_t length);
size_t simdutf_trim_partial_utf16be(const char16_t *input, size_t length);

/* Counts. `count` functions return the number of code points, `length` functions the number of units of output. */
size_t simdutf_count_utf8(const char *input, size_t length);
size_t simdutf_count_utf16(const char16_t *input, size_t length);
size_t simdutf_count_utf16le(const char16_t *input, size_t length);
size_t simdutf_count_utf16be(const char16_t *input, size_t length);
size_t simdutf_utf8_length_from_latin1(const char *input, size_t length);
size_t simdutf_latin1_length_from_utf8(const char *input, size_t length);
size_t simdutf_utf16_length_from_utf8(const char *input, size_t length);
size_t simdutf_utf16_length_from_utf32(const char32_t *input, size_t length);
size_t simdutf_utf16_length_from_latin1(size_t length);
size_t simdutf_utf32_length_from_utf8(const char *input, size_t length);
size_t simdutf_utf32_length_from_utf16(const char16_t *input, size_t length);
size_t simdutf_utf32_length_from_utf16le(const char16_t *input, size_t length);
size_t simdutf_utf32_length_from_utf16be(const char16_t *input, size_t length);
size_t simdutf_utf32_length_from_latin1(size_t length);
size_t simdutf_utf8_length_from_utf16(const char16_t *input, size_t length);
size_t simdutf_utf8_length_from_utf16le(const char16_t *input, size_t length);
size_t simdutf_utf8_length_from_utf16be(const char16_t *input, size_t length);
size_t simdutf_utf8_length_from_utf32(const char32_t *input, size_t length);
size_t simdutf_latin1_length_from_utf16(size_t length);
size_t simdutf_latin1_length_from_utf32(size_t length);

/* Returns the number of bytes of UTF-8 if U+FFFD replaces every unpaired surrogate. The error is SURROGATE if the
 * text contains any surrogate, paired or unpaired. */
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
size_t simdutf_convert_utf32_to_latin1(const char32_t *input, size_t length, char *output);
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
simdutf_result simdutf_convert_utf32_to_utf16_with_errors(const char32_t *input, size_t length, char16_t *output);
simdutf_result simdutf_convert_utf32_to_utf16le_with_errors(const char32_t *input, size_t length, char16_t *output);
simdutf_result simdutf_convert_utf32_to_utf16be_with_errors(const char32_t *input, size_t length, char16_t *output);
size_t simdutf_convert_valid_utf8_to_latin1(const char *input, size_t length, char *output);
size_t simdutf_convert_valid_utf8_to_utf16(const char *input, size_t length, char16_t *output);
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
size_t simdutf_convert_valid_utf32_to_latin1(const char32_t *input, size_t length, char *output);
size_t simdutf_convert_valid_utf32_to_utf16(const char32_t *input, size_t length, char16_t *output);
size_t simdutf_convert_valid_utf32_to_utf16le(const char32_t *input, size_t length, char16_t *output);
size_t simdutf_convert_valid_utf32_to_utf16be(const char32_t *input, size_t length, char16_t *output);
size_t simdutf_convert_utf16_to_utf8_with_replacement(const char16_t *input, size_t length, char *output);
size_t simdutf_convert_utf16le_to_utf8_with_replacement(const char16_t *input, size_t length, char *output);
size_t simdutf_convert_utf16be_to_utf8_with_replacement(const char16_t *input, size_t length, char *output);
size_t simdutf_convert_latin1_to_utf8_safe(const char *input, size_t length, char *output, size_t capacity);
size_t simdutf_convert_utf16_to_utf8_safe(const char16_t *input, size_t length, char *output, size_t capacity);

/* Returns a pointer to the first `character`, or `end` if there is none. */
const char *simdutf_find(const char *start, const char *end, char character);
const char16_t *simdutf_find_utf16(const char16_t *start, const char16_t *end, char16_t character);

#ifdef __cplusplus
}
#endif

#endif
