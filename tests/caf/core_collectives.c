/* pes: 1 2 3 4 5 7 8 16 */
/* args: near */
/* args: far */
/* args: stop */
/* args: kill */
/* Collective subroutines through the core's C interface. near and far: values of all operations and types, of all
 * sizes, in every kind of memory, with all images as roots, in teams, one after the other without other
 * synchronization; with far, images use only puts and gets to access other images. stop and kill: an image ends, and
 * the others are notified.
 *
 * Arguments: one of these words, a seed. */
#include "core.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { MOST = 200000, STEP = 3 };
static const size_t counts[] = {0, 1, 7, 56, 129, 513, 4097, 40001};
enum { COUNTS = sizeof counts / sizeof *counts };

static unsigned random_state = 1;
static int64_t in_statics[MOST];
static int64_t *in_coarray, *in_heap;

static unsigned random_below(unsigned below)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % below;
}

/* Values that differ for every image and element; some have high bits set; sums of 16 do not overflow int64_t. */
static int64_t value(int image, size_t i)
{
    uint64_t h = ((uint64_t)image << 32 ^ i) * 0x9e3779b97f4a7c15;
    h ^= h >> 29;
    return (int64_t)(h * 0xbf58476d1ce4e5b9) / 32;
}

static struct caf_section section(void *base, enum caf_type type, int kind, size_t size, size_t count, ptrdiff_t step)
{
    return (struct caf_section){.base = base, .type = type, .kind = kind, .size = size, .rank = 1,
                                .dim = {{.count = count, .step = step * (ptrdiff_t)size}}};
}

/* --- one operation, with data in any memory ----------------------------------------------------------------------- */

enum operation { SUM, MIN, MAX, REDUCE, BROADCAST, OPERATIONS };

static void exclusive_or(void *context, void *into, const void *from, size_t k)
{
    int64_t *x = into;
    const int64_t *y = from;
    ++*(int *)context;
    for (size_t i = 0; i < k; i++)
        x[i] ^= y[i];
}

static int64_t expected(enum operation op, size_t i, int root)
{
    int64_t total = value(op == BROADCAST ? root : 1, i);
    for (int image = 2; image <= n && op != BROADCAST; image++) {
        const int64_t v = value(image, i);
        switch (op) {
        case SUM: total += v; break;
        case MIN: total = v < total ? v : total; break;
        case MAX: total = v > total ? v : total; break;
        default: total ^= v;
        }
    }
    return total;
}

static int run(enum operation op, const struct caf_section *s, int root)
{
    int calls = 0;
    if (op == BROADCAST)
        return caf_co_broadcast(s, root);
    if (op != REDUCE)
        return caf_co_reduce_intrinsic((enum caf_reduction)op, s, root);
    return caf_co_reduce(s, exclusive_or, &calls, root);
}

/* One operation on every step-th word, backwards if step < 0; the gaps must be unchanged. */
static void one(enum operation op, int64_t *place, size_t count, ptrdiff_t step, int root)
{
    const size_t width = (size_t)(step < 0 ? -step : step);
    int64_t *first = step < 0 && count ? place + (count - 1) * width : place;
    for (size_t i = 0; i < count * width; i++)
        place[i] = INT64_MIN + me;
    for (size_t i = 0; i < count; i++)
        first[(ptrdiff_t)i * step] = value(me, i);
    const struct caf_section s = section(first, CAF_INTEGER, 8, 8, count, step);
    CHECK(run(op, &s, root) == CAF_OK, "%s", caf_message());
    size_t wrong = 0, touched = 0;
    for (size_t i = 0; i < count && (root == 0 || root == me || op == BROADCAST); i++)
        wrong += first[(ptrdiff_t)i * step] != expected(op, i, root);
    for (size_t i = 0; i < count * width; i++)
        touched += i % width && place[i] != INT64_MIN + me;
    CHECK(wrong == 0, "operation %d, %zu elements, step %td, root %d: %zu are wrong", op, count, step, root, wrong);
    CHECK(touched == 0, "operation %d, %zu elements, step %td, root %d: %zu between are changed", op, count, step, root,
          touched);
}

static void one_anywhere(enum operation op, size_t count, ptrdiff_t step, int root)
{
    int64_t on_stack[4097 * STEP + 1];
    int64_t *places[] = {in_heap, in_coarray, in_statics, count <= 4097 ? on_stack : in_heap};
    /* The images' data may be in different memory. */
    one(op, places[(random_below(4) + (random_below(2) ? (unsigned)me : 0)) % 4], count, step, root);
}

static void test_operations(void)
{
    for (int op = 0; op < OPERATIONS; op++)
        for (size_t c = 0; c < COUNTS; c++)
            for (int root = op == BROADCAST ? 1 : 0; root <= n; root += n > 5 && c > 4 ? n / 2 : 1)
                for (int form = 0; form < 3; form++)
                    one_anywhere((enum operation)op, counts[c], form == 0 ? 1 : form == 1 ? STEP : -2, root);
    if (n <= 4)
        for (int op = 0; op < OPERATIONS; op++)
            one((enum operation)op, me % 2 ? in_heap : in_statics, MOST, 1, op == BROADCAST ? n : 0);
}

static void test_in_a_row(int rounds)
{
    for (int i = 0; i < rounds; i++) {
        const enum operation op = (enum operation)random_below(OPERATIONS);
        const size_t count = random_below(50) ? random_below(70) : random_below(9000);
        const int root = (int)random_below((unsigned)n + 1);
        one_anywhere(op, count, random_below(4) ? 1 : STEP, root ? root : op == BROADCAST);
    }
}

/* --- types -------------------------------------------------------------------------------------------------------- */

struct type {
    const char *name;
    enum caf_type type;
    int kind, parts;
    size_t size; /* size of a part */
};
static const struct type types[] = {
    {"integer(1)", CAF_INTEGER, 1, 1, 1}, {"integer(2)", CAF_INTEGER, 2, 1, 2}, {"integer(4)", CAF_INTEGER, 4, 1, 4},
    {"integer(16)", CAF_INTEGER, 16, 1, 16}, {"real(4)", CAF_REAL, 4, 1, 4}, {"real(8)", CAF_REAL, 8, 1, 8},
    {"complex(4)", CAF_COMPLEX, 4, 2, 4}, {"complex(8)", CAF_COMPLEX, 8, 2, 8},
#if defined(__x86_64__)
    {"real(10)", CAF_REAL, 10, 1, 16}, {"complex(10)", CAF_COMPLEX, 10, 2, 16}, {"real(16)", CAF_REAL, 16, 1, 16},
    {"complex(16)", CAF_COMPLEX, 16, 2, 16},
#endif
};
__extension__ typedef __int128 int128;
#if defined(__x86_64__)
__extension__ typedef __float128 real128;
#else
typedef long double real128;
#endif

static void store(const struct type *t, void *at, int v)
{
    const bool is_integer = t->type == CAF_INTEGER;
    switch (t->kind) {
    case 1: *(int8_t *)at = (int8_t)v; break;
    case 2: *(int16_t *)at = (int16_t)v; break;
    case 4: is_integer ? (void)(*(int32_t *)at = v) : (void)(*(float *)at = (float)v); break;
    case 8: *(double *)at = v; break;
    case 10: *(long double *)at = v; break;
    default: is_integer ? (void)(*(int128 *)at = v * ((int128)1 << 64)) : (void)(*(real128 *)at = v); break;
    }
}

static bool is(const struct type *t, const void *at, int v)
{
    _Alignas(16) char other[16] = {0};
    store(t, other, v);
    return memcmp(at, other, t->kind == 10 ? 10 : t->size) == 0;
}

/* Small enough that 16 images' sum fits in an integer(1). */
static int small(int image, size_t i)
{
    return (int)((size_t)image * 7 + i * 5) % 15 - 7;
}

static void one_type(const struct type *t, int op, size_t count)
{
    const size_t parts = count * (size_t)t->parts;
    char *x = malloc((parts + 1) * t->size);
    memset(x, 0, (parts + 1) * t->size);
    for (size_t i = 0; i < parts; i++)
        store(t, x + i * t->size, small(me, i));
    const struct caf_section s = section(x, t->type, t->kind, t->size * (size_t)t->parts, count, 1);
    ok(caf_co_reduce_intrinsic((enum caf_reduction)op, &s, 0));
    size_t wrong = 0;
    for (size_t i = 0; i < parts; i++) {
        int sum = 0, least = 99, most = -99;
        for (int image = 1; image <= n; image++) {
            const int v = small(image, i);
            sum += v;
            least = v < least ? v : least;
            most = v > most ? v : most;
        }
        wrong += !is(t, x + i * t->size, op == SUM ? sum : op == MIN ? least : most);
    }
    CHECK(wrong == 0, "operation %d of %s, %zu elements: %zu are wrong", op, t->name, count, wrong);
    free(x);
}

static void test_types(void)
{
    static const size_t few[] = {1, 13, 130, 1200, 9001};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int op = SUM; op <= (types[t].parts == 1 ? MAX : SUM); op++)
            for (size_t c = 0; c < sizeof few / sizeof *few; c++)
                one_type(&types[t], op, few[c]);
}

static void concatenate(void *context, void *into, const void *from, size_t k)
{
    const size_t size = *(size_t *)context;
    for (size_t i = 0; i < k * size; i++)
        ((unsigned char *)into)[i] += ((const unsigned char *)from)[i];
}

static size_t first_code(size_t image, size_t i)
{
    return (image * 37 + i) % 251;
}

/* Elements of odd sizes, and elements larger than SHCOLL accepts; the largest of several texts. */
static void test_sizes(void)
{
    static const size_t sizes[] = {1, 3, 17, 1000, 8192, 8193, 40000};
    for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
        size_t size = sizes[i / 2];
        const size_t count = size < 100 ? 3001 : 9, bytes = count * size;
        const bool is_text = i % 2;
        unsigned char *x = malloc(bytes);
        for (size_t k = 0; k < bytes; k++)
            x[k] = (unsigned char)(is_text && k % size == 0 ? first_code((size_t)me, k / size) : (size_t)me + k);
        const struct caf_section s = section(x, is_text ? CAF_CHARACTER : CAF_DERIVED, 1, size, count, 1);
        const int root = is_text ? 0 : n;
        CHECK((is_text ? caf_co_reduce_intrinsic(CAF_CO_MAX, &s, root) : caf_co_reduce(&s, concatenate, &size, root)) ==
                  CAF_OK, "%s", caf_message());
        size_t wrong = 0;
        for (size_t k = 0; k < bytes && (root == 0 || root == me); k++) {
            size_t winner = 1, most = 0, sum = 0;
            for (size_t image = 1; image <= (size_t)n; image++) {
                const size_t first = first_code(image, k / size);
                if (first > most || image == 1) {
                    most = first;
                    winner = image;
                }
                sum += image + k;
            }
            const size_t byte = !is_text ? sum : k % size == 0 ? most : winner + k;
            wrong += x[k] != (unsigned char)byte;
        }
        CHECK(wrong == 0, "%s of %zu bytes: %zu bytes are wrong", is_text ? "texts" : "a type", size, wrong);
        free(x);
    }
}

/* --- teams, errors ------------------------------------------------------------------------------------------------ */

/* In even rounds the team has all images in reverse order; in odd rounds each third of the images is a team. */
static void test_in_teams(void)
{
    const int whole_me = me, whole_n = n;
    for (int round = 0; round < 6; round++) {
        caf_team_name t;
        const int number = round % 2 ? 1 + whole_me % 3 : 1;
        const int from_behind = whole_n + 1 - whole_me;
        ok(caf_form_team(number, round % 2 ? NULL : &from_behind, &t));
        ok(caf_change_team(caf_team_in(&t)));
        me = caf_this_image(NULL);
        n = caf_num_images(NULL);
        random_state = (unsigned)(round + 7 * number);
        test_in_a_row(100);
        ok(caf_end_team());
        me = whole_me;
        n = whole_n;
    }
}

static void check_error(int status, const char *part)
{
    CHECK(status == CAF_STAT_ERROR, "the status is %d", status);
    CHECK(strstr(caf_message(), part), "the sentence is \"%s\", without \"%s\"", caf_message(), part);
}

static void test_errors(void)
{
    char part[100];
    int64_t word = INT64_MIN + me;
    const struct caf_section s = section(&word, CAF_INTEGER, 8, 8, 1, 1);
    const struct caf_section z = section(&word, CAF_COMPLEX, 4, 8, 1, 1), l = section(&word, CAF_LOGICAL, 8, 8, 1, 1);
    snprintf(part, sizeof part, "co_broadcast: source_image is %d, allowed are 1 to %d", n + 1, n);
    check_error(caf_co_broadcast(&s, n + 1), part);
    check_error(caf_co_broadcast(&s, 0), "co_broadcast: source_image is 0, allowed are 1 to");
    check_error(caf_co_reduce_intrinsic(CAF_CO_SUM, &s, -1), "co_sum: result_image is -1, allowed are 1 to");
    snprintf(part, sizeof part, "co_reduce: result_image is %d, allowed are 1 to %d", n + 1, n);
    check_error(caf_co_reduce(&s, exclusive_or, &word, n + 1), part);
    check_error(caf_co_reduce_intrinsic(CAF_CO_MIN, &z, 0), "allowed are integers, reals and characters");
    check_error(caf_co_reduce_intrinsic(CAF_CO_SUM, &l, 0), "co_sum: of type 2 and kind 8, allowed are numbers");
    CHECK(word == INT64_MIN + me, "a refused statement has changed the data");
    one(SUM, &word, 1, 1, 0);
}

/* --- ends --------------------------------------------------------------------------------------------------------- */

static void die(int signal)
{
    (void)signal;
    kill(getpid(), SIGKILL);
}

/* The last image ends while all execute collective subroutines. As soon as a subroutine has failed, its memory belongs
 * to the program again: no image may write to it any more. */
static void test_end(bool is_stop)
{
    const bool is_victim = me == n && n > 1;
    const int last = 1 + (int)random_below(60), wanted = is_stop ? CAF_STAT_STOPPED_IMAGE : CAF_STAT_FAILED_IMAGE;
    int failed = 0;
    if (is_victim && !is_stop) {
        signal(SIGALRM, die);
        const struct itimerval when = {.it_value.tv_usec = 1 + (int)random_below(30000)};
        setitimer(ITIMER_REAL, &when, NULL);
    }
    random_state = 12345;
    for (int round = 0; failed < 20 && (n > 1 || round < 100); round++) {
        if (is_victim && is_stop && round == last)
            caf_stop(0);
        const enum operation op = (enum operation)random_below(OPERATIONS);
        const size_t count = counts[1 + random_below(COUNTS - 1)];
        int64_t *place = random_below(2) ? in_heap : in_statics;
        const struct caf_section s = section(place, CAF_INTEGER, 8, 8, count, 1);
        for (size_t i = 0; i < count; i++)
            place[i] = value(me, i);
        const int status = run(op, &s, op == BROADCAST ? 1 + (int)random_below((unsigned)n) : 0);
        CHECK(status == CAF_OK || status == wanted, "the status is %d: %s", status, caf_message());
        if (status == CAF_OK)
            continue;
        failed++;
        CHECK(strstr(caf_message(), is_stop ? "has stopped" : "has failed"), "the sentence is \"%s\"", caf_message());
        for (size_t i = 0; i < count; i++)
            place[i] = INT64_MIN + round;
        usleep(200); /* late on purpose */
        size_t changed = 0;
        for (size_t i = 0; i < count; i++)
            changed += place[i] != INT64_MIN + round;
        CHECK(changed == 0, "operation %d has failed, and others have changed %zu of %zu elements since", op, changed,
              count);
    }
    /* No survivor stops before the last one has seen the failures: its status would be STAT_STOPPED_IMAGE. */
    static int done;
    if (!is_stop && n > 1)
        shmem_int_atomic_inc(&done, 0);
    while (!is_stop && n > 1 && shmem_int_atomic_fetch(&done, 0) < n - 1)
        usleep(1000);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "near";
    if (strcmp(what, "far") == 0)
        setenv("CAF_NEAR", "0", 1);
    start();
    struct caf_coarray *c;
    ok(caf_allocate((STEP * 40001 + MOST) * sizeof(int64_t), false, &c));
    in_coarray = (int64_t *)(void *)c->base;
    in_heap = malloc((STEP * 40001 + MOST) * sizeof(int64_t));
    if (strcmp(what, "stop") == 0 || strcmp(what, "kill") == 0) {
        random_state = argc > 2 ? (unsigned)atoi(argv[2]) : (unsigned)getpid();
        test_end(strcmp(what, "stop") == 0);
    } else {
        test_operations();
        test_types();
        test_sizes();
        test_in_a_row(n <= 4 ? 10000 : 1500);
        test_in_teams();
        test_errors();
        ok(caf_sync_all());
    }
    free(in_heap);
    caf_stop(check_result());
}
