/* The thread that notices the end of the job, and of other PEs. */
#ifndef COPAL_DIRECTORY_WATCH_H
#define COPAL_DIRECTORY_WATCH_H

#include "job/directory/directory.h"

struct watcher {
    void (*died)(int pe, const char *why); /* a PE is lost; why is a clause for people */
    void (*ended)(int pe, int code);       /* another PE has ended the job */
};

/* NULL, or a sentence. The watcher stays the caller's. */
const char *watch_start(const struct boot_layout *layout, const struct watcher *watcher);
void watch_end(void);

#endif
