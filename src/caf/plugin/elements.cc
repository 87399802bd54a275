/* Element types, and conversions as in an assignment. */
#include "plugin.h"

/* The type numbers of descriptors (enum caf_type of src/caf/caf.h). */
enum { INTEGER = 1, LOGICAL, REAL, COMPLEX, DERIVED, CHARACTER };

bool is_number(HOST_WIDE_INT number)
{
    return number == INTEGER || number == REAL || number == COMPLEX;
}

bool is_character(HOST_WIDE_INT number)
{
    return number == CHARACTER;
}

static bool has_number(tree t, HOST_WIDE_INT number)
{
    switch (number) {
    case INTEGER: return TREE_CODE(t) == INTEGER_TYPE;
    case LOGICAL: return TREE_CODE(t) == BOOLEAN_TYPE;
    case REAL: return SCALAR_FLOAT_TYPE_P(t);
    case COMPLEX: return TREE_CODE(t) == COMPLEX_TYPE;
    }
    return false;
}

static HOST_WIDE_INT size_of(tree t)
{
    return COMPLETE_TYPE_P(t) && tree_fits_shwi_p(TYPE_SIZE_UNIT(t)) ? tree_to_shwi(TYPE_SIZE_UNIT(t)) : -1;
}

/* The type of the objects at data; NULL: not known. */
static tree pointee(tree data)
{
    enum { STEPS = 20 };
    for (int i = 0; i < STEPS; i++) {
        tree t = TREE_CODE(data) == ADDR_EXPR ? TREE_TYPE(TREE_OPERAND(data, 0)) : TREE_TYPE(TREE_TYPE(data));
        if (!VOID_TYPE_P(t)) {
            while (TREE_CODE(t) == ARRAY_TYPE)
                t = TREE_TYPE(t);
            return TYPE_MAIN_VARIANT(t);
        }
        gimple *def = TREE_CODE(data) == SSA_NAME ? SSA_NAME_DEF_STMT(data) : NULL;
        if (!def || !is_gimple_assign(def) || gimple_vuse(def) || !POINTER_TYPE_P(TREE_TYPE(gimple_assign_rhs1(def))))
            return NULL;
        data = gimple_assign_rhs1(def);
    }
    return NULL;
}

/* gfortran's type with that number and size, if GCC has a name for it; or NULL. */
static tree intrinsic_type(HOST_WIDE_INT number, HOST_WIDE_INT size)
{
    for (tree t : {intQI_type_node, intHI_type_node, intSI_type_node, intDI_type_node, float_type_node,
                   double_type_node, complex_float_type_node, complex_double_type_node})
        if (has_number(t, number) && size_of(t) == size)
            return t;
    return NULL;
}

static tree unsigned_type(HOST_WIDE_INT size)
{
    return size == 8 ? long_long_unsigned_type_node : make_unsigned_type((unsigned)size * 8);
}

/* Whether the type has no pointers and no descriptors, so that its bytes are its value. */
static bool is_plain(tree t)
{
    if (TREE_CODE(t) == ARRAY_TYPE)
        return is_plain(TREE_TYPE(t));
    if (TREE_CODE(t) != RECORD_TYPE)
        return !POINTER_TYPE_P(t) && TREE_CODE(t) != UNION_TYPE;
    for (tree field = TYPE_FIELDS(t); field; field = DECL_CHAIN(field))
        if (TREE_CODE(field) == FIELD_DECL && !is_plain(TREE_TYPE(field)))
            return false;
    return true;
}

const char *element_of(element *e, HOST_WIDE_INT number, tree size, tree data)
{
    tree t = data ? pointee(data) : NULL;
    e->number = number;
    e->size = size;
    const HOST_WIDE_INT bytes = TREE_CODE(size) == INTEGER_CST ? tree_to_shwi(size) : -1;
    if (number < INTEGER || number > CHARACTER)
        return "a polymorphic object";
    if (number <= COMPLEX) {
        e->type = t && has_number(t, number) && size_of(t) == bytes ? t : intrinsic_type(number, bytes);
        if (!e->type && number == LOGICAL && bytes > 0) {
            e->type = unsigned_type(bytes);
            e->aliases_all = true;
        }
        return bytes < 0 ? "an element of unknown size" : NULL;
    }
    if (number == DERIVED && !(t && TREE_CODE(t) == RECORD_TYPE && size_of(t) == bytes && is_plain(t)))
        return "a derived type that is unknown, or has pointers or allocatable components";
    if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16) {
        e->type = build_aligned_type(unsigned_type(bytes), BITS_PER_UNIT);
        e->aliases_all = true; /* MUTANT bytes of any type */
    }
    return NULL;
}

bool is_volatile(tree data, int depth)
{
    enum { DEEP = 20 };
    if (TREE_CODE(data) == ADDR_EXPR) {
        tree base = get_base_address(TREE_OPERAND(data, 0));
        if (base && TREE_CODE(base) == MEM_REF)
            return is_volatile(TREE_OPERAND(base, 0), depth + 1);
        return base && TREE_THIS_VOLATILE(base);
    }
    if (TREE_CODE(data) != SSA_NAME || depth > DEEP)
        return false;
    gimple *def = SSA_NAME_DEF_STMT(data);
    return gimple_has_volatile_ops(def) ||
           (is_gimple_assign(def) && !gimple_vuse(def) && is_volatile(gimple_assign_rhs1(def), depth + 1));
}

tree element_at(const element *e, tree at)
{
    tree pointer = build_pointer_type_for_mode(e->type, VOIDmode, e->aliases_all);
    return fold_build2(MEM_REF, e->type, at, build_int_cst(pointer, 0));
}

static tree emit_number(gimple_seq *seq, tree type, tree value)
{
    tree from = TREE_TYPE(value);
    if (useless_type_conversion_p(type, from))
        return value;
    if (SCALAR_FLOAT_TYPE_P(from))
        return emit(seq, type, SCALAR_FLOAT_TYPE_P(type) ? NOP_EXPR : FIX_TRUNC_EXPR, value);
    return SCALAR_FLOAT_TYPE_P(type) ? emit(seq, type, FLOAT_EXPR, value) : emit_convert(seq, type, value);
}

/* REALPART_EXPR or IMAGPART_EXPR. */
static tree emit_part(gimple_seq *seq, enum tree_code code, tree value)
{
    tree type = TREE_TYPE(TREE_TYPE(value));
    return emit(seq, type, code, build1(code, type, value));
}

tree emit_conversion(gimple_seq *seq, tree type, tree value)
{
    tree from = TREE_TYPE(value), re = value, im = NULL;
    if (useless_type_conversion_p(type, from))
        return value;
    if (TREE_CODE(from) == COMPLEX_TYPE) {
        re = emit_part(seq, REALPART_EXPR, value);
        im = TREE_CODE(type) == COMPLEX_TYPE ? emit_part(seq, IMAGPART_EXPR, value) : NULL;
    }
    if (TREE_CODE(type) != COMPLEX_TYPE)
        return emit_number(seq, type, re);
    tree part = TREE_TYPE(type);
    return emit(seq, type, COMPLEX_EXPR, emit_number(seq, part, re),
                im ? emit_number(seq, part, im) : build_zero_cst(part));
}
