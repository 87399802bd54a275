/* Atomic subroutines, on words of 8 bytes: of coarrays, or at addresses of images (indirect). */
#include "local.h"

enum { WORD = sizeof(int64_t) };

/* Where the atom is: in a coarray, or, of the indirect form, at an address. */
struct atom {
    int image;
    prif_handle coarray;
    size_t offset;
    const intptr_t *pointer; /* NULL: it is in the coarray */
};

static inline int find(const char *procedure, struct prif_location *p, const struct atom *a)
{
    if (a->pointer)
        return prif_find_word(procedure, p, a->image, *a->pointer);
    return prif_find(procedure, p, a->image, a->coarray, a->offset, WORD);
}

/* old may be NULL. */
static inline void operate(const char *procedure, struct atom a, enum caf_atomic_op op, const int64_t *value,
                           int64_t *old, int *stat)
{
    struct prif_location p;
    const int status = find(procedure, &p, &a);
    prif_report(status ? status : caf_atomic_op(p.pe, p.address, WORD, op, value, old), stat, NULL, NULL);
}

static inline void define(const char *procedure, struct atom a, const int64_t *value, int *stat)
{
    struct prif_location p;
    const int status = find(procedure, &p, &a);
    prif_report(status ? status : caf_atomic_define(p.pe, p.address, WORD, value), stat, NULL, NULL);
}

static inline void refer(const char *procedure, struct atom a, int64_t *value, int *stat)
{
    struct prif_location p;
    const int status = find(procedure, &p, &a);
    prif_report(status ? status : caf_atomic_ref(p.pe, p.address, WORD, value), stat, NULL, NULL);
}

static inline void swap(const char *procedure, struct atom a, int64_t *old, const int64_t *compare,
                        const int64_t *new_value, int *stat)
{
    struct prif_location p;
    const int status = find(procedure, &p, &a);
    prif_report(status ? status : caf_atomic_cas(p.pe, p.address, WORD, compare, new_value, old), stat, NULL, NULL);
}

#define DIRECT ((struct atom){*image_num, *coarray_handle, *offset, NULL})
#define INDIRECT ((struct atom){*image_num, 0, 0, atom_remote_ptr})

/* --- updates ------------------------------------------------------------------------------------------------------ */

PRIF(atomic_add)(const int *image_num, const prif_handle *coarray_handle, const size_t *offset, const int64_t *value,
                 int *stat)
{
    operate("prif_atomic_add", DIRECT, CAF_ADD, value, NULL, stat);
}

PRIF(atomic_add_indirect)(const int *image_num, const intptr_t *atom_remote_ptr, const int64_t *value, int *stat)
{
    operate("prif_atomic_add_indirect", INDIRECT, CAF_ADD, value, NULL, stat);
}

PRIF(atomic_and)(const int *image_num, const prif_handle *coarray_handle, const size_t *offset, const int64_t *value,
                 int *stat)
{
    operate("prif_atomic_and", DIRECT, CAF_AND, value, NULL, stat);
}

PRIF(atomic_and_indirect)(const int *image_num, const intptr_t *atom_remote_ptr, const int64_t *value, int *stat)
{
    operate("prif_atomic_and_indirect", INDIRECT, CAF_AND, value, NULL, stat);
}

PRIF(atomic_or)(const int *image_num, const prif_handle *coarray_handle, const size_t *offset, const int64_t *value,
                int *stat)
{
    operate("prif_atomic_or", DIRECT, CAF_OR, value, NULL, stat);
}

PRIF(atomic_or_indirect)(const int *image_num, const intptr_t *atom_remote_ptr, const int64_t *value, int *stat)
{
    operate("prif_atomic_or_indirect", INDIRECT, CAF_OR, value, NULL, stat);
}

PRIF(atomic_xor)(const int *image_num, const prif_handle *coarray_handle, const size_t *offset, const int64_t *value,
                 int *stat)
{
    operate("prif_atomic_xor", DIRECT, CAF_XOR, value, NULL, stat);
}

PRIF(atomic_xor_indirect)(const int *image_num, const intptr_t *atom_remote_ptr, const int64_t *value, int *stat)
{
    operate("prif_atomic_xor_indirect", INDIRECT, CAF_XOR, value, NULL, stat);
}

/* --- updates that give the old value ------------------------------------------------------------------------------ */

PRIF(atomic_fetch_add)(const int *image_num, const prif_handle *coarray_handle, const size_t *offset, const int64_t
                       *value, int64_t *old, int *stat)
{
    operate("prif_atomic_fetch_add", DIRECT, CAF_ADD, value, old, stat);
}

PRIF(atomic_fetch_add_indirect)(const int *image_num, const intptr_t *atom_remote_ptr, const int64_t *value, int64_t
                                *old, int *stat)
{
    operate("prif_atomic_fetch_add_indirect", INDIRECT, CAF_ADD, value, old, stat);
}

PRIF(atomic_fetch_and)(const int *image_num, const prif_handle *coarray_handle, const size_t *offset, const int64_t
                       *value, int64_t *old, int *stat)
{
    operate("prif_atomic_fetch_and", DIRECT, CAF_AND, value, old, stat);
}

PRIF(atomic_fetch_and_indirect)(const int *image_num, const intptr_t *atom_remote_ptr, const int64_t *value, int64_t
                                *old, int *stat)
{
    operate("prif_atomic_fetch_and_indirect", INDIRECT, CAF_AND, value, old, stat);
}

PRIF(atomic_fetch_or)(const int *image_num, const prif_handle *coarray_handle, const size_t *offset, const int64_t
                      *value, int64_t *old, int *stat)
{
    operate("prif_atomic_fetch_or", DIRECT, CAF_OR, value, old, stat);
}

PRIF(atomic_fetch_or_indirect)(const int *image_num, const intptr_t *atom_remote_ptr, const int64_t *value, int64_t
                               *old, int *stat)
{
    operate("prif_atomic_fetch_or_indirect", INDIRECT, CAF_OR, value, old, stat);
}

PRIF(atomic_fetch_xor)(const int *image_num, const prif_handle *coarray_handle, const size_t *offset, const int64_t
                       *value, int64_t *old, int *stat)
{
    operate("prif_atomic_fetch_xor", DIRECT, CAF_XOR, value, old, stat);
}

PRIF(atomic_fetch_xor_indirect)(const int *image_num, const intptr_t *atom_remote_ptr, const int64_t *value, int64_t
                                *old, int *stat)
{
    operate("prif_atomic_fetch_xor_indirect", INDIRECT, CAF_XOR, value, old, stat);
}

/* --- compare and swap --------------------------------------------------------------------------------------------- */

PRIF(atomic_cas_int)(const int *image_num, const prif_handle *coarray_handle, const size_t *offset, int64_t *old,
                     const int64_t *compare, const int64_t *new_value, int *stat)
{
    swap("prif_atomic_cas_int", DIRECT, old, compare, new_value, stat);
}

PRIF(atomic_cas_int_indirect)(const int *image_num, const intptr_t *atom_remote_ptr, int64_t *old, const int64_t
                              *compare, const int64_t *new_value, int *stat)
{
    swap("prif_atomic_cas_int_indirect", INDIRECT, old, compare, new_value, stat);
}

PRIF_AS(prif_atomic_cas_logical_, atomic_cas_logical);
PRIF(atomic_cas_logical)(const int *image_num, const prif_handle *coarray_handle, const size_t *offset, int64_t *old,
                         const int64_t *compare, const int64_t *new_value, int *stat)
{
    swap("prif_atomic_cas_logical", DIRECT, old, compare, new_value, stat);
}

PRIF_AS(prif_atomic_cas_logical_indirect_, atomic_cas_logical_indirect);
PRIF(atomic_cas_logical_indirect)(const int *image_num, const intptr_t *atom_remote_ptr, int64_t *old, const int64_t
                                  *compare, const int64_t *new_value, int *stat)
{
    swap("prif_atomic_cas_logical_indirect", INDIRECT, old, compare, new_value, stat);
}

/* --- values ------------------------------------------------------------------------------------------------------- */

PRIF(atomic_define_int)(const int *image_num, const prif_handle *coarray_handle, const size_t *offset, const int64_t
                        *value, int *stat)
{
    define("prif_atomic_define_int", DIRECT, value, stat);
}

PRIF(atomic_define_int_indirect)(const int *image_num, const intptr_t *atom_remote_ptr, const int64_t *value, int
                                 *stat)
{
    define("prif_atomic_define_int_indirect", INDIRECT, value, stat);
}

PRIF_AS(prif_atomic_define_logical_, atomic_define_logical);
PRIF(atomic_define_logical)(const int *image_num, const prif_handle *coarray_handle, const size_t *offset, const
                            int64_t *value, int *stat)
{
    define("prif_atomic_define_logical", DIRECT, value, stat);
}

PRIF_AS(prif_atomic_define_logical_indirect_, atomic_define_logical_indirect);
PRIF(atomic_define_logical_indirect)(const int *image_num, const intptr_t *atom_remote_ptr, const int64_t *value, int
                                     *stat)
{
    define("prif_atomic_define_logical_indirect", INDIRECT, value, stat);
}

PRIF(atomic_ref_int)(const int *image_num, const prif_handle *coarray_handle, const size_t *offset, int64_t *value,
                     int *stat)
{
    refer("prif_atomic_ref_int", DIRECT, value, stat);
}

PRIF(atomic_ref_int_indirect)(const int *image_num, const intptr_t *atom_remote_ptr, int64_t *value, int *stat)
{
    refer("prif_atomic_ref_int_indirect", INDIRECT, value, stat);
}

PRIF_AS(prif_atomic_ref_logical_, atomic_ref_logical);
PRIF(atomic_ref_logical)(const int *image_num, const prif_handle *coarray_handle, const size_t *offset, int64_t
                         *value, int *stat)
{
    refer("prif_atomic_ref_logical", DIRECT, value, stat);
}

PRIF_AS(prif_atomic_ref_logical_indirect_, atomic_ref_logical_indirect);
PRIF(atomic_ref_logical_indirect)(const int *image_num, const intptr_t *atom_remote_ptr, int64_t *value, int *stat)
{
    refer("prif_atomic_ref_logical_indirect", INDIRECT, value, stat);
}
