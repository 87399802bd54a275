/* For rules about threads of one PE. */
#pragma once

#define THREADS
#include "rules.h"

#include <pthread.h>

static pthread_t start(void *(*body)(void *), void *argument)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, body, argument))
        shmem_global_exit(3);
    return thread;
}
