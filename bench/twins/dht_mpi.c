/* The distributed hash table of apps/dht with MPI-3 one-sided communication in place of coarrays: the same objects, the
 * same slots, under an exclusive lock of the owner's window, or by compare-and-swap and accumulate.
 *   dht_mpi [lock|atomic [OBJECTS]] */
#include <inttypes.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES = 2, DEFAULT_OBJECTS = 40000, MOST_OBJECTS = 10000000 };

/* Object 0 is an empty slot. */
struct slot {
    int object, entries;
};

static struct {
    int rank, ranks, objects_each;
    int64_t slots;
    int part;           /* slots of a rank */
    struct slot *mine;
    MPI_Win window;
} table;

/* The successor of `value` in the sequence of objects. */
static int64_t next_object(int64_t value)
{
    return value * 33554467 % 1073741827;
}

static int *own_objects(void)
{
    int *own = malloc((size_t)table.objects_each * sizeof *own);
    int64_t value = 1234567, skipped = (int64_t)table.rank * table.objects_each;
    for (int64_t i = 0; own && i < skipped + table.objects_each; i++) {
        value = next_object(value);
        if (i >= skipped)
            own[i - skipped] = (int)value;
    }
    return own;
}

/* Enters the object if the slot is empty or already has it. */
static bool try_locked(int object, int owner, MPI_Aint at)
{
    struct slot slot;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, owner, 0, table.window);
    MPI_Get(&slot, 2, MPI_INT, owner, at, 2, MPI_INT, table.window);
    MPI_Win_flush(owner, table.window);
    bool taken = slot.object == 0 || slot.object == object;
    if (taken) {
        slot = (struct slot){object, slot.entries + 1};
        MPI_Put(&slot, 2, MPI_INT, owner, at, 2, MPI_INT, table.window);
    }
    MPI_Win_unlock(owner, table.window);
    return taken;
}

static bool try_atomic(int object, int owner, MPI_Aint at)
{
    static const int empty = 0, one = 1;
    int found;
    MPI_Compare_and_swap(&object, &empty, &found, MPI_INT, owner, at, table.window);
    MPI_Win_flush(owner, table.window);
    if (found != 0 && found != object)
        return false;
    at += (MPI_Aint)offsetof(struct slot, entries);
    MPI_Accumulate(&one, 1, MPI_INT, owner, at, 1, MPI_INT, MPI_SUM, table.window);
    return true;
}

/* Inserts every object PASSES times; returns the number of slots in which another object was found. */
static int64_t enter_all(const int *own, bool atomic)
{
    int64_t collisions = 0;
    for (int pass = 0; pass < PASSES; pass++) {
        if (atomic)
            MPI_Win_lock_all(0, table.window);
        for (int i = 0; i < table.objects_each; i++) {
            int64_t slot = own[i] % table.slots;
            for (;; slot = (slot + 1) % table.slots, collisions++) {
                int owner = (int)(slot / table.part);
                MPI_Aint at = (MPI_Aint)(slot % table.part) * (MPI_Aint)sizeof(struct slot);
                if (atomic ? try_atomic(own[i], owner, at) : try_locked(own[i], owner, at))
                    break;
            }
        }
        if (atomic)
            MPI_Win_unlock_all(table.window);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return collisions;
}

static struct slot *find(struct slot *slots, int object)
{
    int64_t i = object % table.slots;
    while (slots[i].object != 0 && slots[i].object != object)
        i = (i + 1) % table.slots;
    return &slots[i];
}

/* On rank 0, checks that each used slot has a different object of the sequence, with the right number of entries, and
 * that no object is missing. */
static bool right(const struct slot *all)
{
    struct slot *known = calloc((size_t)table.slots, sizeof *known);
    if (!known)
        MPI_Abort(MPI_COMM_WORLD, 1);
    int64_t value = 1234567, missing = 0, wrong = 0;
    for (int64_t i = 0; i < (int64_t)table.objects_each * table.ranks; i++) {
        value = next_object(value);
        struct slot *slot = find(known, (int)value);
        missing += slot->object == 0;
        *slot = (struct slot){(int)value, slot->entries + PASSES};
    }
    for (int64_t i = 0; i < (int64_t)table.part * table.ranks; i++) {
        if (all[i].object == 0 && all[i].entries == 0)
            continue;
        struct slot *slot = find(known, all[i].object);
        wrong += all[i].object == 0 || slot->entries != all[i].entries;
        slot->entries = 0; /* a second slot with the same object is an error */
        missing--;
    }
    free(known);
    if (wrong || missing)
        fprintf(stderr, "dht_mpi: %" PRId64 " slots are wrong, %" PRId64 " objects are missing\n", wrong, missing);
    return !wrong && !missing;
}

static int run(bool atomic)
{
    MPI_Win_allocate((MPI_Aint)table.part * (MPI_Aint)sizeof *table.mine, 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                     &table.mine, &table.window);
    memset(table.mine, 0, (size_t)table.part * sizeof *table.mine);
    int *own = own_objects();
    struct slot *all = table.rank == 0 ? malloc((size_t)table.part * (size_t)table.ranks * sizeof *all) : NULL;
    if (!own || (table.rank == 0 && !all))
        MPI_Abort(MPI_COMM_WORLD, 1);

    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    int64_t mine = enter_all(own, atomic), collisions = 0;
    double seconds = MPI_Wtime() - begin;
    MPI_Reduce(&mine, &collisions, 1, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);

    MPI_Gather(table.mine, 2 * table.part, MPI_INT, all, 2 * table.part, MPI_INT, 0, MPI_COMM_WORLD);
    int ok = table.rank != 0 || right(all);
    MPI_Bcast(&ok, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (table.rank == 0) {
        printf("DHT: %d x %d objects on each of %d ranks, by %s\n", PASSES, table.objects_each, table.ranks,
               atomic ? "atomics" : "locks");
        printf("  %f s, %f Mupdates/s\n", seconds, 1e-6 * PASSES * table.objects_each * table.ranks / seconds);
        printf("  collisions of a rank %.1f\n", (double)collisions / table.ranks);
    }
    free(all);
    free(own);
    MPI_Win_free(&table.window);
    return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &table.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &table.ranks);
    bool atomic = argc > 1 && strcmp(argv[1], "atomic") == 0;
    long objects = argc > 2 ? strtol(argv[2], NULL, 10) : DEFAULT_OBJECTS;
    int code = 2;
    if (argc > 3 || (argc > 1 && !atomic && strcmp(argv[1], "lock") != 0) || objects < 1 || objects > MOST_OBJECTS) {
        if (table.rank == 0)
            fprintf(stderr, "usage: dht_mpi [lock|atomic [OBJECTS]], OBJECTS being 1 to %d\n", MOST_OBJECTS);
    } else {
        table.objects_each = (int)objects;
        table.slots = 2 * (int64_t)objects * table.ranks + 1;
        table.part = 2 * (int)objects + 1;
        code = run(atomic);
    }
    MPI_Finalize();
    return code;
}
