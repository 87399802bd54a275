#include "races/actor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct strand first; /* the PE itself, and its unobserved threads */
_Thread_local struct strand *strand = &first;
bool actor_has_strands;
uint64_t actor_now;
static int pes;

struct strand *actor_of_pe(void)
{
    return &first;
}

static int my_pe(void)
{
    return board->actor[strand->actor].pe;
}

static struct strand *_Atomic strands; /* all, including joined ones */

struct agent_state {
    uint32_t actor; /* 0: the agent has performed no operation yet */
    uint32_t epoch, fenced; /* fenced: the last epoch whose fence all strands know */
    bool acted; /* the agent has performed an operation in this epoch */
};

/* Fences that not all strands know, the oldest first. If the list is full, all strands count as knowing the oldest
 * fence, so a race may be missed. */
enum { FENCES_MOST = 16 };
struct fences {
    unsigned n;
    struct fence {
        uint32_t by, at;        /* the strand, and its epoch: strands that know this epoch to be over know the fence */
        uint32_t until[AGENTS]; /* each agent's last epoch before the fence */
    } list[FENCES_MOST];
};

/* The agents of a context for a target PE. Usually one or two have acted; loops visit only these. */
struct agents {
    unsigned acting; /* one bit for each agent that has an actor */
    struct agent_state state[AGENTS];
    struct fences *fences; /* NULL: no fence was needed yet */
};
enum { FENCED = (1 << AGENTS) - (1 << AGENT_PUTS) }; /* the agents that a fence orders */

/* Removes the next agent from the acting ones, and returns it. */
static struct agent_state *next_of(struct agents *a, unsigned *acting)
{
    struct agent_state *next = &a->state[__builtin_ctz(*acting)];
    *acting &= *acting - 1;
    return next;
}

/* The agents of a destroyed context are reused by the next context. */
struct context {
    struct context *next;
    shmem_ctx_t handle;
    bool used;
    struct agents agents[]; /* for each target PE */
};
static struct context *contexts;

static void begin_epoch(uint32_t epoch)
{
    strand->clock[strand->actor] = epoch;
    actor_now = actor_has_strands ? 0 : (uint64_t)epoch << 38 | (uint64_t)strand->actor << 26;
}

void actors_begin(int me, int n_pes)
{
    *strand = (struct strand){.used = strand->used};
    strand->actor = (uint32_t)me;
    strand->segment = 1;
    begin_epoch(1);
    strand->lives = true;
    strands = strand;
    pes = n_pes;
    for (struct context *c; (c = contexts); free(c)) {
        contexts = c->next;
        for (int pe = 0; pe < pes; pe++)
            free(c->agents[pe].fences);
    }
}

static struct context *context_of(shmem_ctx_t ctx)
{
    struct context *idle = NULL;
    for (struct context *c = contexts; c; c = c->next) {
        if (c->used && c->handle == ctx)
            return c;
        idle = c->used ? idle : c;
    }
    if (!idle) {
        idle = calloc(1, sizeof *idle + (size_t)pes * sizeof idle->agents[0]);
        if (!idle)
            return NULL;
        idle->next = contexts;
        contexts = idle;
    }
    idle->used = true;
    idle->handle = ctx;
    return idle;
}

/* Returns NULL if no memory is left. */
static inline struct agents *agents_of(shmem_ctx_t ctx, int pe)
{
    struct context *c = contexts && contexts->used && contexts->handle == ctx ? contexts : context_of(ctx);
    return c ? &c->agents[pe] : NULL;
}

static bool actors_are_used_up, epochs_are_used_up;

static void say_once(bool *said, const char *why)
{
    if (!*said)
        fprintf(stderr, "copal: from now on, not all races of PE %d are found: %s\n", my_pe(), why);
    *said = true;
}

static void say_too_many(void)
{
    char why[160];
    snprintf(why, sizeof why, "the job has more than %u PEs, threads, and contexts that have communicated with a PE",
             clock_length);
    say_once(&actors_are_used_up, why);
}

enum agent actor_next_signal(void)
{
    static unsigned turn;
    return AGENT_SIGNALS + turn++ % (AGENTS - AGENT_SIGNALS);
}

/* The agent's last epoch before the latest fence that this strand knows. */
static __attribute__((noinline)) uint32_t fenced_for_strand(const struct agents *agents, const struct agent_state *a)
{
    const struct fences *all = agents->fences;
    uint32_t until = a->fenced;
    for (const struct fence *f = all->list; f < all->list + all->n; f++)
        if (strand->clock[f->by] >= f->at && f->until[a - agents->state] > until)
            until = f->until[a - agents->state];
    return until;
}

static inline uint32_t fenced_until(const struct agents *agents, const struct agent_state *a)
{
    return __builtin_expect(agents->fences != NULL, 0) ? fenced_for_strand(agents, a) : a->fenced;
}

static inline struct doer behind_fence(struct agents *agents)
{
    struct doer d = actor_pe();
    for (unsigned acting = agents ? agents->acting & FENCED : 0; acting;) {
        const struct agent_state *a = next_of(agents, &acting);
        d.fenced[d.n_fenced] = a->actor;
        d.until[d.n_fenced++] = fenced_until(agents, a);
    }
    return d;
}

struct doer actor_behind_fence(shmem_ctx_t ctx, int pe)
{
    return behind_fence(agents_of(ctx, pe));
}

/* If all actors are in use, the strand itself is the actor, so its puts count as complete. */
struct doer actor_agent(enum agent kind, shmem_ctx_t ctx, int pe)
{
    struct agents *agents = agents_of(ctx, pe);
    struct doer d = kind == AGENT_LOCAL ? actor_pe() : behind_fence(agents);
    struct agent_state *a = agents ? &agents->state[kind] : NULL;
    const struct board_actor actor = {(int16_t)my_pe(), true, ctx != SHMEM_CTX_DEFAULT, kind == AGENT_STORES};
    if (a && !a->actor && (a->actor = board_new_actor(actor))) {
        a->epoch = 1;
        agents->acting |= 1U << kind;
    }
    if (!a || !a->actor) {
        say_too_many();
        return d;
    }
    a->acted = true;
    d.actor = a->actor;
    d.epoch = a->epoch;
    return d;
}

static void go_on(struct agent_state *a)
{
    if (a->acted && a->epoch < EPOCH_LAST)
        a->epoch++;
    a->acted = false;
}

/* Ends the agent's epoch by a fence, and returns the agent's last epoch before the fence. */
static uint32_t fence(struct agent_state *a)
{
    const uint32_t until = a->acted ? a->epoch : a->epoch - 1;
    go_on(a);
    return until;
}

/* Completes the agent's operations. Other strands learn this from this strand's clock. */
static void complete(struct agent_state *a)
{
    go_on(a);
    strand->clock[a->actor] = a->epoch - (a->epoch < EPOCH_LAST);
}

/* Removes the oldest fence: from now on, all strands count as knowing it. */
static void settle_oldest(struct agents *agents)
{
    struct fences *all = agents->fences;
    for (int i = AGENT_PUTS; i < AGENTS; i++)
        if (agents->state[i].fenced < all->list[0].until[i])
            agents->state[i].fenced = all->list[0].until[i];
    memmove(all->list, all->list + 1, --all->n * sizeof *all->list);
}

/* Adds a fence of this strand to the list. NULL: all strands know the fence, or no memory is left. */
static struct fence *begin_fence(struct agents *agents)
{
    const uint32_t at = strand->clock[strand->actor];
    const bool all_know = actor_is_over_for_all(strand->actor, at);
    if (!all_know && !agents->fences)
        agents->fences = calloc(1, sizeof *agents->fences);
    struct fences *all = agents->fences;
    while (all && all->n && actor_is_over_for_all(all->list[0].by, all->list[0].at))
        settle_oldest(agents);
    if (!all || all_know)
        return NULL;
    for (struct fence *f = all->list; f < all->list + all->n; f++)
        if (f->by == strand->actor && f->at == at)
            return f;
    if (all->n == FENCES_MOST)
        settle_oldest(agents);
    struct fence *last = &all->list[all->n++];
    *last = (struct fence){.by = strand->actor, .at = at};
    return last;
}

static void fence_all(struct agents *agents)
{
    struct fence *f = agents->acting & FENCED ? begin_fence(agents) : NULL;
    for (unsigned acting = agents->acting & FENCED; acting;) {
        struct agent_state *a = next_of(agents, &acting);
        *(f ? &f->until[a - agents->state] : &a->fenced) = fence(a);
    }
}

void actor_fence(shmem_ctx_t ctx)
{
    struct context *c = context_of(ctx);
    strand->has_fenced = true;
    for (int pe = 0; c && pe < pes; pe++)
        fence_all(&c->agents[pe]);
}

void actor_quiet_pe(shmem_ctx_t ctx, int pe)
{
    struct agents *agents = agents_of(ctx, pe);
    strand->has_fenced = true;
    for (unsigned acting = agents ? agents->acting : 0; acting;)
        complete(next_of(agents, &acting));
}

void actor_quiet(shmem_ctx_t ctx)
{
    struct agents *agents = agents_of(ctx, 0);
    strand->has_fenced = true;
    for (int pe = 0; agents && pe < pes; pe++)
        for (unsigned acting = agents[pe].acting; acting;)
            complete(next_of(&agents[pe], &acting));
}

void actor_complete_stores(void)
{
    for (int pe = 0; pe < pes; pe++) {
        struct agents *agents = agents_of(SHMEM_CTX_DEFAULT, pe);
        if (agents && agents->acting & 1U << AGENT_STORES)
            complete(&agents->state[AGENT_STORES]);
    }
}

void actor_forget(shmem_ctx_t ctx)
{
    struct context *c = context_of(ctx);
    actor_quiet(ctx);
    if (c)
        c->used = false;
}

void actor_forget_all(void)
{
    for (const struct context *c = contexts; c; c = c->next)
        if (c->used)
            actor_forget(c->handle);
}

void actor_next_epoch(void)
{
    const uint32_t now = strand->clock[strand->actor];
    if (now < EPOCH_LAST)
        begin_epoch(now + 1);
    else
        say_once(&epochs_are_used_up, "it has synchronized 67 million times");
}

static void add_strand(struct strand *new, bool is_first_time)
{
    if (is_first_time) {
        new->next = strands;
        while (!atomic_compare_exchange_weak(&strands, &new->next, new))
            ;
    }
    new->lives = true;
}

static void there_are_strands(void)
{
    actor_has_strands = true;
    actor_now = 0;
}

static atomic_uint expected;

void actor_expect_strands(void)
{
    expected++;
    if (!actor_has_strands)
        there_are_strands();
}

void actor_expect_no_more(void)
{
    expected--;
}

bool actor_begin_strand(struct strand *new)
{
    new->actor = board_new_actor((struct board_actor){.pe = (int16_t)my_pe()});
    if (!new->actor) {
        say_too_many();
        return false;
    }
    new->clock[new->actor] = new->segment = 1;
    add_strand(new, true);
    strand = new;
    return true;
}

bool actor_split(struct strand *new)
{
    const uint32_t before = new->clock[new->actor];
    if (!new->actor)
        new->actor = board_new_actor((struct board_actor){.pe = (int16_t)my_pe()});
    if (!new->actor) {
        say_too_many();
        return false;
    }
    memcpy(new->clock, strand->clock, sizeof new->clock);
    new->clock[new->actor] = before < EPOCH_LAST ? before + 1 : EPOCH_LAST;
    new->segment = new->clock[new->actor];
    new->has_fenced = false;
    add_strand(new, before == 0);
    there_are_strands();
    actor_next_epoch();
    return true;
}

void actor_join(struct strand *ended)
{
    clock_join(strand->clock, ended->clock);
    ended->lives = false;
}

bool actor_is_over_for_all(uint32_t actor, uint32_t epoch)
{
    if (expected)
        return false;
    for (const struct strand *s = strands; s; s = s->next)
        if (s->lives && s->clock[actor] < epoch)
            return false;
    return true;
}

static void tell_of(struct board_word *w, const struct agent_state *a, uint32_t epoch)
{
    uint32_t *told = word_epoch(w, a->actor);
    *told = *told < epoch ? epoch : *told;
}

static void tell_of_stores(struct board_word *w, const struct agents *stores)
{
    const struct agent_state *a = &stores->state[AGENT_STORES];
    if (stores->acting & 1U << AGENT_STORES)
        tell_of(w, a, fenced_until(stores, a));
}

void actor_release(uint64_t at, enum agent kind, shmem_ctx_t ctx, int pe)
{
    struct board_word *w = board_word(at, true);
    word_tell(w, strand->clock);
    if (kind != AGENT_LOCAL) {
        struct agents *agents = agents_of(ctx, pe);
        const struct agents *stores = ctx == SHMEM_CTX_DEFAULT ? NULL : agents_of(SHMEM_CTX_DEFAULT, pe);
        for (unsigned acting = agents ? agents->acting & FENCED : 0; acting;) {
            struct agent_state *a = next_of(agents, &acting);
            const bool sent = kind >= AGENT_SIGNALS && a == &agents->state[kind];
            tell_of(w, a, sent ? a->epoch : fenced_until(agents, a));
            if (sent)
                go_on(a);
        }
        if (stores)
            tell_of_stores(w, stores);
    }
    board_unlock(&w->lock);
    actor_next_epoch();
}

void actor_begin_segment(void)
{
    actor_next_epoch();
    strand->segment = strand->clock[strand->actor];
}

void actor_release_segment(uint64_t at)
{
    struct board_word *w = board_word(at, true);
    uint32_t *own = word_epoch(w, strand->actor);
    const uint32_t before = *own < strand->segment - 1 ? strand->segment - 1 : *own;
    word_tell(w, strand->clock);
    *own = before;
    board_unlock(&w->lock);
}

void actor_acquire(uint64_t at)
{
    struct board_word *w = board_word(at, false);
    if (!w)
        return;
    word_learn(w, strand->clock);
    board_unlock(&w->lock);
}

void actor_tell(uint64_t group, uint32_t number)
{
    struct board_meeting *m = board_meeting(group);
    if (m->number[number % BOARD_RING] < number) {
        m->number[number % BOARD_RING] = number;
        memset(meeting_clock(m, number), 0, clock_length * sizeof(uint32_t));
        memset(meeting_least(m, number), -1, clock_length * sizeof(uint32_t));
    }
    uint32_t *least = meeting_least(m, number);
    for (uint32_t i = 0; i < clock_length; i++)
        least[i] = least[i] < strand->clock[i] ? least[i] : strand->clock[i];
    clock_join(meeting_clock(m, number), strand->clock);
    board_unlock(&m->lock);
    actor_next_epoch();
}

/* If a strand is far behind, the slot may contain a later barrier. Then the strand joins clocks of later epochs, so a
 * race may be missed. */
void actor_learn(uint64_t group, uint32_t number)
{
    struct board_meeting *m = board_meeting(group);
    clock_join(strand->clock, meeting_clock(m, number));
    board_unlock(&m->lock);
}

void actor_known_to_all(uint64_t group, uint32_t number, uint32_t clock[BOARD_ACTORS])
{
    struct board_meeting *m = board_meeting(group);
    memset(clock, 0, BOARD_ACTORS * sizeof *clock);
    memcpy(clock, meeting_least(m, number), clock_length * sizeof *clock);
    board_unlock(&m->lock);
}
