/* Checks that only the detection of encodings allocates memory. test.sh links this program with -Wl,--wrap=malloc (and calloc, realloc,
 * posix_memalign), so that the functions below count every allocation of the library. */
#include <stdint.h>
#include <utflane.h>

#include "check.h"

/* The variable is volatile, because compilers assume that malloc changes no variable. */
static volatile size_t allocations;
#define COUNT_CALLS(result, name, parameters, arguments) \
    result __real_##name parameters;                      \
    result __wrap_##name parameters;                      \
    result __wrap_##name parameters {                     \
        allocations++;                                    \
        return __real_##name arguments;                   \
    }
COUNT_CALLS(void *, malloc, (size_t size), (size))
COUNT_CALLS(void *, calloc, (size_t count, size_t size), (count, size))
COUNT_CALLS(void *, realloc, (void *memory, size_t size), (memory, size))
COUNT_CALLS(int, posix_memalign, (void **memory, size_t alignment, size_t size), (memory, alignment, size))

static char src[1 << 16], dst[1 << 19];

int main(void) {
    const size_t sizes[] = {0, 10, 1000, sizeof src};
    size_t sum = 0; /* of results, so that no call is optimised away */
    for (int byte = 0; byte < 256; byte += 51) { /* well-formed and ill-formed texts of equal bytes */
        memset(src, byte, sizeof src);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            const size_t n = sizes[i];
            for (utflane_encoding from = UTFLANE_UTF8; from <= UTFLANE_WTF16BE; from++) {
                sum += utflane_validate(from, src, n).valid_up_to + utflane_count(from, src, n);
                for (utflane_encoding to = UTFLANE_UTF8; to <= UTFLANE_WTF16BE; to++) {
                    utflane_transcoder transcoder;
                    sum += utflane_convert(from, to, src, n, dst, sizeof dst).written;
                    sum += utflane_convert_lossy(from, to, src, n, dst, sizeof dst).written;
                    sum += utflane_length(from, to, src, n) + utflane_length_lossy(from, to, src, n);
                    utflane_transcoder_init_lossy(&transcoder, from, to);
                    sum += utflane_transcoder_push(&transcoder, src, n, dst, sizeof dst).written;
                    sum += utflane_transcoder_finish(&transcoder, dst, sizeof dst).written;
                }
            }
            for (utflane_encoding page = UTFLANE_FIRST_CODE_PAGE; page < UTFLANE_FIRST_CODE_PAGE + 100; page += 9) {
                sum += utflane_convert(page, UTFLANE_UTF8, src, n, dst, sizeof dst).written;
                sum += utflane_convert_lossy(UTFLANE_UTF8, page, src, n, dst, sizeof dst).written;
                sum += utflane_length(page, UTFLANE_UTF8, src, n) + utflane_validate(page, src, n).valid_up_to;
            }
            sum += utflane_summarize_utf8(src, n).code_points;
        }
    }
    CHECK(sum > 0 && allocations == 0);
    void *volatile memory = malloc(1);
    CHECK(memory != NULL && allocations == 1); /* an allocation is counted */
    free(memory);
    puts("allocations: none");
    return 0;
}
