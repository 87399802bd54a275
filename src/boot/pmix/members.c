#include "boot/kit/kit.h"
#include "boot/pmix/pmix.h"

#include <sys/mman.h>
#include <unistd.h>

struct members *pmix_members;
static int members_fd = -1;

static size_t members_bytes(void)
{
    return sizeof *pmix_members + (size_t)pmix_launch.run[pmix_launch.own_node].n * sizeof pmix_members->of[0];
}

int members_index(void)
{
    return pmix_launch.pe - pmix_launch.run[pmix_launch.own_node].first;
}

int members_make(void)
{
    const char *folder;
    members_fd = nameless_file(&folder);
    if (members_fd >= 0 && ftruncate(members_fd, (off_t)members_bytes()) != 0)
        kit_shut(&members_fd);
    return members_fd;
}

bool members_map(int fd)
{
    void *at = mmap(NULL, members_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED)
        return false;
    pmix_members = at;
    pmix_members->of[members_index()].pid = (int)getpid();
    return true;
}

void members_leave(void)
{
    if (pmix_members) {
        pmix_members->of[members_index()].state = MEMBER_ENDED;
        munmap(pmix_members, members_bytes());
    }
    pmix_members = NULL;
    kit_shut(&members_fd);
}
