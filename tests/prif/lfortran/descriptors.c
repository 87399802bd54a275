/* images: 1 2 3 */
/* The descriptors that LFortran 0.67 makes for collective subroutines: those of BIND(C), with its own type numbers and
 * without dimensions; and its own descriptors, whose dimensions copal_lfortran_array adds. usage: descriptors
 * [of-another-version] */
#include "prif.h"

#include <complex.h>
#include <stdio.h>
#include <string.h>

struct own {
    void *base;
    int64_t element_bytes;
    int version;
    uint8_t rank;
    int8_t type, attribute, extra;
    int64_t offset;
    struct {
        int64_t lower, extent, stride;
    } dim[2];
};

void prif_init(int *stat);
void prif_this_image_no_coarray(const struct prif_team *team, int *this_image);
void prif_num_images(int *num_images);
void prif_co_sum(const struct prif_descriptor *a, const int *result_image, PRIF_ERRORS);
void prif_co_max_character(const struct prif_descriptor *a, const int *result_image, PRIF_ERRORS);
void prif_stop(const bool *quiet, const int *stop_code_int, const char *stop_code_char, size_t len);
void copal_lfortran_array(struct prif_descriptor *to, const struct own *a, const int64_t *elements);
void copal_lfortran_text(struct prif_descriptor *to, const struct own *a, const int64_t *elements);

enum { LFORTRAN = 20180515 }; /* the version in its descriptors of BIND(C) */

static union {
    struct prif_descriptor d;
    char space[sizeof(struct prif_descriptor) + 2 * sizeof(struct prif_dim)];
} given;

/* Elements 0, 2 and 4 of rows 0 and 3 of 5 elements. */
static struct prif_descriptor *describe(void *base, size_t bytes, int8_t type, int64_t elements)
{
    const struct own a = {.base = base, .element_bytes = (int64_t)bytes, .rank = 2, .type = type,
                          .dim = {{1, 3, 2}, {1, 2, 15}}};
    given.d = (struct prif_descriptor){.base = base, .element_bytes = bytes, .version = LFORTRAN, .rank = 2,
                                       .llvm_type = type};
    (type == 40 ? copal_lfortran_text : copal_lfortran_array)(&given.d, &a, &elements);
    return &given.d;
}

static int failures;

static void check(const char *type, const void *found, const void *expected, size_t bytes)
{
    if (memcmp(found, expected, bytes) == 0)
        return;
    failures++;
    printf("%s: check(s) failed\n", type);
}

/* LFortran's numbers of types. */
static void set(int8_t type, void *to, int value)
{
    switch (type) {
    case 7: *(int8_t *)to = (int8_t)value; break;
    case 8: *(int16_t *)to = (int16_t)value; break;
    case 9: *(int32_t *)to = value; break;
    case 10: *(int64_t *)to = value; break;
    case 27: *(float *)to = (float)value; break;
    case 28: *(double *)to = value; break;
    case 34: *(float complex *)to = (float)value; break;
    case 35: *(double complex *)to = value; break;
    }
}

static bool is_described(int i)
{
    return (i < 5 || i >= 15) && i % 5 % 2 == 0;
}

/* Each element is the image's number; the described elements become the sum. */
static void check_sum(int8_t type, size_t bytes, int me, int n)
{
    char a[20][16], expected[20][16];
    for (int i = 0; i < 20; i++) {
        set(type, a[0] + (size_t)i * bytes, me);
        set(type, expected[0] + (size_t)i * bytes, is_described(i) ? n * (n + 1) / 2 : me);
    }
    prif_co_sum(describe(a, bytes, type, 6), NULL, NULL, NULL, NULL);
    check("a number", a, expected, 20 * bytes);
}

int main(int argc, char **argv)
{
    int state, me, n;
    prif_init(&state);
    prif_this_image_no_coarray(NULL, &me);
    prif_num_images(&n);
    if (argc > 1 && strcmp(argv[1], "of-another-version") == 0)
        describe(&n, sizeof n, 9, 7);
    static const int8_t types[8] = {7, 8, 9, 10, 27, 28, 34, 35}, bytes[8] = {1, 2, 4, 8, 4, 8, 8, 16};
    for (int i = 0; i < 8; i++)
        check_sum(types[i], (size_t)bytes[i], me, n);
    char words[20][3], expected[20][3];
    for (int i = 0; i < 20; i++) {
        memcpy(words[i], me == n ? "zoo" : "abc", 3);
        memcpy(expected[i], is_described(i) ? "zoo" : words[i], 3);
    }
    prif_co_max_character(describe(words, 3, 40, 6), NULL, NULL, NULL, NULL);
    check("character", words, expected, sizeof words);
    if (me == 1 && !failures)
        puts("PASSED");
    prif_stop(&(bool){true}, &(int){failures > 0}, NULL, 0);
}
