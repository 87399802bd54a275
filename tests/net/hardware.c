/* UCX is requested for remote memory if a NIC has it, or if the user names transports that may have it; never for
 * TCP alone, where UCX would read any address of the process on behalf of any process that connects. */
#include "../check.h"
#include "net/ucx/ucx.h"

#include <glob.h>
#include <stdlib.h>

void ucx_listen(void)
{
}

void ucx_hush(void)
{
}

static bool wants(const char *transports)
{
    if (transports)
        setenv("UCX_TLS", transports, 1);
    else
        unsetenv("UCX_TLS");
    return ucx_wants_remote_memory();
}

int main(void)
{
    static const char *const messages[] = {"tcp", "tcp,self", "self,tcp"};
    static const char *const more[] = {"all", "tcp,sm", "rc,self", "^tcp", "tcp_"};
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
        CHECK(!wants(messages[i]), "UCX_TLS=%s", messages[i]);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        CHECK(wants(more[i]), "UCX_TLS=%s", more[i]);
    glob_t found; /* this pattern matches all NICs that UCX drives, except Cray's Gemini and Aries */
    const bool has_adapter = glob("/sys/class/infiniband/*", 0, NULL, &found) == 0;
    globfree(&found);
    CHECK(has_adapter || !wants(NULL), "UCX is requested for remote memory without a NIC");
    return check_result();
}
