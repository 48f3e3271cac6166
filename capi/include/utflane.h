/**
 * @file utflane.h
 * utflane: validates and converts UTF-8, UTF-16, UTF-32 and Latin-1 with SIMD kernels that are chosen at run time.
 *
 * **Texts.** A text is bytes in an encoding that the caller names: utflane_convert(UTFLANE_UTF8, UTFLANE_UTF16, ...).
 * All lengths, capacities, offsets and results are bytes, in every encoding: n code units of UTF-16 are 2 * n bytes.
 * UTFLANE_UTF16 and UTFLANE_UTF32 have the byte order of the machine, like `char16_t` and `char32_t`.
 *
 * **Pointers.** Texts and outputs may have any alignment. A null pointer with 0 is an empty text, or an output
 * without capacity. Other pointers have as many bytes as their length or capacity. An output may be uninitialised.
 * Text and output must not overlap, not even by a byte.
 *
 * **Invalid arguments.** For a null pointer with a length or a capacity, a length or a capacity of more than SIZE_MAX
 * / 2 bytes, or an unknown encoding, the status is UTFLANE_INVALID_ARGUMENT, other numbers are 0, and nothing is read
 * or written. Functions that return a count or a length return 0.
 *
 * **Outputs.** A function writes at most `capacity` bytes. The bytes from `written` on are unspecified: they may have
 * been overwritten as scratch space. Characters are never split. No NUL is appended, and NUL is an ordinary
 * character.
 *
 * **Memory, threads, panics.** Nothing is allocated (only the value of the environment variable UTFLANE_KERNEL, once,
 * if it is set). The only global state is the choice of the kernel, which is atomic, so all functions may be called
 * from any thread. Nothing is thrown, and nothing unwinds.
 */
#ifndef UTFLANE_H
#define UTFLANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
extern "C" {
#else
#define UTFLANE_NOEXCEPT
#endif

/** The version of this header; UTFLANE_MAJOR, UTFLANE_MINOR and UTFLANE_PATCH are its numbers. */
#define UTFLANE_VERSION "0.1.0"
#define UTFLANE_MAJOR 0
#define UTFLANE_MINOR 1
#define UTFLANE_PATCH 0

/** An encoding. The numbers do not change in later versions, which may add some. */
typedef uint32_t utflane_encoding;

#define UTFLANE_NO_ENCODING 0
#define UTFLANE_UTF8 1     /**< RFC 3629 */
#define UTFLANE_UTF16LE 2  /**< low byte first */
#define UTFLANE_UTF16BE 3  /**< high byte first */
#define UTFLANE_UTF32LE 4  /**< lowest byte first */
#define UTFLANE_UTF32BE 5  /**< highest byte first */
#define UTFLANE_LATIN1 6   /**< ISO-8859-1: a byte is a code point. Not windows-1252 */
#define UTFLANE_ASCII 7    /**< bytes 0x00 to 0x7F */
#define UTFLANE_CESU8 8    /**< UTF-8 of the code units of UTF-16 */
#define UTFLANE_MUTF8 9    /**< Java's Modified UTF-8: CESU-8 with NUL as C0 80 */
#define UTFLANE_WTF8 10    /**< UTF-8 that may contain unpaired surrogates */
#define UTFLANE_WTF16LE 11 /**< UTF-16 that may contain unpaired surrogates, low byte first */
#define UTFLANE_WTF16BE 12 /**< UTF-16 that may contain unpaired surrogates, high byte first */

/* UTF-16 and UTF-32 in the byte order of the machine. */
#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define UTFLANE_UTF16 UTFLANE_UTF16BE
#define UTFLANE_UTF32 UTFLANE_UTF32BE
#else
#define UTFLANE_UTF16 UTFLANE_UTF16LE
#define UTFLANE_UTF32 UTFLANE_UTF32LE
#endif

/**
 * Why a function stopped. The numbers do not change in later versions, which may add some. The kind of ill-formed
 * text is the first of numbers 1 to 6 that applies, as in simdutf.
 */
typedef uint32_t utflane_status;

#define UTFLANE_OK 0                /**< the whole input has been processed */
#define UTFLANE_INVALID_LEAD_BYTE 1 /**< ill-formed: a byte that never occurs, such as 0xFF in UTF-8 */
#define UTFLANE_TOO_SHORT 2         /**< ill-formed: fewer bytes or code units than the start of the sequence announces */
#define UTFLANE_TOO_LONG 3          /**< ill-formed: a continuation byte where a character should begin */
#define UTFLANE_OVERLONG 4          /**< ill-formed: a character written with more bytes than it needs */
#define UTFLANE_TOO_LARGE 5         /**< ill-formed: a value above U+10FFFF, or above U+007F in ASCII */
#define UTFLANE_SURROGATE 6         /**< ill-formed: a surrogate that is not part of a surrogate pair of UTF-16 */
#define UTFLANE_UNMAPPABLE 7        /**< a well-formed character that the target encoding does not have */
#define UTFLANE_OUTPUT_FULL 8       /**< the next character is well-formed, and does not fit into the output */
#define UTFLANE_INVALID_ARGUMENT 9  /**< see above, or a stream that has not been initialised */
#define UTFLANE_ILL_FORMED 10       /**< ill-formed in a way that this version of the header has no name for */

/** The result of a validation. For UTF-8, both numbers of an error equal those of Rust's standard library. */
typedef struct utflane_validation {
    size_t valid_up_to;    /**< bytes before the first error, or of the whole text */
    utflane_status status; /**< UTFLANE_OK, or the kind of the error */
    uint32_t error_length; /**< bytes of the ill-formed sequence; 0 without an error, or if the text ends inside it */
} utflane_validation;

/** The result of one pass over UTF-8. The counts are for the bytes before the first error. */
typedef struct utflane_utf8_summary {
    utflane_validation validation; /**< the result of utflane_validate */
    size_t code_points;            /**< code points before the first error */
    size_t utf16_units;            /**< code units of UTF-16 that they become */
    bool is_ascii;                 /**< true if all bytes are ASCII; false with an error */
    bool fits_latin1;              /**< true if all characters are in Latin-1; false with an error */
} utflane_utf8_summary;

/**
 * The result of a conversion: `read` bytes have become `written` bytes, and as much as possible was converted. At each
 * character, an error is reported before a full output.
 *
 * | status                 | read                         | error_length                         |
 * |------------------------|------------------------------|--------------------------------------|
 * | UTFLANE_OK             | the length of the text       | 0                                    |
 * | UTFLANE_OUTPUT_FULL    | the converted bytes          | 0                                    |
 * | ill-formed, unmappable | bytes before the error       | bytes of it; 0: the text ends inside |
 */
typedef struct utflane_result {
    size_t read;           /**< bytes of the input that have been converted */
    size_t written;        /**< bytes of the output that have been written */
    utflane_status status; /**< why the conversion stopped */
    uint32_t error_length; /**< bytes of the sequence that stopped it */
} utflane_result;

/** The result of a conversion with replacements, which only a full output stops. */
typedef struct utflane_lossy_result {
    size_t read;           /**< bytes of the input that have been converted */
    size_t written;        /**< bytes of the output that have been written */
    size_t repairs;        /**< replacements that have been written */
    utflane_status status; /**< UTFLANE_OK, UTFLANE_OUTPUT_FULL, or UTFLANE_INVALID_ARGUMENT */
} utflane_lossy_result;

/** Validates a text. Every text is well-formed Latin-1. */
UTFLANE_NODISCARD utflane_validation utflane_validate(
    utflane_encoding encoding, const void *src, size_t length) UTFLANE_NOEXCEPT;

/** Validates UTF-8 and counts in one pass. */
UTFLANE_NODISCARD utflane_utf8_summary utflane_summarize_utf8(const void *src, size_t length) UTFLANE_NOEXCEPT;

/**
 * Converts as much text as fits. Stops before the first ill-formed sequence, and before a character that the target
 * encoding does not have (UTFLANE_UNMAPPABLE). From an encoding to itself, validates and copies.
 */
UTFLANE_NODISCARD utflane_result utflane_convert(
    utflane_encoding from, utflane_encoding to, const void *src, size_t length, void *dst, size_t capacity) UTFLANE_NOEXCEPT;

/**
 * Converts as much text as fits, with U+FFFD for each ill-formed sequence, as in the WHATWG Encoding Standard: for each
 * maximal subpart of UTF-8, for each unit of UTF-16 and UTF-32. In a target without U+FFFD, '?' replaces each of these
 * and each character that the target does not have.
 */
UTFLANE_NODISCARD utflane_lossy_result utflane_convert_lossy(
    utflane_encoding from, utflane_encoding to, const void *src, size_t length, void *dst, size_t capacity) UTFLANE_NOEXCEPT;

/**
 * Returns the number of bytes that utflane_convert writes for a well-formed text, if they fit. For ill-formed text
 * the number is the same on every processor, but not a bound of the output.
 */
UTFLANE_NODISCARD size_t utflane_length(
    utflane_encoding from, utflane_encoding to, const void *src, size_t length) UTFLANE_NOEXCEPT;

/** Returns the number of bytes that utflane_convert_lossy writes, if they fit. */
UTFLANE_NODISCARD size_t utflane_length_lossy(
    utflane_encoding from, utflane_encoding to, const void *src, size_t length) UTFLANE_NOEXCEPT;

/**
 * Returns the most bytes that utflane_convert writes for `length` bytes, whatever they are; SIZE_MAX if a size_t does
 * not hold it, or for an unknown encoding. utflane_convert_lossy may write more.
 */
UTFLANE_NODISCARD size_t utflane_max_length(
    utflane_encoding from, utflane_encoding to, size_t length) UTFLANE_NOEXCEPT;

/**
 * Returns the code points of a text. In ill-formed text it counts the bytes of UTF-8 that are not continuation bytes,
 * and the units of UTF-16 that are not low surrogates.
 */
UTFLANE_NODISCARD size_t utflane_count(utflane_encoding encoding, const void *src, size_t length) UTFLANE_NOEXCEPT;

/* Streams: a text in chunks that may end anywhere, also inside a code unit. */

/** Words of a utflane_validator. */
#define UTFLANE_VALIDATOR_WORDS 16
/** Words of a utflane_transcoder. */
#define UTFLANE_TRANSCODER_WORDS 32
/** Bytes of output with which each call to a transcoder makes progress. */
#define UTFLANE_ENOUGH_ROOM 24

/**
 * The validator of a stream, in the caller's memory. It needs no destructor, and may be copied, which copies the
 * state. One thread at a time may use it.
 */
typedef struct utflane_validator {
    uint64_t words[UTFLANE_VALIDATOR_WORDS]; /**< private */
} utflane_validator;

/** The converter of a stream: memory, copies and threads as with utflane_validator. */
typedef struct utflane_transcoder {
    uint64_t words[UTFLANE_TRANSCODER_WORDS]; /**< private */
} utflane_transcoder;

/**
 * The result of a call to a stream.
 *
 * | status              | read                          | what to do                               |
 * |---------------------|-------------------------------|------------------------------------------|
 * | UTFLANE_OK          | the whole chunk               | push the next chunk, or finish           |
 * | UTFLANE_OUTPUT_FULL | the converted bytes           | empty the output, push the rest          |
 * | ill-formed          | up to the end of the sequence | stop, or push the rest, which skips it   |
 */
typedef struct utflane_stream_result {
    uint64_t offset;       /**< with an error: its offset from the start of the stream; otherwise 0 */
    size_t read;           /**< bytes of the chunk that have been read */
    size_t written;        /**< bytes of the output that have been written */
    utflane_status status; /**< why the call returned */
    uint32_t error_length; /**< bytes of the sequence; 0 without an error, or if the stream ended inside it */
} utflane_stream_result;

/** Begins a stream, whatever was in the memory before. Returns UTFLANE_OK or UTFLANE_INVALID_ARGUMENT. */
utflane_status utflane_validator_init(utflane_validator *validator, utflane_encoding encoding) UTFLANE_NOEXCEPT;

/** Validates the next chunk. An incomplete sequence at its end is no error. */
UTFLANE_NODISCARD utflane_stream_result utflane_validator_push(
    utflane_validator *validator, const void *chunk, size_t length) UTFLANE_NOEXCEPT;

/** Ends a stream, and begins another one. An incomplete sequence is an error with `error_length` 0. */
UTFLANE_NODISCARD utflane_stream_result utflane_validator_finish(utflane_validator *validator) UTFLANE_NOEXCEPT;

/** Begins a stream, whatever was in the memory before. Returns UTFLANE_OK or UTFLANE_INVALID_ARGUMENT. */
utflane_status utflane_transcoder_init(
    utflane_transcoder *transcoder, utflane_encoding from, utflane_encoding to) UTFLANE_NOEXCEPT;

/** Begins a stream with the replacements of utflane_convert_lossy. Otherwise like utflane_transcoder_init. */
utflane_status utflane_transcoder_init_lossy(
    utflane_transcoder *transcoder, utflane_encoding from, utflane_encoding to) UTFLANE_NOEXCEPT;

/** Converts the next chunk. At most seven bytes, which count as read, are kept until the next call. */
UTFLANE_NODISCARD utflane_stream_result utflane_transcoder_push(
    utflane_transcoder *transcoder, const void *chunk, size_t length, void *dst, size_t capacity) UTFLANE_NOEXCEPT;

/**
 * Ends a stream, writes its kept bytes, and begins another stream. An incomplete sequence is an error with
 * `error_length` 0, or a replacement. Call it again after UTFLANE_OUTPUT_FULL, with a larger output, and after an
 * error with a length: WTF-8 may end with an unpaired surrogate and an incomplete sequence.
 */
UTFLANE_NODISCARD utflane_stream_result utflane_transcoder_finish(
    utflane_transcoder *transcoder, void *dst, size_t capacity) UTFLANE_NOEXCEPT;

/** Returns the replacements since the transcoder was initialised. */
UTFLANE_NODISCARD uint64_t utflane_transcoder_repairs(const utflane_transcoder *transcoder) UTFLANE_NOEXCEPT;

/** The confidence of a detection. */
typedef uint32_t utflane_confidence;

#define UTFLANE_GUESS 0   /**< the text is short, or several encodings are as likely */
#define UTFLANE_LIKELY 1  /**< another encoding is possible, and much less likely */
#define UTFLANE_CERTAIN 2 /**< there is a byte order mark, or more text than could fit by chance */

/** The reason of a detection. Later versions may add numbers. */
typedef uint32_t utflane_reason;

#define UTFLANE_REASON_OTHER 0         /**< a reason that this version of the header has no name for */
#define UTFLANE_REASON_EMPTY 1         /**< there is no text */
#define UTFLANE_REASON_MARK 2          /**< a byte order mark */
#define UTFLANE_REASON_ASCII 3         /**< all bytes are ASCII */
#define UTFLANE_REASON_UTF8 4          /**< well-formed UTF-8 */
#define UTFLANE_REASON_DAMAGED_UTF8 5  /**< UTF-8 with few errors */
#define UTFLANE_REASON_CESU8 6         /**< CESU-8 */
#define UTFLANE_REASON_UTF16 7         /**< likely text in UTF-16 */
#define UTFLANE_REASON_UTF32 8         /**< likely text in UTF-32 */
#define UTFLANE_REASON_LATIN1 9        /**< Latin-1 */
#define UTFLANE_REASON_WINDOWS_1252 10 /**< windows-1252, which this library does not convert */
#define UTFLANE_REASON_LEGACY 11       /**< another legacy encoding, which this library does not convert */
#define UTFLANE_REASON_BINARY 12       /**< not text */
#define UTFLANE_REASON_MIXED 13        /**< parts of the text are in different encodings */

/** The result of a detection; all zeros for an invalid argument. */
typedef struct utflane_detection {
    utflane_encoding encoding;     /**< UTFLANE_NO_ENCODING if this library does not have it, or if there is no text */
    utflane_encoding closest;      /**< the encoding, or the first of ASCII, UTF-8 and Latin-1 that has all of the bytes */
    utflane_confidence confidence; /**< how likely the answer is right */
    utflane_reason reason;         /**< the reason of the answer */
    size_t mark_length;            /**< bytes of the byte order mark at the start; 0 without one */
    size_t boundary;               /**< UTFLANE_REASON_MIXED: the bytes before the second part; otherwise 0 */
    utflane_encoding first;        /**< of the first part; UTFLANE_NO_ENCODING for a legacy one, or without parts */
    utflane_encoding second;       /**< of the second part; UTFLANE_NO_ENCODING for a legacy one, or without parts */
} utflane_detection;

/** Detects the encoding of a whole text. Any bytes may be passed. */
UTFLANE_NODISCARD utflane_detection utflane_detect(const void *src, size_t length) UTFLANE_NOEXCEPT;

/** Detects the encoding of a text that begins with these bytes and continues: the last sequence may be incomplete. */
UTFLANE_NODISCARD utflane_detection utflane_detect_prefix(const void *src, size_t length) UTFLANE_NOEXCEPT;

/**
 * Returns the name of the detected encoding, or "windows-1252", "unknown legacy encoding", "binary" or "mixed". This
 * string and the strings below are static.
 */
UTFLANE_NODISCARD const char *utflane_detection_name(utflane_detection detection) UTFLANE_NOEXCEPT;

/** Returns the name of an encoding, such as "utf-16le"; "none" for UTFLANE_NO_ENCODING and unknown numbers. */
UTFLANE_NODISCARD const char *utflane_encoding_name(utflane_encoding encoding) UTFLANE_NOEXCEPT;

/** Returns the encoding that a label such as "UTF-8" or "iso-8859-1" names, in any case; or UTFLANE_NO_ENCODING. */
UTFLANE_NODISCARD utflane_encoding utflane_encoding_from_label(const char *label, size_t length) UTFLANE_NOEXCEPT;

/** Returns the description of a status, such as "overlong sequence"; "unknown status" for other numbers. */
UTFLANE_NODISCARD const char *utflane_status_description(uint32_t status) UTFLANE_NOEXCEPT;

/**
 * Returns the version of the linked library, such as "0.1.0"; UTFLANE_VERSION is the header's version. Versions of
 * the same major number (as long as it is 0, of the same minor number) have the same binary interface.
 */
UTFLANE_NODISCARD const char *utflane_version(void) UTFLANE_NOEXCEPT;

/**
 * Returns the name of the kernel that all functions use, such as "avx2". The first call of any function chooses the
 * best kernel for the processor, or the kernel that the environment variable UTFLANE_KERNEL names.
 */
UTFLANE_NODISCARD const char *utflane_active_kernel(void) UTFLANE_NOEXCEPT;

/** Returns the name of kernel number `index` of the kernels for this processor, best first; null after the last. */
UTFLANE_NODISCARD const char *utflane_available_kernel(size_t index) UTFLANE_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
