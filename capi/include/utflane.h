/**
 * @file utflane.h
 * utflane: validates and converts UTF-8, UTF-16, UTF-32, Latin-1 and code pages with SIMD kernels that are chosen at run
 * time.
 *
 * **Texts.** A text is bytes in an encoding that the caller names: utflane_convert(UTFLANE_UTF8, UTFLANE_UTF16, ...).
 * All lengths, capacities, offsets and counts of input and output are in bytes, in every encoding: n code units of
 * UTF-16 are 2 * n bytes. UTFLANE_UTF16 and UTFLANE_UTF32 have the byte order of the machine, like `char16_t` and
 * `char32_t`.
 *
 * **Code pages.** windows-1251, IBM437, EBCDIC's cp037 and other encodings with one byte for each character have numbers
 * from UTFLANE_FIRST_CODE_PAGE on, which utflane_encoding_from_label returns. They may differ in another version of the
 * library. All functions accept them, except utflane_validator_init: chunks of a code page can be validated alone. A
 * conversion is between a code page and an encoding of Unicode: two code pages, or a code page and Latin-1 or ASCII, are
 * invalid arguments.
 *
 * **Pointers.** Texts and outputs may have any alignment. A null pointer with length 0 is an empty text. A null pointer
 * with capacity 0 is an output without capacity. Any other pointer must point to as many bytes as its length or
 * capacity. An output may be uninitialised. Text and output must not overlap.
 *
 * **Invalid arguments.** Invalid are: a null pointer whose length or capacity is not 0, a length or capacity of more
 * than SIZE_MAX / 2 bytes, an unknown encoding, two encodings that cannot be converted (see above), and a stream that
 * is null or not initialised. Then the status is UTFLANE_INVALID_ARGUMENT, all other numbers of the result are 0, and
 * no text is read or written. Functions that return a count or a length return 0; for invalid encodings,
 * utflane_max_length returns SIZE_MAX.
 *
 * **Outputs.** A function writes at most `capacity` bytes. The contents of the output beyond the first `written` bytes
 * are unspecified: functions use them as scratch space. Characters are never split. No NUL is appended, and NUL is an
 * ordinary character.
 *
 * **Memory, threads, panics.** Only the functions that detect encodings allocate memory, which they free; and if
 * the environment variable UTFLANE_KERNEL is set, its value is copied once. The only global state is the choice of the kernel, which is atomic,
 * so all functions may be called from any thread. No function throws an exception or unwinds.
 */
#ifndef UTFLANE_H
#define UTFLANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Marks functions whose results should not be ignored. */
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

/** The version of this header. Its parts are UTFLANE_MAJOR, UTFLANE_MINOR and UTFLANE_PATCH. */
#define UTFLANE_VERSION "0.1.0"
#define UTFLANE_MAJOR 0
#define UTFLANE_MINOR 1
#define UTFLANE_PATCH 0

/** An encoding. Later versions may add numbers, and do not change the existing numbers. */
typedef uint32_t utflane_encoding;

#define UTFLANE_NO_ENCODING 0
#define UTFLANE_UTF8 1     /**< RFC 3629 */
#define UTFLANE_UTF16LE 2  /**< low byte first */
#define UTFLANE_UTF16BE 3  /**< high byte first */
#define UTFLANE_UTF32LE 4  /**< lowest byte first */
#define UTFLANE_UTF32BE 5  /**< highest byte first */
#define UTFLANE_LATIN1 6   /**< ISO-8859-1: each byte is the code point of the same value; not windows-1252 */
#define UTFLANE_ASCII 7    /**< bytes 0x00 to 0x7F */
#define UTFLANE_CESU8 8    /**< CESU-8: each code unit of UTF-16 is encoded like a code point in UTF-8 */
#define UTFLANE_MUTF8 9    /**< Java's Modified UTF-8: CESU-8 in which NUL is 0xC0 0x80 */
#define UTFLANE_WTF8 10    /**< UTF-8 that may contain unpaired surrogates */
#define UTFLANE_WTF16LE 11 /**< UTF-16 that may contain unpaired surrogates, low byte first */
#define UTFLANE_WTF16BE 12 /**< UTF-16 that may contain unpaired surrogates, high byte first */
#define UTFLANE_FIRST_CODE_PAGE 256 /**< this number and larger ones are code pages */

/* UTF-16 and UTF-32 in the byte order of the machine. */
#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define UTFLANE_UTF16 UTFLANE_UTF16BE
#define UTFLANE_UTF32 UTFLANE_UTF32BE
#else
#define UTFLANE_UTF16 UTFLANE_UTF16LE
#define UTFLANE_UTF32 UTFLANE_UTF32LE
#endif

/**
 * Why a function stopped. Later versions may add numbers, and do not change the existing numbers. If several of the
 * statuses 1 to 6 apply to an ill-formed sequence, the status is the first that applies, as in simdutf.
 */
typedef uint32_t utflane_status;

#define UTFLANE_OK 0                /**< the whole input has been processed */
#define UTFLANE_INVALID_LEAD_BYTE 1 /**< ill-formed: a byte that never occurs, such as 0xFF in UTF-8 */
#define UTFLANE_TOO_SHORT 2         /**< ill-formed: fewer bytes or code units than the first byte or unit requires */
#define UTFLANE_TOO_LONG 3          /**< ill-formed: a continuation byte where a character should begin */
#define UTFLANE_OVERLONG 4          /**< ill-formed: a character encoded in more bytes than necessary */
#define UTFLANE_TOO_LARGE 5         /**< ill-formed: a value above U+10FFFF, or above U+007F in ASCII */
#define UTFLANE_SURROGATE 6         /**< ill-formed: a surrogate that is not part of a surrogate pair of UTF-16 */
#define UTFLANE_UNMAPPABLE 7        /**< a well-formed character that the target encoding lacks */
#define UTFLANE_OUTPUT_FULL 8       /**< the next character is well-formed, but does not fit into the output */
#define UTFLANE_INVALID_ARGUMENT 9  /**< an invalid argument, see above, or a stream that has not been initialised */
#define UTFLANE_ILL_FORMED 10       /**< ill-formed text of a kind that this version of the header does not name */
#define UTFLANE_UNASSIGNED 11       /**< ill-formed: a byte to which the code page assigns no character */

/**
 * The result of a validation. For UTF-8, `valid_up_to` and `error_length` equal the numbers in an error of Rust's
 * standard library.
 */
typedef struct utflane_validation {
    size_t valid_up_to;    /**< the number of bytes before the first error, or the length of the text */
    utflane_status status; /**< UTFLANE_OK, or the kind of the error */
    uint32_t error_length; /**< length of the sequence in bytes; 0 without an error, or if the text ends inside it */
} utflane_validation;

/** The result of one pass over UTF-8. The counts are for the bytes before the first error. */
typedef struct utflane_utf8_summary {
    utflane_validation validation; /**< the result of utflane_validate */
    size_t code_points;            /**< the number of code points before the first error */
    size_t utf16_units;            /**< the number of code units that these code points have in UTF-16 */
    bool is_ascii;                 /**< true if all bytes are ASCII; false with an error */
    bool fits_latin1;              /**< true if all characters are in Latin-1; false with an error */
} utflane_utf8_summary;

/**
 * The result of a conversion. The first `read` bytes of the input have become `written` bytes of output. If the next
 * sequence is ill-formed or unmappable and the output is full too, the status reports the error.
 *
 * | status                 | read                                    | error_length                               |
 * |------------------------|-----------------------------------------|--------------------------------------------|
 * | UTFLANE_OK             | the length of the text                  | 0                                          |
 * | UTFLANE_OUTPUT_FULL    | the number of bytes that were converted | 0                                          |
 * | ill-formed, unmappable | the number of bytes before the error    | the length of the sequence in bytes; 0 if  |
 * |                        |                                         | the text ends inside the sequence          |
 */
typedef struct utflane_result {
    size_t read;           /**< the number of bytes of the input that have been converted */
    size_t written;        /**< the number of bytes of the output that have been written */
    utflane_status status; /**< why the conversion stopped */
    uint32_t error_length; /**< the length of the sequence at which the conversion stopped, in bytes */
} utflane_result;

/** The result of a conversion with replacements. Only a full output stops such a conversion. */
typedef struct utflane_lossy_result {
    size_t read;           /**< the number of bytes of the input that have been converted */
    size_t written;        /**< the number of bytes of the output that have been written */
    size_t repairs;        /**< the number of replacements that have been written */
    utflane_status status; /**< UTFLANE_OK, UTFLANE_OUTPUT_FULL, or UTFLANE_INVALID_ARGUMENT */
} utflane_lossy_result;

/** Validates a text. Every text is well-formed Latin-1. */
UTFLANE_NODISCARD utflane_validation utflane_validate(
    utflane_encoding encoding, const void *src, size_t length) UTFLANE_NOEXCEPT;

/** Validates UTF-8, and counts code points and UTF-16 code units, in one pass. */
UTFLANE_NODISCARD utflane_utf8_summary utflane_summarize_utf8(const void *src, size_t length) UTFLANE_NOEXCEPT;

/**
 * Converts as much text as fits. Stops before the first ill-formed sequence, and before the first character that the
 * target encoding lacks (UTFLANE_UNMAPPABLE). If both encodings are the same, validates and copies.
 */
UTFLANE_NODISCARD utflane_result utflane_convert(
    utflane_encoding from, utflane_encoding to, const void *src, size_t length, void *dst, size_t capacity) UTFLANE_NOEXCEPT;

/**
 * Converts as much text as fits. Writes U+FFFD for each ill-formed sequence, as in the WHATWG Encoding Standard: one
 * U+FFFD for each maximal subpart of UTF-8, and for each ill-formed code unit of UTF-16 and UTF-32. If the target
 * encoding lacks U+FFFD, writes '?' for each ill-formed sequence, and for each character that the target lacks.
 */
UTFLANE_NODISCARD utflane_lossy_result utflane_convert_lossy(
    utflane_encoding from, utflane_encoding to, const void *src, size_t length, void *dst, size_t capacity) UTFLANE_NOEXCEPT;

/**
 * Returns the number of bytes that utflane_convert writes for a well-formed text, if the output is large enough. For
 * ill-formed text, the number is the same on every processor, but is not an upper bound of the output.
 */
UTFLANE_NODISCARD size_t utflane_length(
    utflane_encoding from, utflane_encoding to, const void *src, size_t length) UTFLANE_NOEXCEPT;

/** Returns the number of bytes that utflane_convert_lossy writes, if the output is large enough. */
UTFLANE_NODISCARD size_t utflane_length_lossy(
    utflane_encoding from, utflane_encoding to, const void *src, size_t length) UTFLANE_NOEXCEPT;

/**
 * Returns the maximum number of bytes that utflane_convert writes for any input of `length` bytes. Returns SIZE_MAX if
 * the number does not fit into a size_t, or if the encodings are invalid arguments. utflane_convert_lossy may write
 * more bytes.
 */
UTFLANE_NODISCARD size_t utflane_max_length(
    utflane_encoding from, utflane_encoding to, size_t length) UTFLANE_NOEXCEPT;

/**
 * Returns the number of code points of a text. In ill-formed text, counts the bytes of UTF-8 that are not continuation
 * bytes, or the code units of UTF-16 that are not low surrogates.
 */
UTFLANE_NODISCARD size_t utflane_count(utflane_encoding encoding, const void *src, size_t length) UTFLANE_NOEXCEPT;

/* Streams: a stream is a text in chunks. A chunk may end anywhere, also inside a code unit. */

/** The size of a utflane_validator, in 64-bit words. */
#define UTFLANE_VALIDATOR_WORDS 16
/** The size of a utflane_transcoder, in 64-bit words. */
#define UTFLANE_TRANSCODER_WORDS 32
/** The capacity, in bytes, with which each call to a transcoder makes progress. */
#define UTFLANE_ENOUGH_CAPACITY 24

/**
 * The validator of a stream, in the caller's memory. It needs no destructor. It may be copied: the copy has its own
 * state. Only one thread at a time may use it.
 */
typedef struct utflane_validator {
    uint64_t words[UTFLANE_VALIDATOR_WORDS]; /**< private */
} utflane_validator;

/** The converter of a stream. The rules for memory, copies and threads are the same as for utflane_validator. */
typedef struct utflane_transcoder {
    uint64_t words[UTFLANE_TRANSCODER_WORDS]; /**< private */
} utflane_transcoder;

/**
 * The result of a call to a stream.
 *
 * | status                 | read                                    | what to do                                  |
 * |------------------------|-----------------------------------------|---------------------------------------------|
 * | UTFLANE_OK             | the length of the chunk                 | push the next chunk, or finish              |
 * | UTFLANE_OUTPUT_FULL    | the number of bytes that were converted | empty the output, push the rest             |
 * | ill-formed, unmappable | the bytes up to the end of the sequence | stop, or push the rest to skip the sequence |
 */
typedef struct utflane_stream_result {
    uint64_t offset;       /**< the offset of the error from the start of the stream, in bytes; 0 without an error */
    size_t read;           /**< the number of bytes of the chunk that have been read */
    size_t written;        /**< the number of bytes of the output that have been written */
    utflane_status status; /**< why the call returned */
    uint32_t error_length; /**< length of the sequence in bytes; 0 without an error, or if the stream ended inside it */
} utflane_stream_result;

/** Begins a stream. The memory may contain anything. Returns UTFLANE_OK or UTFLANE_INVALID_ARGUMENT. */
utflane_status utflane_validator_init(utflane_validator *validator, utflane_encoding encoding) UTFLANE_NOEXCEPT;

/** Validates the next chunk. An incomplete sequence at the end of the chunk is not an error. */
UTFLANE_NODISCARD utflane_stream_result utflane_validator_push(
    utflane_validator *validator, const void *chunk, size_t length) UTFLANE_NOEXCEPT;

/** Ends a stream, and begins another stream. An incomplete sequence is an error with `error_length` 0. */
UTFLANE_NODISCARD utflane_stream_result utflane_validator_finish(utflane_validator *validator) UTFLANE_NOEXCEPT;

/** Begins a stream. The memory may contain anything. Returns UTFLANE_OK or UTFLANE_INVALID_ARGUMENT. */
utflane_status utflane_transcoder_init(
    utflane_transcoder *transcoder, utflane_encoding from, utflane_encoding to) UTFLANE_NOEXCEPT;

/** Like utflane_transcoder_init, but the conversion writes the same replacements as utflane_convert_lossy. */
utflane_status utflane_transcoder_init_lossy(
    utflane_transcoder *transcoder, utflane_encoding from, utflane_encoding to) UTFLANE_NOEXCEPT;

/** Converts the next chunk. Keeps at most seven bytes for the next call; these bytes count as read. */
UTFLANE_NODISCARD utflane_stream_result utflane_transcoder_push(
    utflane_transcoder *transcoder, const void *chunk, size_t length, void *dst, size_t capacity) UTFLANE_NOEXCEPT;

/**
 * Ends a stream: writes the result of the bytes that it kept, and begins another stream. An incomplete sequence is an
 * error with `error_length` 0, or is replaced. After UTFLANE_OUTPUT_FULL, call the function again with a larger output.
 * Also call it again after an error whose `error_length` is not 0: WTF-8 may end with an unpaired surrogate that an
 * incomplete sequence follows.
 */
UTFLANE_NODISCARD utflane_stream_result utflane_transcoder_finish(
    utflane_transcoder *transcoder, void *dst, size_t capacity) UTFLANE_NOEXCEPT;

/** Returns the number of replacements since the transcoder was initialised. */
UTFLANE_NODISCARD uint64_t utflane_transcoder_repairs(const utflane_transcoder *transcoder) UTFLANE_NOEXCEPT;

/** The confidence of a detection. */
typedef uint32_t utflane_confidence;

#define UTFLANE_GUESS 0   /**< the text is short, or several encodings are equally likely */
#define UTFLANE_LIKELY 1  /**< another encoding is possible, but much less likely */
#define UTFLANE_CERTAIN 2 /**< there is a byte order mark, or the text is too long to match by chance */

/** The result of a detection; all fields are 0 for an invalid argument. `name`, `language`, `reason` are C strings. */
typedef struct utflane_detection {
    utflane_encoding encoding;     /**< UTFLANE_NO_ENCODING if only `name` names it, or the text is mixed or binary */
    utflane_confidence confidence; /**< the confidence of the result */
    float probability;             /**< the estimated probability that the result is right: 0 to 1 */
    utflane_encoding first;        /**< of a mixed text: the encoding of its first part; 0 if it is not Unicode */
    utflane_encoding second;       /**< of a mixed text: the encoding of its second part; 0 if it is not Unicode */
    size_t mark_length;            /**< the length of the byte order mark at the start, in bytes; 0 without a mark */
    size_t boundary;               /**< of a mixed text: the byte offset of the second part; otherwise 0 */
    char name[32];                 /**< the name of the encoding, such as "shift_jis"; or "mixed", "binary" */
    char language[8];              /**< the code of the language (ISO 639), such as "ja"; empty if it is not known */
    char reason[96];               /**< the reason for the result in words, such as "reads as text in Japanese" */
} utflane_detection;

/**
 * Detects the encoding of a complete text: Unicode, a code page, or a multi-byte encoding such as Shift_JIS, which this
 * library does not convert: iconv accepts its name. The bytes may be anything.
 */
UTFLANE_NODISCARD utflane_detection utflane_detect(const void *src, size_t length) UTFLANE_NOEXCEPT;

/** Detects the encoding of a text of which only the first bytes are passed. The last sequence may be incomplete. */
UTFLANE_NODISCARD utflane_detection utflane_detect_prefix(const void *src, size_t length) UTFLANE_NOEXCEPT;

/**
 * Returns the name of an encoding, such as "utf-16le" or "windows-1251"; "none" for UTFLANE_NO_ENCODING and unknown
 * numbers. The strings that this function and the functions below return are static.
 */
UTFLANE_NODISCARD const char *utflane_encoding_name(utflane_encoding encoding) UTFLANE_NOEXCEPT;

/**
 * Returns the encoding that a label such as "UTF-8", "iso-8859-1" or "cp037" names, or UTFLANE_NO_ENCODING. Upper and
 * lower case are the same. docs/code-pages.md has the labels of code pages, and describes the variants: with "-strict"
 * after a label, the bytes to which Microsoft assigns no character are ill-formed; "-lf" after a label of EBCDIC
 * exchanges NEL and LF.
 */
UTFLANE_NODISCARD utflane_encoding utflane_encoding_from_label(const char *label, size_t length) UTFLANE_NOEXCEPT;

/** Returns the description of a status, such as "overlong sequence"; "unknown status" for other numbers. */
UTFLANE_NODISCARD const char *utflane_status_description(uint32_t status) UTFLANE_NOEXCEPT;

/**
 * Returns the version of the linked library, such as "0.1.0"; UTFLANE_VERSION is the header's version. Versions with
 * the same major number have the same binary interface. While the major number is 0, the minor number must also match.
 */
UTFLANE_NODISCARD const char *utflane_version(void) UTFLANE_NOEXCEPT;

/**
 * Returns the name of the kernel that all functions use, such as "avx2". The first call of any function chooses the
 * best kernel for the processor, or the kernel that the environment variable UTFLANE_KERNEL names.
 */
UTFLANE_NODISCARD const char *utflane_active_kernel(void) UTFLANE_NOEXCEPT;

/**
 * Returns the name of the kernel at `index` among the kernels that this processor supports. They are in order of
 * preference, best first. Returns null if `index` is not below their number.
 */
UTFLANE_NODISCARD const char *utflane_available_kernel(size_t index) UTFLANE_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
