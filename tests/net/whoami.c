// Shows whether a launcher distinguishes hosts.  Every process of a PMIx job prints its rank, the job's size, its host
// and the ranks on this host, without Copal. With an argument, "2,1": prints "FAILED" and exits with 1 unless
// consecutive ranks are on hosts in that layout and a value put by the last rank reaches all ranks.
#include <pmix.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pmix_proc_t self;

static void check(pmix_status_t status, const char *what)
{
    if (status != PMIX_SUCCESS) {
        fprintf(stderr, "FAILED: %s: %s\n", what, PMIx_Error_string(status));
        exit(1);
    }
}

static unsigned job_size(void)
{
    pmix_proc_t all = self;
    pmix_value_t *value;
    all.rank = PMIX_RANK_WILDCARD;
    check(PMIx_Get(&all, PMIX_JOB_SIZE, NULL, 0, &value), "size of the job");
    return value->data.uint32;
}

// A list of ranks, "4,5,6", made by hand: PMIx_Get's list of local peers differs between launchers.
static void peers_text(pmix_proc_t *peers, size_t count, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%u", i ? "," : "", peers[i].rank);
}

// The ranks on this rank's host, by the layout.
static void layout_text(const char *layout, char *text, size_t size)
{
    unsigned first = 0;
    char *end;
    text[0] = '\0';
    for (const char *at = layout; *at; at = *end ? end + 1 : end) {
        unsigned count = (unsigned)strtoul(at, &end, 10);
        if (self.rank >= first && self.rank < first + count) {
            size_t used = 0;
            for (unsigned rank = first; rank < first + count; rank++)
                used += (size_t)snprintf(text + used, size - used, "%s%u", rank > first ? "," : "", rank);
            return;
        }
        first += count;
    }
}

// Distributes a value of the last rank, as the library distributes contact information.
static void exchange(unsigned size)
{
    pmix_value_t card = { .type = PMIX_UINT32, .data.uint32 = 1000 + self.rank }, *value;
    check(PMIx_Put(PMIX_GLOBAL, "whoami.card", &card), "put");
    check(PMIx_Commit(), "commit");
    bool collect = true;
    pmix_info_t info;
    PMIX_INFO_LOAD(&info, PMIX_COLLECT_DATA, &collect, PMIX_BOOL);
    check(PMIx_Fence(NULL, 0, &info, 1), "fence");
    pmix_proc_t last = self;
    last.rank = size - 1;
    check(PMIx_Get(&last, "whoami.card", NULL, 0, &value), "get of the last rank's card");
    if (value->data.uint32 != 1000 + last.rank) {
        fprintf(stderr, "FAILED: the card of rank %u says %u\n", last.rank, value->data.uint32);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    char host[256], here[4096], wanted[4096];
    pmix_proc_t *peers = NULL;
    size_t count = 0;
    check(PMIx_Init(&self, NULL, 0), "init");
    unsigned size = job_size();
    gethostname(host, sizeof host);
    check(PMIx_Resolve_peers(NULL, self.nspace, &peers, &count), "local peers");
    peers_text(peers, count, here, sizeof here);
    exchange(size);
    printf("rank %u of %u on %s, beside %s\n", self.rank, size, host, here);
    fflush(stdout);
    int code = 0;
    if (argc > 1) {
        layout_text(argv[1], wanted, sizeof wanted);
        code = strcmp(here, wanted) != 0;
        if (code)
            fprintf(stderr, "FAILED: rank %u on %s has %s beside it, and %s was asked for\n", self.rank, host, here,
                    wanted);
    }
    check(PMIx_Finalize(NULL, 0), "finalize");
    return code;
}
