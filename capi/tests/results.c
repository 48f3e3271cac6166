/* Tests the results of utflane.h: the kind, position and length of errors, summaries, detection and names. */
#include <stdint.h>
#include <utflane.h>

#include "check.h"

/* The first number that names no encoding. */
enum { UNKNOWN_ENCODING = UTFLANE_WTF16BE + 1 };

/* Checks the validation of a UTF-8 text in a guarded buffer. */
static void check_utf8(const char *text, size_t length, utflane_status status, size_t valid_up_to, uint32_t error_length) {
    char *src = (char *)guarded_copy(text, length);
    utflane_validation got = utflane_validate(UTFLANE_UTF8, src, length);
    CHECK(got.status == status && got.valid_up_to == valid_up_to && got.error_length == error_length);
    release(src);
}

static void check_kinds(void) {
    check_utf8("abc", 3, UTFLANE_OK, 3, 0);
    check_utf8("ab\xFF", 3, UTFLANE_INVALID_LEAD_BYTE, 2, 1);
    check_utf8("\xE2\x82", 2, UTFLANE_TOO_SHORT, 0, 0);
    check_utf8("\xE2\x82" "a", 3, UTFLANE_TOO_SHORT, 0, 2);
    check_utf8("a\x80", 2, UTFLANE_TOO_LONG, 1, 1);
    check_utf8("\xC0\x80", 2, UTFLANE_OVERLONG, 0, 1);
    check_utf8("\xF4\x90\x80\x80", 4, UTFLANE_TOO_LARGE, 0, 1);
    check_utf8("\xED\xA0\x80", 3, UTFLANE_SURROGATE, 0, 1);
    const uint16_t text[] = {'a', 0xD83D};
    utflane_validation got = utflane_validate(UTFLANE_UTF16, text, sizeof text);
    CHECK(got.status == UTFLANE_SURROGATE && got.valid_up_to == 2 && got.error_length == 0);
    CHECK(utflane_validate(UTFLANE_ASCII, "a\xC3", 2).status == UTFLANE_TOO_LARGE);
    CHECK(utflane_validate(UTFLANE_ASCII, "ab", 2).valid_up_to == 2);
    for (uint32_t status = UTFLANE_OK; status <= UTFLANE_UNASSIGNED; status++) {
        CHECK(strcmp(utflane_status_description(status), "unknown status") != 0);
    }
    CHECK(strcmp(utflane_status_description(UTFLANE_OVERLONG), "overlong sequence") == 0);
    CHECK(strcmp(utflane_status_description(UTFLANE_OUTPUT_FULL), "output full") == 0);
    CHECK(strcmp(utflane_status_description(99), "unknown status") == 0);
}

static void check_summary(void) {
    utflane_utf8_summary got = utflane_summarize_utf8("\xC3\xA9t\xC3\xA9 \xF0\x9F\x98\x80", 10);
    CHECK(got.validation.status == UTFLANE_OK && got.code_points == 5 && got.utf16_units == 6);
    CHECK(!got.is_ascii && !got.fits_latin1);
    got = utflane_summarize_utf8("\xC3\xA9\xFF", 3);
    CHECK(got.validation.valid_up_to == 2 && got.code_points == 1 && !got.fits_latin1);
    got = utflane_summarize_utf8(NULL, 0);
    CHECK(got.validation.status == UTFLANE_OK && got.is_ascii && got.fits_latin1);
}

static void check_invalid_arguments(void) {
    char dst[4];
    CHECK(utflane_validate(0, "a", 1).status == UTFLANE_INVALID_ARGUMENT);
    CHECK(utflane_convert(UTFLANE_UTF8, UNKNOWN_ENCODING, "a", 1, dst, 4).status == UTFLANE_INVALID_ARGUMENT);
    CHECK(utflane_convert_lossy(UINT32_MAX, UTFLANE_UTF8, "a", 1, dst, 4).status == UTFLANE_INVALID_ARGUMENT);
    CHECK(utflane_convert(UTFLANE_UTF8, UTFLANE_UTF16, NULL, 5, NULL, 0).status == UTFLANE_INVALID_ARGUMENT);
    CHECK(utflane_convert(UTFLANE_UTF16, UTFLANE_UTF8, NULL, 6, NULL, 0).status == UTFLANE_INVALID_ARGUMENT);
    CHECK(utflane_convert(UTFLANE_UTF16, UTFLANE_UTF8, "abc", SIZE_MAX / 2 + 1, NULL, 0).status == UTFLANE_INVALID_ARGUMENT);
    CHECK(utflane_convert(UTFLANE_UTF8, UTFLANE_UTF8, "a", 1, NULL, 4).status == UTFLANE_INVALID_ARGUMENT);
    CHECK(utflane_convert(UTFLANE_UTF8, UTFLANE_UTF8, "a", 1, dst, SIZE_MAX).status == UTFLANE_INVALID_ARGUMENT);
    CHECK(utflane_count(UTFLANE_UTF8, NULL, 5) == 0 && utflane_summarize_utf8(NULL, 5).is_ascii == 0);
    CHECK(utflane_count(0, "a", 1) == 0 && utflane_length(0, 1, "a", 1) == 0 && utflane_length_lossy(1, 0, "a", 1) == 0);
    CHECK(utflane_max_length(UTFLANE_LATIN1, UTFLANE_UTF8, 10) == 20);
    CHECK(utflane_max_length(UTFLANE_LATIN1, UTFLANE_UTF32LE, SIZE_MAX / 2) == SIZE_MAX);
    CHECK(utflane_max_length(UTFLANE_LATIN1, 0, 10) == SIZE_MAX);
}

static void check_detection(void) {
    utflane_detection got = utflane_detect("\xFF\xFEH\0i\0", 6);
    CHECK(got.encoding == UTFLANE_UTF16LE && got.reason == UTFLANE_REASON_MARK && got.mark_length == 2);
    CHECK(got.confidence == UTFLANE_CERTAIN && strcmp(utflane_detection_name(got), "utf-16le") == 0);
    got = utflane_detect("10 \x80", 4);
    CHECK(got.encoding == utflane_encoding_from_label("windows-1252", 12) && got.closest == UTFLANE_LATIN1);
    CHECK(strcmp(utflane_detection_name(got), "windows-1252") == 0);
    CHECK(got.boundary == 0 && got.first == UTFLANE_NO_ENCODING && got.second == UTFLANE_NO_ENCODING);
    got = utflane_detect("na\xC3\xAFve\na\0p\0p\0\n\0", 15);
    CHECK(got.encoding == UTFLANE_NO_ENCODING && got.reason == UTFLANE_REASON_MIXED && got.boundary == 7);
    CHECK(got.first == UTFLANE_UTF8 && got.second == UTFLANE_UTF16LE);
    CHECK(strcmp(utflane_detection_name(got), "mixed") == 0);
    got = utflane_detect(NULL, 0);
    CHECK(got.reason == UTFLANE_REASON_EMPTY);
    static const char zeros[100];
    got = utflane_detect(zeros, sizeof zeros);
    CHECK(got.reason == UTFLANE_REASON_BINARY && strcmp(utflane_detection_name(got), "binary") == 0);
    CHECK(utflane_detect_prefix("gr\xC3", 3).encoding == UTFLANE_UTF8);
    /* Unknown numbers: a later version may return them, and an uninitialised struct may contain them. */
    memset(&got, 0xFF, sizeof got);
    CHECK(strcmp(utflane_detection_name(got), "none") == 0);
    got.encoding = UTFLANE_UTF8;
    CHECK(strcmp(utflane_detection_name(got), "utf-8") == 0);
}

static void check_names(void) {
    size_t kernels = 0;
    int active = 0;
    CHECK(strcmp(utflane_encoding_name(UTFLANE_CESU8), "cesu-8") == 0);
    CHECK(strcmp(utflane_encoding_name(99), "none") == 0);
    for (utflane_encoding encoding = UTFLANE_UTF8; encoding <= UTFLANE_WTF16BE; encoding++) {
        const char *name = utflane_encoding_name(encoding);
        CHECK(utflane_encoding_from_label(name, strlen(name)) == encoding);
    }
    CHECK(utflane_encoding_from_label("ISO-8859-1", 10) == UTFLANE_LATIN1);
    utflane_encoding page = UTFLANE_FIRST_CODE_PAGE;
    for (const char *name; strcmp(name = utflane_encoding_name(page), "none") != 0; page++) {
        const utflane_encoding found = utflane_encoding_from_label(name, strlen(name));
        CHECK(found == (strcmp(name, "iso-8859-1") == 0 ? UTFLANE_LATIN1 : page));
        CHECK(utflane_count(page, "ab", 2) == 2 && utflane_max_length(page, UTFLANE_UTF8, 10) == 30);
    }
    CHECK(page > UTFLANE_FIRST_CODE_PAGE + 100 && strcmp(utflane_encoding_name(UTFLANE_FIRST_CODE_PAGE - 1), "none") == 0);
    CHECK(utflane_count(page, "ab", 2) == 0 && utflane_count(UINT32_MAX, "ab", 2) == 0);
    CHECK(utflane_validate(page, "ab", 2).status == UTFLANE_INVALID_ARGUMENT);
    page = utflane_encoding_from_label("IBM-1047", 8);
    CHECK(strcmp(utflane_encoding_name(page), "cp1047") == 0);
    CHECK(utflane_encoding_from_label("nothing", 7) == UTFLANE_NO_ENCODING);
    CHECK(utflane_encoding_from_label(NULL, 0) == UTFLANE_NO_ENCODING);
    for (const char *name; (name = utflane_available_kernel(kernels)) != NULL; kernels++) {
        CHECK(strcmp(name, "unknown") != 0);
        active |= strcmp(name, utflane_active_kernel()) == 0;
    }
    CHECK(active && kernels >= 1 && strcmp(utflane_available_kernel(kernels - 1), "scalar") == 0);
    CHECK(strcmp(utflane_version(), UTFLANE_VERSION) == 0);
    char numbers[32];
    snprintf(numbers, sizeof numbers, "%d.%d.%d", UTFLANE_MAJOR, UTFLANE_MINOR, UTFLANE_PATCH);
    CHECK(strcmp(numbers, UTFLANE_VERSION) == 0);
}

/* Checks texts and outputs at even and odd addresses, and a text that ends inside a code unit. */
static void check_unaligned(void) {
    for (size_t shift = 0; shift < 2; shift++) {
        unsigned char *src = (unsigned char *)guarded_alloc(8) + shift, *dst = (unsigned char *)guarded_alloc(14) + shift;
        utflane_result got;
        memcpy(src, "a\0\xE9\0b\0", 6);
        got = utflane_convert(UTFLANE_UTF16LE, UTFLANE_UTF32BE, src, 6, dst, 12);
        CHECK(got.status == UTFLANE_OK && got.written == 12 && memcmp(dst, "\0\0\0a\0\0\0\xE9\0\0\0b", 12) == 0);
        got = utflane_convert(UTFLANE_UTF16LE, UTFLANE_UTF8, src, 6, dst, 12);
        CHECK(got.status == UTFLANE_OK && got.read == 6 && got.written == 4 && memcmp(dst, "a\xC3\xA9" "b", 4) == 0);
        got = utflane_convert(UTFLANE_UTF16LE, UTFLANE_UTF8, src, 5, dst, 12);
        CHECK(got.status == UTFLANE_TOO_SHORT && got.read == 4 && got.written == 3 && got.error_length == 0);
        release(src), release(dst);
    }
}

int main(void) {
    check_kinds();
    check_summary();
    check_invalid_arguments();
    check_detection();
    check_names();
    check_unaligned();
    printf("results: ok, on %s\n", utflane_active_kernel());
    return 0;
}
