/* Tests what differential.cpp does not compare: null pointers, outputs that are the input, and ASCII of several blocks. */
#include <simdutf_c.h>

#include "check.h"

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
    CHECK(simdutf_validate_utf8(NULL, 0) && simdutf_validate_utf8_with_errors(NULL, 0).count == 0);
    const int all = SIMDUTF_ENCODING_UTF8 | SIMDUTF_ENCODING_UTF16_LE | SIMDUTF_ENCODING_UTF32_LE;
    CHECK(simdutf_convert_utf8_to_utf16(NULL, 0, NULL) == 0 && simdutf_detect_encodings(NULL, 0) == all);
    check_repairs();
    check_find();
    check_as_ascii();
    puts("simdutf: ok");
    return 0;
}
