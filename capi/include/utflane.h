/**
 * @file utflane.h
 * utflane: validates and converts UTF-8, UTF-16, UTF-32 and Latin-1 with SIMD kernels that are chosen at run time.
 *
 * Written by cbindgen from the Rust sources.
 *
 * **Units.** Lengths, capacities, positions and counts are in units of the pointer's type, unless a
 * function says otherwise: bytes for `char` (UTF-8, Latin-1, ASCII), code units for `char16_t` and
 * `char32_t`. These are the types of C11 and C++11, so `u"..."` and `std::u16string::data()` fit
 * without a cast. A name without byte order (`utf16`) means that of the machine; in `utf16le` and
 * `utf16be`, the two bytes of each unit lie in that order. Functions with `void` pointers take bytes.
 *
 * **Pointers.** A null pointer with 0 is an empty text, or an output without capacity. Other pointers
 * must have as many units as their length or capacity says, and be aligned as C asks of their type:
 * only functions with `void` pointers take any address. An output may be uninitialised. Text and
 * output must not overlap, not even by a byte.
 *
 * **Invalid arguments.** A null pointer with a length or a capacity, one of more than SIZE_MAX / 2
 * bytes, an unknown encoding: the status is UTFLANE_INVALID_ARGUMENT, other numbers are 0, and nothing
 * is read or written. Counts and lengths are 0 too.
 *
 * **What is written.** At most `capacity` units. Those from `written` on are unspecified: they may
 * have been overwritten as scratch space. Characters are never split. No NUL is appended, and a NUL
 * is a character as any other.
 *
 * **Memory, threads, panics.** Nothing is allocated (only the value of the environment variable
 * UTFLANE_KERNEL, once, if it is set). There is no global state but the choice of the kernel, which
 * is atomic, so all functions may be called from any thread. Nothing is thrown, and nothing unwinds.
 */

/**
 * @defgroup utflane_validate Validation
 *
 * | function                  | unit of length and result | ill-formed                                   |
 * |---------------------------|---------------------------|----------------------------------------------|
 * | utflane_validate_utf8     | bytes                     | anything but RFC 3629                        |
 * | utflane_validate_ascii    | bytes                     | bytes above 0x7F                             |
 * | utflane_validate_utf16*   | 16-bit code units         | surrogates that are not in a pair            |
 * | utflane_validate_utf32*   | 32-bit code units         | surrogates, values above 0x10FFFF            |
 * | utflane_summarize_utf8    | bytes                     | as utflane_validate_utf8; counts in one pass |
 *
 * Every text is well-formed Latin-1.
 *
 * @defgroup utflane_convert Conversion
 *
 * utflane_convert_A_to_B for A and B of utf8, utf16, utf16le, utf16be, utf32, utf32le, utf32be,
 * latin1.
 *
 * | input                                  | status              | what is in the output              |
 * |----------------------------------------|---------------------|------------------------------------|
 * | well-formed, fits                      | UTFLANE_OK          | all of it                          |
 * | well-formed, does not fit              | UTFLANE_OUTPUT_FULL | the whole characters that fit      |
 * | ill-formed                             | the kind            | the text before the sequence       |
 * | a character that Latin-1 does not have | UTFLANE_UNMAPPABLE  | the text before the character      |
 *
 * @defgroup utflane_lossy Conversion with repairs
 *
 * utflane_convert_A_to_B_lossy for the same pairs, where A may be ill-formed. U+FFFD replaces each
 * ill-formed sequence as in the WHATWG Encoding Standard: one for each maximal subpart of UTF-8, one
 * for each unit of UTF-16 and UTF-32. In Latin-1, '?' replaces them, and each character that it does
 * not have. Only a full output stops these conversions.
 *
 * @defgroup utflane_length Lengths and counts
 *
 * | function                         | returns                                           | ill-formed text     |
 * |----------------------------------|---------------------------------------------------|---------------------|
 * | utflane_B_length_from_A          | the units of B that utflane_convert_A_to_B writes | a number, see below |
 * | utflane_B_length_from_A_lossy    | the units of B that the lossy conversion writes   | exact               |
 * | utflane_count_A                  | code points                                       | a number, see below |
 *
 * For ill-formed text the numbers are the same on every processor, and are no bound of an output:
 * bytes of UTF-8 that are not continuation bytes, units of UTF-16 that are not low surrogates.
 *
 * @defgroup utflane_any Encodings chosen at run time
 *
 * The same functions for twelve encodings, over bytes of any alignment. All sizes are bytes.
 *
 * @defgroup utflane_stream Streams
 *
 * Text in chunks that may be cut anywhere. The memory is the caller's:
 *
 *     utflane_transcoder transcoder;
 *     utflane_transcoder_init(&transcoder, UTFLANE_UTF8, UTFLANE_UTF16LE);
 *
 * | status              | read                                   | what to do                        |
 * |---------------------|----------------------------------------|-----------------------------------|
 * | UTFLANE_OK          | the whole chunk                        | push the next chunk, or finish    |
 * | UTFLANE_OUTPUT_FULL | what has been converted                | empty the output, push the rest   |
 * | ill-formed          | up to the end of the sequence          | stop, or push the rest            |
 *
 * @defgroup utflane_detect Detection
 * @defgroup utflane_library Version and kernels
 */


#ifndef UTFLANE_H
#define UTFLANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* char16_t and char32_t are types of the language in C++, and of <uchar.h> in C. */
#ifndef __cplusplus
#if defined(__has_include)
#if __has_include(<uchar.h>)
#include <uchar.h>
#define UTFLANE_HAS_UCHAR
#endif
#endif
#if !defined(UTFLANE_HAS_UCHAR) && !defined(UTFLANE_CHAR_TYPES)
#define UTFLANE_CHAR_TYPES
typedef uint_least16_t char16_t;
typedef uint_least32_t char32_t;
#endif
#endif

/* A result that should not be ignored. */
#if defined(__cplusplus) && __cplusplus >= 201703L
#define UTFLANE_NODISCARD [[nodiscard]]
#elif defined(__GNUC__)
#define UTFLANE_NODISCARD __attribute__((warn_unused_result))
#else
#define UTFLANE_NODISCARD
#endif

#ifdef __cplusplus
#define UTFLANE_NOEXCEPT noexcept
#else
#define UTFLANE_NOEXCEPT
#endif

/** The version of this header; UTFLANE_MAJOR, UTFLANE_MINOR and UTFLANE_PATCH are its numbers. */
#define UTFLANE_VERSION "0.1.0"
#define UTFLANE_MAJOR 0
#define UTFLANE_MINOR 1
#define UTFLANE_PATCH 0

/* UTF-16 and UTF-32 in the machine's byte order, for utflane_convert and streams. */
#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define UTFLANE_UTF16 UTFLANE_UTF16BE
#define UTFLANE_UTF32 UTFLANE_UTF32BE
#else
#define UTFLANE_UTF16 UTFLANE_UTF16LE
#define UTFLANE_UTF32 UTFLANE_UTF32LE
#endif


/**
 * Little is known: the text is short, or several encodings are as likely.
 */
#define UTFLANE_GUESS 0

/**
 * Another encoding is possible, and much less likely.
 */
#define UTFLANE_LIKELY 1

/**
 * By a byte order mark, or with more text than could fit by chance.
 */
#define UTFLANE_CERTAIN 2

/**
 * A reason that this version of the header has no name for.
 */
#define UTFLANE_REASON_OTHER 0

/**
 * There is no text.
 */
#define UTFLANE_REASON_EMPTY 1

/**
 * A byte order mark.
 */
#define UTFLANE_REASON_MARK 2

/**
 * All bytes are ASCII.
 */
#define UTFLANE_REASON_ASCII 3

/**
 * Well-formed UTF-8.
 */
#define UTFLANE_REASON_UTF8 4

/**
 * UTF-8 with few errors.
 */
#define UTFLANE_REASON_DAMAGED_UTF8 5

/**
 * CESU-8.
 */
#define UTFLANE_REASON_CESU8 6

/**
 * Reads as text in UTF-16.
 */
#define UTFLANE_REASON_UTF16 7

/**
 * Reads as text in UTF-32.
 */
#define UTFLANE_REASON_UTF32 8

/**
 * Latin-1.
 */
#define UTFLANE_REASON_LATIN1 9

/**
 * Windows-1252, which this library does not convert.
 */
#define UTFLANE_REASON_WINDOWS_1252 10

/**
 * Another legacy encoding, which this library does not convert.
 */
#define UTFLANE_REASON_LEGACY 11

/**
 * Not text.
 */
#define UTFLANE_REASON_BINARY 12

/**
 * Parts of the text are in different encodings.
 */
#define UTFLANE_REASON_MIXED 13

/**
 * No encoding.
 */
#define UTFLANE_NO_ENCODING 0

/**
 * UTF-8, as in RFC 3629.
 */
#define UTFLANE_UTF8 1

/**
 * UTF-16, low byte first.
 */
#define UTFLANE_UTF16LE 2

/**
 * UTF-16, high byte first.
 */
#define UTFLANE_UTF16BE 3

/**
 * UTF-32, lowest byte first.
 */
#define UTFLANE_UTF32LE 4

/**
 * UTF-32, highest byte first.
 */
#define UTFLANE_UTF32BE 5

/**
 * ISO-8859-1: a byte is a code point. Not windows-1252.
 */
#define UTFLANE_LATIN1 6

/**
 * US-ASCII: bytes 0x00 to 0x7F.
 */
#define UTFLANE_ASCII 7

/**
 * CESU-8: UTF-8 of the code units of UTF-16.
 */
#define UTFLANE_CESU8 8

/**
 * Java's Modified UTF-8: CESU-8 with NUL as C0 80.
 */
#define UTFLANE_MUTF8 9

/**
 * WTF-8: UTF-8 that may contain unpaired surrogates.
 */
#define UTFLANE_WTF8 10

/**
 * UTF-16 that may contain unpaired surrogates, low byte first.
 */
#define UTFLANE_WTF16LE 11

/**
 * UTF-16 that may contain unpaired surrogates, high byte first.
 */
#define UTFLANE_WTF16BE 12

/**
 * Words of a utflane_validator.
 */
#define UTFLANE_VALIDATOR_WORDS 16

/**
 * Words of a utflane_transcoder.
 */
#define UTFLANE_TRANSCODER_WORDS 32

/**
 * Bytes of output with which each call to a transcoder makes progress: no character, and no
 * replacement, is longer.
 */
#define UTFLANE_ENOUGH_ROOM 24

/**
 * Why a function stopped. The numbers stay as they are in later versions, which may add some.
 *
 * The kinds of ill-formed text are judged in the order of the first six, the order of simdutf.
 */
enum utflane_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * The whole input has been processed.
     */
    UTFLANE_OK = 0,
    /**
     * Ill-formed: a byte that never occurs, such as 0xFF in UTF-8.
     */
    UTFLANE_INVALID_LEAD_BYTE = 1,
    /**
     * Ill-formed: fewer bytes or code units than the start of the sequence announces.
     */
    UTFLANE_TOO_SHORT = 2,
    /**
     * Ill-formed: a continuation byte where a character should begin.
     */
    UTFLANE_TOO_LONG = 3,
    /**
     * Ill-formed: a character written with more bytes than it needs.
     */
    UTFLANE_OVERLONG = 4,
    /**
     * Ill-formed: a value above U+10FFFF, or above U+007F in ASCII.
     */
    UTFLANE_TOO_LARGE = 5,
    /**
     * Ill-formed: a surrogate that is not part of a surrogate pair of UTF-16.
     */
    UTFLANE_SURROGATE = 6,
    /**
     * A well-formed character that the target encoding does not have.
     */
    UTFLANE_UNMAPPABLE = 7,
    /**
     * The next character is well-formed, and does not fit into the rest of the output.
     */
    UTFLANE_OUTPUT_FULL = 8,
    /**
     * Not an encoding, a stream that has not been initialised, a null pointer with a length or a
     * capacity, or more bytes than memory can have. Nothing was read or written.
     */
    UTFLANE_INVALID_ARGUMENT = 9,
    /**
     * Ill-formed in a way that this version of the header has no name for.
     */
    UTFLANE_ILL_FORMED = 10,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum utflane_status utflane_status;
#else
typedef uint32_t utflane_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The result of a validation.
 *
 * | status      | valid_up_to                     | error_length                         |
 * |-------------|---------------------------------|--------------------------------------|
 * | UTFLANE_OK  | the length of the text          | 0                                    |
 * | ill-formed  | units before the first error    | units of it; 0: the text ends inside |
 *
 * Units are those of `length`. Where `error_length` is 0, more text could complete the sequence.
 * For UTF-8, both numbers are those of Rust's standard library, and `error_length` is the length
 * of what decoders replace by one U+FFFD.
 */
typedef struct utflane_validation {
    /**
     * Units before the first error, or of the whole text.
     */
    size_t valid_up_to;
    /**
     * UTFLANE_OK, or the kind of the error.
     */
    utflane_status status;
    /**
     * Units of the ill-formed sequence; 0 without an error, or if the text ends inside it.
     */
    uint32_t error_length;
} utflane_validation;

/**
 * An encoding: one of the constants `UTFLANE_UTF8` and so on. The numbers stay as they are in
 * later versions, which may add some.
 */
typedef uint32_t utflane_encoding;

/**
 * The result of a conversion.
 *
 * | status                 | read                         | error_length                         |
 * |------------------------|------------------------------|--------------------------------------|
 * | UTFLANE_OK             | the length of the text       | 0                                    |
 * | UTFLANE_OUTPUT_FULL    | units of what was converted  | 0                                    |
 * | ill-formed, unmappable | units before the error       | units of it; 0: the text ends inside |
 *
 * In each case, the `read` units have been converted to `written` units, and as much as possible
 * was converted. At each character, an error is reported before a full output.
 */
typedef struct utflane_result {
    /**
     * Units of the input that have been converted.
     */
    size_t read;
    /**
     * Units of the output that have been written.
     */
    size_t written;
    /**
     * Why the conversion stopped.
     */
    utflane_status status;
    /**
     * Units of the sequence that stopped it; 0 without an error, or if the text ends inside it.
     */
    uint32_t error_length;
} utflane_result;

/**
 * The result of a conversion with repairs, which only a full output stops.
 */
typedef struct utflane_lossy_result {
    /**
     * Units of the input that have been converted.
     */
    size_t read;
    /**
     * Units of the output that have been written.
     */
    size_t written;
    /**
     * Replacements that have been written.
     */
    size_t repairs;
    /**
     * UTFLANE_OK, UTFLANE_OUTPUT_FULL, or UTFLANE_INVALID_ARGUMENT.
     */
    utflane_status status;
} utflane_lossy_result;

/**
 * How sure a detection is: one of the constants `UTFLANE_GUESS` and so on.
 */
typedef uint32_t utflane_confidence;

/**
 * What decided a detection: one of the constants `UTFLANE_REASON_EMPTY` and so on. Later versions
 * may add some.
 */
typedef uint32_t utflane_reason;

/**
 * The result of a detection; all zeros for an invalid argument.
 */
typedef struct utflane_detection {
    /**
     * The encoding; UTFLANE_NO_ENCODING if this library does not have it, or for data that is no
     * text.
     */
    utflane_encoding encoding;
    /**
     * The encoding, or else the first of ASCII, UTF-8 and Latin-1 that has all of the bytes.
     */
    utflane_encoding closest;
    /**
     * How sure it is.
     */
    utflane_confidence confidence;
    /**
     * What decided.
     */
    utflane_reason reason;
    /**
     * Bytes of the byte order mark at the start of the text; 0 without one.
     */
    size_t mark_length;
    /**
     * With UTFLANE_REASON_MIXED: the bytes of the text before its second part, in another
     * encoding. Otherwise 0.
     */
    size_t boundary;
    /**
     * The encoding of the first part; UTFLANE_NO_ENCODING for a legacy one, or without parts.
     */
    utflane_encoding first;
    /**
     * The encoding of the second part; UTFLANE_NO_ENCODING for a legacy one, or without parts.
     */
    utflane_encoding second;
} utflane_detection;

/**
 * The validator of one stream, in memory of the caller's.
 *
 * Needs no destructor. May be copied, by assignment or memcpy, which copies the state of the
 * stream. One thread at a time may use it. Its content is private.
 */
typedef struct utflane_validator {
    /**
     * Private.
     */
    uint64_t words[UTFLANE_VALIDATOR_WORDS];
} utflane_validator;

/**
 * The result of a call to a stream. All numbers are bytes.
 */
typedef struct utflane_stream_result {
    /**
     * With an error: its position, counted from the start of the stream. Otherwise 0.
     */
    uint64_t offset;
    /**
     * Bytes of the chunk that have been read. After an error, the rest of the chunk begins there.
     */
    size_t read;
    /**
     * Bytes of the output that have been written.
     */
    size_t written;
    /**
     * Why the call returned.
     */
    utflane_status status;
    /**
     * Bytes of the ill-formed or unmappable sequence; 0 without an error, or if the stream ended
     * inside it.
     */
    uint32_t error_length;
} utflane_stream_result;

/**
 * The converter of one stream, in memory of the caller's.
 *
 * Needs no destructor. May be copied, by assignment or memcpy, which copies the state of the
 * stream. One thread at a time may use it. Its content is private.
 */
typedef struct utflane_transcoder {
    /**
     * Private.
     */
    uint64_t words[UTFLANE_TRANSCODER_WORDS];
} utflane_transcoder;

/**
 * What one pass over UTF-8 tells. The counts are those of the bytes before the first error.
 */
typedef struct utflane_utf8_summary {
    /**
     * The result of utflane_validate_utf8.
     */
    struct utflane_validation validation;
    /**
     * Code points before the first error.
     */
    size_t code_points;
    /**
     * Code units of UTF-16 that they become.
     */
    size_t utf16_units;
    /**
     * Whether all bytes are ASCII; false with an error.
     */
    bool is_ascii;
    /**
     * Whether all characters are in Latin-1; false with an error.
     */
    bool fits_latin1;
} utflane_utf8_summary;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Validates `length` bytes as text in `encoding`.
 *
 * For what is no encoding, the status is UTFLANE_INVALID_ARGUMENT.
 *
 * @ingroup utflane_any
 */
UTFLANE_NODISCARD
struct utflane_validation utflane_validate(utflane_encoding encoding,
                                           const void *src,
                                           size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the code points of `length` bytes of text in `encoding`; 0 for what is no encoding.
 *
 * Ill-formed text is no error: see the group of counts.
 *
 * @ingroup utflane_any
 */
UTFLANE_NODISCARD
size_t utflane_count(utflane_encoding encoding,
                     const void *src,
                     size_t length)
UTFLANE_NOEXCEPT;

/**
 * Converts as much text from one encoding to another as fits. All sizes are bytes.
 *
 * Stops before the first ill-formed sequence or unmappable character. For what is no encoding, the
 * status is UTFLANE_INVALID_ARGUMENT and nothing is written.
 *
 * @ingroup utflane_any
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert(utflane_encoding from,
                                      utflane_encoding to,
                                      const void *src,
                                      size_t length,
                                      void *dst,
                                      size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts as much text from one encoding to another as fits, and repairs it. All sizes are bytes.
 *
 * U+FFFD replaces each ill-formed sequence; '?' replaces it, and each unmappable character, where
 * the target does not have U+FFFD. For what is no encoding, the status is
 * UTFLANE_INVALID_ARGUMENT and nothing is written.
 *
 * @ingroup utflane_any
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_lossy(utflane_encoding from,
                                                  utflane_encoding to,
                                                  const void *src,
                                                  size_t length,
                                                  void *dst,
                                                  size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of `to` that a well-formed text of `from` becomes; 0 for what is no encoding.
 *
 * Ill-formed text is no error: see the group of lengths.
 *
 * @ingroup utflane_any
 */
UTFLANE_NODISCARD
size_t utflane_length(utflane_encoding from,
                      utflane_encoding to,
                      const void *src,
                      size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the bytes that utflane_convert_lossy writes, given room; 0 for what is no encoding.
 *
 * @ingroup utflane_any
 */
UTFLANE_NODISCARD
size_t utflane_length_lossy(utflane_encoding from,
                            utflane_encoding to,
                            const void *src,
                            size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the most bytes of `to` that `length` bytes of `from` become, whatever they are; SIZE_MAX
 * if that is more than a size_t holds, or for what is no encoding. Without repairs: a conversion
 * with repairs may need more.
 *
 * @ingroup utflane_any
 */
UTFLANE_NODISCARD
size_t utflane_max_length(utflane_encoding from,
                          utflane_encoding to,
                          size_t length)
UTFLANE_NOEXCEPT;

/**
 * Detects the encoding of a whole text of `length` bytes. Any bytes may be passed.
 *
 * @ingroup utflane_detect
 */
UTFLANE_NODISCARD
struct utflane_detection utflane_detect(const void *src,
                                        size_t length)
UTFLANE_NOEXCEPT;

/**
 * Detects the encoding of a text that begins with these `length` bytes and continues: a sequence
 * that their end cuts is not an error.
 *
 * @ingroup utflane_detect
 */
UTFLANE_NODISCARD
struct utflane_detection utflane_detect_prefix(const void *src,
                                               size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the name of what was detected: that of the encoding, or "windows-1252", "unknown legacy
 * encoding", "binary" or "mixed". The string is static.
 *
 * @ingroup utflane_detect
 */
UTFLANE_NODISCARD
const char *utflane_detection_name(struct utflane_detection detection)
UTFLANE_NOEXCEPT;

/**
 * Returns the name of an encoding, such as "utf-16le"; "none" for UTFLANE_NO_ENCODING and numbers
 * that are no encoding. The string is static.
 *
 * @ingroup utflane_any
 */
UTFLANE_NODISCARD const char *utflane_encoding_name(utflane_encoding encoding) UTFLANE_NOEXCEPT;

/**
 * Returns the encoding that a label names ("UTF-8", "iso-8859-1", "utf-16le", ...), of any case;
 * UTFLANE_NO_ENCODING for others. `length` is in bytes.
 *
 * @ingroup utflane_any
 */
UTFLANE_NODISCARD
utflane_encoding utflane_encoding_from_label(const char *label,
                                             size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the version of the library that is linked, such as "0.1.0". The string is static.
 *
 * Compare it with UTFLANE_VERSION, that of the header. Versions of the same major number (of the
 * same minor number, as long as the major one is 0) have the same binary interface.
 *
 * @ingroup utflane_library
 */
UTFLANE_NODISCARD const char *utflane_version(void) UTFLANE_NOEXCEPT;

/**
 * Returns the name of the kernel that all functions use, such as "avx2". The string is static.
 *
 * The first call of any function chooses the best kernel of the processor, or the one that the
 * environment variable UTFLANE_KERNEL names.
 *
 * @ingroup utflane_library
 */
UTFLANE_NODISCARD const char *utflane_active_kernel(void) UTFLANE_NOEXCEPT;

/**
 * Returns the name of the kernel number `index` of those that this processor has, best first; null
 * if there are no more. The string is static.
 *
 * @ingroup utflane_library
 */
UTFLANE_NODISCARD const char *utflane_available_kernel(size_t index) UTFLANE_NOEXCEPT;

/**
 * Returns a status in words, such as "overlong sequence"; "unknown status" for other numbers. The
 * string is static.
 *
 * @ingroup utflane_library
 */
UTFLANE_NODISCARD const char *utflane_status_description(uint32_t status) UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of UTF-8 that a text in Latin-1 becomes.
 *
 * `length` is in bytes.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf8_length_from_latin1(const char *src,
                                       size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the 16-bit code units of UTF-16 that a text in Latin-1 becomes.
 *
 * `length` is in bytes.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf16_length_from_latin1(const char *src,
                                        size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the 32-bit code units of UTF-32 that a text in Latin-1 becomes.
 *
 * `length` is in bytes.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf32_length_from_latin1(const char *src,
                                        size_t length)
UTFLANE_NOEXCEPT;

/**
 * Converts Latin-1 to UTF-8.
 *
 * `length` is in bytes, `capacity` in bytes.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_latin1_to_utf8(const char *src,
                                                     size_t length,
                                                     char *dst,
                                                     size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts Latin-1 to native UTF-16.
 *
 * `length` is in bytes, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_latin1_to_utf16(const char *src,
                                                      size_t length,
                                                      char16_t *dst,
                                                      size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts Latin-1 to UTF-16LE.
 *
 * `length` is in bytes, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_latin1_to_utf16le(const char *src,
                                                        size_t length,
                                                        char16_t *dst,
                                                        size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts Latin-1 to UTF-16BE.
 *
 * `length` is in bytes, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_latin1_to_utf16be(const char *src,
                                                        size_t length,
                                                        char16_t *dst,
                                                        size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts Latin-1 to native UTF-32.
 *
 * `length` is in bytes, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_latin1_to_utf32(const char *src,
                                                      size_t length,
                                                      char32_t *dst,
                                                      size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts Latin-1 to UTF-32LE.
 *
 * `length` is in bytes, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_latin1_to_utf32le(const char *src,
                                                        size_t length,
                                                        char32_t *dst,
                                                        size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts Latin-1 to UTF-32BE.
 *
 * `length` is in bytes, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_latin1_to_utf32be(const char *src,
                                                        size_t length,
                                                        char32_t *dst,
                                                        size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Validates and copies Latin-1.
 *
 * `length` is in bytes, `capacity` in bytes.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_latin1_to_latin1(const char *src,
                                                       size_t length,
                                                       char *dst,
                                                       size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Validates native UTF-16.
 *
 * `length` and the result are in 16-bit code units.
 *
 * @ingroup utflane_validate
 */
UTFLANE_NODISCARD
struct utflane_validation utflane_validate_utf16(const char16_t *src,
                                                 size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the code points of a text in native UTF-16.
 *
 * `length` is in 16-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD size_t utflane_count_utf16(const char16_t *src, size_t length) UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of UTF-8 that a text in native UTF-16 becomes.
 *
 * `length` is in 16-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf8_length_from_utf16(const char16_t *src,
                                      size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of UTF-8 that a text in native UTF-16 becomes with repairs.
 *
 * `length` is in 16-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf8_length_from_utf16_lossy(const char16_t *src,
                                            size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the 16-bit code units of UTF-16 that a text in native UTF-16 becomes with repairs.
 *
 * `length` is in 16-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf16_length_from_utf16_lossy(const char16_t *src,
                                             size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the 32-bit code units of UTF-32 that a text in native UTF-16 becomes.
 *
 * `length` is in 16-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf32_length_from_utf16(const char16_t *src,
                                       size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the 32-bit code units of UTF-32 that a text in native UTF-16 becomes with repairs.
 *
 * `length` is in 16-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf32_length_from_utf16_lossy(const char16_t *src,
                                             size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of Latin-1 that a text in native UTF-16 becomes.
 *
 * `length` is in 16-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_latin1_length_from_utf16(const char16_t *src,
                                        size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of Latin-1 that a text in native UTF-16 becomes with repairs.
 *
 * `length` is in 16-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_latin1_length_from_utf16_lossy(const char16_t *src,
                                              size_t length)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-16 to UTF-8.
 *
 * `length` is in 16-bit code units, `capacity` in bytes.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf16_to_utf8(const char16_t *src,
                                                    size_t length,
                                                    char *dst,
                                                    size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-16 to UTF-8 and repairs it.
 *
 * `length` is in 16-bit code units, `capacity` in bytes.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf16_to_utf8_lossy(const char16_t *src,
                                                                size_t length,
                                                                char *dst,
                                                                size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Validates and copies native UTF-16.
 *
 * `length` is in 16-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf16_to_utf16(const char16_t *src,
                                                     size_t length,
                                                     char16_t *dst,
                                                     size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Copies native UTF-16 and repairs it.
 *
 * `length` is in 16-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf16_to_utf16_lossy(const char16_t *src,
                                                                 size_t length,
                                                                 char16_t *dst,
                                                                 size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-16 to UTF-16LE.
 *
 * `length` is in 16-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf16_to_utf16le(const char16_t *src,
                                                       size_t length,
                                                       char16_t *dst,
                                                       size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-16 to UTF-16LE and repairs it.
 *
 * `length` is in 16-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf16_to_utf16le_lossy(const char16_t *src,
                                                                   size_t length,
                                                                   char16_t *dst,
                                                                   size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-16 to UTF-16BE.
 *
 * `length` is in 16-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf16_to_utf16be(const char16_t *src,
                                                       size_t length,
                                                       char16_t *dst,
                                                       size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-16 to UTF-16BE and repairs it.
 *
 * `length` is in 16-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf16_to_utf16be_lossy(const char16_t *src,
                                                                   size_t length,
                                                                   char16_t *dst,
                                                                   size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-16 to native UTF-32.
 *
 * `length` is in 16-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf16_to_utf32(const char16_t *src,
                                                     size_t length,
                                                     char32_t *dst,
                                                     size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-16 to native UTF-32 and repairs it.
 *
 * `length` is in 16-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf16_to_utf32_lossy(const char16_t *src,
                                                                 size_t length,
                                                                 char32_t *dst,
                                                                 size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-16 to UTF-32LE.
 *
 * `length` is in 16-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf16_to_utf32le(const char16_t *src,
                                                       size_t length,
                                                       char32_t *dst,
                                                       size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-16 to UTF-32LE and repairs it.
 *
 * `length` is in 16-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf16_to_utf32le_lossy(const char16_t *src,
                                                                   size_t length,
                                                                   char32_t *dst,
                                                                   size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-16 to UTF-32BE.
 *
 * `length` is in 16-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf16_to_utf32be(const char16_t *src,
                                                       size_t length,
                                                       char32_t *dst,
                                                       size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-16 to UTF-32BE and repairs it.
 *
 * `length` is in 16-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf16_to_utf32be_lossy(const char16_t *src,
                                                                   size_t length,
                                                                   char32_t *dst,
                                                                   size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-16 to Latin-1.
 *
 * `length` is in 16-bit code units, `capacity` in bytes.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf16_to_latin1(const char16_t *src,
                                                      size_t length,
                                                      char *dst,
                                                      size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-16 to Latin-1 and repairs it.
 *
 * `length` is in 16-bit code units, `capacity` in bytes.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf16_to_latin1_lossy(const char16_t *src,
                                                                  size_t length,
                                                                  char *dst,
                                                                  size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Validates UTF-16BE.
 *
 * `length` and the result are in 16-bit code units.
 *
 * @ingroup utflane_validate
 */
UTFLANE_NODISCARD
struct utflane_validation utflane_validate_utf16be(const char16_t *src,
                                                   size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the code points of a text in UTF-16BE.
 *
 * `length` is in 16-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD size_t utflane_count_utf16be(const char16_t *src, size_t length) UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of UTF-8 that a text in UTF-16BE becomes.
 *
 * `length` is in 16-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf8_length_from_utf16be(const char16_t *src,
                                        size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of UTF-8 that a text in UTF-16BE becomes with repairs.
 *
 * `length` is in 16-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf8_length_from_utf16be_lossy(const char16_t *src,
                                              size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the 16-bit code units of UTF-16 that a text in UTF-16BE becomes with repairs.
 *
 * `length` is in 16-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf16_length_from_utf16be_lossy(const char16_t *src,
                                               size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the 32-bit code units of UTF-32 that a text in UTF-16BE becomes.
 *
 * `length` is in 16-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf32_length_from_utf16be(const char16_t *src,
                                         size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the 32-bit code units of UTF-32 that a text in UTF-16BE becomes with repairs.
 *
 * `length` is in 16-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf32_length_from_utf16be_lossy(const char16_t *src,
                                               size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of Latin-1 that a text in UTF-16BE becomes.
 *
 * `length` is in 16-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_latin1_length_from_utf16be(const char16_t *src,
                                          size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of Latin-1 that a text in UTF-16BE becomes with repairs.
 *
 * `length` is in 16-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_latin1_length_from_utf16be_lossy(const char16_t *src,
                                                size_t length)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16BE to UTF-8.
 *
 * `length` is in 16-bit code units, `capacity` in bytes.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf16be_to_utf8(const char16_t *src,
                                                      size_t length,
                                                      char *dst,
                                                      size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16BE to UTF-8 and repairs it.
 *
 * `length` is in 16-bit code units, `capacity` in bytes.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf16be_to_utf8_lossy(const char16_t *src,
                                                                  size_t length,
                                                                  char *dst,
                                                                  size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16BE to native UTF-16.
 *
 * `length` is in 16-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf16be_to_utf16(const char16_t *src,
                                                       size_t length,
                                                       char16_t *dst,
                                                       size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16BE to native UTF-16 and repairs it.
 *
 * `length` is in 16-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf16be_to_utf16_lossy(const char16_t *src,
                                                                   size_t length,
                                                                   char16_t *dst,
                                                                   size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16BE to UTF-16LE.
 *
 * `length` is in 16-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf16be_to_utf16le(const char16_t *src,
                                                         size_t length,
                                                         char16_t *dst,
                                                         size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16BE to UTF-16LE and repairs it.
 *
 * `length` is in 16-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf16be_to_utf16le_lossy(const char16_t *src,
                                                                     size_t length,
                                                                     char16_t *dst,
                                                                     size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Validates and copies UTF-16BE.
 *
 * `length` is in 16-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf16be_to_utf16be(const char16_t *src,
                                                         size_t length,
                                                         char16_t *dst,
                                                         size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Copies UTF-16BE and repairs it.
 *
 * `length` is in 16-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf16be_to_utf16be_lossy(const char16_t *src,
                                                                     size_t length,
                                                                     char16_t *dst,
                                                                     size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16BE to native UTF-32.
 *
 * `length` is in 16-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf16be_to_utf32(const char16_t *src,
                                                       size_t length,
                                                       char32_t *dst,
                                                       size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16BE to native UTF-32 and repairs it.
 *
 * `length` is in 16-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf16be_to_utf32_lossy(const char16_t *src,
                                                                   size_t length,
                                                                   char32_t *dst,
                                                                   size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16BE to UTF-32LE.
 *
 * `length` is in 16-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf16be_to_utf32le(const char16_t *src,
                                                         size_t length,
                                                         char32_t *dst,
                                                         size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16BE to UTF-32LE and repairs it.
 *
 * `length` is in 16-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf16be_to_utf32le_lossy(const char16_t *src,
                                                                     size_t length,
                                                                     char32_t *dst,
                                                                     size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16BE to UTF-32BE.
 *
 * `length` is in 16-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf16be_to_utf32be(const char16_t *src,
                                                         size_t length,
                                                         char32_t *dst,
                                                         size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16BE to UTF-32BE and repairs it.
 *
 * `length` is in 16-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf16be_to_utf32be_lossy(const char16_t *src,
                                                                     size_t length,
                                                                     char32_t *dst,
                                                                     size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16BE to Latin-1.
 *
 * `length` is in 16-bit code units, `capacity` in bytes.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf16be_to_latin1(const char16_t *src,
                                                        size_t length,
                                                        char *dst,
                                                        size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16BE to Latin-1 and repairs it.
 *
 * `length` is in 16-bit code units, `capacity` in bytes.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf16be_to_latin1_lossy(const char16_t *src,
                                                                    size_t length,
                                                                    char *dst,
                                                                    size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Validates UTF-16LE.
 *
 * `length` and the result are in 16-bit code units.
 *
 * @ingroup utflane_validate
 */
UTFLANE_NODISCARD
struct utflane_validation utflane_validate_utf16le(const char16_t *src,
                                                   size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the code points of a text in UTF-16LE.
 *
 * `length` is in 16-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD size_t utflane_count_utf16le(const char16_t *src, size_t length) UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of UTF-8 that a text in UTF-16LE becomes.
 *
 * `length` is in 16-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf8_length_from_utf16le(const char16_t *src,
                                        size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of UTF-8 that a text in UTF-16LE becomes with repairs.
 *
 * `length` is in 16-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf8_length_from_utf16le_lossy(const char16_t *src,
                                              size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the 16-bit code units of UTF-16 that a text in UTF-16LE becomes with repairs.
 *
 * `length` is in 16-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf16_length_from_utf16le_lossy(const char16_t *src,
                                               size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the 32-bit code units of UTF-32 that a text in UTF-16LE becomes.
 *
 * `length` is in 16-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf32_length_from_utf16le(const char16_t *src,
                                         size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the 32-bit code units of UTF-32 that a text in UTF-16LE becomes with repairs.
 *
 * `length` is in 16-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf32_length_from_utf16le_lossy(const char16_t *src,
                                               size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of Latin-1 that a text in UTF-16LE becomes.
 *
 * `length` is in 16-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_latin1_length_from_utf16le(const char16_t *src,
                                          size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of Latin-1 that a text in UTF-16LE becomes with repairs.
 *
 * `length` is in 16-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_latin1_length_from_utf16le_lossy(const char16_t *src,
                                                size_t length)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16LE to UTF-8.
 *
 * `length` is in 16-bit code units, `capacity` in bytes.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf16le_to_utf8(const char16_t *src,
                                                      size_t length,
                                                      char *dst,
                                                      size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16LE to UTF-8 and repairs it.
 *
 * `length` is in 16-bit code units, `capacity` in bytes.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf16le_to_utf8_lossy(const char16_t *src,
                                                                  size_t length,
                                                                  char *dst,
                                                                  size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16LE to native UTF-16.
 *
 * `length` is in 16-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf16le_to_utf16(const char16_t *src,
                                                       size_t length,
                                                       char16_t *dst,
                                                       size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16LE to native UTF-16 and repairs it.
 *
 * `length` is in 16-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf16le_to_utf16_lossy(const char16_t *src,
                                                                   size_t length,
                                                                   char16_t *dst,
                                                                   size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Validates and copies UTF-16LE.
 *
 * `length` is in 16-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf16le_to_utf16le(const char16_t *src,
                                                         size_t length,
                                                         char16_t *dst,
                                                         size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Copies UTF-16LE and repairs it.
 *
 * `length` is in 16-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf16le_to_utf16le_lossy(const char16_t *src,
                                                                     size_t length,
                                                                     char16_t *dst,
                                                                     size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16LE to UTF-16BE.
 *
 * `length` is in 16-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf16le_to_utf16be(const char16_t *src,
                                                         size_t length,
                                                         char16_t *dst,
                                                         size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16LE to UTF-16BE and repairs it.
 *
 * `length` is in 16-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf16le_to_utf16be_lossy(const char16_t *src,
                                                                     size_t length,
                                                                     char16_t *dst,
                                                                     size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16LE to native UTF-32.
 *
 * `length` is in 16-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf16le_to_utf32(const char16_t *src,
                                                       size_t length,
                                                       char32_t *dst,
                                                       size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16LE to native UTF-32 and repairs it.
 *
 * `length` is in 16-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf16le_to_utf32_lossy(const char16_t *src,
                                                                   size_t length,
                                                                   char32_t *dst,
                                                                   size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16LE to UTF-32LE.
 *
 * `length` is in 16-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf16le_to_utf32le(const char16_t *src,
                                                         size_t length,
                                                         char32_t *dst,
                                                         size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16LE to UTF-32LE and repairs it.
 *
 * `length` is in 16-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf16le_to_utf32le_lossy(const char16_t *src,
                                                                     size_t length,
                                                                     char32_t *dst,
                                                                     size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16LE to UTF-32BE.
 *
 * `length` is in 16-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf16le_to_utf32be(const char16_t *src,
                                                         size_t length,
                                                         char32_t *dst,
                                                         size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16LE to UTF-32BE and repairs it.
 *
 * `length` is in 16-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf16le_to_utf32be_lossy(const char16_t *src,
                                                                     size_t length,
                                                                     char32_t *dst,
                                                                     size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16LE to Latin-1.
 *
 * `length` is in 16-bit code units, `capacity` in bytes.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf16le_to_latin1(const char16_t *src,
                                                        size_t length,
                                                        char *dst,
                                                        size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-16LE to Latin-1 and repairs it.
 *
 * `length` is in 16-bit code units, `capacity` in bytes.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf16le_to_latin1_lossy(const char16_t *src,
                                                                    size_t length,
                                                                    char *dst,
                                                                    size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Validates native UTF-32.
 *
 * `length` and the result are in 32-bit code units.
 *
 * @ingroup utflane_validate
 */
UTFLANE_NODISCARD
struct utflane_validation utflane_validate_utf32(const char32_t *src,
                                                 size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the code points of a text in native UTF-32.
 *
 * `length` is in 32-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD size_t utflane_count_utf32(const char32_t *src, size_t length) UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of UTF-8 that a text in native UTF-32 becomes.
 *
 * `length` is in 32-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf8_length_from_utf32(const char32_t *src,
                                      size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of UTF-8 that a text in native UTF-32 becomes with repairs.
 *
 * `length` is in 32-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf8_length_from_utf32_lossy(const char32_t *src,
                                            size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the 16-bit code units of UTF-16 that a text in native UTF-32 becomes.
 *
 * `length` is in 32-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf16_length_from_utf32(const char32_t *src,
                                       size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the 16-bit code units of UTF-16 that a text in native UTF-32 becomes with repairs.
 *
 * `length` is in 32-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf16_length_from_utf32_lossy(const char32_t *src,
                                             size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the 32-bit code units of UTF-32 that a text in native UTF-32 becomes with repairs.
 *
 * `length` is in 32-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf32_length_from_utf32_lossy(const char32_t *src,
                                             size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of Latin-1 that a text in native UTF-32 becomes.
 *
 * `length` is in 32-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_latin1_length_from_utf32(const char32_t *src,
                                        size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of Latin-1 that a text in native UTF-32 becomes with repairs.
 *
 * `length` is in 32-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_latin1_length_from_utf32_lossy(const char32_t *src,
                                              size_t length)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-32 to UTF-8.
 *
 * `length` is in 32-bit code units, `capacity` in bytes.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf32_to_utf8(const char32_t *src,
                                                    size_t length,
                                                    char *dst,
                                                    size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-32 to UTF-8 and repairs it.
 *
 * `length` is in 32-bit code units, `capacity` in bytes.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf32_to_utf8_lossy(const char32_t *src,
                                                                size_t length,
                                                                char *dst,
                                                                size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-32 to native UTF-16.
 *
 * `length` is in 32-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf32_to_utf16(const char32_t *src,
                                                     size_t length,
                                                     char16_t *dst,
                                                     size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-32 to native UTF-16 and repairs it.
 *
 * `length` is in 32-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf32_to_utf16_lossy(const char32_t *src,
                                                                 size_t length,
                                                                 char16_t *dst,
                                                                 size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-32 to UTF-16LE.
 *
 * `length` is in 32-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf32_to_utf16le(const char32_t *src,
                                                       size_t length,
                                                       char16_t *dst,
                                                       size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-32 to UTF-16LE and repairs it.
 *
 * `length` is in 32-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf32_to_utf16le_lossy(const char32_t *src,
                                                                   size_t length,
                                                                   char16_t *dst,
                                                                   size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-32 to UTF-16BE.
 *
 * `length` is in 32-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf32_to_utf16be(const char32_t *src,
                                                       size_t length,
                                                       char16_t *dst,
                                                       size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-32 to UTF-16BE and repairs it.
 *
 * `length` is in 32-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf32_to_utf16be_lossy(const char32_t *src,
                                                                   size_t length,
                                                                   char16_t *dst,
                                                                   size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Validates and copies native UTF-32.
 *
 * `length` is in 32-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf32_to_utf32(const char32_t *src,
                                                     size_t length,
                                                     char32_t *dst,
                                                     size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Copies native UTF-32 and repairs it.
 *
 * `length` is in 32-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf32_to_utf32_lossy(const char32_t *src,
                                                                 size_t length,
                                                                 char32_t *dst,
                                                                 size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-32 to UTF-32LE.
 *
 * `length` is in 32-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf32_to_utf32le(const char32_t *src,
                                                       size_t length,
                                                       char32_t *dst,
                                                       size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-32 to UTF-32LE and repairs it.
 *
 * `length` is in 32-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf32_to_utf32le_lossy(const char32_t *src,
                                                                   size_t length,
                                                                   char32_t *dst,
                                                                   size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-32 to UTF-32BE.
 *
 * `length` is in 32-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf32_to_utf32be(const char32_t *src,
                                                       size_t length,
                                                       char32_t *dst,
                                                       size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-32 to UTF-32BE and repairs it.
 *
 * `length` is in 32-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf32_to_utf32be_lossy(const char32_t *src,
                                                                   size_t length,
                                                                   char32_t *dst,
                                                                   size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-32 to Latin-1.
 *
 * `length` is in 32-bit code units, `capacity` in bytes.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf32_to_latin1(const char32_t *src,
                                                      size_t length,
                                                      char *dst,
                                                      size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts native UTF-32 to Latin-1 and repairs it.
 *
 * `length` is in 32-bit code units, `capacity` in bytes.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf32_to_latin1_lossy(const char32_t *src,
                                                                  size_t length,
                                                                  char *dst,
                                                                  size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Validates UTF-32BE.
 *
 * `length` and the result are in 32-bit code units.
 *
 * @ingroup utflane_validate
 */
UTFLANE_NODISCARD
struct utflane_validation utflane_validate_utf32be(const char32_t *src,
                                                   size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the code points of a text in UTF-32BE.
 *
 * `length` is in 32-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD size_t utflane_count_utf32be(const char32_t *src, size_t length) UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of UTF-8 that a text in UTF-32BE becomes.
 *
 * `length` is in 32-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf8_length_from_utf32be(const char32_t *src,
                                        size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of UTF-8 that a text in UTF-32BE becomes with repairs.
 *
 * `length` is in 32-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf8_length_from_utf32be_lossy(const char32_t *src,
                                              size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the 16-bit code units of UTF-16 that a text in UTF-32BE becomes.
 *
 * `length` is in 32-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf16_length_from_utf32be(const char32_t *src,
                                         size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the 16-bit code units of UTF-16 that a text in UTF-32BE becomes with repairs.
 *
 * `length` is in 32-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf16_length_from_utf32be_lossy(const char32_t *src,
                                               size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the 32-bit code units of UTF-32 that a text in UTF-32BE becomes with repairs.
 *
 * `length` is in 32-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf32_length_from_utf32be_lossy(const char32_t *src,
                                               size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of Latin-1 that a text in UTF-32BE becomes.
 *
 * `length` is in 32-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_latin1_length_from_utf32be(const char32_t *src,
                                          size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of Latin-1 that a text in UTF-32BE becomes with repairs.
 *
 * `length` is in 32-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_latin1_length_from_utf32be_lossy(const char32_t *src,
                                                size_t length)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32BE to UTF-8.
 *
 * `length` is in 32-bit code units, `capacity` in bytes.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf32be_to_utf8(const char32_t *src,
                                                      size_t length,
                                                      char *dst,
                                                      size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32BE to UTF-8 and repairs it.
 *
 * `length` is in 32-bit code units, `capacity` in bytes.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf32be_to_utf8_lossy(const char32_t *src,
                                                                  size_t length,
                                                                  char *dst,
                                                                  size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32BE to native UTF-16.
 *
 * `length` is in 32-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf32be_to_utf16(const char32_t *src,
                                                       size_t length,
                                                       char16_t *dst,
                                                       size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32BE to native UTF-16 and repairs it.
 *
 * `length` is in 32-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf32be_to_utf16_lossy(const char32_t *src,
                                                                   size_t length,
                                                                   char16_t *dst,
                                                                   size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32BE to UTF-16LE.
 *
 * `length` is in 32-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf32be_to_utf16le(const char32_t *src,
                                                         size_t length,
                                                         char16_t *dst,
                                                         size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32BE to UTF-16LE and repairs it.
 *
 * `length` is in 32-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf32be_to_utf16le_lossy(const char32_t *src,
                                                                     size_t length,
                                                                     char16_t *dst,
                                                                     size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32BE to UTF-16BE.
 *
 * `length` is in 32-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf32be_to_utf16be(const char32_t *src,
                                                         size_t length,
                                                         char16_t *dst,
                                                         size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32BE to UTF-16BE and repairs it.
 *
 * `length` is in 32-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf32be_to_utf16be_lossy(const char32_t *src,
                                                                     size_t length,
                                                                     char16_t *dst,
                                                                     size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32BE to native UTF-32.
 *
 * `length` is in 32-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf32be_to_utf32(const char32_t *src,
                                                       size_t length,
                                                       char32_t *dst,
                                                       size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32BE to native UTF-32 and repairs it.
 *
 * `length` is in 32-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf32be_to_utf32_lossy(const char32_t *src,
                                                                   size_t length,
                                                                   char32_t *dst,
                                                                   size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32BE to UTF-32LE.
 *
 * `length` is in 32-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf32be_to_utf32le(const char32_t *src,
                                                         size_t length,
                                                         char32_t *dst,
                                                         size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32BE to UTF-32LE and repairs it.
 *
 * `length` is in 32-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf32be_to_utf32le_lossy(const char32_t *src,
                                                                     size_t length,
                                                                     char32_t *dst,
                                                                     size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Validates and copies UTF-32BE.
 *
 * `length` is in 32-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf32be_to_utf32be(const char32_t *src,
                                                         size_t length,
                                                         char32_t *dst,
                                                         size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Copies UTF-32BE and repairs it.
 *
 * `length` is in 32-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf32be_to_utf32be_lossy(const char32_t *src,
                                                                     size_t length,
                                                                     char32_t *dst,
                                                                     size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32BE to Latin-1.
 *
 * `length` is in 32-bit code units, `capacity` in bytes.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf32be_to_latin1(const char32_t *src,
                                                        size_t length,
                                                        char *dst,
                                                        size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32BE to Latin-1 and repairs it.
 *
 * `length` is in 32-bit code units, `capacity` in bytes.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf32be_to_latin1_lossy(const char32_t *src,
                                                                    size_t length,
                                                                    char *dst,
                                                                    size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Validates UTF-32LE.
 *
 * `length` and the result are in 32-bit code units.
 *
 * @ingroup utflane_validate
 */
UTFLANE_NODISCARD
struct utflane_validation utflane_validate_utf32le(const char32_t *src,
                                                   size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the code points of a text in UTF-32LE.
 *
 * `length` is in 32-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD size_t utflane_count_utf32le(const char32_t *src, size_t length) UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of UTF-8 that a text in UTF-32LE becomes.
 *
 * `length` is in 32-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf8_length_from_utf32le(const char32_t *src,
                                        size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of UTF-8 that a text in UTF-32LE becomes with repairs.
 *
 * `length` is in 32-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf8_length_from_utf32le_lossy(const char32_t *src,
                                              size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the 16-bit code units of UTF-16 that a text in UTF-32LE becomes.
 *
 * `length` is in 32-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf16_length_from_utf32le(const char32_t *src,
                                         size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the 16-bit code units of UTF-16 that a text in UTF-32LE becomes with repairs.
 *
 * `length` is in 32-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf16_length_from_utf32le_lossy(const char32_t *src,
                                               size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the 32-bit code units of UTF-32 that a text in UTF-32LE becomes with repairs.
 *
 * `length` is in 32-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf32_length_from_utf32le_lossy(const char32_t *src,
                                               size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of Latin-1 that a text in UTF-32LE becomes.
 *
 * `length` is in 32-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_latin1_length_from_utf32le(const char32_t *src,
                                          size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of Latin-1 that a text in UTF-32LE becomes with repairs.
 *
 * `length` is in 32-bit code units.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_latin1_length_from_utf32le_lossy(const char32_t *src,
                                                size_t length)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32LE to UTF-8.
 *
 * `length` is in 32-bit code units, `capacity` in bytes.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf32le_to_utf8(const char32_t *src,
                                                      size_t length,
                                                      char *dst,
                                                      size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32LE to UTF-8 and repairs it.
 *
 * `length` is in 32-bit code units, `capacity` in bytes.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf32le_to_utf8_lossy(const char32_t *src,
                                                                  size_t length,
                                                                  char *dst,
                                                                  size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32LE to native UTF-16.
 *
 * `length` is in 32-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf32le_to_utf16(const char32_t *src,
                                                       size_t length,
                                                       char16_t *dst,
                                                       size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32LE to native UTF-16 and repairs it.
 *
 * `length` is in 32-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf32le_to_utf16_lossy(const char32_t *src,
                                                                   size_t length,
                                                                   char16_t *dst,
                                                                   size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32LE to UTF-16LE.
 *
 * `length` is in 32-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf32le_to_utf16le(const char32_t *src,
                                                         size_t length,
                                                         char16_t *dst,
                                                         size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32LE to UTF-16LE and repairs it.
 *
 * `length` is in 32-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf32le_to_utf16le_lossy(const char32_t *src,
                                                                     size_t length,
                                                                     char16_t *dst,
                                                                     size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32LE to UTF-16BE.
 *
 * `length` is in 32-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf32le_to_utf16be(const char32_t *src,
                                                         size_t length,
                                                         char16_t *dst,
                                                         size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32LE to UTF-16BE and repairs it.
 *
 * `length` is in 32-bit code units, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf32le_to_utf16be_lossy(const char32_t *src,
                                                                     size_t length,
                                                                     char16_t *dst,
                                                                     size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32LE to native UTF-32.
 *
 * `length` is in 32-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf32le_to_utf32(const char32_t *src,
                                                       size_t length,
                                                       char32_t *dst,
                                                       size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32LE to native UTF-32 and repairs it.
 *
 * `length` is in 32-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf32le_to_utf32_lossy(const char32_t *src,
                                                                   size_t length,
                                                                   char32_t *dst,
                                                                   size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Validates and copies UTF-32LE.
 *
 * `length` is in 32-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf32le_to_utf32le(const char32_t *src,
                                                         size_t length,
                                                         char32_t *dst,
                                                         size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Copies UTF-32LE and repairs it.
 *
 * `length` is in 32-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf32le_to_utf32le_lossy(const char32_t *src,
                                                                     size_t length,
                                                                     char32_t *dst,
                                                                     size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32LE to UTF-32BE.
 *
 * `length` is in 32-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf32le_to_utf32be(const char32_t *src,
                                                         size_t length,
                                                         char32_t *dst,
                                                         size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32LE to UTF-32BE and repairs it.
 *
 * `length` is in 32-bit code units, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf32le_to_utf32be_lossy(const char32_t *src,
                                                                     size_t length,
                                                                     char32_t *dst,
                                                                     size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32LE to Latin-1.
 *
 * `length` is in 32-bit code units, `capacity` in bytes.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf32le_to_latin1(const char32_t *src,
                                                        size_t length,
                                                        char *dst,
                                                        size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-32LE to Latin-1 and repairs it.
 *
 * `length` is in 32-bit code units, `capacity` in bytes.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf32le_to_latin1_lossy(const char32_t *src,
                                                                    size_t length,
                                                                    char *dst,
                                                                    size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Validates UTF-8.
 *
 * `length` and the result are in bytes.
 *
 * @ingroup utflane_validate
 */
UTFLANE_NODISCARD
struct utflane_validation utflane_validate_utf8(const char *src,
                                                size_t length)
UTFLANE_NOEXCEPT;

/**
 * Validates ASCII.
 *
 * `length` and the result are in bytes. A byte above 0x7F is UTFLANE_TOO_LARGE.
 *
 * @ingroup utflane_validate
 */
UTFLANE_NODISCARD
struct utflane_validation utflane_validate_ascii(const char *src,
                                                 size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the code points of a text in UTF-8.
 *
 * `length` is in bytes.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD size_t utflane_count_utf8(const char *src, size_t length) UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of UTF-8 that a text in UTF-8 becomes with repairs.
 *
 * `length` is in bytes.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf8_length_from_utf8_lossy(const char *src,
                                           size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the 16-bit code units of UTF-16 that a text in UTF-8 becomes.
 *
 * `length` is in bytes.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf16_length_from_utf8(const char *src,
                                      size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the 16-bit code units of UTF-16 that a text in UTF-8 becomes with repairs.
 *
 * `length` is in bytes.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf16_length_from_utf8_lossy(const char *src,
                                            size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the 32-bit code units of UTF-32 that a text in UTF-8 becomes.
 *
 * `length` is in bytes.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf32_length_from_utf8(const char *src,
                                      size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the 32-bit code units of UTF-32 that a text in UTF-8 becomes with repairs.
 *
 * `length` is in bytes.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_utf32_length_from_utf8_lossy(const char *src,
                                            size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of Latin-1 that a text in UTF-8 becomes.
 *
 * `length` is in bytes.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_latin1_length_from_utf8(const char *src,
                                       size_t length)
UTFLANE_NOEXCEPT;

/**
 * Returns the bytes of Latin-1 that a text in UTF-8 becomes with repairs.
 *
 * `length` is in bytes.
 *
 * @ingroup utflane_length
 */
UTFLANE_NODISCARD
size_t utflane_latin1_length_from_utf8_lossy(const char *src,
                                             size_t length)
UTFLANE_NOEXCEPT;

/**
 * Validates and copies UTF-8.
 *
 * `length` is in bytes, `capacity` in bytes.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf8_to_utf8(const char *src,
                                                   size_t length,
                                                   char *dst,
                                                   size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Copies UTF-8 and repairs it.
 *
 * `length` is in bytes, `capacity` in bytes.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf8_to_utf8_lossy(const char *src,
                                                               size_t length,
                                                               char *dst,
                                                               size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-8 to native UTF-16.
 *
 * `length` is in bytes, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf8_to_utf16(const char *src,
                                                    size_t length,
                                                    char16_t *dst,
                                                    size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-8 to native UTF-16 and repairs it.
 *
 * `length` is in bytes, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf8_to_utf16_lossy(const char *src,
                                                                size_t length,
                                                                char16_t *dst,
                                                                size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-8 to UTF-16LE.
 *
 * `length` is in bytes, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf8_to_utf16le(const char *src,
                                                      size_t length,
                                                      char16_t *dst,
                                                      size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-8 to UTF-16LE and repairs it.
 *
 * `length` is in bytes, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf8_to_utf16le_lossy(const char *src,
                                                                  size_t length,
                                                                  char16_t *dst,
                                                                  size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-8 to UTF-16BE.
 *
 * `length` is in bytes, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf8_to_utf16be(const char *src,
                                                      size_t length,
                                                      char16_t *dst,
                                                      size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-8 to UTF-16BE and repairs it.
 *
 * `length` is in bytes, `capacity` in 16-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf8_to_utf16be_lossy(const char *src,
                                                                  size_t length,
                                                                  char16_t *dst,
                                                                  size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-8 to native UTF-32.
 *
 * `length` is in bytes, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf8_to_utf32(const char *src,
                                                    size_t length,
                                                    char32_t *dst,
                                                    size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-8 to native UTF-32 and repairs it.
 *
 * `length` is in bytes, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf8_to_utf32_lossy(const char *src,
                                                                size_t length,
                                                                char32_t *dst,
                                                                size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-8 to UTF-32LE.
 *
 * `length` is in bytes, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf8_to_utf32le(const char *src,
                                                      size_t length,
                                                      char32_t *dst,
                                                      size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-8 to UTF-32LE and repairs it.
 *
 * `length` is in bytes, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf8_to_utf32le_lossy(const char *src,
                                                                  size_t length,
                                                                  char32_t *dst,
                                                                  size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-8 to UTF-32BE.
 *
 * `length` is in bytes, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf8_to_utf32be(const char *src,
                                                      size_t length,
                                                      char32_t *dst,
                                                      size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-8 to UTF-32BE and repairs it.
 *
 * `length` is in bytes, `capacity` in 32-bit code units.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf8_to_utf32be_lossy(const char *src,
                                                                  size_t length,
                                                                  char32_t *dst,
                                                                  size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-8 to Latin-1.
 *
 * `length` is in bytes, `capacity` in bytes.
 *
 * @ingroup utflane_convert
 */
UTFLANE_NODISCARD
struct utflane_result utflane_convert_utf8_to_latin1(const char *src,
                                                     size_t length,
                                                     char *dst,
                                                     size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Converts UTF-8 to Latin-1 and repairs it.
 *
 * `length` is in bytes, `capacity` in bytes.
 *
 * @ingroup utflane_lossy
 */
UTFLANE_NODISCARD
struct utflane_lossy_result utflane_convert_utf8_to_latin1_lossy(const char *src,
                                                                 size_t length,
                                                                 char *dst,
                                                                 size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Begins a stream of text in `encoding`, whatever was in the memory before.
 *
 * Returns UTFLANE_OK, or UTFLANE_INVALID_ARGUMENT for what is no encoding or a null pointer.
 *
 * @ingroup utflane_stream
 */
utflane_status utflane_validator_init(struct utflane_validator *validator,
                                      utflane_encoding encoding)
UTFLANE_NOEXCEPT;

/**
 * Validates the next `length` bytes of a stream, which may be cut anywhere.
 *
 * A sequence that the end of the chunk cuts is not an error. After an error, the stream continues
 * after the ill-formed sequence: push the rest of the chunk, from `read` on, to find more.
 *
 * @ingroup utflane_stream
 */
UTFLANE_NODISCARD
struct utflane_stream_result utflane_validator_push(struct utflane_validator *validator,
                                                    const void *chunk,
                                                    size_t length)
UTFLANE_NOEXCEPT;

/**
 * Ends a stream, and begins another one in the same encoding.
 *
 * A sequence that is still incomplete is an error with `error_length` 0.
 *
 * @ingroup utflane_stream
 */
UTFLANE_NODISCARD
struct utflane_stream_result utflane_validator_finish(struct utflane_validator *validator)
UTFLANE_NOEXCEPT;

/**
 * Begins a stream of text that is converted, whatever was in the memory before.
 *
 * Returns UTFLANE_OK, or UTFLANE_INVALID_ARGUMENT for what is no encoding or a null pointer.
 *
 * @ingroup utflane_stream
 */
utflane_status utflane_transcoder_init(struct utflane_transcoder *transcoder,
                                       utflane_encoding from,
                                       utflane_encoding to)
UTFLANE_NOEXCEPT;

/**
 * Begins a stream of text that is converted with repairs: those of utflane_convert_lossy.
 *
 * Returns UTFLANE_OK, or UTFLANE_INVALID_ARGUMENT for what is no encoding or a null pointer.
 *
 * @ingroup utflane_stream
 */
utflane_status utflane_transcoder_init_lossy(struct utflane_transcoder *transcoder,
                                             utflane_encoding from,
                                             utflane_encoding to)
UTFLANE_NOEXCEPT;

/**
 * Converts the next `length` bytes of a stream, which may be cut anywhere, into at most `capacity`
 * bytes.
 *
 * Push the rest of the chunk, from `read` on, after UTFLANE_OUTPUT_FULL (with more room), and
 * after an error, which skips the sequence. At most seven bytes, which count as read, are kept
 * until the next call. UTFLANE_ENOUGH_ROOM bytes of output always make progress.
 *
 * @ingroup utflane_stream
 */
UTFLANE_NODISCARD
struct utflane_stream_result utflane_transcoder_push(struct utflane_transcoder *transcoder,
                                                     const void *chunk,
                                                     size_t length,
                                                     void *dst,
                                                     size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Ends a stream, writes what was kept of it, and begins another one of the same encodings.
 *
 * A sequence that is still incomplete is an error with `error_length` 0, or one replacement. After
 * UTFLANE_OUTPUT_FULL, call it again with more room. After an error with a length, call it again:
 * a stream of WTF-8 may end with an unpaired surrogate and an incomplete sequence.
 *
 * @ingroup utflane_stream
 */
UTFLANE_NODISCARD
struct utflane_stream_result utflane_transcoder_finish(struct utflane_transcoder *transcoder,
                                                       void *dst,
                                                       size_t capacity)
UTFLANE_NOEXCEPT;

/**
 * Returns the replacements since the transcoder was initialised.
 *
 * @ingroup utflane_stream
 */
UTFLANE_NODISCARD
uint64_t utflane_transcoder_repairs(const struct utflane_transcoder *transcoder)
UTFLANE_NOEXCEPT;

/**
 * Validates UTF-8 and counts in one pass. `length` is in bytes.
 *
 * @ingroup utflane_validate
 */
UTFLANE_NODISCARD
struct utflane_utf8_summary utflane_summarize_utf8(const char *src,
                                                   size_t length)
UTFLANE_NOEXCEPT;

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* UTFLANE_H */
