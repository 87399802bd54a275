#include "boot/kit/kit.h"

#include "common/kernel.h"
#include "common/number.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *kit_sentence(const char *fmt, ...)
{
    static _Thread_local char text[512];
    char next[sizeof text]; /* an argument may be the thread's last sentence */
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(next, sizeof next, fmt, ap);
    va_end(ap);
    return strcpy(text, next);
}

void kit_complain(int pe, const char *fmt, ...)
{
    char text[512];
    const int prefix = snprintf(text, sizeof text, "copal: PE %d: ", pe);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text + prefix, sizeof text - (size_t)prefix - 1, fmt, ap);
    va_end(ap);
    strcat(text, "\n");
    if (write(STDERR_FILENO, text, strlen(text)) < 0) { /* it cannot be reported */ }
}

void kit_fail(int pe, void (*abort_job)(int code, const char *text), const char *routine, const char *what,
              const char *why)
{
    kit_complain(pe, "%s: %s: %s", routine, what, why);
    abort_job(1, why);
    _exit(1);
}

bool kit_number(enum setting s, int *number)
{
    const char *text = setting_text(s);
    return text && number_of(text, 0, INT32_MAX, number);
}

bool kit_thread(pthread_t *thread, void *(*run)(void *))
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    const bool begun = pthread_create(thread, NULL, run, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (begun)
        pthread_setname_np(*thread, "copal-watch");
    return begun;
}

/* In the host's first user namespace, the map contains all users. */
bool kit_is_contained(void)
{
    char text[64] = "";
    unsigned inside = 0, outside = 0, n = UINT32_MAX;
    const int fd = open("/proc/self/uid_map", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    if (read(fd, text, sizeof text - 1) < 0 || sscanf(text, "%u %u %u", &inside, &outside, &n) != 3)
        inside = 1; /* no user is mapped */
    close(fd);
    return inside || outside || n != UINT32_MAX;
}

void kit_find_place(struct kit_place *place)
{
    struct stat processes = {0}, network = {0};
    if (gethostname(place->host, sizeof place->host - 1) != 0)
        strcpy(place->host, "?");
    if (stat("/proc/self/ns/pid", &processes) != 0 ||
        (kit_is_contained() && stat("/proc/self/ns/net", &network) != 0)) { /* cannot fail */ }
    const uint64_t spaces[] = {processes.st_ino, network.st_ino};
    place->id = hash_bytes(kernel_identity(), place->host, strlen(place->host)); /* the identity may be 0 */
    place->id = hash_bytes(place->id, spaces, sizeof spaces);
}

void kit_layout(const int *node_of, struct boot_layout *layout)
{
    int size_of_first = 0;
    bool uniform = true;
    for (int first = 0, next; first < layout->n_pes; first = next) {
        for (next = first + 1; next < layout->n_pes && node_of[next] == node_of[first];)
            next++;
        const int size = next - first;
        size_of_first = size_of_first ? size_of_first : size;
        uniform = uniform && (size == size_of_first || (size < size_of_first && next == layout->n_pes));
        if (layout->pe >= first && layout->pe < next) {
            layout->first = first;
            layout->n_local = size;
        }
    }
    layout->node_size = uniform ? size_of_first : 1;
}

const char *kit_layout_of_places(const struct kit_place *first, size_t step, struct boot_layout *layout)
{
    int *node_of = malloc((size_t)layout->n_pes * sizeof *node_of);
    if (!node_of)
        return kit_sentence("no memory for the map of a job of %d PEs", layout->n_pes);
    uint64_t before = first->id;
    for (int pe = 0; pe < layout->n_pes; pe++) {
        const struct kit_place *place = (const struct kit_place *)((const char *)first + (size_t)pe * step);
        node_of[pe] = pe && place->id == before ? node_of[pe - 1] : pe;
        before = place->id;
    }
    kit_layout(node_of, layout);
    free(node_of);
    return NULL;
}

void kit_claim(void)
{
    char pid[16];
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    setenv(settings[SETTING_COPAL_PE_PID].name, pid, 1);
}
