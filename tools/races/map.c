#include "races/map.h"

#include "job/settings.h"

#include <pshmem.h>
#include <stdio.h>
#include <sys/stat.h>

struct map map;
static ino_t job_inode;

void map_remember_job(void)
{
    const char *told = setting_text(SETTING_COPAL_JOB);
    int launcher, fd;
    char path[64];
    struct stat status;
    if (!told || sscanf(told, "%d:%d:", &launcher, &fd) != 2)
        return;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", launcher, fd);
    if (stat(path, &status) == 0 || fstat(fd, &status) == 0)
        job_inode = status.st_ino;
}

/* Contiguous mappings of the job file, which the kernel may list separately. */
struct piece {
    uintptr_t from, to;
    uint64_t at; /* offset in the file */
};

static int read_pieces(struct piece *pieces, int most)
{
    FILE *in = fopen("/proc/self/maps", "r");
    char line[512];
    int n = 0;
    while (in && fgets(line, sizeof line, in)) {
        unsigned long from, to, inode;
        unsigned long long at;
        if (sscanf(line, "%lx-%lx %*s %llx %*s %lu", &from, &to, &at, &inode) != 4 || inode != job_inode)
            continue;
        int i = 0;
        while (i < n && from - pieces[i].from != at - pieces[i].at)
            i++;
        if (i == most)
            continue;
        if (i == n)
            pieces[n++] = (struct piece){from, to, at};
        pieces[i].to = to;
    }
    if (in)
        fclose(in);
    return n;
}

/* The number of another PE, or 0 if PE 0 is the only one. */
static int another(void)
{
    return map.me == 0 && map.n_pes > 1 ? 1 : 0;
}

static ptrdiff_t stride_to(ptrdiff_t distance)
{
    return another() == map.me ? 0 : distance / (another() - map.me);
}

bool map_read(int me, int n_pes)
{
    enum { PIECES = 16 };
    struct piece pieces[PIECES], window = {0};
    const int n = job_inode ? read_pieces(pieces, PIECES) : 0;
    for (int i = 0; i < n; i++)
        if (pieces[i].to - pieces[i].from > window.to - window.from)
            window = pieces[i];
    if (!window.to)
        return false;
    map = (struct map){.window = window.from, .me = me, .n_pes = n_pes};
    for (int i = 0; i < n; i++)
        if (pieces[i].at - window.at < window.to - window.from && pieces[i].from != window.from) {
            map.statics = pieces[i].from;
            map.statics_at = (size_t)(pieces[i].at - window.at);
            map.statics_bytes = pieces[i].to - pieces[i].from;
        }
    map.bytes = window.to - window.from;
    const char *other = map.statics_bytes ? pshmem_ptr((void *)map.statics, another()) : NULL;
    if (other) /* it runs the same program */
        map.statics_stride = stride_to(other - (char *)(map.window + map.statics_at));
    return true;
}

void map_learn_heap(void *block)
{
    if (map.heap_stride || !block)
        return;
    const char *other = pshmem_ptr(block, another());
    map.heap_stride = map.n_pes > 1 && other ? stride_to(other - (char *)block)
                                             : (ptrdiff_t)(map.bytes - map.statics_bytes);
    map.heap_at = map.bytes - (size_t)(map.n_pes - map.me) * (size_t)map.heap_stride;
}

/* Statics come first; the heaps are at the end of the window. The check for this PE's own memory needs no division. */
int map_owner(size_t offset, bool *is_static)
{
    *is_static = offset - map.statics_at < map.statics_bytes;
    if (map_is_mine(offset))
        return map.me;
    const size_t heaps = (size_t)map.heap_stride * (size_t)map.n_pes;
    *is_static = offset < map.bytes - heaps;
    if (*is_static)
        return map.statics_stride ? (int)(offset / (size_t)map.statics_stride) : map.me;
    return map.n_pes - 1 - (int)((map.bytes - 1 - offset) / (size_t)map.heap_stride);
}

void *map_mine(size_t offset)
{
    bool is_static;
    const ptrdiff_t distance = map.me - map_owner(offset, &is_static);
    const size_t mine = offset + (size_t)(distance * (is_static ? map.statics_stride : map.heap_stride));
    return is_static ? (char *)map.statics + (mine - map.statics_at) : (char *)map.window + mine;
}

bool map_remote(const void *mine, size_t bytes, int pe, size_t *offset)
{
    bool is_static;
    if (!map_offset(mine, offset) || pe < 0 || pe >= map.n_pes || bytes > map.bytes - *offset)
        return false;
    const ptrdiff_t distance = pe - map_owner(*offset, &is_static);
    *offset += (size_t)(distance * (is_static ? map.statics_stride : map.heap_stride));
    return true;
}
