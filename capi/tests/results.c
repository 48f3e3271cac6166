/* Tests the results of utflane.h: the kind, position and length of errors, summaries, detection and names. Then what
 * differential.cpp does not compare of simdutf_c.h: null pointers, outputs that are the input, ASCII of several blocks. */
#include <simdutf_c.h>
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

/* Checks the number and the name of the encoding that is detected in a text. Returns the detection. */
static utflane_detection check_detected(const char *text, size_t length, utflane_encoding encoding, const char *name) {
    utflane_detection got = utflane_detect(text, length);
    CHECK(got.encoding == encoding && strcmp(got.name, name) == 0 && got.probability > 0 && got.probability <= 1);
    CHECK(strlen(got.reason) > 0 && strlen(got.reason) < sizeof got.reason - 1);
    return got;
}

static void check_detection(void) {
    static const char zeros[100];
    const utflane_encoding windows_1252 = utflane_encoding_from_label("windows-1252", 12);
    utflane_detection got = check_detected("\xFF\xFEH\0i\0", 6, UTFLANE_UTF16LE, "utf-16le");
    CHECK(got.confidence == UTFLANE_CERTAIN && got.mark_length == 2 && *got.language == 0);
    got = check_detected("10 \x80", 4, windows_1252, "windows-1252");
    CHECK(got.boundary == 0 && got.first == UTFLANE_NO_ENCODING && got.second == UTFLANE_NO_ENCODING);
    got = check_detected("na\xC3\xAFve\na\0p\0p\0\n\0", 15, UTFLANE_NO_ENCODING, "mixed");
    CHECK(got.first == UTFLANE_UTF8 && got.second == UTFLANE_UTF16LE && got.boundary == 7);
    CHECK(strcmp(got.reason, "utf-8 up to byte 7, then utf-16le") == 0);
    got = check_detected("\xF3\xDF\xC5\xDB\xD8 \xC5\xDD\xA3 \xDC\xD4\xC9\xC8 \xCD\xD1\xC7\xCB\xC9\xC8 \xC2\xD5\xCC\xCF\xCB.", 28,
                         utflane_encoding_from_label("koi8-r", 6), "koi8-r");
    CHECK(strcmp(got.language, "ru") == 0 && strcmp(got.reason, "reads as text in Russian") == 0);
    got = check_detected("\x8D\xA1\x93\xFA\x82\xCD\x89\x4A\x82\xC5\x82\xB7\x81\x42", 14, UTFLANE_NO_ENCODING, "shift_jis");
    CHECK(strcmp(got.language, "ja") == 0 && got.confidence != UTFLANE_CERTAIN);
    check_detected(NULL, 0, UTFLANE_ASCII, "ascii");
    check_detected(zeros, sizeof zeros, UTFLANE_NO_ENCODING, "binary");
    CHECK(utflane_detect_prefix("gr\xC3", 3).encoding == UTFLANE_UTF8);
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

static void check_repairs(void) {
    char16_t text[3000], repaired[3000];
    for (size_t i = 0; i < 3000; i++) text[i] = i % 3 ? 0xD83D : 0xDE00;
    simdutf_to_well_formed_utf16(text, 3000, repaired);
    CHECK(repaired[0] == 0xFFFD && repaired[1] == 0xFFFD && repaired[2] == 0xD83D && repaired[3] == 0xDE00);
    simdutf_to_well_formed_utf16(text, 3000, text);
    CHECK(memcmp(text, repaired, sizeof text) == 0);
    simdutf_change_endianness_utf16(text, 3000, text);
    for (size_t i = 0; i < 3000; i++) CHECK(text[i] == (char16_t)(repaired[i] << 8 | repaired[i] >> 8));
    simdutf_to_well_formed_utf16(NULL, 0, NULL);
}

static void check_find(void) {
    const char *text = "a needle in";
    const char16_t wide[] = {'a', 'n'};
    /* If the pointers are in the wrong order or one is null, there is no text, and the functions return `end`. */
    CHECK(simdutf_find(text + 3, text, 'a') == text && simdutf_find(NULL, text, 'a') == text);
    CHECK(simdutf_find_utf16(wide + 1, wide, 'a') == wide && simdutf_find_utf16(NULL, wide, 0) == wide);
    CHECK(simdutf_find(NULL, NULL, 0) == NULL);
}

/* Checks a text of several blocks: the functions examine 4,096 bytes at a time. */
static void check_as_ascii(void) {
    static char16_t text[5000];
    for (size_t i = 0; i < 5000; i++) text[i] = 'a';
    CHECK(simdutf_validate_utf16_as_ascii(text, 5000));
    for (size_t index = 1; index < 5000; index += 1666) {
        text[index] = 0x80;
        CHECK(!simdutf_validate_utf16_as_ascii(text, 5000));
        text[index] = 'a';
    }
}

int main(void) {
    check_kinds();
    check_summary();
    check_invalid_arguments();
    check_detection();
    check_names();
    check_unaligned();
    CHECK(simdutf_validate_utf8(NULL, 0) && simdutf_validate_utf8_with_errors(NULL, 0).count == 0);
    const int all = SIMDUTF_ENCODING_UTF8 | SIMDUTF_ENCODING_UTF16_LE | SIMDUTF_ENCODING_UTF32_LE;
    CHECK(simdutf_convert_utf8_to_utf16(NULL, 0, NULL) == 0 && simdutf_detect_encodings(NULL, 0) == all);
    check_repairs();
    check_find();
    check_as_ascii();
    printf("results: ok, on %s\n", utflane_active_kernel());
    return 0;
}
