/* Every function that writes text into a caller's memory: what it reports as written is initialised and right, and
 * the rest of the output gets no uninitialised byte. The names of simdutf's C API change nothing else at all.
 *
 * Each call is made twice, over different bytes in the output and on the stack, and the outputs are compared. Under
 * valgrind, its record of initialised bytes is asked too. The list of functions is made from the headers (headers.py). */
#include <simdutf_c.h>
#include <stdint.h>
#include <utflane.h>
#include <valgrind/memcheck.h>

#include "check.h"

enum { MOST_UNITS = 1 << 14, MOST_BYTES = 4 * MOST_UNITS, GUARD_BYTES = 128 };

/* The bytes in the output and on the stack before each of the two calls. */
static const unsigned char fills[2] = {0xA5, 0x5A}, stacks[2] = {0x3C, 0xC3};

/* Returns the units written, or SIZE_MAX if the function only reports that there is an error. */
typedef size_t call_fn(utflane_encoding from, utflane_encoding to, const void *src, size_t length, void *dst, size_t capacity);

typedef enum { STRICT, REPAIRS, UNKNOWN } result_kind; /* UNKNOWN: not what utflane_convert(_lossy) writes */

typedef struct {
    const char *name;
    call_fn *call;
    utflane_encoding from, to;
    size_t from_unit, to_unit;
    result_kind kind;
    int is_exact;   /* writes only the result */
    int is_limited; /* takes a capacity */
} function;

/* A function of each shape behind one type: by its result, or that it has a capacity. */
#define CALL_VOID(name, a, b) (name((const a *)s, n, (b *)d), n)
#define CALL_SIZE(name, a, b) or_error(name((const a *)s, n, (b *)d))
#define CALL_SAFE(name, a, b) or_error(name((const a *)s, n, (b *)d, capacity))
#define CALL_RESULT(name, a, b) units_of(name((const a *)s, n, (b *)d))
static size_t or_error(size_t written) { return written ? written : SIZE_MAX; }
static size_t units_of(simdutf_result result) { return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : SIZE_MAX; }

enum { IS_LIMITED_VOID = 0, IS_LIMITED_SIZE = 0, IS_LIMITED_SAFE = 1, IS_LIMITED_RESULT = 0 };

/* The functions of simdutf_c.h, named after their encodings. */
#define BY_NAME(shape, name, a, b, from, to, repairs)                                                                      \
    static size_t call_##name(utflane_encoding x, utflane_encoding y, const void *s, size_t n, void *d, size_t capacity) { \
        (void)x, (void)y, (void)capacity;                                                                                  \
        return CALL_##shape(name, a, b);                                                                                   \
    }
#define BY_NUMBER(name) static call_fn call_##name;
#include "outputs.h"
#undef BY_NAME
#undef BY_NUMBER

#define BY_NAME(shape, name, a, b, from, to, repairs) \
    {#name, call_##name, from, to, sizeof(a), sizeof(b), repairs ? REPAIRS : STRICT, 1, IS_LIMITED_##shape},
#define BY_NUMBER(name) {#name, call_##name, 0, 0, 0, 0, UNKNOWN, 0, 1},
static const function functions[] = {
#include "outputs.h"
};

/* The functions of utflane.h, which take their encodings as numbers. */
static size_t call_utflane_convert(utflane_encoding a, utflane_encoding b, const void *s, size_t n, void *d, size_t capacity) {
    return utflane_convert(a, b, s, n, d, capacity).written;
}
static size_t call_utflane_convert_lossy(utflane_encoding a, utflane_encoding b, const void *s, size_t n, void *d, size_t capacity) {
    return utflane_convert_lossy(a, b, s, n, d, capacity).written;
}
static size_t call_utflane_transcoder_push(utflane_encoding a, utflane_encoding b, const void *s, size_t n, void *d, size_t capacity) {
    utflane_transcoder transcoder;
    CHECK(utflane_transcoder_init_lossy(&transcoder, a, b) == UTFLANE_OK);
    return utflane_transcoder_push(&transcoder, s, n, d, capacity).written;
}
static size_t call_utflane_transcoder_finish(utflane_encoding a, utflane_encoding b, const void *s, size_t n, void *d, size_t capacity) {
    static unsigned char front[MOST_BYTES];
    utflane_transcoder transcoder;
    CHECK(utflane_transcoder_init_lossy(&transcoder, a, b) == UTFLANE_OK);
    CHECK(utflane_transcoder_push(&transcoder, s, n, front, sizeof front).status != UTFLANE_INVALID_ARGUMENT);
    return utflane_transcoder_finish(&transcoder, d, capacity).written;
}

static uint64_t state = 1;
static size_t below(size_t n) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (size_t)(state >> 11) % n;
}

static __attribute__((noinline)) void fill_stack(unsigned char byte) {
    volatile unsigned char bytes[1 << 14];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = byte;
}

static void fail(const char *name, const char *what, size_t at) {
    fprintf(stderr, "%s: %s at byte %zu, on %s\n", name, what, at, utflane_active_kernel());
    exit(1);
}

/* Asserts that `bytes` of `dst` are initialised. */
static void check_initialised(const char *name, const unsigned char *dst, size_t bytes) {
    uintptr_t bad = VALGRIND_CHECK_MEM_IS_DEFINED(dst, bytes);
    if (bad) fail(name, "uninitialised", (size_t)(bad - (uintptr_t)dst));
}

/* Compares the outputs of two calls, of which `written` bytes are the result and must be `wanted`. */
static void compare(const char *name, unsigned char *const dst[2], size_t bytes, const unsigned char *wanted,
                    size_t written, int is_exact) {
    for (size_t at = 0; at < bytes + GUARD_BYTES; at++) {
        const int is_untouched = dst[0][at] == fills[0] && dst[1][at] == fills[1];
        if (at < written ? dst[0][at] != wanted[at] || dst[1][at] != wanted[at]
                         : !is_untouched && (is_exact || at >= bytes || dst[0][at] != dst[1][at])) {
            fail(name, at < written ? "wrong" : "written beyond the result", at);
        }
    }
}

/* A text with characters of one kind or of all, of which some units are wrong. Returns its units. */
static size_t make_text(utflane_encoding from, size_t unit, void *dst, size_t characters, int errors) {
    static const uint32_t ends[] = {0x80, 0x100, 0x800, 0xD800, 0x110000};
    static const unsigned char bytes[] = {0x80, 0xBF, 0xC3, 0xDC, 0xD8, 0xE0, 0xED, 0xF0, 0xFF};
    static uint32_t text[MOST_UNITS];
    const size_t kind = below(6);
    utflane_result result;
    for (size_t i = 0; i < characters; i++) {
        const uint32_t c = (uint32_t)below(ends[from == UTFLANE_LATIN1 ? 1 : kind < 5 ? kind : below(5)]);
        text[i] = c >= 0xD800 && c < 0xE000 ? 'a' : c;
    }
    result = utflane_convert(UTFLANE_UTF32, from, text, 4 * characters, dst, MOST_BYTES);
    CHECK(result.status == UTFLANE_OK);
    while (errors-- > 0 && result.written > 0) {
        ((unsigned char *)dst)[below(result.written)] = bytes[below(sizeof bytes)];
    }
    return result.written / unit;
}

static void check_function(const function *f, size_t characters, int errors) {
    static uint32_t src[MOST_UNITS], wanted[MOST_UNITS], out[2][MOST_UNITS + GUARD_BYTES / 4];
    unsigned char *const dst[2] = {(unsigned char *)out[0], (unsigned char *)out[1]};
    const size_t length = make_text(f->from, f->from_unit, src, characters, errors), bytes = length * f->from_unit;
    size_t capacity = MOST_BYTES, written = 0;
    int is_whole = 1;
    if (f->is_limited) capacity = below(4 * bytes + 70) / f->to_unit * f->to_unit;
    if (f->kind == REPAIRS) {
        written = utflane_convert_lossy(f->from, f->to, src, bytes, wanted, capacity).written;
    } else if (f->kind == STRICT) {
        utflane_result result = utflane_convert(f->from, f->to, src, bytes, wanted, capacity);
        written = result.written, is_whole = result.status == UTFLANE_OK || result.status == UTFLANE_OUTPUT_FULL;
    } else {
        written = f->call(f->from, f->to, src, length, wanted, capacity);
    }
    if (!f->is_limited) capacity = written;
    for (int run = 0; run < 2; run++) {
        size_t got;
        memset(dst[run], fills[run], capacity + GUARD_BYTES);
        fill_stack(stacks[run]);
        got = f->call(f->from, f->to, src, length, dst[run], capacity / f->to_unit);
        CHECK(got == (f->is_exact && (!is_whole || written == 0) ? SIZE_MAX : written / f->to_unit) ||
              (got == 0 && written == 0));
        check_initialised(f->name, dst[run], capacity + GUARD_BYTES);
    }
    compare(f->name, dst, capacity, (unsigned char *)wanted, written, f->is_exact);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(dst[0], capacity + GUARD_BYTES);
    f->call(f->from, f->to, src, length, dst[0], capacity / f->to_unit);
    check_initialised(f->name, dst[0], written);
}

/* Texts of some and of many characters, `turns` in all. */
static void check_texts(const function *f, int turns, int long_turns) {
    for (int turn = 0; turn < turns; turn++) check_function(f, below(turn % 2 ? 24 : 120), (int)below(4));
    for (int turn = 0; turn < long_turns; turn++) check_function(f, 3000 + below(900), turn % 2);
}

/* A function that takes its encodings as numbers, with each pair of them. */
static void check_pairs(function f, int turns) {
    static const utflane_encoding encodings[] = {UTFLANE_UTF8, UTFLANE_UTF16LE, UTFLANE_UTF16BE, UTFLANE_UTF32LE, UTFLANE_UTF32BE, UTFLANE_LATIN1};
    if (strcmp(f.name, "utflane_convert") == 0) f.kind = STRICT;
    if (strcmp(f.name, "utflane_convert_lossy") == 0) f.kind = REPAIRS;
    f.from_unit = f.to_unit = 1;
    for (size_t a = 0; a < sizeof encodings / sizeof *encodings; a++) {
        for (size_t b = 0; b < sizeof encodings / sizeof *encodings; b++) {
            f.from = encodings[a], f.to = encodings[b];
            check_texts(&f, turns, 2);
        }
    }
}

int main(int arguments, char **values) {
    const size_t count = sizeof functions / sizeof *functions;
    const int is_valgrind = RUNNING_ON_VALGRIND;
    CHECK(arguments == 1 || is_valgrind); /* `outputs valgrind` must run under valgrind */
    (void)values;
    /* An error in front of text that could be converted. */
    static const char text[] = "\x61\xC3\xE0\x61\xC3\xA9\x61\xC3\xA9\x61";
    char dst[24];
    memset(dst, '-', sizeof dst);
    CHECK(simdutf_convert_utf8_to_latin1_with_errors(text, 10, dst).error == SIMDUTF_ERROR_TOO_SHORT);
    CHECK(memcmp(dst, "a-----------------------", sizeof dst) == 0);
    for (size_t i = 0; i < count; i++) {
        if (functions[i].from) check_texts(&functions[i], is_valgrind ? 100 : 1000, 4);
        else check_pairs(functions[i], is_valgrind ? 50 : 500);
    }
    printf("outputs: %zu functions ok, on %s%s\n", count, utflane_active_kernel(), is_valgrind ? ", by valgrind" : "");
    return 0;
}
