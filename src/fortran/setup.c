/* Other routines of the module shmem that are more than a call of C's function: names and addresses. */
#include "descriptor.h"

#include <string.h>

/* If dest is a variable of type(c_ptr), its value is the address, as in the routines on two arrays. */
void *shmemf_ptr(ARRAY *dest, int pe)
{
    return shmem_ptr(address_of(dest, 0, "dest", "shmem_ptr"), pe);
}

void *shmemf_team_ptr(shmem_team_t team, ARRAY *dest, int pe)
{
    return shmem_team_ptr(team, address_of(dest, 0, "dest", "shmem_team_ptr"), pe);
}

int shmemf_addr_accessible(ARRAY *addr, int pe)
{
    return shmem_addr_accessible(address_of(addr, 0, "addr", "shmem_addr_accessible"), pe);
}

void shmemf_info_get_name(CFI_cdesc_t *name)
{
    char text[SHMEM_MAX_NAME_LEN];
    shmem_info_get_name(text);
    const size_t length = strlen(text), kept = length < name->elem_len ? length : name->elem_len;
    memcpy(name->base_addr, text, kept);
    memset((char *)name->base_addr + kept, ' ', name->elem_len - kept);
}

void shmemf_pcontrol(int level)
{
    shmem_pcontrol(level);
}
