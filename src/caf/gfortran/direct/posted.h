/* Puts through components that the other image walks to. */
#ifndef COPAL_GFORTRAN_POSTED_H
#define COPAL_GFORTRAN_POSTED_H

#include "walk.h"

/* From where the walk has stopped the other image goes on, and stores what src describes.  False: it is better done
 * from here. */
bool direct_post_put(const struct walk *w, const struct gfortran_descriptor *src, int src_kind, int dst_type,
                     int dst_kind);

#endif
