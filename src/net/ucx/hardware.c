#include "net/ucx/ucx.h"

#include "common/environment.h"

#include <stdlib.h>
#include <string.h>
#include <uct/api/uct.h>

/* True for tcp, self, or both. */
static bool names_messages_only(const char *names)
{
    for (size_t n; *names; names += n + (names[n] == ',')) {
        n = strcspn(names, ",");
        if (!(n == 3 && strncmp(names, "tcp", n) == 0) && !(n == 4 && strncmp(names, "self", n) == 0))
            return false;
    }
    return true;
}

static bool has_adapter(uct_md_h md)
{
    uct_tl_resource_desc_t *transports;
    unsigned n;
    bool found = false;
    if (uct_md_query_tl_resources(md, &transports, &n) != UCS_OK)
        return false;
    for (unsigned i = 0; i < n && !found; i++)
        found = transports[i].dev_type == UCT_DEVICE_TYPE_NET && strcmp(transports[i].tl_name, "tcp") != 0;
    uct_release_tl_resource_list(transports);
    return found;
}

static bool opens_adapter(uct_component_h component, const char *domain)
{
    uct_md_config_t *config;
    uct_md_h md;
    if (uct_md_config_read(component, NULL, NULL, &config) != UCS_OK)
        return false;
    const ucs_status_t status = uct_md_open(component, domain, config, &md);
    uct_config_release(config);
    if (status != UCS_OK)
        return false;
    const bool found = has_adapter(md);
    uct_md_close(md);
    return found;
}

static bool is_of_adapter(uct_component_h component)
{
    uct_component_attr_t attr = {.field_mask = UCT_COMPONENT_ATTR_FIELD_MD_RESOURCE_COUNT};
    if (uct_component_query(component, &attr) != UCS_OK || !attr.md_resource_count)
        return false;
    attr.md_resources = calloc(attr.md_resource_count, sizeof *attr.md_resources);
    attr.field_mask = UCT_COMPONENT_ATTR_FIELD_MD_RESOURCES;
    bool found = false;
    if (attr.md_resources && uct_component_query(component, &attr) == UCS_OK)
        for (unsigned i = 0; i < attr.md_resource_count && !found; i++)
            found = opens_adapter(component, attr.md_resources[i].md_name);
    free(attr.md_resources);
    return found;
}

static bool has_hardware(void)
{
    uct_component_h *components;
    unsigned n;
    bool found = false;
    ucx_listen();
    if (uct_query_components(&components, &n) == UCS_OK) {
        for (unsigned i = 0; i < n && !found; i++)
            found = is_of_adapter(components[i]);
        uct_release_component_list(components);
    }
    ucx_hush();
    return found;
}

bool ucx_wants_remote_memory(void)
{
    const char *names = environment("UCX_TLS");
    return names ? !names_messages_only(names) : has_hardware();
}
