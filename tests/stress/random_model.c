/* A random program against a model (play.h). usage: random_model [OPERATIONS [SEED]] */
#include "play.h"

/* Completes all operations of all PEs, by a barrier or by signals. */
static void meet(void)
{
    static uint64_t arrived, expected;
    quiet_all();
    if (phase % 3) {
        shmem_barrier_all();
        return;
    }
    for (int k = 1; k <= n_pes; k++)
        shmem_signal_add(&arrived, 1, (me + k) % n_pes);
    expected += (uint64_t)n_pes;
    shmem_signal_wait_until(&arrived, SHMEM_CMP_GE, expected);
}

int main(int argc, char **argv)
{
    static _Alignas(64) unsigned char memory[STATIC_OBJECTS][MAX_PES * 256];
    const long operations = argc > 1 ? atol(argv[1]) : 300000;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 20241101;
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    ctxs[0] = SHMEM_CTX_DEFAULT;
    int failed = shmem_ctx_create(0, &ctxs[1]) + shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctxs[2]);
    failed += shmem_ctx_create(SHMEM_CTX_SERIALIZED | SHMEM_CTX_NOSTORE, &ctxs[3]);
    CHECK(n_pes <= MAX_PES && !failed, "%d PEs, or no contexts", n_pes);
    if (check_failures)
        shmem_global_exit(1);
    for (int o = 0; o < STATIC_OBJECTS; o++) {
        objects[o] = (struct object){.memory = memory[o], .region = 256};
        fill_object(&objects[o], 0);
    }
    const int phases = (int)(operations / PHASE_OPS / n_pes) + 1;
    for (phase = 0; phase < phases && !check_failures; phase++) {
        change_objects(seed);
        shmem_barrier_all();
        for (int k = 0; k < n_pes; k++)
            play_part_of((me + k) % n_pes, seed);
        meet();
        compare(seed);
        shmem_barrier_all(); /* no PE starts the next phase before all have compared */
        if (check_failures)
            fprintf(stderr, "PE %d: random_model %ld %llu has gone wrong in phase %d\n", me, operations,
                    (unsigned long long)seed, phase);
    }
    if (me == 0)
        printf("seed %llu: %d phases of %d operations on each of %d PEs\n", (unsigned long long)seed, phase, PHASE_OPS,
               n_pes);
    if (check_failures)
        shmem_global_exit(1); /* the other PEs do not know of the error */
    for (int c = 1; c < CTXS; c++)
        shmem_ctx_destroy(ctxs[c]);
    shmem_finalize();
    return check_result();
}
