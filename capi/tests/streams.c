/* Tests streams: texts that are split at each byte, for each pair of encodings; then small outputs; then errors. */
#include <stdint.h>
#include <utflane.h>

#include "check.h"

enum { BUFFER_BYTES = 512 };

/* Writes a text in an encoding to `dst`, and returns its length in bytes. */
static size_t write_text(utflane_encoding encoding, unsigned char *dst) {
    static const char text[] = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80 z\xD0\x96" "0123456789";
    static const char ascii[] = "plain ASCII, 0123456789", cyrillic[] = "\xD0\x94\xD0\xB0, 0123456789 \xE2\x84\x96";
    const int is_narrow = encoding == UTFLANE_LATIN1 || encoding == UTFLANE_ASCII;
    const char *src = is_narrow ? ascii : encoding >= UTFLANE_FIRST_CODE_PAGE ? cyrillic : text;
    utflane_result result = utflane_convert(UTFLANE_UTF8, encoding, src, strlen(src), dst, BUFFER_BYTES);
    CHECK(result.status == UTFLANE_OK);
    return result.written;
}

/* Splits a text at each byte into two chunks in guarded buffers. Checks that the result equals the conversion of the unsplit text. */
static void check_splits(utflane_encoding from, utflane_encoding to) {
    unsigned char src[BUFFER_BYTES], wanted[BUFFER_BYTES], got[BUFFER_BYTES];
    const size_t length = write_text(from, src);
    const utflane_result whole = utflane_convert(from, to, src, length, wanted, BUFFER_BYTES);
    utflane_transcoder transcoder, copied;
    utflane_validator validator;
    CHECK(utflane_transcoder_init(&transcoder, from, to) == UTFLANE_OK);
    /* A code page has no validator. */
    CHECK(utflane_validator_init(&validator, from < UTFLANE_FIRST_CODE_PAGE ? from : UTFLANE_LATIN1) == UTFLANE_OK);
    for (size_t split = 0; split <= length; split++) {
        unsigned char *first = (unsigned char *)guarded_copy(src, split);
        unsigned char *second = (unsigned char *)guarded_copy(src + split, length - split);
        utflane_stream_result a = utflane_transcoder_push(&transcoder, first, split, got, BUFFER_BYTES), b;
        CHECK(utflane_validator_push(&validator, first, split).status == UTFLANE_OK);
        CHECK(utflane_validator_push(&validator, second, length - split).read == length - split);
        CHECK(utflane_validator_finish(&validator).status == UTFLANE_OK);
        if (whole.status == UTFLANE_OK) {
            CHECK(a.status == UTFLANE_OK && a.read == split);
            memcpy(&copied, &transcoder, sizeof copied); /* a copy continues the stream */
            b = utflane_transcoder_push(&copied, second, length - split, got + a.written, BUFFER_BYTES - a.written);
            CHECK(b.status == UTFLANE_OK && b.read == length - split);
            CHECK(a.written + b.written == whole.written && memcmp(got, wanted, whole.written) == 0);
            CHECK(utflane_transcoder_finish(&copied, NULL, 0).status == UTFLANE_OK);
        } else {
            if (a.status == UTFLANE_OK) b = utflane_transcoder_push(&transcoder, second, length - split, got, BUFFER_BYTES);
            else b = a;
            CHECK(b.status == UTFLANE_UNMAPPABLE && b.offset == whole.read);
        }
        utflane_transcoder_init(&transcoder, from, to);
        release(first), release(second);
    }
}

/* Converts a text with output buffers of 4 to 39 bytes. A buffer is emptied when it is full. */
static void check_small_outputs(void) {
    unsigned char src[BUFFER_BYTES], wanted[BUFFER_BYTES], got[BUFFER_BYTES];
    const size_t length = write_text(UTFLANE_UTF8, src);
    const size_t wanted_length = utflane_convert(UTFLANE_UTF8, UTFLANE_UTF16BE, src, length, wanted, BUFFER_BYTES).written;
    for (size_t capacity = 4; capacity < 40; capacity++) {
        utflane_transcoder transcoder;
        utflane_stream_result result = {0, 0, 0, UTFLANE_OUTPUT_FULL, 0};
        size_t read = 0, written = 0;
        unsigned char *output = (unsigned char *)guarded_alloc(capacity);
        CHECK(utflane_transcoder_init(&transcoder, UTFLANE_UTF8, UTFLANE_UTF16BE) == UTFLANE_OK);
        while (result.status == UTFLANE_OUTPUT_FULL) {
            result = utflane_transcoder_push(&transcoder, src + read, length - read, output, capacity);
            CHECK(result.read + result.written > 0);
            memcpy(got + written, output, result.written);
            read += result.read, written += result.written;
        }
        CHECK(result.status == UTFLANE_OK && written == wanted_length && memcmp(got, wanted, wanted_length) == 0);
        release(output);
    }
}

/* Checks that errors have offsets from the start of the stream, and that a stream continues after an error. */
static void check_errors(void) {
    static const char chunk[] = "abc\xFF" "def\xE2\x82";
    char dst[64];
    utflane_validator validator;
    utflane_transcoder transcoder;
    utflane_stream_result result;
    CHECK(utflane_validator_init(&validator, UTFLANE_UTF8) == UTFLANE_OK);
    CHECK(utflane_validator_push(&validator, "0123456789", 10).status == UTFLANE_OK);
    result = utflane_validator_push(&validator, chunk, sizeof chunk - 1);
    CHECK(result.status == UTFLANE_INVALID_LEAD_BYTE && result.offset == 13 && result.read == 4 && result.error_length == 1);
    result = utflane_validator_push(&validator, chunk + 4, sizeof chunk - 5);
    CHECK(result.status == UTFLANE_OK && result.read == 5);
    result = utflane_validator_finish(&validator);
    CHECK(result.status == UTFLANE_TOO_SHORT && result.offset == 17 && result.error_length == 0);
    CHECK(utflane_validator_push(&validator, "new", 3).status == UTFLANE_OK);

    CHECK(utflane_transcoder_init_lossy(&transcoder, UTFLANE_UTF8, UTFLANE_UTF8) == UTFLANE_OK);
    result = utflane_transcoder_push(&transcoder, chunk, sizeof chunk - 1, dst, sizeof dst);
    CHECK(result.status == UTFLANE_OK && result.written == 9 && result.read == sizeof chunk - 1);
    CHECK(memcmp(dst, "abc\xEF\xBF\xBD" "def", 9) == 0);
    CHECK(utflane_transcoder_finish(&transcoder, dst, 2).status == UTFLANE_OUTPUT_FULL);
    result = utflane_transcoder_finish(&transcoder, dst, UTFLANE_ENOUGH_CAPACITY);
    CHECK(result.status == UTFLANE_OK && result.written == 3 && memcmp(dst, "\xEF\xBF\xBD", 3) == 0);
    CHECK(utflane_transcoder_repairs(&transcoder) == 2);

    CHECK(utflane_transcoder_init(&transcoder, UTFLANE_UTF8, UTFLANE_UTF16LE) == UTFLANE_OK);
    result = utflane_transcoder_push(&transcoder, chunk, sizeof chunk - 1, dst, sizeof dst);
    CHECK(result.status == UTFLANE_INVALID_LEAD_BYTE && result.offset == 3 && result.error_length == 1);
    CHECK(result.read == 4 && result.written == 6 && memcmp(dst, "a\0b\0c\0", 6) == 0);
}

/* Checks that an uninitialised stream is reported as an invalid argument. */
static void check_uninitialised(void) {
    utflane_validator validator;
    utflane_transcoder transcoder;
    memset(&validator, 0, sizeof validator);
    memset(&transcoder, 0, sizeof transcoder);
    CHECK(utflane_validator_push(&validator, "a", 1).status == UTFLANE_INVALID_ARGUMENT);
    CHECK(utflane_validator_finish(&validator).status == UTFLANE_INVALID_ARGUMENT);
    CHECK(utflane_transcoder_push(&transcoder, "a", 1, NULL, 0).status == UTFLANE_INVALID_ARGUMENT);
    CHECK(utflane_transcoder_finish(&transcoder, NULL, 0).status == UTFLANE_INVALID_ARGUMENT);
    CHECK(utflane_transcoder_repairs(&transcoder) == 0);
    CHECK(utflane_validator_init(&validator, UTFLANE_WTF16BE + 1) == UTFLANE_INVALID_ARGUMENT);
    CHECK(utflane_validator_push(&validator, "a", 1).status == UTFLANE_INVALID_ARGUMENT);
    CHECK(utflane_transcoder_init(&transcoder, UTFLANE_UTF8, 0) == UTFLANE_INVALID_ARGUMENT);
    CHECK(utflane_validator_init(&validator, UTFLANE_FIRST_CODE_PAGE) == UTFLANE_INVALID_ARGUMENT);
    CHECK(utflane_transcoder_init(&transcoder, UTFLANE_LATIN1, UTFLANE_FIRST_CODE_PAGE) == UTFLANE_INVALID_ARGUMENT);
    CHECK(utflane_validator_init(NULL, UTFLANE_UTF8) == UTFLANE_INVALID_ARGUMENT);
    CHECK(utflane_validator_push(NULL, NULL, 0).status == UTFLANE_INVALID_ARGUMENT);
    /* A transcoder is not a valid validator. */
    CHECK(utflane_transcoder_init(&transcoder, UTFLANE_UTF8, UTFLANE_UTF8) == UTFLANE_OK);
    CHECK(utflane_validator_push((utflane_validator *)&transcoder, "a", 1).status == UTFLANE_INVALID_ARGUMENT);
}

int main(void) {
    const utflane_encoding page = utflane_encoding_from_label("cp1251", 6);
    for (utflane_encoding from = UTFLANE_UTF8; from <= UTFLANE_WTF16BE; from++) {
        for (utflane_encoding to = UTFLANE_UTF8; to <= UTFLANE_WTF16BE; to++) check_splits(from, to);
        if (from == UTFLANE_LATIN1 || from == UTFLANE_ASCII) continue;
        check_splits(from, page);
        check_splits(page, from);
    }
    check_small_outputs();
    check_errors();
    check_uninitialised();
    printf("streams: ok, on %s\n", utflane_active_kernel());
    return 0;
}
