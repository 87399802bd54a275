/* Puts through components that the target image completes. */
#pragma once

#include "walk.h"

/* Sends the rest of the walk and the value of src to the target, which stores it. False: the caller must do it. */
bool direct_post_put(const struct walk *w, const struct gfortran_descriptor *src, int src_kind, int dst_type,
                     int dst_kind);
