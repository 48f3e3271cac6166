// Tests the headers in C++17: the built-in types char16_t and char32_t, [[nodiscard]] results, noexcept functions.
#include <simdutf_c.h>
#include <utflane.h>

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "check.h"

static_assert(std::is_standard_layout_v<utflane_transcoder> && std::is_trivially_copyable_v<utflane_transcoder>);
// On 32-bit targets, the structure has three fields of four bytes.
static_assert(sizeof(utflane_validation) == 2 * sizeof(size_t) || sizeof(size_t) == 4);
static_assert(sizeof(utflane_validator) == 8 * UTFLANE_VALIDATOR_WORDS);
static_assert(sizeof(utflane_transcoder) == 8 * UTFLANE_TRANSCODER_WORDS);
static_assert(noexcept(utflane_validate(UTFLANE_UTF8, nullptr, 0)));
static_assert(std::is_same_v<decltype(&utflane_summarize_utf8), utflane_utf8_summary (*)(const void *, size_t) noexcept>);
static_assert(std::is_same_v<decltype(&simdutf_count_utf16), size_t (*)(const char16_t *, size_t)>);

namespace {

std::u16string to_utf16(std::string_view text) {
    const size_t byte_length = utflane_length(UTFLANE_UTF8, UTFLANE_UTF16, text.data(), text.size());
    std::u16string units(byte_length / sizeof(char16_t), u'\0');
    const utflane_result result = utflane_convert(UTFLANE_UTF8, UTFLANE_UTF16, text.data(), text.size(), units.data(), byte_length);
    CHECK(result.status == UTFLANE_OK && result.written == byte_length);
    return units;
}

std::string to_utf8_lossy(std::u16string_view text) {
    const size_t length = text.size() * sizeof(char16_t);
    std::string bytes(utflane_length_lossy(UTFLANE_UTF16, UTFLANE_UTF8, text.data(), length), '\0');
    const utflane_lossy_result result =
        utflane_convert_lossy(UTFLANE_UTF16, UTFLANE_UTF8, text.data(), length, bytes.data(), bytes.size());
    CHECK(result.status == UTFLANE_OK && result.written == bytes.size());
    return bytes;
}

}  // namespace

int main() {
    CHECK(to_utf16("sm\xC3\xB8rrebr\xC3\xB8" "d \xF0\x9F\x98\x80") == u"smørrebrød 😀");
    CHECK(to_utf16({}) == u"");
    CHECK(to_utf8_lossy(std::u16string{u'a', char16_t{0xD800}, u'b'}) == "a\xEF\xBF\xBD" "b");
    // The pointer of a default view is null.
    CHECK(to_utf8_lossy(std::u16string_view{}).empty());
    std::vector<char32_t> wide(4);
    CHECK(utflane_convert(UTFLANE_UTF16, UTFLANE_UTF32, u"né😀!", 10, wide.data(), 4 * wide.size()).read == 10);
    CHECK(wide == (std::vector<char32_t>{U'n', U'é', U'😀', U'!'}));
    switch (utflane_validate(UTFLANE_UTF8, "\xFF", 1).status) {
    case UTFLANE_INVALID_LEAD_BYTE: break;
    default: CHECK(false);
    }
    CHECK(simdutf_validate_utf8_with_errors("ab\xC3", 3).error == SIMDUTF_ERROR_TOO_SHORT);
    CHECK(simdutf_utf16_length_from_utf8("ab\xC3\xA9", 4) == 3);
    std::puts("cplusplus: ok");
    return 0;
}
