#include "races/report.h"

#include "races/block.h"
#include "races/map.h"
#include "races/site.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool report_images;

/* "PE 0", or "image 1" of a coarray program. */
struct name {
    char text[24];
};
static struct name name_of(int pe)
{
    struct name n;
    snprintf(n.text, sizeof n.text, "%s %d", report_images ? "image" : "PE", pe + report_images);
    return n;
}

struct side {
    int pe;
    bool is_agent, of_context, is_free;
    enum access kind;
    uint32_t site;
};

static struct side side_of(cell c, int owner)
{
    struct side s = {.kind = cell_kind(c), .site = cell_site(c)};
    s.is_free = cell_actor(c) == BOARD_FREED;
    s.pe = s.is_free ? owner : board->actor[cell_actor(c)].pe;
    s.is_agent = !s.is_free && board->actor[cell_actor(c)].is_agent;
    s.of_context = s.is_agent && board->actor[cell_actor(c)].of_context;
    return s;
}

struct text {
    size_t n;
    char at[2048];
};

__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const int n = vsnprintf(t->at + t->n, sizeof t->at - t->n, fmt, ap);
    va_end(ap);
    t->n = t->n + (size_t)n < sizeof t->at ? t->n + (size_t)n : sizeof t->at - 1;
}

static void add_side(struct text *t, const struct side *s, const char *line)
{
    const char *routine = site_routine(s->site);
    const char *plain = s->kind & ACCESS_WRITE ? "store" : "load";
    add(t, "%s's %s%s at %s", name_of(s->pe).text, routine[0] || !(s->kind & ACCESS_ATOMIC) ? "" : "atomic ",
        routine[0] ? routine : plain, line[0] ? line : "a place without debug information");
}

static void add_block(struct text *t, const struct block *b, size_t at, const char *line)
{
    add(t, "%s, at byte %zu of %zu", !report_images ? "heap" : b->site ? "coarray" : "static coarray", at, b->bytes);
    if (b->site)
        add(t, " allocated at %s", line);
}

static const char threads_too[] = ", if one thread does both; with two threads, a mutex or a join must order the "
                                  "second after the first";

static void add_hint(struct text *t, const struct side *a, const struct side *b)
{
    const struct side *put = a->is_agent ? a : b, *other = a->is_agent ? b : a;
    if (board->site[a->site].is_collective && a->pe == b->pe)
        add(t, "The dest of a collective must be ready on all PEs before any of them calls it; a sync of its PEs "
               "before it would order this.");
    else if (a->is_free || b->is_free)
        add(t, "The memory has been freed.");
    else if (report_images && !put->is_agent)
        add(t, "A sync all, sync team or sync images of both, or an event that one of them posts after its access and "
               "the other waits for, would order them.");
    else if (a->pe == b->pe && a->is_agent && b->is_agent && a->kind & b->kind & ACCESS_WRITE)
        add(t, "A shmem_fence or shmem_quiet of %s between the two would order them.", name_of(a->pe).text);
    else if (a->pe == b->pe && !put->is_agent)
        add(t, "They are of two threads of %s: a mutex that both take, a barrier of threads, or a pthread_join between "
               "them would order them.", name_of(a->pe).text);
    else if (a->pe == b->pe)
        add(t, "A shmem_quiet of %s between the two would order them%s.", name_of(a->pe).text,
            actor_has_strands ? threads_too : "");
    else if (put->of_context)
        add(t, "%s's operation, on a context that it has created, is complete after a shmem_ctx_quiet or a "
               "shmem_ctx_destroy of this context, not after shmem_quiet or a barrier; then %s must learn of it, by a "
               "barrier or a wait for a flag.", name_of(put->pe).text, name_of(other->pe).text);
    else if (put->is_agent)
        add(t, "%s's operation is complete after a shmem_quiet or a barrier of %s, or comes before a flag that is "
               "put to the same PE after a shmem_fence; then %s must learn of it, by that barrier, or by a wait for "
               "the flag.", name_of(put->pe).text, name_of(put->pe).text, name_of(other->pe).text);
    else
        add(t, "A barrier or sync of both, or a flag that one sets after its access and the other waits for, would "
               "order them.");
    if ((a->kind ^ b->kind) & ACCESS_ATOMIC)
        add(t, " Only one of the two is atomic.");
    else if (a->kind & b->kind & ACCESS_ATOMIC)
        add(t, " They are atomics of different sizes, types or atomicity domains.");
}

/* Whether this pair of numbers, in any order, is new in this job. */
static bool is_new(uint64_t a, uint64_t b)
{
    const uint64_t key = (board_hash(a < b ? a : b) + 2 * board_hash(a < b ? b : a)) | 1;
    for (uint64_t i = 0; i < BOARD_PAIRS; i++) {
        uint64_t none = 0;
        if (atomic_compare_exchange_strong(&board->pairs[(key + i) % BOARD_PAIRS], &none, key))
            return true;
        if (none == key)
            return false;
    }
    return false; /* too many reports */
}

/* Also true if the lines have been reported: a compiler generates several instructions for a line, and copies of it. */
static bool is_suppressed(char lines[][LINE_BYTES])
{
    if (lines[0][0] && lines[1][0] && !is_new(board_hash_text(lines[0]), board_hash_text(lines[1])))
        return true;
    if (!suppress_has(lines[0]) && !suppress_has(lines[1]))
        return false;
    atomic_fetch_add(&board->found.suppressed, 1);
    return true;
}

static void say(const struct text *t)
{
    atomic_fetch_add(&board->found.reported, 1);
    if (write(STDERR_FILENO, t->at, t->n) < 0) { /* the exit code still shows that there was a race */ }
}

static void tell_race(size_t offset, cell mine, cell other)
{
    bool is_static;
    const int owner = map_owner(offset, &is_static);
    const uint32_t common = cell_mask(mine) & cell_mask(other);
    const size_t from = offset + (size_t)__builtin_ctz(common), bytes = (size_t)__builtin_popcount(common);
    const struct side sides[] = {side_of(mine, owner), side_of(other, owner)};
    void *const object = map_mine(from);
    const struct block block = is_static ? (struct block){0} : block_around(object);
    const uintptr_t where[] = {site_address(sides[0].site), site_address(sides[1].site),
                               is_static ? (uintptr_t)object : site_address(block.site)};
    char lines[3][LINE_BYTES];
    lines_find(where, 3, is_static ? 2 : -1, lines);
    if (is_suppressed(lines))
        return;
    struct text t = {0};
    add(&t, "copal: race: ");
    add_side(&t, &sides[0], lines[0]);
    add(&t, ", and ");
    add_side(&t, &sides[1], lines[1]);
    add(&t, ", access the same %zu byte%s of %s's ", bytes, bytes > 1 ? "s" : "", name_of(owner).text);
    if (is_static)
        add(&t, "variable %s", lines[2][0] ? lines[2] : "without a name");
    else if (block.bytes)
        add_block(&t, &block, (uintptr_t)object - block.at, lines[2]);
    else
        add(&t, "heap, at %p", object);
    add(&t, "; nothing orders them. ");
    add_hint(&t, &sides[0], &sides[1]);
    add(&t, "\n");
    say(&t);
}

/* Disables cancellation: a report has cancellation points, which a load of the program is not. */
static int disturb_no_more(void)
{
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

void report_race(size_t offset, cell mine, cell other)
{
    if (!is_new(cell_site(mine), cell_site(other)))
        return;
    int before = disturb_no_more();
    tell_race(offset, mine, other);
    pthread_setcancelstate(before, &before);
}

static void tell_buffer(const void *from, size_t bytes, bool writes, uint32_t site, const struct pending *p)
{
    const struct side mine = {.pe = map.me, .kind = writes ? ACCESS_WRITE : ACCESS_READ, .site = site};
    const struct side other = {.pe = map.me, .site = p->site};
    const uintptr_t where[] = {site_address(site), site_address(p->site)};
    char lines[2][LINE_BYTES];
    lines_find(where, 2, -1, lines);
    if (is_suppressed(lines))
        return;
    struct text t = {0};
    add(&t, "copal: race: ");
    add_side(&t, &mine, lines[0]);
    add(&t, " %s %zu byte%s at %p, in the local buffer that ", writes ? "changes" : "reads", bytes,
        bytes > 1 ? "s" : "", from);
    add_side(&t, &other, lines[1]);
    add(&t, " %s until it is complete. A shmem_quiet of %s between the two would order them%s.\n",
        p->written ? "may write" : "may still read", name_of(mine.pe).text,
        actor_has_strands ? threads_too : "");
    say(&t);
}

void report_buffer(const void *from, size_t bytes, bool writes, uint32_t site, const struct pending *p)
{
    if (!is_new(site, p->site))
        return;
    int before = disturb_no_more();
    tell_buffer(from, bytes, writes, site, p);
    pthread_setcancelstate(before, &before);
}
