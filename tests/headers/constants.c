/* Every constant of the specification exists and is an integer constant expression: it can be the size of a static
 * array, an initialiser, and a case label.  Handles can initialise static objects. */
#include <shmem.h>

#if SHMEM_MAJOR_VERSION != 1 || SHMEM_MINOR_VERSION != 6 || _SHMEM_MAJOR_VERSION != 1 || _SHMEM_MINOR_VERSION != 6
#error "not OpenSHMEM 1.6"
#endif

/* Programs compare these numbers in #if, to distinguish implementations. */
#if !(COPAL_VERSION_MAJOR > 0 || COPAL_VERSION_MINOR > 0 || COPAL_VERSION_PATCH > 0)
#error "no version of Copal"
#endif

/* Programs in other languages rely on these values. */
#if SHMEM_SIGNAL_SET != 1 || SHMEM_SIGNAL_ADD != 2
#error "the operations of signals do not have Cray's values"
#endif
#if SHMEM_CTX_PRIVATE != 1 || SHMEM_CTX_SERIALIZED != 2 || SHMEM_CTX_NOSTORE != 4
#error "the options of contexts do not have Cray's values"
#endif

/* One element more, because a constant may be 0. */
#define BOUND(NAME) extern char bound##NAME[(NAME) + 1]; char bound##NAME[(NAME) + 1];
BOUND(SHMEM_THREAD_SINGLE)
BOUND(SHMEM_THREAD_FUNNELED)
BOUND(SHMEM_THREAD_SERIALIZED)
BOUND(SHMEM_THREAD_MULTIPLE)
BOUND(SHMEM_TEAM_NUM_CONTEXTS)
BOUND(SHMEM_CTX_SERIALIZED)
BOUND(SHMEM_CTX_PRIVATE)
BOUND(SHMEM_CTX_NOSTORE)
BOUND(SHMEM_CTX_SESSION_TOTAL_OPS)
BOUND(SHMEM_CTX_SESSION_BATCH)
BOUND(SHMEM_SIGNAL_SET)
BOUND(SHMEM_SIGNAL_ADD)
BOUND(SHMEM_MALLOC_ATOMICS_REMOTE)
BOUND(SHMEM_MALLOC_SIGNAL_REMOTE)
BOUND(SHMEM_MAX_NAME_LEN)
BOUND(_SHMEM_MAX_NAME_LEN)
BOUND(SHMEM_SYNC_VALUE)
BOUND(_SHMEM_SYNC_VALUE)
BOUND(SHMEM_CMP_EQ)
BOUND(_SHMEM_CMP_EQ)

/* Work arrays as programs declare them. */
static long sync_work[SHMEM_SYNC_SIZE] = {SHMEM_SYNC_VALUE};
static long barrier_work[SHMEM_BARRIER_SYNC_SIZE] = {SHMEM_SYNC_VALUE};
static long broadcast_work[SHMEM_BCAST_SYNC_SIZE] = {SHMEM_SYNC_VALUE};
static long collect_work[SHMEM_COLLECT_SYNC_SIZE] = {SHMEM_SYNC_VALUE};
static long reduce_work[SHMEM_REDUCE_SYNC_SIZE] = {SHMEM_SYNC_VALUE};
static long alltoall_work[SHMEM_ALLTOALL_SYNC_SIZE] = {SHMEM_SYNC_VALUE};
static long alltoalls_work[SHMEM_ALLTOALLS_SYNC_SIZE] = {SHMEM_SYNC_VALUE};
static long old_barrier_work[_SHMEM_BARRIER_SYNC_SIZE] = {_SHMEM_SYNC_VALUE};
static long old_broadcast_work[_SHMEM_BCAST_SYNC_SIZE] = {_SHMEM_SYNC_VALUE};
static long old_collect_work[_SHMEM_COLLECT_SYNC_SIZE] = {_SHMEM_SYNC_VALUE};
static long old_reduce_work[_SHMEM_REDUCE_SYNC_SIZE] = {_SHMEM_SYNC_VALUE};
static double reduce_data[SHMEM_REDUCE_MIN_WRKDATA_SIZE + _SHMEM_REDUCE_MIN_WRKDATA_SIZE];

/* The name fits, with its final 0, into the array for shmem_info_get_name. */
static char name[SHMEM_MAX_NAME_LEN] = SHMEM_VENDOR_STRING;
static char old_name[_SHMEM_MAX_NAME_LEN] = _SHMEM_VENDOR_STRING;

static shmem_team_t teams[] = {SHMEM_TEAM_WORLD, SHMEM_TEAM_SHARED, SHMEM_TEAM_INVALID};
static shmem_ctx_t contexts[] = {SHMEM_CTX_DEFAULT, SHMEM_CTX_INVALID};
static shmem_team_config_t team_config = {4};
static shmem_ctx_session_config_t session_config = {(size_t)1 << 40};

int use(int cmp, int level, long option);
int use(int cmp, int level, long option)
{
    switch (cmp) { /* labels must differ from each other */
    case SHMEM_CMP_EQ: case SHMEM_CMP_NE: case SHMEM_CMP_GT: case SHMEM_CMP_LE: case SHMEM_CMP_LT: case SHMEM_CMP_GE:
        return 1;
    }
    switch (cmp) {
    case _SHMEM_CMP_EQ: case _SHMEM_CMP_NE: case _SHMEM_CMP_GT: case _SHMEM_CMP_LE: case _SHMEM_CMP_LT:
    case _SHMEM_CMP_GE:
        return 1;
    }
    switch (level) {
    case SHMEM_THREAD_SINGLE: case SHMEM_THREAD_FUNNELED: case SHMEM_THREAD_SERIALIZED: case SHMEM_THREAD_MULTIPLE:
        return 2;
    }
    switch (option) { /* all combinations of options differ */
    case 0: case SHMEM_CTX_SERIALIZED: case SHMEM_CTX_PRIVATE: case SHMEM_CTX_NOSTORE:
    case SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE: case SHMEM_CTX_SERIALIZED | SHMEM_CTX_NOSTORE:
    case SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE: case SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE:
        return 3;
    }
    switch (option) {
    case SHMEM_MALLOC_ATOMICS_REMOTE: case SHMEM_MALLOC_SIGNAL_REMOTE:
    case SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE:
        return 4;
    }
    switch (level) {
    case SHMEM_SIGNAL_SET: case SHMEM_SIGNAL_ADD:
        return 5;
    }
    return teams[0] == teams[1] || contexts[0] == SHMEM_CTX_INVALID || teams[2] != SHMEM_TEAM_INVALID ||
           team_config.num_contexts != 4 || session_config.total_ops == 0 || name[0] != old_name[0] ||
           sync_work[0] + barrier_work[0] + broadcast_work[0] + collect_work[0] + reduce_work[0] + alltoall_work[0] +
           alltoalls_work[0] + old_barrier_work[0] + old_broadcast_work[0] + old_collect_work[0] + old_reduce_work[0] !=
           0 || reduce_data[1] > 0;
}
