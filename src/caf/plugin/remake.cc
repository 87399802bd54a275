/* Computes an accessor's expression at its call.
 *
 * gfortran 15 and 16 make an accessor for each coindexed object, a function that finds the object in a coarray's
 * memory. In the getter of h(i)[k]
 *
 *     _1 = h_7(D)->data;
 *     _2 = h_7(D)->offset;
 *     _3 = add_data_8(D)->caf_temp_i;
 *     _4 = (integer(kind=8)) _3;
 *     _9 = &(*_1)[_2 + _4];
 *
 * the address _9 depends only on the descriptor and the variable that the call passes. The plugin computes it at the
 * call; the result is the address in this image's memory. Variables in memory become registers again, because no call
 * has their address. */
#include "accessor.h"

static tree refuse(remake *r, const char *why)
{
    r->why = r->why ? r->why : why;
    return NULL;
}

void remake_drop(remake *r)
{
    gimple_seq_discard(r->made);
    r->made = NULL;
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

tree part_of(tree object, HOST_WIDE_INT byte, tree type)
{
    tree whole = TREE_TYPE(object);
    if (TREE_CODE(whole) == ARRAY_TYPE) {
        tree element = TREE_TYPE(whole);
        const HOST_WIDE_INT size = tree_to_shwi(TYPE_SIZE_UNIT(element));
        tree index = build_int_cst(long_integer_type_node, byte / size);
        return part_of(build4(ARRAY_REF, element, object, index, NULL, NULL), byte % size, type);
    }
    if (TREE_CODE(whole) != RECORD_TYPE)
        return byte == 0 && tree_int_cst_equal(TYPE_SIZE(whole), TYPE_SIZE(type)) ? object : NULL;
    for (tree f = TYPE_FIELDS(whole); f; f = DECL_CHAIN(f)) {
        if (TREE_CODE(f) != FIELD_DECL || !tree_fits_shwi_p(DECL_SIZE_UNIT(f)))
            continue;
        const HOST_WIDE_INT begin = int_byte_position(f);
        if (byte >= begin && byte < begin + tree_to_shwi(DECL_SIZE_UNIT(f)))
            return part_of(build3(COMPONENT_REF, TREE_TYPE(f), object, f, NULL), byte - begin, type);
    }
    return NULL;
}

static tree pointed_at(tree address)
{
    if (TREE_CODE(address) == ADDR_EXPR)
        return unshare_expr(TREE_OPERAND(address, 0));
    return build2(MEM_REF, TREE_TYPE(TREE_TYPE(address)), address, build_zero_cst(TREE_TYPE(address)));
}

bool has_constant_place(tree reference, HOST_WIDE_INT *byte)
{
    poly_int64 offset, size, most;
    bool is_reverse;
    HOST_WIDE_INT bit;
    get_ref_base_and_extent(reference, &offset, &size, &most, &is_reverse);
    if (!known_eq(size, most) || !offset.is_constant(&bit) || bit % 8 != 0)
        return false;
    *byte = bit / 8;
    return true;
}

static const given *parameter_of(const remake *r, tree name)
{
    if (TREE_CODE(name) == SSA_NAME && SSA_NAME_IS_DEFAULT_DEF(name))
        for (const given &g : r->parameters)
            if (g.parameter == SSA_NAME_VAR(name))
                return &g;
    return NULL;
}

static void only_if_less(remake *r, tree a, tree b)
{
    branching *f = r->behind->f;
    gimple_seq_add_seq(&f->seq, r->made);
    r->made = NULL;
    only_if(f, LT_EXPR, a, b);
}

void only_if_in_heaps(remake *r, tree address)
{
    if (!r->behind->f)
        return;
    gimple_seq *seq = &r->made;
    tree heaps = emit_load_word(seq, size_type_node, r->behind->table, CAF_NEAR_HEAPS);
    tree bytes = emit_load_word(seq, size_type_node, r->behind->table, CAF_NEAR_HEAPS_BYTES);
    only_if_less(r, emit(seq, size_type_node, MINUS_EXPR, emit_convert(seq, size_type_node, address), heaps), bytes);
}

/* A component of the coarray, or of an object behind a pointer; its address is in the other image's memory. */
static tree load_behind(remake *r, tree reference, const given *from)
{
    const walk *w = r->behind;
    tree type = TREE_TYPE(reference), at = remake_address(r, reference);
    if (!at)
        return NULL;
    if (w->f && from) {
        tree offset = emit_offset(&r->made, w->token, at), by = emit_convert(&r->made, size_type_node, w->distance);
        offset = emit(&r->made, size_type_node, MINUS_EXPR, offset, by);
        gimple_seq_add_seq(&w->f->seq, r->made);
        r->made = NULL;
        only_if_inside(w->f, w->token, offset, NULL, w->table);
    } else {
        only_if_in_heaps(r, at);
    }
    return emit_read(&r->made, memory(type, at, 0, type));
}

static tree load(remake *r, tree reference)
{
    tree base = get_base_address(reference);
    const given *from = base && TREE_CODE(base) == MEM_REF ? parameter_of(r, TREE_OPERAND(base, 0)) : NULL;
    const bool is_behind = base && TREE_CODE(base) == MEM_REF && TREE_CODE(TREE_OPERAND(base, 0)) == SSA_NAME &&
        (from ? from->kind == COARRAY : !SSA_NAME_IS_DEFAULT_DEF(TREE_OPERAND(base, 0)));
    if (is_behind && r->behind && !TREE_THIS_VOLATILE(reference))
        return load_behind(r, reference, from);
    if (!from || from->kind == COARRAY || TREE_THIS_VOLATILE(reference))
        return refuse(r, "it is behind a pointer or an allocatable component");
    tree type = TREE_TYPE(reference);
    HOST_WIDE_INT byte;
    if (!has_constant_place(reference, &byte)) {
        tree at = from->kind == VALUES ? remake_address(r, reference) : NULL;
        return at ? emit_read(&r->made, memory(type, at, 0, type)) : refuse(r, "its descriptor has an unknown use");
    }
    if (from->kind == VALUES) {
        tree alias_type = TREE_TYPE(reference_alias_ptr_type(reference));
        return emit_read(&r->made, memory(type, from->address, byte, alias_type));
    }
    tree part = part_of(pointed_at(from->address), byte, type);
    if (!part)
        return refuse(r, "its descriptor has another form");
    tree value = emit_convert(&r->made, type, emit_read(&r->made, part));
    const bool is_there = from->kind == COARRAY_DESCRIPTOR && byte == D_DATA && r->behind && r->behind->f;
    return is_there ? emit_add(&r->made, value, r->behind->distance) : value;
}

tree remake_address(remake *r, tree reference)
{
    poly_int64 bits, bit;
    tree offset;
    machine_mode mode;
    int is_unsigned, is_reverse, is_volatile;
    tree base = get_inner_reference(reference, &bits, &bit, &offset, &mode, &is_unsigned, &is_reverse, &is_volatile);
    HOST_WIDE_INT at;
    if (TREE_CODE(base) != MEM_REF || !bit.is_constant(&at) || at % 8 != 0)
        return refuse(r, "its accessor has an address of an unknown kind");
    tree pointer = remake_value(r, TREE_OPERAND(base, 0));
    if (pointer && offset) {
        offset = remake_value(r, offset);
        pointer = offset ? emit_add(&r->made, pointer, offset) : NULL;
    }
    return pointer ? emit_add(&r->made, pointer, size_int(at / 8 + tree_to_shwi(TREE_OPERAND(base, 1)))) : NULL;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

static tree definition(remake *r, gimple *g)
{
    if (!is_gimple_assign(g))
        return refuse(r, "its accessor does more than find the object");
    if (gimple_assign_load_p(g))
        return load(r, gimple_assign_rhs1(g));
    tree operand[3] = {};
    for (unsigned i = 1; i < gimple_num_ops(g); i++) {
        operand[i - 1] = remake_value(r, gimple_op(g, i));
        if (!operand[i - 1])
            return NULL;
    }
    if (gimple_assign_single_p(g))
        return operand[0];
    tree value = fresh(TREE_TYPE(gimple_assign_lhs(g)));
    gimple_seq_add_stmt(&r->made, gimple_build_assign(value, gimple_assign_rhs_code(g), operand[0], operand[1],
                                                      operand[2]));
    return value;
}

tree remake_value(remake *r, tree t)
{
    if (TREE_CODE(t) == ADDR_EXPR && !is_gimple_min_invariant(t))
        return remake_address(r, TREE_OPERAND(t, 0));
    if (CONSTANT_CLASS_P(t))
        return t;
    if (UNARY_CLASS_P(t) || BINARY_CLASS_P(t)) { /* arithmetic of an address's offset */
        tree a = remake_value(r, TREE_OPERAND(t, 0)), b = BINARY_CLASS_P(t) ? remake_value(r, TREE_OPERAND(t, 1)) : a;
        if (!a || !b)
            return NULL;
        return UNARY_CLASS_P(t) ? emit(&r->made, TREE_TYPE(t), TREE_CODE(t), a)
                                : emit(&r->made, TREE_TYPE(t), TREE_CODE(t), a, b);
    }
    if (TREE_CODE(t) != SSA_NAME)
        return refuse(r, "its accessor has an expression of an unknown kind");
    const auto known = r->done.find(t);
    if (known != r->done.end())
        return known->second;
    tree value;
    if (const given *from = parameter_of(r, t))
        value = from->kind == COARRAY_DESCRIPTOR || from->kind == LOCAL_DESCRIPTOR ? NULL : from->address;
    else
        value = SSA_NAME_IS_DEFAULT_DEF(t) ? NULL : definition(r, SSA_NAME_DEF_STMT(t));
    if (!value)
        return refuse(r, "its accessor has an unknown use of a parameter");
    r->done[t] = value;
    return value;
}
