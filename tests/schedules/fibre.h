/* A PE as a fibre: a stack of its own in this process, which runs until it gives the turn to another one. */
#ifndef COPAL_SCHEDULES_FIBRE_H
#define COPAL_SCHEDULES_FIBRE_H

#include <stddef.h>

struct fibre {
    void *top;    /* of what it has saved, while another one runs */
    void *stack;  /* NULL: that of the thread, which fibres return to */
    void *shadow; /* the address sanitizer's */
};

/* A stack, with a page below it that nobody may touch. */
void fibre_make(struct fibre *fibre);

/* From its next turn on it is at the beginning of run, which never returns; what it did before is forgotten. */
void fibre_begin(struct fibre *fibre, void (*run)(void));

/* The turn goes from one to the other. */
void fibre_switch(struct fibre *from, struct fibre *to);

/* The first thing that a fibre does. */
void fibre_begun(void);

#endif
