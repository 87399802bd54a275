/* One struct shcoll_op for each operation and type of the specification's reduction tables: shcoll_sum_int and so on. */
#ifndef SHCOLL_OPS_H
#define SHCOLL_OPS_H

#include <shmem/types.h>

#define SHCOLL_DECLARE(OP, N) extern const struct shcoll_op shcoll_##OP##_##N;
#define SHCOLL_DECLARE_BIT(T, N) SHCOLL_DECLARE(and, N) SHCOLL_DECLARE(or, N) SHCOLL_DECLARE(xor, N)
#define SHCOLL_DECLARE_ORD(T, N) SHCOLL_DECLARE(max, N) SHCOLL_DECLARE(min, N)
#define SHCOLL_DECLARE_ARITH(T, N) SHCOLL_DECLARE(sum, N) SHCOLL_DECLARE(prod, N)
#define SHCOLL_TYPES_BIT(X) COPAL_TYPES_REDUCE_BIT(X) COPAL_TYPES_TO_ALL_BIT(X)
SHCOLL_TYPES_BIT(SHCOLL_DECLARE_BIT)
COPAL_TYPES_REDUCE_ORD(SHCOLL_DECLARE_ORD)
COPAL_TYPES_REDUCE_ARITH(SHCOLL_DECLARE_ARITH)

#endif
