/* flags: -no-pie -fno-pie */
#include "statics.c"
