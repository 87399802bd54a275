/* Information that UCX only prints, in no guaranteed format: the reason of an error, and the transports that serve an
 * endpoint's put and get.  ucp_ep_query, from UCX 1.14 on, does not report a transport's purpose. */
#include "net/ucx/ucx.h"

#include "common/environment.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucs/debug/log_def.h>

/* --- what UCX prints ---------------------------------------------------------------------------------------------- */

/* Between ucx_listen and ucx_hush this thread's UCX errors are kept, not printed, unless the user has set
 * UCX_LOG_LEVEL.  The routine's result or the upcall broken reports the failure, with the last error as the reason. */
static _Thread_local int listening;
static _Thread_local char heard[256];

static ucs_log_func_rc_t listen_to(const char *file, unsigned line, const char *function, ucs_log_level_t level,
                                   const ucs_log_component_config_t *component, const char *message, va_list arguments)
{
    (void)file;
    (void)line;
    (void)function;
    (void)component;
    if (!listening || level == UCS_LOG_LEVEL_FATAL)
        return UCS_LOG_FUNC_RC_CONTINUE;
    if (level == UCS_LOG_LEVEL_ERROR) {
        va_list copy;
        va_copy(copy, arguments);
        vsnprintf(heard, sizeof heard, message, copy);
        va_end(copy);
        return UCS_LOG_FUNC_RC_STOP;
    }
    /* a setting of context.c that this version spells differently */
    if (level == UCS_LOG_LEVEL_WARN && strncmp(message, "invalid configuration", strlen("invalid configuration")) == 0)
        return UCS_LOG_FUNC_RC_STOP;
    return UCS_LOG_FUNC_RC_CONTINUE;
}

void ucx_begin_to_listen(void)
{
    if (!environment("UCX_LOG_LEVEL"))
        ucs_log_push_handler(listen_to);
}

void ucx_listen(void)
{
    if (listening++ == 0)
        *heard = '\0';
}

void ucx_hush(void)
{
    listening--;
}

const char *ucx_why(ucs_status_t status)
{
    static _Thread_local char text[sizeof heard + 128];
    snprintf(text, sizeof text, *heard ? "%s: %s" : "%s", ucs_status_string(status), heard);
    return text;
}

/* --- endpoints ---------------------------------------------------------------------------------------------------- */

/* ucp_ep_print_info prints a line for each lane, with transport and device, and after the arrow the lane's purposes:
 *     lane[0]:  1:tcp/lo.0 md[1]  -> md[1]/tcp/sysdev[255] am am_bw#0 keepalive wireup */
static char *print_endpoint(struct provider_endpoint *endpoint)
{
    char *printed = NULL;
    size_t bytes;
    FILE *f = open_memstream(&printed, &bytes);
    if (!f)
        return NULL;
    if (!endpoint->is_broken)
        ucp_ep_print_info(endpoint->ep, f);
    return fclose(f) == 0 ? printed : NULL;
}

struct lane {
    char transport[32], device[32];
    bool messages, rma;
};

/* False: the line is not about a lane. */
static bool read_lane(const char *line, struct lane *lane)
{
    const char *at = strstr(line, "lane["), *arrow = strstr(line, "->");
    *lane = (struct lane){0};
    if (!at || !arrow || sscanf(at, "lane[%*d]: %*d:%31[^/]/%31s", lane->transport, lane->device) != 2)
        return false;
    char *dot = strrchr(lane->device, '.'); /* ".0" is the path's number */
    if (dot)
        *dot = '\0';
    for (const char *word = strchr(arrow, ' '); word; word = strchr(word, ' ')) {
        word += strspn(word, " ");
        size_t n = strcspn(word, " #\n");
        lane->messages |= n == 2 && strncmp(word, "am", 2) == 0;
        lane->rma |= (n == 3 && strncmp(word, "rma", 3) == 0) || (n == 6 && strncmp(word, "rma_bw", 6) == 0);
    }
    return true;
}

static bool is_hardware(const char *transport)
{
    return strncmp(transport, "rc", 2) == 0 || strncmp(transport, "dc", 2) == 0 || strncmp(transport, "ugni", 4) == 0;
}

/* Modifies the text. */
static void each_lane(char *printed, void (*on)(void *user, const struct lane *lane), void *user)
{
    char *rest;
    struct lane lane;
    for (char *line = strtok_r(printed, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        if (read_lane(line, &lane))
            on(user, &lane);
}

struct summary {
    char messages[80], rma[200];
    int hardware, software;
};

static void sum_up(void *user, const struct lane *lane)
{
    struct summary *s = user;
    if (lane->messages)
        snprintf(s->messages, sizeof s->messages, "%s on %s", lane->transport, lane->device);
    if (!lane->rma)
        return;
    size_t n = strlen(s->rma);
    snprintf(s->rma + n, sizeof s->rma - n, "%s%s on %s", n ? ", " : "", lane->transport, lane->device);
    s->hardware += is_hardware(lane->transport);
    s->software += !is_hardware(lane->transport);
}

static struct summary summary_of(struct provider_endpoint *endpoint)
{
    struct summary s = {.messages = "not known"};
    char *printed = print_endpoint(endpoint);
    if (printed)
        each_lane(printed, sum_up, &s);
    free(printed);
    return s;
}

void ucx_describe(struct provider_endpoint *endpoint, char *text, size_t room)
{
    struct summary s = summary_of(endpoint);
    if (endpoint->is_broken)
        snprintf(text, room, "broken: %s", ucs_status_string(endpoint->why));
    else
        snprintf(text, room, "messages: %s\nput and get: %s", s.messages,
                 *s.rma ? s.rma : "in messages, by the peer's processor");
}

bool ucx_is_one_sided(struct provider_endpoint *endpoint)
{
    struct summary s = summary_of(endpoint);
    return s.hardware && !s.software;
}

bool ucx_has_remote_memory(struct provider_endpoint *endpoint)
{
    return *summary_of(endpoint).rma;
}
