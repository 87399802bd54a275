/* Which PE says what many find wrong: the first, for all that find the same in the same routine at the same place of
 * the program. oshrun tells which these are. Values differ from PE to PE, addresses above all, so numbers are not
 * compared. A PE says what it has to say, and where in the program, in one write; the others wait for that, as their
 * end would be its end, but for a while only, since it may be ended before: if in doubt a sentence is said twice. */
#include "job/speak.h"

#include "common/futex.h"
#include "common/hash.h"
#include "job/self.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool is_digit(char c, bool hexadecimal)
{
    return (c >= '0' && c <= '9') || (hexadecimal && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));
}

/* Of a text but for its numbers, and of a place; never 0. */
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

static struct job *job_that_hears(void)
{
    const bool is_child = getpid() != self.pid; /* which has lost the job */
    return !is_child && self.job && self.job->launcher ? self.job : NULL;
}

/* True: this PE has found the same before. */
static bool is_speaker(const struct job *job)
{
    return job->speaker == (uint32_t)self.pe + 1;
}

bool speak_begin(const char *text, uint64_t place)
{
    enum { PATIENCE_MS = 3000, STEP_MS = 100 };
    struct job *const job = job_that_hears();
    const uint64_t mine = key_of(text, place);
    uint64_t first = 0;
    if (!job || atomic_compare_exchange_strong(&job->sentence, &first, mine) || first != mine || is_speaker(job))
        return true;
    for (int ms = 0; !job->speaker && !job->end && ms < PATIENCE_MS; ms += STEP_MS)
        futex_wait(&job->speaker, 0, (uint64_t)STEP_MS * 1000000);
    if (!job->speaker && !job->end)
        return true;
    job_seat(self.pe)->agrees = true;
    return false;
}

void speak_end(const char *text, size_t bytes)
{
    struct job *const job = job_that_hears();
    uint32_t nobody = 0;
    if (write(STDERR_FILENO, text, bytes) < 0) { /* nobody is left to tell */ }
    if (job && job->sentence && atomic_compare_exchange_strong(&job->speaker, &nobody, (uint32_t)self.pe + 1))
        futex_wake(&job->speaker);
}
