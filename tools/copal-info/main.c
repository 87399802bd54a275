/* copal-info [--scale] [--json] */
#include "info.h"

#include "shmem/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: copal-info [--scale] [--json]\n"
    "\n"
    "Prints what Copal was built with, what this machine has, and which path a put takes\n"
    "between PEs of one node and of several.\n"
    "\n"
    "  --scale    print instead the bytes that each peer and each PE of the job costs\n"
    "  --json     the same facts for a program\n"
    "  --help, --version\n";

int main(int argc, char **argv)
{
    bool json = false, scale = false;
    setenv("UCX_LOG_FILE", "stderr", 0); /* stdout is for facts */
    if (argc == 3 && strcmp(argv[1], PARTNER_OPTION) == 0)
        partner_play(argv[2]);
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i] + (strncmp(argv[i], "--", 2) == 0 ? 1 : 0);
        if (strcmp(option, "-json") == 0) {
            json = true;
        } else if (strcmp(option, "-scale") == 0) {
            scale = true;
        } else if (strcmp(option, "-help") == 0 || strcmp(option, "-h") == 0) {
            fputs(help, stdout);
            return 0;
        } else if (strcmp(option, "-version") == 0 || strcmp(option, "-V") == 0) {
            printf("copal-info (Copal) %s\n", COPAL_VERSION);
            return 0;
        } else {
            fprintf(stderr, "copal-info: %s: no such option; copal-info --help lists them\n", argv[i]);
            return 2;
        }
    }
    out_begin(json);
    if (scale) {
        scale_print();
    } else {
        built_print();
        machine_print();
        path_print();
    }
    out_end();
    /* Skips exit handlers: the leak check of a build with sanitizers crashes in a process that has loaded UCX. */
    _exit(fflush(stdout) == 0 ? 0 : 1);
}
