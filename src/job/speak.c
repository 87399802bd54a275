/* If several PEs find the same error, in the same routine at the same source line, only the first prints it; oshrun
 * lists the others. Numbers in the message are not compared, because values such as addresses differ between PEs. The
 * first PE prints message and source lines in one write. The other PEs wait until this is done: if a PE ended earlier,
 * oshrun would end the job, and might kill the first PE before it has written. The wait has a time limit: if the first
 * PE has died, another PE prints the error, too. */
#include "job/speak.h"

#include "common/futex.h"
#include "common/hash.h"
#include "job/self.h"
#include "job/settings.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bool is_digit(char c, bool hexadecimal)
{
    return (c >= '0' && c <= '9') || (hexadecimal && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));
}

/* A hash of the text without its numbers, and of the place; never 0. */
static uint64_t key_of(const char *text, uint64_t place)
{
    uint64_t hash = HASH_START;
    for (; place; place >>= 8)
        hash = hash_word(hash, (unsigned char)place);
    while (*text) {
        const bool hexadecimal = text[0] == '0' && text[1] == 'x';
        const char c = *text;
        text += hexadecimal ? 2 : 1;
        hash = hash_word(hash, (unsigned char)(is_digit(c, false) ? '#' : c));
        while (is_digit(c, false) && is_digit(*text, hexadecimal))
            text++;
    }
    return hash | 1;
}

/* oshrun's job, mapped for a PE that has not joined it; NULL if there is none. */
static struct job *map_ahead(int pe)
{
    const char *text = setting_text(SETTING_COPAL_JOB);
    int fd;
    struct job head;
    if (!text || sscanf(text, "%*d:%d:", &fd) != 1 || pread(fd, &head, sizeof head, 0) != (ssize_t)sizeof head ||
        head.magic != JOB_MAGIC || head.version != JOB_VERSION || pe < 0 || pe >= head.n_pes)
        return NULL;
    void *job = mmap(NULL, job_bytes(head.n_pes), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return job == MAP_FAILED ? NULL : job;
}

/* The job under oshrun, even before shmem_init, and this PE's number and record in it. NULL: there is none. */
static struct job *job_that_hears(int *pe, struct job_pe **mine)
{
    static struct job *ahead;
    *pe = self.job ? self.pe : job_pe_to_be();
    if (!self.job && !ahead)
        ahead = map_ahead(*pe);
    struct job *const job = self.job ? self.job : ahead;
    if (job_is_child() || !job || !job->launcher)
        return NULL;
    *mine = &job->pe[*pe - self.first_seat];
    return job;
}

bool speak_begin(const char *text, uint64_t place)
{
    enum { PATIENCE_MS = 3000, STEP_MS = 100 };
    int pe;
    struct job_pe *mine;
    struct job *const job = job_that_hears(&pe, &mine);
    const uint64_t key = key_of(text, place);
    uint64_t first = 0;
    const bool is_new = !job || atomic_compare_exchange_strong(&job->sentence, &first, key) || first != key;
    if (is_new || job->speaker == (uint32_t)pe + 1) /* this PE has printed the error before */
        return true;
    for (int ms = 0; !job->speaker && !job->end && ms < PATIENCE_MS; ms += STEP_MS)
        futex_wait(&job->speaker, 0, (uint64_t)STEP_MS * 1000000);
    if (!job->speaker && !job->end)
        return true;
    mine->agrees = true;
    return false;
}

void speak_end(const char *text, size_t bytes)
{
    int pe;
    struct job_pe *mine;
    struct job *const job = job_that_hears(&pe, &mine);
    uint32_t nobody = 0;
    if (write(STDERR_FILENO, text, bytes) < 0) { /* it cannot be reported */ }
    if (job && job->sentence && atomic_compare_exchange_strong(&job->speaker, &nobody, (uint32_t)pe + 1))
        futex_wake(&job->speaker);
}
