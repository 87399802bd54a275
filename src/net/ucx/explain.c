#include "net/ucx/ucx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ucx_describe(struct provider_endpoint *endpoint, char *text, size_t room)
{
    char *printed = NULL;
    size_t bytes;
    FILE *f = open_memstream(&printed, &bytes);
    ucp_ep_print_info(endpoint->ep, f);
    fclose(f);
    snprintf(text, room, "%s", printed);
    free(printed);
}

bool ucx_is_one_sided(struct provider_endpoint *endpoint)
{
    (void)endpoint;
    return false;
}
