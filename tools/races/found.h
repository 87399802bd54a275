/* The part of the --races file that oshrun uses. The detector's own part is in board.h. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

/* The environment variable COPAL_RACES names the file: "LAUNCHER_PID:FD". It is sparse and has its full size from the
 * beginning: if PEs enlarged it, a PE could truncate data that another PE has just added. */
#define RACES_FILE_BYTES ((uint64_t)1 << 60)
#define RACES_EXIT_CODE 66

struct races_found {
    _Atomic uint32_t reported, suppressed; /* numbers of races */
    _Atomic uint32_t looking;              /* number of PEs that detect races */
    _Atomic uint32_t unable;               /* number of PEs that detect none, as a message has said */
    _Atomic uint32_t compiled;             /* 1: some module of the program was compiled with --races */
};
