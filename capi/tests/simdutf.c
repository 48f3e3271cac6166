/* Tests simdutf_c.h without simdutf: known errors, null pointers, texts longer than a block, and outputs that are the
 * input. */
#include <simdutf_c.h>

#include "check.h"

static void check_error(const char *text, size_t length, simdutf_error_code error, size_t count) {
    char *src = (char *)guarded_copy(text, length);
    char16_t *dst = (char16_t *)guarded_alloc(2 * simdutf_utf16_length_from_utf8(src, length));
    simdutf_result got = simdutf_validate_utf8_with_errors(src, length);
    CHECK(got.error == error && got.count == count);
    got = simdutf_convert_utf8_to_utf16_with_errors(src, length, dst);
    CHECK(got.error == error && got.count == count);
    CHECK(simdutf_convert_utf8_to_utf16(src, length, dst) == 0 && !simdutf_validate_utf8(src, length));
    release(dst), release(src);
}

static void check_repairs(void) {
    char16_t text[3000], repaired[3000];
    for (size_t i = 0; i < 3000; i++) text[i] = i % 3 ? 0xD83D : 0xDE00;
    simdutf_to_well_formed_utf16(text, 3000, repaired);
    CHECK(!simdutf_validate_utf16(text, 3000) && simdutf_validate_utf16(repaired, 3000));
    CHECK(repaired[0] == 0xFFFD && repaired[1] == 0xFFFD && repaired[2] == 0xD83D && repaired[3] == 0xDE00);
    simdutf_to_well_formed_utf16(text, 3000, text);
    CHECK(memcmp(text, repaired, sizeof text) == 0);
    simdutf_to_well_formed_utf16(NULL, 0, NULL);
    static const char16_t unpaired[] = {'a', 0xD800, 0xE9};
    char bytes[6];
    CHECK(simdutf_convert_utf16_to_utf8_with_replacement(unpaired, 3, bytes) == 6);
    CHECK(memcmp(bytes, "a\xEF\xBF\xBD\xC3\xA9", 6) == 0);
}

static void check_find(void) {
    char16_t wide[100] = {0};
    const char *text = "a needle in";
    CHECK(simdutf_find(text, text + 11, 'n') == text + 2 && simdutf_find(text, text + 11, 'x') == text + 11);
    wide[0] = 0x4100, wide[70] = 'A';
    CHECK(simdutf_find_utf16(wide, wide + 100, 'A') == wide + 70);
    CHECK(simdutf_find_utf16(wide, wide + 70, 'A') == wide + 70);
    /* If the pointers are in the wrong order or one is null, there is no text, and the functions return `end`. */
    CHECK(simdutf_find(text + 3, text, 'a') == text && simdutf_find(NULL, text, 'a') == text);
    CHECK(simdutf_find_utf16(wide + 3, wide, 0) == wide && simdutf_find_utf16(NULL, wide, 0) == wide);
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
    check_error("ab\xFF", 3, SIMDUTF_ERROR_HEADER_BITS, 2);
    check_error("\xE2\x82", 2, SIMDUTF_ERROR_TOO_SHORT, 0);
    check_error("a\x80", 2, SIMDUTF_ERROR_TOO_LONG, 1);
    check_error("\xC0\x80", 2, SIMDUTF_ERROR_OVERLONG, 0);
    check_error("\xF4\x90\x80\x80", 4, SIMDUTF_ERROR_TOO_LARGE, 0);
    check_error("\xED\xA0\x80", 3, SIMDUTF_ERROR_SURROGATE, 0);
    CHECK(simdutf_validate_ascii_with_errors("a\x80", 2).error == SIMDUTF_ERROR_TOO_LARGE);
    CHECK(simdutf_validate_utf8(NULL, 0) && simdutf_validate_utf8_with_errors(NULL, 0).count == 0);
    const int all = SIMDUTF_ENCODING_UTF8 | SIMDUTF_ENCODING_UTF16_LE | SIMDUTF_ENCODING_UTF32_LE;
    CHECK(simdutf_convert_utf8_to_utf16(NULL, 0, NULL) == 0 && simdutf_detect_encodings(NULL, 0) == all);
    CHECK(simdutf_latin1_length_from_utf16(7) == 7);
    check_repairs();
    check_find();
    check_as_ascii();
    puts("simdutf: ok");
    return 0;
}
