/* sources: src/net/region.c */
/* Memory that the network may not lock: the sentence names the memory, its size, the reason, the limit and where to
 * raise it. */
#include "../check.h"
#include "net/port.h"
#include "net/region.h"

#include <stdarg.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct node node;
struct port net_port;
struct net_tune net_tune = {.reach = (size_t)256 << 20};

void job_fatal(const char *routine, const char *text, ...)
{
    va_list ap;
    va_start(ap, text);
    printf("%s: ", routine);
    vprintf(text, ap);
    va_end(ap);
    fflush(stdout);
    _exit(1);
}

static struct provider_memory *refuse(void *at, size_t bytes, size_t file_at, const char **why)
{
    (void)at, (void)bytes, (void)file_at;
    *why = "Cannot allocate memory";
    return NULL;
}

static struct provider fake = {.memory_open = refuse};
const struct provider *net_provider = &fake;

/* The sentence of a process with this limit and this maximum for it. */
static void say(rlim_t limit, rlim_t most, char *text, size_t room)
{
    int ends[2];
    CHECK(pipe(ends) == 0, "no pipe");
    const pid_t child = fork();
    if (child == 0) {
        unsigned char key[REGION_KEY_BYTES];
        dup2(ends[1], STDOUT_FILENO);
        setrlimit(RLIMIT_MEMLOCK, &(struct rlimit){limit, most});
        region_key(0, key, sizeof key);
        _exit(0);
    }
    close(ends[1]);
    size_t n = 0;
    for (ssize_t more; (more = read(ends[0], text + n, room - 1 - n)) > 0;)
        n += (size_t)more;
    text[n] = '\0';
    close(ends[0]);
    int status;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1, "the process ends with status %#x", (unsigned)status);
}

int main(void)
{
    char text[600];
    node.own_size = 1 << 20;
    node.heap_size = (size_t)63 << 20;
    struct rlimit before;
    getrlimit(RLIMIT_MEMLOCK, &before);
    say(65536, before.rlim_max, text, sizeof text);
    CHECK(strstr(text, "the network: cannot register symmetric memory of 64 MiB: Cannot allocate memory; it may have "
                       "to be locked in memory; the limit is 64 KiB (ulimit -l): raise it in "
                       "/etc/security/limits.conf or as LimitMEMLOCK of the batch system's service"), "%s", text);
    if (before.rlim_max == RLIM_INFINITY) {
        say(RLIM_INFINITY, RLIM_INFINITY, text, sizeof text);
        CHECK(strstr(text, "Cannot allocate memory; set SHMEM_SYMMETRIC_SIZE to less, or start fewer PEs on a node"),
              "%s", text);
    }
    return check_result();
}
