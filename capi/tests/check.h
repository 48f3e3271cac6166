/* Checks and exact memory for the tests in C and C++. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Ends the program if a condition is false, and prints the file and the line. */
#define CHECK(condition)                                                            \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);         \
            exit(1);                                                                \
        }                                                                           \
    } while (0)

/* Memory of exactly this size that ends at a page which can't be accessed. The library is not compiled with the address
 * sanitizer, so it would not notice that the library reads or writes too far; this page does. `release` returns it. */
enum { EXACT_SLOTS = 8, EXACT_MOST = 1 << 18 };
static struct {
    unsigned char *end;
    int used;
} exact_slots[EXACT_SLOTS];

static inline void *exact(size_t size) {
    for (int i = 0; i < EXACT_SLOTS; i++) {
        if (exact_slots[i].used) continue;
        if (!exact_slots[i].end) {
            const size_t page = (size_t)sysconf(_SC_PAGESIZE);
            void *memory = mmap(NULL, EXACT_MOST + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            CHECK(memory != MAP_FAILED);
            exact_slots[i].end = (unsigned char *)memory + EXACT_MOST;
            CHECK(mprotect(exact_slots[i].end, page, PROT_NONE) == 0);
        }
        CHECK(size <= EXACT_MOST);
        exact_slots[i].used = 1;
        return exact_slots[i].end - size;
    }
    CHECK(!"a free slot");
    return NULL;
}

static inline void release(const void *memory) {
    for (int i = 0; i < EXACT_SLOTS; i++) {
        const unsigned char *end = exact_slots[i].end;
        if (end && (const unsigned char *)memory <= end && (const unsigned char *)memory >= end - EXACT_MOST) {
            CHECK(exact_slots[i].used);
            exact_slots[i].used = 0;
            return;
        }
    }
    CHECK(!"memory of `exact`");
}

/* A copy of exactly this size. */
static inline void *exact_copy(const void *from, size_t size) {
    void *memory = exact(size);
    if (size) memcpy(memory, from, size);
    return memory;
}

#endif
