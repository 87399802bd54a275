/* The C types of numbers of 128 bits, Fortran's kind 16. */
#pragma once

#include <float.h>

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;
#if LDBL_MANT_DIG == 113
typedef long double real128;
#else
__extension__ typedef __float128 real128;
#endif
