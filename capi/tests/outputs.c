/* Tests the output of every function that writes text. The bytes that the function reports as written are initialised and
 * correct. The rest of the output receives no uninitialised byte. Functions of simdutf's C API write only their result.
 *
 * Each call is made twice, with different bytes in the output and on the stack, and the outputs are compared. Under
 * valgrind, the program also checks that the bytes are initialised. headers.py makes the list of functions from the
 * headers. */
#include <simdutf_c.h>
#include <stdint.h>
#include <utflane.h>
#include <valgrind/memcheck.h>

#include "check.h"

enum { TEXT_MAX_UNITS = 1 << 14, TEXT_MAX_BYTES = 4 * TEXT_MAX_UNITS, GUARD_BYTES = 128 };

/* The bytes with which the output and the stack are filled before each of the two calls. */
static const unsigned char output_fills[2] = {0xA5, 0x5A}, stack_fills[2] = {0x3C, 0xC3};

/* Calls a function. Returns the number of units written, or SIZE_MAX if the function reports an error but no number. */
typedef size_t call_fn(utflane_encoding from, utflane_encoding to, const void *src, size_t length, void *dst, size_t capacity);

/* The expected output is the output of utflane_convert (STRICT), of utflane_convert_lossy (REPAIRS), or of another call of
 * the same function (UNKNOWN). */
typedef enum { STRICT, REPAIRS, UNKNOWN } result_kind;

typedef struct {
    const char *name;
    call_fn *call;
    utflane_encoding from, to;
    size_t from_unit, to_unit; /* the units of length and of capacity, in bytes: 1 in utflane.h, which counts bytes */
    result_kind kind;
    int is_exact;   /* the function writes only the result */
    int is_limited; /* the function takes a capacity */
} function;

/* The body of a call_fn that calls a function of simdutf_c.h. VOID, SIZE and RESULT name the type of its result. A SAFE
 * function takes a capacity. */
#define CALL_VOID(name, FROM_UNIT, TO_UNIT) (name((const FROM_UNIT *)src, length, (TO_UNIT *)dst), length)
#define CALL_SIZE(name, FROM_UNIT, TO_UNIT) size_to_units(name((const FROM_UNIT *)src, length, (TO_UNIT *)dst))
#define CALL_SAFE(name, FROM_UNIT, TO_UNIT) size_to_units(name((const FROM_UNIT *)src, length, (TO_UNIT *)dst, capacity))
#define CALL_RESULT(name, FROM_UNIT, TO_UNIT) result_to_units(name((const FROM_UNIT *)src, length, (TO_UNIT *)dst))
static size_t size_to_units(size_t written) { return written ? written : SIZE_MAX; }
static size_t result_to_units(simdutf_result result) { return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : SIZE_MAX; }

enum { IS_LIMITED_VOID = 0, IS_LIMITED_SIZE = 0, IS_LIMITED_SAFE = 1, IS_LIMITED_RESULT = 0 };

#define DEFINE_CALL(name)                                                                                          \
    static size_t call_##name(utflane_encoding from, utflane_encoding to, const void *src, size_t length, void *dst, size_t capacity)

/* The functions of simdutf_c.h, whose names contain their encodings. */
#define ENCODINGS_IN_NAME(shape, name, FROM_UNIT, TO_UNIT, source, target, repairs)                               \
    DEFINE_CALL(name) {                                                                                           \
        (void)from, (void)to, (void)capacity;                                                                     \
        return CALL_##shape(name, FROM_UNIT, TO_UNIT);                                                            \
    }
#define ENCODINGS_AS_ARGUMENTS(name) static call_fn call_##name;
#include "outputs.h"
#undef ENCODINGS_IN_NAME
#undef ENCODINGS_AS_ARGUMENTS

#define ENCODINGS_IN_NAME(shape, name, FROM_UNIT, TO_UNIT, from, to, repairs) \
    {#name, call_##name, from, to, sizeof(FROM_UNIT), sizeof(TO_UNIT), repairs ? REPAIRS : STRICT, 1, IS_LIMITED_##shape},
#define ENCODINGS_AS_ARGUMENTS(name) {#name, call_##name, 0, 0, 0, 0, UNKNOWN, 0, 1},
static const function functions[] = {
#include "outputs.h"
};

/* The functions of utflane.h, which take their encodings as arguments. */
DEFINE_CALL(utflane_convert) {
    return utflane_convert(from, to, src, length, dst, capacity).written;
}
DEFINE_CALL(utflane_convert_lossy) {
    return utflane_convert_lossy(from, to, src, length, dst, capacity).written;
}
DEFINE_CALL(utflane_transcoder_push) {
    utflane_transcoder transcoder;
    CHECK(utflane_transcoder_init_lossy(&transcoder, from, to) == UTFLANE_OK);
    return utflane_transcoder_push(&transcoder, src, length, dst, capacity).written;
}
DEFINE_CALL(utflane_transcoder_finish) {
    static unsigned char push_output[TEXT_MAX_BYTES];
    utflane_transcoder transcoder;
    CHECK(utflane_transcoder_init_lossy(&transcoder, from, to) == UTFLANE_OK);
    CHECK(utflane_transcoder_push(&transcoder, src, length, push_output, sizeof push_output).status != UTFLANE_INVALID_ARGUMENT);
    return utflane_transcoder_finish(&transcoder, dst, capacity).written;
}

static uint64_t random_state = 1;
static size_t random_below(size_t n) {
    random_state ^= random_state << 13, random_state ^= random_state >> 7, random_state ^= random_state << 17;
    return (size_t)(random_state >> 11) % n;
}

static __attribute__((noinline)) void fill_stack(unsigned char byte) {
    volatile unsigned char bytes[1 << 14];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = byte;
}

static void fail(const char *name, const char *error, size_t offset) {
    fprintf(stderr, "%s: %s at byte %zu, on %s\n", name, error, offset, utflane_active_kernel());
    exit(1);
}

/* Checks that the first `bytes` bytes of `dst` are initialised. */
static void check_initialised(const char *name, const unsigned char *dst, size_t bytes) {
    uintptr_t uninitialised = VALGRIND_CHECK_MEM_IS_DEFINED(dst, bytes);
    if (uninitialised) fail(name, "uninitialised", (size_t)(uninitialised - (uintptr_t)dst));
}

/* Compares the outputs of two calls. Their first `written` bytes must equal `wanted`. Bytes after the result must be
 * unchanged. If a function is not exact, it may change the first `bytes` bytes (the capacity), equally in both outputs. */
static void compare_outputs(const char *name, unsigned char *const dst[2], size_t bytes, const unsigned char *wanted,
                            size_t written, int is_exact) {
    for (size_t i = 0; i < bytes + GUARD_BYTES; i++) {
        const int is_unchanged = dst[0][i] == output_fills[0] && dst[1][i] == output_fills[1];
        if (i < written ? dst[0][i] != wanted[i] || dst[1][i] != wanted[i]
                        : !is_unchanged && (is_exact || i >= bytes || dst[0][i] != dst[1][i])) {
            fail(name, i < written ? "wrong result" : "written beyond the result", i);
        }
    }
}

/* Writes a random text to `dst`, and returns its length in units. All characters are below one random limit, or each
 * character has its own limit. `errors` bytes are replaced, which can make the text ill-formed. */
static size_t make_text(utflane_encoding from, size_t unit, void *dst, size_t characters, int errors) {
    static const uint32_t limits[] = {0x80, 0x100, 0x800, 0xD800, 0x110000};
    static const unsigned char bytes[] = {0x80, 0xBF, 0xC3, 0xDC, 0xD8, 0xE0, 0xED, 0xF0, 0xFF};
    static uint32_t text[TEXT_MAX_UNITS];
    const size_t kind = random_below(6);
    utflane_result result;
    for (size_t i = 0; i < characters; i++) {
        const size_t limit = from >= UTFLANE_FIRST_CODE_PAGE ? 0 : from == UTFLANE_LATIN1 ? 1 : kind < 5 ? kind : random_below(5);
        const uint32_t c = (uint32_t)random_below(limits[limit]);
        text[i] = c >= 0xD800 && c < 0xE000 ? 'a' : c;
    }
    result = utflane_convert(UTFLANE_UTF32, from, text, 4 * characters, dst, TEXT_MAX_BYTES);
    CHECK(result.status == UTFLANE_OK);
    while (errors-- > 0 && result.written > 0) {
        ((unsigned char *)dst)[random_below(result.written)] = bytes[random_below(sizeof bytes)];
    }
    return result.written / unit;
}

static void check_function(const function *f, size_t characters, int errors) {
    static uint32_t src[TEXT_MAX_UNITS], wanted[TEXT_MAX_UNITS], outputs[2][TEXT_MAX_UNITS + GUARD_BYTES / 4];
    unsigned char *const dst[2] = {(unsigned char *)outputs[0], (unsigned char *)outputs[1]};
    const size_t length = make_text(f->from, f->from_unit, src, characters, errors), bytes = length * f->from_unit;
    size_t capacity = TEXT_MAX_BYTES, written = 0;
    int is_well_formed = 1;
    if (f->is_limited) capacity = random_below(4 * bytes + 70) / f->to_unit * f->to_unit;
    if (f->kind == REPAIRS) {
        written = utflane_convert_lossy(f->from, f->to, src, bytes, wanted, capacity).written;
    } else if (f->kind == STRICT) {
        utflane_result result = utflane_convert(f->from, f->to, src, bytes, wanted, capacity);
        written = result.written;
        is_well_formed = result.status == UTFLANE_OK || result.status == UTFLANE_OUTPUT_FULL;
    } else {
        written = f->call(f->from, f->to, src, length, wanted, capacity);
    }
    if (!f->is_limited) capacity = written;
    for (int run = 0; run < 2; run++) {
        size_t got;
        memset(dst[run], output_fills[run], capacity + GUARD_BYTES);
        fill_stack(stack_fills[run]);
        got = f->call(f->from, f->to, src, length, dst[run], capacity / f->to_unit);
        CHECK(got == (f->is_exact && (!is_well_formed || written == 0) ? SIZE_MAX : written / f->to_unit) ||
              (got == 0 && written == 0));
        check_initialised(f->name, dst[run], capacity + GUARD_BYTES);
    }
    compare_outputs(f->name, dst, capacity, (unsigned char *)wanted, written, f->is_exact);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(dst[0], capacity + GUARD_BYTES);
    f->call(f->from, f->to, src, length, dst[0], capacity / f->to_unit);
    check_initialised(f->name, dst[0], written);
}

/* Checks a function with `short_texts` texts of fewer than 120 characters, and `long_texts` texts of at least 3,000. */
static void check_texts(const function *f, int short_texts, int long_texts) {
    for (int i = 0; i < short_texts; i++) check_function(f, random_below(i % 2 ? 24 : 120), (int)random_below(4));
    for (int i = 0; i < long_texts; i++) check_function(f, 3000 + random_below(900), i % 2);
}

/* Checks a function that takes its encodings as arguments, with each pair of encodings. */
static void check_pairs(function f, int short_texts) {
    const utflane_encoding page = utflane_encoding_from_label("iso-8859-7", 10);
    const utflane_encoding encodings[] = {UTFLANE_UTF8, UTFLANE_UTF16LE, UTFLANE_UTF16BE, UTFLANE_UTF32LE, UTFLANE_UTF32BE, UTFLANE_LATIN1, page};
    if (strcmp(f.name, "utflane_convert") == 0) f.kind = STRICT;
    if (strcmp(f.name, "utflane_convert_lossy") == 0) f.kind = REPAIRS;
    f.from_unit = f.to_unit = 1;
    for (size_t a = 0; a < sizeof encodings / sizeof *encodings; a++) {
        for (size_t b = 0; b < sizeof encodings / sizeof *encodings; b++) {
            f.from = encodings[a], f.to = encodings[b];
            /* Pairs of a code page and Latin-1, and of two code pages, are invalid. */
            if ((f.from == page || f.to == page) && a > 4 && b > 4) continue;
            check_texts(&f, short_texts, 2);
        }
    }
}

int main(int argc, char **argv) {
    const size_t count = sizeof functions / sizeof *functions;
    const int is_valgrind = RUNNING_ON_VALGRIND;
    CHECK(argc == 1 || is_valgrind); /* an argument demands valgrind */
    (void)argv;
    /* Nothing is written beyond an error, although the text after the error could be converted. */
    static const char text[] = "\x61\xC3\xE0\x61\xC3\xA9\x61\xC3\xA9\x61";
    char dst[24];
    memset(dst, '-', sizeof dst);
    CHECK(simdutf_convert_utf8_to_latin1_with_errors(text, 10, dst).error == SIMDUTF_ERROR_TOO_SHORT);
    CHECK(memcmp(dst, "a-----------------------", sizeof dst) == 0);
    for (size_t i = 0; i < count; i++) {
        if (functions[i].from) check_texts(&functions[i], is_valgrind ? 100 : 1000, 4);
        else check_pairs(functions[i], is_valgrind ? 50 : 500);
    }
    printf("outputs: %zu functions ok, on %s%s\n", count, utflane_active_kernel(), is_valgrind ? ", under valgrind" : "");
    return 0;
}
