/* The file that oshrun makes for --races: what oshrun has to know of it. The detector's own part is in board.h. */
#ifndef COPAL_RACES_FOUND_H
#define COPAL_RACES_FOUND_H

#include <stdatomic.h>
#include <stdint.h>

/* The environment variable COPAL_RACES tells a PE where the file is: "LAUNCHER_PID:FD". It is sparse, and has its size
 * from the beginning: PEs that enlarged it could cut off what another PE has just added. */
#define RACES_FILE_BYTES ((uint64_t)1 << 60)
#define RACES_EXIT_CODE 66

/* Its head. */
struct races_found {
    _Atomic uint32_t reported, suppressed; /* races */
    _Atomic uint32_t looking;              /* PEs that look for races */
    _Atomic uint32_t compiled;             /* 1: some module of the program was compiled with --races */
};

#endif
