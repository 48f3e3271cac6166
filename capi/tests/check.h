/* Checks and guarded buffers for the tests in C and C++. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* If a condition is false, prints the file, the line and the condition, and ends the program. */
#define CHECK(condition)                                                            \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);         \
            exit(1);                                                                \
        }                                                                           \
    } while (0)

enum { BUFFER_COUNT = 8, BUFFER_MAX_BYTES = 1 << 18 };
static struct {
    unsigned char *end;
    int is_used;
} guarded_buffers[BUFFER_COUNT];

/* Returns a buffer of exactly `size` bytes that ends at a page which cannot be accessed. The library is not compiled
 * with AddressSanitizer, so AddressSanitizer does not notice if the library reads or writes beyond the buffer. An access
 * to the page ends the program. */
static inline void *guarded_alloc(size_t size) {
    for (int i = 0; i < BUFFER_COUNT; i++) {
        if (guarded_buffers[i].is_used) continue;
        if (!guarded_buffers[i].end) {
            const size_t page = (size_t)sysconf(_SC_PAGESIZE);
            void *memory = mmap(NULL, BUFFER_MAX_BYTES + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            CHECK(memory != MAP_FAILED);
            guarded_buffers[i].end = (unsigned char *)memory + BUFFER_MAX_BYTES;
            CHECK(mprotect(guarded_buffers[i].end, page, PROT_NONE) == 0);
        }
        CHECK(size <= BUFFER_MAX_BYTES);
        guarded_buffers[i].is_used = 1;
        return guarded_buffers[i].end - size;
    }
    CHECK(!"all guarded buffers are in use");
    return NULL;
}

/* Releases a buffer that `guarded_alloc` returned. */
static inline void release(const void *memory) {
    for (int i = 0; i < BUFFER_COUNT; i++) {
        const unsigned char *end = guarded_buffers[i].end;
        if (end && (const unsigned char *)memory <= end && (const unsigned char *)memory >= end - BUFFER_MAX_BYTES) {
            CHECK(guarded_buffers[i].is_used);
            guarded_buffers[i].is_used = 0;
            return;
        }
    }
    CHECK(!"the pointer is not from guarded_alloc");
}

/* Returns a guarded buffer with a copy of `size` bytes. */
static inline void *guarded_copy(const void *from, size_t size) {
    void *memory = guarded_alloc(size);
    if (size) memcpy(memory, from, size);
    return memory;
}

#endif
