/* pes: 1 2 3 4 5 8 16 */
/* Teams through the core's C interface: shapes, nesting, memory and its lifetime, queries, errors. */
#include "core.h"
#include "caf/control/team.h"
#include "caf/memory/heap.h"

#include <malloc.h>
#include <string.h>

/* A random number that is the same on all images. */
static unsigned common_random(unsigned below)
{
    static unsigned state = 12345;
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

/* new_index 0: the call passes none. */
static struct caf_team *form(int64_t number, int new_index)
{
    caf_team_name variable = 0;
    ok(caf_form_team(number, new_index ? &new_index : NULL, &variable));
    return caf_team_named(variable);
}

static void change(struct caf_team *t)
{
    ok(caf_change_team(t));
    CHECK(caf_current == t, "the team has not become the current one");
}

static void end(void)
{
    ok(caf_end_team());
}

static struct caf_coarray *allocate(size_t words)
{
    struct caf_coarray *c = NULL;
    CHECK(caf_allocate(words * sizeof(int64_t), true, &c) == CAF_OK && c, "%s", caf_message());
    return c;
}

static int64_t *words_of(struct caf_coarray *c)
{
    return (int64_t *)(void *)c->base;
}

static void check_error(int status, const char *part)
{
    CHECK(status == CAF_STAT_ERROR, "the status is %d, expected %d", status, CAF_STAT_ERROR);
    CHECK(strstr(caf_message(), part), "the sentence is \"%s\", without \"%s\"", caf_message(), part);
}

static int64_t value(int image, size_t i)
{
    return INT64_MIN + ((int64_t)image << 40) + (int64_t)i * 3;
}

/* --- shapes ------------------------------------------------------------------------------------------------------- */

enum { MOST = 64 };
struct wanted {
    int64_t number[MOST];
    int index[MOST]; /* 0: any */
};

/* The images of a new team in the order of their indices, as indices in the current team. */
static int members(const struct wanted *w, int64_t number, int *images)
{
    int count = 0, next = 0;
    bool placed[MOST] = {false};
    for (int i = 0; i < n; i++)
        count += w->number[i] == number;
    memset(images, 0, MOST * sizeof *images);
    for (int i = 0; i < n; i++)
        if (w->number[i] == number && w->index[i]) {
            images[w->index[i] - 1] = i + 1;
            placed[i] = true;
        }
    for (int i = 0; i < n; i++)
        if (w->number[i] == number && !placed[i]) {
            while (images[next])
                next++;
            images[next] = i + 1;
        }
    return count;
}

/* Every image of the team puts a word to every image, and gets one. */
static void exchange(const int *images, int count)
{
    struct caf_coarray *c = allocate(2 * MOST);
    int64_t *a = words_of(c), got;
    const int mine = caf_this_image(NULL);
    a[MOST] = value(me, 7);
    for (int i = 1; i <= count; i++) {
        const int64_t v = value(me, (size_t)i);
        caf_put_bytes(caf_pe(NULL, i), &a[mine - 1], &v, sizeof v);
    }
    ok(caf_sync_team(caf_current));
    for (int i = 1; i <= count; i++) {
        CHECK(a[i - 1] == value(images[i - 1], (size_t)mine), "image %d has put %llx", i, (long long)a[i - 1]);
        caf_get_bytes(caf_pe(NULL, i), &got, &a[MOST], sizeof got);
        CHECK(got == value(images[i - 1], 7), "image %d has %llx", i, (long long)got);
    }
    CHECK(a[count] == 0, "a word was written that no image owns");
}

static void check_shape(const struct caf_team *t, int64_t number, const int *images, int count)
{
    int mine = 0;
    CHECK(caf_num_images(t) == count, "the team has %d images, expected %d", caf_num_images(t), count);
    for (int i = 1; i <= count; i++) {
        CHECK(caf_pe(t, i) == images[i - 1] - 1, "image %d of the team is on PE %d", i, caf_pe(t, i));
        if (images[i - 1] == me)
            mine = i;
    }
    CHECK(caf_this_image(t) == mine, "this is image %d of the team, expected %d", caf_this_image(t), mine);
    CHECK(caf_team_number(t) == number, "the team has number %lld", (long long)caf_team_number(t));
    CHECK(caf_pe(t, 0) == -1 && caf_pe(t, count + 1) == -1 && caf_pe(t, -1) == -1, "caf_pe of no image");
}

static void try_shape(const struct wanted *w)
{
    int images[MOST];
    const int64_t number = w->number[me - 1];
    const int count = members(w, number, images);
    struct caf_team *t = form(number, w->index[me - 1]);
    check_shape(t, number, images, count);
    change(t);
    check_shape(NULL, number, images, count);
    exchange(images, count);
    for (int i = 0; i < n; i++) { /* the siblings, of which this image is no member */
        int others[MOST];
        const struct caf_team *sibling = caf_sibling_team(w->number[i]);
        CHECK(sibling && (sibling == t) == (w->number[i] == number), "another sibling of number %lld",
              (long long)w->number[i]);
        check_shape(sibling, w->number[i], others, members(w, w->number[i], others));
    }
    end();
}

static void test_shapes(void)
{
    struct wanted odd_even, alone, reversed, rotated, last_first;
    for (int i = 0; i < n; i++) {
        odd_even.number[i] = 1 + i % 2;
        alone.number[i] = INT64_MAX - i;
        reversed.number[i] = rotated.number[i] = 77;
        last_first.number[i] = 1 + i % 3;
        odd_even.index[i] = alone.index[i] = 0;
        reversed.index[i] = n - i;
        rotated.index[i] = (i + n / 2) % n + 1;
        last_first.index[i] = i + 3 >= n;
    }
    try_shape(&odd_even);
    try_shape(&alone);
    try_shape(&reversed);
    try_shape(&rotated);
    try_shape(&last_first);
    for (int round = 0; round < 12; round++) {
        struct wanted w;
        int used[5] = {0};
        for (int i = 0; i < n; i++) {
            w.number[i] = 1 + (int64_t)common_random(4);
            w.index[i] = 0;
        }
        for (int i = n - 1; i >= 0; i--) /* some images request an index, from the last to the first */
            if (common_random(2))
                w.index[i] = ++used[w.number[i]];
        try_shape(&w);
    }
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

/* The address of the next symmetric allocation. */
static char *next_memory(void)
{
    char *p = caf_heap_allocate(1);
    caf_heap_free(p);
    return p;
}

static void nest_once(struct caf_team *outer, int64_t inner_number)
{
    change(outer);
    struct caf_team *inner = form(inner_number, 0);
    change(inner);
    words_of(allocate((size_t)inner_number * 10))[3] = me;
    end();
    end();
}

static void test_again(void)
{
    struct caf_team *half = form(1 + me % 2, 0), *third = form(11 + me % 3, 0), *backwards = form(9, n - me + 1);
    CHECK(half != third && third != backwards, "different teams are the same");
    nest_once(half, 1 + me / 2 % 2);
    nest_once(half, 5);
    const char *memory = next_memory();
    const size_t in_use = mallinfo2().uordblks;
    for (int round = 0; round < 200; round++) {
        CHECK(form(11 + me % 3, 0) == third, "another team, with the same images");
        CHECK(form(1 + me % 2, 0) == half, "another team, with the same images");
        CHECK(form(9, n - me + 1) == backwards, "another team, with the same images");
        nest_once(half, round % 2 ? 5 : 1 + me / 2 % 2);
    }
    CHECK(next_memory() == memory, "symmetric memory is used up");
    const size_t kept = 2000 + 100 * (size_t)n; /* records that are waiting to be sent (formation.c) */
    CHECK(mallinfo2().uordblks <= in_use + kept, "memory is used up: %zu bytes, before %zu", mallinfo2().uordblks,
          in_use);
}

/* --- trees -------------------------------------------------------------------------------------------------------- */

static int ended_coarrays;

static void note_ended(struct caf_coarray *c)
{
    ended_coarrays += c->descriptor == &ended_coarrays;
}

/* END TEAM, which deallocates the three coarrays that grow_tree keeps in the team. */
static void end_counting(void)
{
    ended_coarrays = 0;
    end();
    CHECK(ended_coarrays == 3, "END TEAM has deallocated %d coarrays", ended_coarrays);
}

/* Offsets are the same on all images of the current team. */
static void check_symmetric(const char *memory)
{
    struct caf_coarray *c = allocate(MOST);
    int64_t offset = memory - caf_heap;
    for (int i = 1; i <= caf_num_images(NULL); i++)
        caf_put_bytes(caf_pe(NULL, i), &words_of(c)[caf_this_image(NULL) - 1], &offset, sizeof offset);
    caf_sync_all();
    for (int i = 0; i < caf_num_images(NULL); i++)
        CHECK(words_of(c)[i] == offset, "image %d has it at %llx, here it is at %llx", i + 1, (long long)words_of(c)[i],
              (long long)offset);
    ok(caf_deallocate(c));
}

static void fill(struct caf_coarray *c)
{
    for (size_t i = 0; i < c->bytes / 8; i++)
        words_of(c)[i] = value(me, i);
}

static void check_filled(struct caf_coarray *c)
{
    for (size_t i = 0; i < c->bytes / 8; i++)
        CHECK(words_of(c)[i] == value(me, i), "word %zu of %zu is %llx", i, c->bytes / 8, (long long)words_of(c)[i]);
}

static void grow_tree(int depth, struct caf_coarray *of_parent)
{
    const struct caf_team *parent = caf_get_team(CAF_PARENT_TEAM);
    const int mine = caf_this_image(NULL), count = caf_num_images(NULL);
    const size_t words = 20 + 100 * (size_t)caf_team_number(NULL) + (size_t)depth; /* differs between the teams */
    struct caf_coarray *kept = allocate(words), *first = allocate(3 * words), *second = allocate(words);
    fill(kept);
    fill(second);
    ok(caf_deallocate(first));
    for (int i = 1; i <= caf_num_images(parent); i++) { /* a child team can access the parent's images */
        int64_t got;
        caf_get_bytes(caf_pe(parent, i), &got, of_parent->base + 8, sizeof got);
        CHECK(got == value(caf_pe(parent, i) + 1, 1), "image %d of the parent has %llx", i, (long long)got);
    }
    if (depth < 3) {
        struct caf_team *t = depth % 2 ? form(1 + (mine - 1) * 2 / count, 0) : form(1 + mine % 3, 0);
        change(t);
        grow_tree(depth + 1, kept);
        end_counting();
    }
    struct caf_coarray *last = allocate(2 * words);
    fill(last);
    check_symmetric(last->base);
    check_filled(kept);
    check_filled(second);
    check_filled(last);
    kept->descriptor = second->descriptor = last->descriptor = &ended_coarrays;
}

static void test_tree(void)
{
    caf_coarray_ended = note_ended;
    struct caf_coarray *root = allocate(50);
    fill(root);
    const char *memory = next_memory();
    for (int round = 0; round < 5; round++) {
        struct caf_team *t = form(round % 2 ? 1 + me % 2 : 1 + 2 * me / (n + 1), 0);
        caf_sync_all();
        change(t);
        const char *bare = next_memory();
        grow_tree(1, root);
        end_counting();
        change(t);
        CHECK(next_memory() == bare, "END TEAM has not freed everything");
        end();
        check_filled(root);
        caf_sync_all();
    }
    struct caf_team *last = form(1 + me % 2, 0);
    change(last);
    end();
    CHECK(next_memory() <= memory, "the initial team's memory has another address");
    check_symmetric(next_memory());
    caf_coarray_ended = NULL;
    ok(caf_deallocate(root));
}

/* --- association -------------------------------------------------------------------------------------------------- */

static void test_association(void)
{
    struct caf_coarray *c = allocate(4);
    fill(c);
    struct caf_team *t = form(4, n - me + 1);
    change(t);
    caf_coarray_ended = note_ended;
    ended_coarrays = 0;
    struct caf_coarray *alias = caf_associate(c, c->base, &ended_coarrays);
    CHECK(alias->base == c->base && alias->bytes == c->bytes && alias->team == t && alias->is_alias,
          "not the same coarray");
    for (int i = 1; i <= n; i++) {
        int64_t got;
        caf_get_bytes(caf_pe(NULL, i), &got, alias->base + 16, sizeof got);
        CHECK(got == value(n - i + 1, 2), "image %d has %llx", i, (long long)got);
    }
    struct caf_coarray *first[20];
    for (int turn = 0; turn < 2; turn++)
        for (int i = 0; i < 20; i++) {
            struct caf_coarray *again = caf_associate(c, c->base, &first[i]);
            CHECK(turn == 0 || again == first[i], "name %d of 20 has a second record", i);
            first[i] = again;
        }
    caf_sync_all();
    const int64_t v = value(me, 1000);
    caf_put_bytes(caf_pe(NULL, me), alias->base + 24, &v, sizeof v);
    end();
    CHECK(ended_coarrays == 0, "END TEAM has deallocated the associated coarray");
    CHECK(words_of(c)[3] == value(n - me + 1, 1000), "a put through the associated name stored %llx",
          (long long)words_of(c)[3]);
    CHECK(words_of(c)[2] == value(me, 2), "the coarray is %llx", (long long)words_of(c)[2]);
    caf_coarray_ended = NULL;
    ok(caf_deallocate(c));
}

/* --- queries, synchronization across levels --------------------------------------------------------------------- */

static void test_levels(void)
{
    struct caf_team *initial = caf_current;
    CHECK(caf_get_team(CAF_INITIAL_TEAM) == initial && caf_get_team(CAF_PARENT_TEAM) == initial,
          "the initial team's parent");
    CHECK(caf_team_number(NULL) == -1 && caf_sibling_team(-1) == initial, "the initial team's number");
    struct caf_team *outer = form(1 + me % 2, 0);
    change(outer);
    struct caf_team *inner = form(10 + caf_this_image(NULL) % 2, 0);
    CHECK(caf_this_image(initial) == me && caf_num_images(initial) == n, "the initial team, queried in another team");
    change(inner);
    CHECK(caf_get_team(CAF_CURRENT_TEAM) == inner && caf_get_team(CAF_PARENT_TEAM) == outer &&
          caf_get_team(CAF_INITIAL_TEAM) == initial && caf_sibling_team(-1) == initial, "levels");
    CHECK(caf_team_number(NULL) == 10 + caf_this_image(outer) % 2 && caf_team_number(outer) == 1 + me % 2, "numbers");

    /* Interleaved synchronizations of all levels: every image counts them, and must find at least its own count on the
     * others. */
    static int64_t counts[MOST];
    struct caf_team *teams[] = {inner, outer, initial, outer, inner};
    for (int64_t round = 1; round <= 100; round++) {
        struct caf_team *t = teams[round % 5];
        for (int i = 1; i <= caf_num_images(t); i++)
            caf_put_bytes(caf_pe(t, i), &counts[me - 1], &round, sizeof round);
        ok(caf_sync_team(t));
        for (int i = 1; i <= caf_num_images(t); i++)
            CHECK(__atomic_load_n(&counts[caf_pe(t, i)], __ATOMIC_RELAXED) >= round,
                  "round %d: image %d has not arrived", (int)round, i);
    }
    end();
    CHECK(caf_sync_team(inner) == CAF_OK, "sync team of a team formed here: %s", caf_message());
    end();
    CHECK(caf_sync_team(outer) == CAF_OK, "sync team of a team formed here: %s", caf_message());
    caf_sync_all();
}

/* --- errors ------------------------------------------------------------------------------------------------------- */

static void check_refused(int64_t number, const int *new_index, const char *part)
{
    caf_team_name variable = 0;
    check_error(caf_form_team(number, new_index, &variable), part);
    CHECK(variable == 0, "a refused FORM TEAM has set the variable");
    const char *memory = next_memory();
    check_symmetric(memory);
}

static void test_errors(void)
{
    char part[100];
    struct caf_team *initial = caf_current, *sound = form(3, 0);
    snprintf(part, sizeof part, "form team: team number 0 on image %d, allowed are positive numbers", n);
    check_refused(me == n ? 0 : 1, NULL, part);
    check_refused(me == 1 ? -5 : 1, NULL, "form team: team number -5 on image 1, allowed");
    snprintf(part, sizeof part, "form team: new_index %d on image 1, allowed are 1 to %d", n + 1, n);
    check_refused(2, me == 1 ? &(int){n + 1} : NULL, part);
    check_refused(2, me == 1 ? &(int){-1} : NULL, "form team: new_index -1 on image 1, allowed are 1 to");
    check_refused(2, me == 1 ? &(int){0} : NULL, "form team: new_index 0 on image 1, allowed are 1 to");
    if (n > 1)
        check_refused(2, me < 3 ? &n : NULL, "of team 2 on images 1 and 2");
    check_error(caf_end_team(), "end team: the current team is the initial team");
    check_error(caf_change_team(NULL), "change team: the team was not formed");
    caf_stay_in_team();
    CHECK(caf_end_team() == CAF_OK && caf_current == initial, "END TEAM after a refused CHANGE TEAM ends a team");
    check_error(caf_end_team(), "end team: the current team is the initial team");
    check_error(caf_change_team(initial), "change team: the team is the current team already");
    check_error(caf_sync_team(NULL), "sync team: the team is none of this image's");
    CHECK(caf_sibling_team(3) == NULL, "a sibling of the initial team");

    struct caf_coarray *outside = allocate(1);
    struct caf_team *outer = form(1 + me % 2, 0);
    change(outer);
    check_error(caf_change_team(sound), "change team: the team was not formed");
    caf_stay_in_team();
    CHECK(caf_end_team() == CAF_OK && caf_current == outer, "END TEAM after a refused CHANGE TEAM ends a team");
    check_error(caf_change_team(initial), "change team: the team was not formed");
    check_error(caf_deallocate(outside), "deallocate: the coarray was allocated in another team");
    CHECK(caf_sibling_team(3) == NULL, "a team of another FORM TEAM counts as a sibling");
    struct caf_team *sibling = caf_sibling_team(n > 1 ? 2 - me % 2 : 1 + me % 2);
    CHECK(sibling != NULL, "%s", caf_message());
    if (sibling != outer) {
        check_error(caf_sync_team(sibling), "sync team: the team is none of this image's");
        check_error(caf_change_team(sibling), "change team: the team was not formed");
        CHECK(caf_this_image(sibling) == 0, "this image has a number in a team of which it is no member");
    }
    const caf_team_name inner = form(6, 0)->name;
    end();
    CHECK(caf_team_named(inner) == NULL && caf_team_named(0) == NULL, "a team that has ended is still found");
    check_error(caf_change_team(caf_team_in(&inner)), "change team: the team was not formed");
    check_error(caf_sync_team(caf_team_in(&inner)), "sync team: the team is none of this image's");
    change(outer);
    CHECK(form(6, 0)->name != inner && caf_team_named(inner) == NULL, "a team that has ended is found again");
    end();
    ok(caf_deallocate(outside));
}

int main(void)
{
    start();
    test_shapes();
    test_again();
    test_tree();
    test_association();
    test_levels();
    test_errors();
    ok(caf_sync_all());
    caf_stop(check_result());
}
