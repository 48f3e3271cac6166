/* Every function that writes text into a caller's memory: what it reports as written is initialised and right, and
 * the rest of the output gets no uninitialised byte. The names of simdutf's C API change nothing else at all.
 *
 * Each call is made twice, over different bytes in the output and on the stack, and the outputs are compared. Under
 * valgrind, its record of initialised bytes is asked too. The list of functions is made from the headers (outputs.py). */
#include <simdutf_c.h>
#include <stdint.h>
#include <utflane.h>
#include <valgrind/memcheck.h>

#include "check.h"

enum { MOST_UNITS = 1 << 14, MOST_BYTES = 4 * MOST_UNITS, GUARD_BYTES = 128 };

/* The bytes in the output and on the stack before each of the two calls. */
static const unsigned char fills[2] = {0xA5, 0x5A}, stacks[2] = {0x3C, 0xC3};

/* Returns the units written, or SIZE_MAX where the function tells only that there is an error. */
typedef size_t call_fn(const void *src, size_t length, void *dst, size_t capacity);

typedef struct {
    const char *name;
    call_fn *call;
    utflane_encoding from, to;
    size_t from_unit, to_unit;
    int repairs;    /* replaces ill-formed sequences */
    int is_exact;   /* writes only the result */
    int is_limited; /* takes a capacity */
} function;

/* A function of each shape behind one type: by its result, or that it has a capacity. */
#define CALL_VOID(name, a, b) (name((const a *)s, n, (b *)d), n)
#define CALL_SIZE(name, a, b) or_error(name((const a *)s, n, (b *)d))
#define CALL_SAFE(name, a, b) or_error(name((const a *)s, n, (b *)d, room))
#define CALL_RESULT(name, a, b) units_of(name((const a *)s, n, (b *)d))
#define CALL_STRUCT(name, a, b) name((const a *)s, n, (b *)d, room).written
static size_t or_error(size_t written) { return written ? written : SIZE_MAX; }
static size_t units_of(simdutf_result result) { return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : SIZE_MAX; }

enum { IS_EXACT_VOID = 1, IS_EXACT_SIZE = 1, IS_EXACT_SAFE = 1, IS_EXACT_RESULT = 1, IS_EXACT_STRUCT = 0 };
enum { IS_LIMITED_VOID = 0, IS_LIMITED_SIZE = 0, IS_LIMITED_SAFE = 1, IS_LIMITED_RESULT = 0, IS_LIMITED_STRUCT = 1 };

#define TEXT(shape, name, a, b, from, to, repairs)                                             \
    static size_t call_##name(const void *s, size_t n, void *d, size_t room) {                 \
        (void)room;                                                                            \
        return CALL_##shape(name, a, b);                                                       \
    }
#define OTHER(name) static void check_##name(void);
#include "outputs.h"
#undef TEXT
#undef OTHER

#define TEXT(shape, name, a, b, from, to, repairs) \
    {#name, call_##name, from, to, sizeof(a), sizeof(b), repairs, IS_EXACT_##shape, IS_LIMITED_##shape},
#define OTHER(name)
static const function functions[] = {
#include "outputs.h"
};
#undef TEXT
#undef OTHER

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
    size_t room = MOST_BYTES, written;
    int is_whole;
    if (f->is_limited) room = below(4 * bytes + 70) / f->to_unit * f->to_unit;
    if (f->repairs) {
        utflane_lossy_result result = utflane_convert_lossy(f->from, f->to, src, bytes, wanted, room);
        written = result.written, is_whole = 1;
    } else {
        utflane_result result = utflane_convert(f->from, f->to, src, bytes, wanted, room);
        written = result.written, is_whole = result.status == UTFLANE_OK || result.status == UTFLANE_OUTPUT_FULL;
    }
    if (!f->is_limited) room = written;
    for (int run = 0; run < 2; run++) {
        size_t got;
        memset(dst[run], fills[run], room + GUARD_BYTES);
        fill_stack(stacks[run]);
        got = f->call(src, length, dst[run], room / f->to_unit);
        CHECK(got == (f->is_exact && (!is_whole || written == 0) ? SIZE_MAX : written / f->to_unit) ||
              (got == 0 && written == 0));
        check_initialised(f->name, dst[run], room + GUARD_BYTES);
    }
    compare(f->name, dst, room, (unsigned char *)wanted, written, f->is_exact);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(dst[0], room + GUARD_BYTES);
    f->call(src, length, dst[0], room / f->to_unit);
    check_initialised(f->name, dst[0], written);
}

/* The functions that take the encodings as numbers. */
static void check_numbers(const char *name, size_t (*call)(utflane_encoding, utflane_encoding, const void *, size_t, void *, size_t)) {
    static const utflane_encoding encodings[] = {UTFLANE_UTF8, UTFLANE_UTF16LE, UTFLANE_UTF16BE, UTFLANE_UTF32LE, UTFLANE_LATIN1};
    static const size_t units[] = {1, 2, 2, 4, 1};
    static uint32_t src[MOST_UNITS], out[2][MOST_UNITS];
    unsigned char *const dst[2] = {(unsigned char *)out[0], (unsigned char *)out[1]};
    for (int a = 0; a < 5; a++) {
        for (int b = 0; b < 5; b++) {
            for (int turn = 0; turn < 40; turn++) {
                const size_t bytes = units[a] * make_text(encodings[a], units[a], src, below(100), (int)below(3));
                const size_t room = below(4 * bytes + 40);
                size_t written[2];
                for (int run = 0; run < 2; run++) {
                    memset(dst[run], fills[run], room + GUARD_BYTES);
                    fill_stack(stacks[run]);
                    written[run] = call(encodings[a], encodings[b], src, bytes, dst[run], room);
                    check_initialised(name, dst[run], room + GUARD_BYTES);
                }
                CHECK(written[0] == written[1]);
                compare(name, dst, room, dst[1], written[0], 0);
                (void)VALGRIND_MAKE_MEM_UNDEFINED(dst[0], room);
                call(encodings[a], encodings[b], src, bytes, dst[0], room);
                check_initialised(name, dst[0], written[0]);
            }
        }
    }
}

static size_t convert(utflane_encoding a, utflane_encoding b, const void *s, size_t n, void *d, size_t room) {
    return utflane_convert(a, b, s, n, d, room).written;
}
static void check_utflane_convert(void) { check_numbers("utflane_convert", convert); }

static size_t convert_lossy(utflane_encoding a, utflane_encoding b, const void *s, size_t n, void *d, size_t room) {
    return utflane_convert_lossy(a, b, s, n, d, room).written;
}
static void check_utflane_convert_lossy(void) { check_numbers("utflane_convert_lossy", convert_lossy); }

static size_t push(utflane_encoding a, utflane_encoding b, const void *s, size_t n, void *d, size_t room) {
    utflane_transcoder transcoder;
    CHECK(utflane_transcoder_init_lossy(&transcoder, a, b) == UTFLANE_OK);
    return utflane_transcoder_push(&transcoder, s, n, d, room).written;
}
static void check_utflane_transcoder_push(void) { check_numbers("utflane_transcoder_push", push); }

static size_t finish(utflane_encoding a, utflane_encoding b, const void *s, size_t n, void *d, size_t room) {
    static unsigned char front[MOST_BYTES];
    utflane_transcoder transcoder;
    CHECK(utflane_transcoder_init_lossy(&transcoder, a, b) == UTFLANE_OK);
    CHECK(utflane_transcoder_push(&transcoder, s, n, front, sizeof front).status != UTFLANE_INVALID_ARGUMENT);
    return utflane_transcoder_finish(&transcoder, d, room).written;
}
static void check_utflane_transcoder_finish(void) { check_numbers("utflane_transcoder_finish", finish); }

int main(int arguments, char **values) {
    const size_t count = sizeof functions / sizeof *functions;
    const int is_valgrind = RUNNING_ON_VALGRIND;
    CHECK(arguments == 1 || is_valgrind); /* `outputs valgrind` must run under valgrind */
    (void)values;
    /* An error in front of text that could be converted. */
    for (size_t i = 0; i < count; i++) {
        if (strcmp(functions[i].name, "simdutf_convert_utf8_to_latin1_with_errors") == 0) {
            static const char text[] = "\x61\xC3\xE0\x61\xC3\xA9\x61\xC3\xA9\x61";
            char dst[24];
            memset(dst, '-', sizeof dst);
            CHECK(functions[i].call(text, 10, dst, 0) == SIZE_MAX);
            CHECK(memcmp(dst, "a-----------------------", sizeof dst) == 0);
        }
    }
    for (size_t i = 0; i < count; i++) {
        for (int turn = 0; turn < (is_valgrind ? 100 : 1000); turn++) {
            check_function(&functions[i], below(turn % 2 ? 24 : 120), (int)below(4));
        }
        for (int turn = 0; turn < 4; turn++) check_function(&functions[i], 3000 + below(900), turn % 2);
    }
#define TEXT(shape, name, a, b, from, to, repairs)
#define OTHER(name) check_##name();
#include "outputs.h"
    printf("outputs: %zu functions ok, on %s%s\n", count, utflane_active_kernel(), is_valgrind ? ", by valgrind" : "");
    return 0;
}
