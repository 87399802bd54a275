/* The statements that replace a call: the near check, the bounds check, the slow call by value. */
#include "plugin.h"

/* --- the library's interface -------------------------------------------------------------------------------------- */

/* Types used only to read the library's words: these reads conflict with no store of the program. */
static tree type_images, type_word, type_table, table_variable;
static tree value_put, value_get, value_put16, value_get16, order_variable;
tree value_put_by_ref, value_get_by_ref, type_bits16;
#define ROOT(x) {&x, 1, sizeof x, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node}
const ggc_root_tab emit_roots[] = {
    ROOT(type_images), ROOT(type_word), ROOT(type_table), ROOT(table_variable), ROOT(value_put), ROOT(value_get),
    ROOT(value_put16), ROOT(value_get16), ROOT(value_put_by_ref), ROOT(value_get_by_ref), ROOT(type_bits16),
    ROOT(order_variable), LAST_GGC_ROOT_TAB,
};

static tree private_type(tree of)
{
    tree t = build_distinct_type_copy(of);
    if (flag_strict_aliasing)
        TYPE_ALIAS_SET(t) = new_alias_set();
    return t;
}

static tree slow_function(const char *name, tree type)
{
    tree d = build_fn_decl(name, type);
    TREE_NOTHROW(d) = 1;
    DECL_IS_NOVOPS(d) = 1; /* plugin.cc says why that is right */
    DECL_ATTRIBUTES(d) = tree_cons(get_identifier("leaf"), NULL, DECL_ATTRIBUTES(d));
    return d;
}

static tree library_variable(const char *name, tree type)
{
    tree v = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), type);
    TREE_PUBLIC(v) = 1;
    DECL_EXTERNAL(v) = 1;
    DECL_ARTIFICIAL(v) = 1;
    TREE_USED(v) = 1;
    varpool_node::get_create(v);
    return v;
}

void emit_begin()
{
    if (table_variable)
        return;
    type_images = private_type(unsigned_type_node);
    type_word = private_type(long_integer_type_node);
    type_table = build_pointer_type(char_type_node);
    table_variable = library_variable("_gfortran_caf_near", type_table);
    order_variable = library_variable("_gfortran_caf_value_order", private_type(long_long_unsigned_type_node));
    type_bits16 = make_unsigned_type(128);
    tree p = ptr_type_node, s = size_type_node, i = integer_type_node, u = long_long_unsigned_type_node;
    value_put = slow_function("_gfortran_caf_value_put", build_function_type_list(void_type_node, p, s, i, i, u, NULL));
    value_get = slow_function("_gfortran_caf_value_get", build_function_type_list(u, p, s, i, i, u, NULL));
    value_put16 = slow_function("_gfortran_caf_value_put16",
                                build_function_type_list(void_type_node, p, s, i, type_bits16, NULL));
    value_get16 = slow_function("_gfortran_caf_value_get16", build_function_type_list(type_bits16, p, s, i, u, NULL));
    value_put_by_ref = slow_function("_gfortran_caf_value_put_by_ref",
                                     build_varargs_function_type_list(void_type_node, p, i, type_bits16, p, NULL));
    value_get_by_ref = slow_function("_gfortran_caf_value_get_by_ref",
                                     build_varargs_function_type_list(type_bits16, p, i, p, NULL));
}

/* --- statements --------------------------------------------------------------------------------------------------- */

tree fresh(tree type)
{
    return make_ssa_name(TYPE_MAIN_VARIANT(type));
}

tree emit(gimple_seq *seq, tree type, enum tree_code code, tree a, tree b)
{
    tree lhs = fresh(type);
    gimple_seq_add_stmt(seq, b ? gimple_build_assign(lhs, code, a, b) : gimple_build_assign(lhs, code, a));
    return lhs;
}

tree emit_convert(gimple_seq *seq, tree type, tree a)
{
    if (useless_type_conversion_p(type, TREE_TYPE(a)))
        return a;
    if (TREE_CODE(a) == INTEGER_CST && INTEGRAL_TYPE_P(type))
        return fold_convert(type, a);
    return emit(seq, type, NOP_EXPR, a);
}

tree emit_op(gimple_seq *seq, enum tree_code code, tree a, tree b)
{
    a = emit_convert(seq, long_integer_type_node, a);
    b = emit_convert(seq, long_integer_type_node, b);
    if (TREE_CODE(a) == INTEGER_CST && TREE_CODE(b) == INTEGER_CST)
        return fold_build2(code, long_integer_type_node, a, b);
    if ((code == PLUS_EXPR || code == MINUS_EXPR) ? integer_zerop(b) : code != MAX_EXPR && integer_onep(b))
        return a;
    if (code == MULT_EXPR && integer_onep(a))
        return b;
    return emit(seq, long_integer_type_node, code, a, b);
}

tree emit_add(gimple_seq *seq, tree pointer, tree bytes)
{
    if (integer_zerop(bytes))
        return pointer;
    return emit(seq, TREE_TYPE(pointer), POINTER_PLUS_EXPR, pointer, emit_convert(seq, size_type_node, bytes));
}

tree memory(tree type, tree at, HOST_WIDE_INT offset, tree alias_type)
{
    return fold_build2(MEM_REF, type, at, build_int_cst(build_pointer_type(alias_type), offset));
}

tree emit_read(gimple_seq *seq, tree reference)
{
    tree value = fresh(TREE_TYPE(reference));
    gimple_seq_add_stmt(seq, gimple_build_assign(value, reference));
    return value;
}

tree emit_load(gimple_seq *seq, tree type, tree at, HOST_WIDE_INT offset, bool is_safe)
{
    tree ref = memory(type, at, offset, type);
    TREE_THIS_NOTRAP(ref) = is_safe;
    return emit_read(seq, ref);
}

tree emit_load_word(gimple_seq *seq, tree result, tree at, HOST_WIDE_INT offset)
{
    return emit_convert(seq, result, emit_load(seq, type_word, at, offset, true));
}

/* gfortran's integer(8) is not the C compiler's long: their alias sets differ. */
tree emit_load_index(gimple_seq *seq, tree at, HOST_WIDE_INT offset, bool is_safe)
{
    return emit_convert(seq, long_integer_type_node, emit_load(seq, intDI_type_node, at, offset, is_safe));
}

bool is_load_of_bytes(gimple *g)
{
    if (!gimple_assign_load_p(g) || TREE_CODE(gimple_assign_rhs1(g)) != MEM_REF)
        return false;
    tree offset = TREE_OPERAND(gimple_assign_rhs1(g), 1);
    return type_word && TREE_TYPE(TREE_TYPE(offset)) == type_word && tree_to_shwi(offset) == CAF_COARRAY_BYTES;
}

static tree emit_nothing(gimple_seq *seq, tree table)
{
    return emit_add(seq, emit_convert(seq, ptr_type_node, table), size_int(CAF_NEAR_NOTHING));
}

static tree emit_choice(gimple_seq *seq, tree condition, tree yes, tree no)
{
    tree chosen = fresh(TREE_TYPE(yes));
    gimple_seq_add_stmt(seq, gimple_build_assign(chosen, COND_EXPR, condition, yes, no));
    return chosen;
}

/* --- a fast path beside the call ---------------------------------------------------------------------------------- */

void emit_flush(branching *f)
{
    gimple_stmt_iterator gsi = gsi_last_bb(f->at);
    gsi_insert_seq_after(&gsi, f->seq, GSI_CONTINUE_LINKING);
    f->seq = NULL;
}

branching fork_at(gimple *call)
{
    branching f;
    gimple_stmt_iterator gsi = gsi_for_stmt(call);
    gimple *nop = gimple_build_nop();
    gsi_insert_before(&gsi, nop, GSI_SAME_STMT);
    f.call = call;
    f.at = gimple_bb(call);
    f.slow = split_block(f.at, nop)->dest;
    f.join = split_block(f.slow, call)->dest;
    gsi = gsi_for_stmt(nop);
    gsi_remove(&gsi, true);
    remove_edge(single_succ_edge(f.at));
    f.seq = NULL;
    f.pending = NULL;
    return f;
}

static edge edge_to(basic_block from, basic_block to, int flags, bool is_likely)
{
    edge e = make_edge(from, to, flags);
    e->probability = is_likely ? profile_probability::very_likely() : profile_probability::very_unlikely();
    return e;
}

basic_block next_block(branching *f)
{
    basic_block next = create_empty_bb(f->at);
    if (current_loops)
        add_bb_to_loop(next, f->at->loop_father);
    next->count = f->at->count;
    return next;
}

void only_if_too(branching *f, enum tree_code code, tree a, tree b)
{
    tree holds = emit(&f->seq, boolean_type_node, code, a, emit_convert(&f->seq, TREE_TYPE(a), b));
    f->pending = f->pending ? emit(&f->seq, boolean_type_node, BIT_AND_EXPR, f->pending, holds) : holds;
}

tree emit_if_pending(branching *f, tree at, tree table)
{
    return f->pending ? emit_choice(&f->seq, f->pending, at, emit_nothing(&f->seq, table)) : at;
}

void only_if_pending(branching *f)
{
    tree holds = f->pending;
    f->pending = NULL;
    if (holds)
        only_if(f, NE_EXPR, holds, boolean_false_node);
}

void only_if(branching *f, enum tree_code code, tree a, tree b)
{
    if (f->pending) {
        only_if_too(f, code, a, b);
        only_if_pending(f);
        return;
    }
    gcond *c = gimple_build_cond(code, a, emit_convert(&f->seq, TREE_TYPE(a), b), NULL, NULL);
    gimple_set_location(c, gimple_location(f->call));
    gimple_seq_add_stmt(&f->seq, c);
    emit_flush(f);
    basic_block next = next_block(f);
    edge yes = edge_to(f->at, next, EDGE_TRUE_VALUE, true);
    edge_to(f->at, f->slow, EDGE_FALSE_VALUE, false);
    next->count = f->at->count.apply_probability(yes->probability);
    f->at = next;
}

edge fork_end(branching *f)
{
    gcc_assert(!f->pending);
    emit_flush(f);
    edge e = make_single_succ_edge(f->at, f->join, EDGE_FALLTHRU);
    e->probability = profile_probability::always();
    f->slow->count = f->join->count.apply_probability(profile_probability::very_unlikely());
    return e;
}

tree join(branching *f, tree result, edge from_fast, tree fast, tree slow)
{
    gphi *phi = create_phi_node(result, f->join);
    add_phi_arg(phi, fast, from_fast, UNKNOWN_LOCATION);
    add_phi_arg(phi, slow, find_edge(f->slow, f->join), UNKNOWN_LOCATION);
    return result;
}

/* --- the checks --------------------------------------------------------------------------------------------------- */

static tree not_near()
{
    return TYPE_MIN_VALUE(long_integer_type_node);
}

static tree emit_table(gimple_seq *seq)
{
    tree table = make_ssa_name(type_table);
    /* MUTANT the table is read anew: gsi_insert_on_edge_immediate(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)),
     *     gimple_build_assign(table, table_variable)); */
    gimple_seq_add_stmt(seq, gimple_build_assign(table, table_variable));
    return table;
}

static tree emit_distance(gimple_seq *seq, tree image, tree *table_out)
{
    tree table = emit_table(seq), unsigned_type = unsigned_type_node;
    *table_out = table;
    tree beyond = emit_convert(seq, unsigned_type, emit_load(seq, type_images, table, CAF_NEAR_BEYOND, true));
    tree index = emit(seq, unsigned_type, MIN_EXPR, emit_convert(seq, unsigned_type, image), beyond);
    tree bytes = emit(seq, size_type_node, MULT_EXPR, emit_convert(seq, size_type_node, index), size_int(8));
    return emit_load_word(seq, long_integer_type_node, emit_add(seq, table, bytes), CAF_NEAR_DISTANCE);
}

tree only_if_near_too(branching *f, tree image, tree *table)
{
    tree distance = emit_distance(&f->seq, image, table);
    only_if_too(f, NE_EXPR, distance, not_near());
    return distance;
}

tree only_if_near(branching *f, tree image, tree *table)
{
    tree distance = only_if_near_too(f, image, table);
    only_if_pending(f);
    return distance;
}

/* Whether the value, such as a subscript, depends on a loop's variable. */
static bool varies(tree value, int depth = 0)
{
    enum { DEEP = 8 };
    gimple *g = TREE_CODE(value) == SSA_NAME ? SSA_NAME_DEF_STMT(value) : NULL;
    if (!g || depth > DEEP)
        return false;
    if (!is_gimple_assign(g))
        return gimple_code(g) == GIMPLE_PHI;
    use_operand_p use;
    ssa_op_iter i;
    FOR_EACH_SSA_USE_OPERAND(use, g, i, SSA_OP_USE)
        if (varies(USE_FROM_PTR(use), depth + 1))
            return true;
    return false;
}

/* A coarray that is not allocatable has its token in a variable, which the library sets before the program begins. */
static bool is_always_allocated(tree token)
{
    gimple *load = TREE_CODE(token) == SSA_NAME ? SSA_NAME_DEF_STMT(token) : NULL;
    return load && gimple_assign_load_p(load) && VAR_P(gimple_assign_rhs1(load)) &&
           is_global_var(gimple_assign_rhs1(load));
}

/* gfortran clears the address of a coarray component, but not its token: without an allocation it is undefined. */
static bool is_token_of_component(tree token)
{
    gimple *load = TREE_CODE(token) == SSA_NAME ? SSA_NAME_DEF_STMT(token) : NULL;
    tree from = load && gimple_assign_load_p(load) ? gimple_assign_rhs1(load) : NULL;
    return from && TREE_CODE(from) == COMPONENT_REF && handled_component_p(TREE_OPERAND(from, 0));
}

/* The table has a record for unallocated coarrays. Their token is NULL: initially gfortran clears the token, and at
 * deallocation the library does. Loads of a record may therefore move anywhere, also out of loops, except for
 * components. */
static tree emit_record(gimple_seq *seq, tree token, tree table)
{
    tree known = emit_convert(seq, ptr_type_node, token);
    if (is_always_allocated(token))
        return known;
    tree is_allocated = emit(seq, boolean_type_node, NE_EXPR, known, build_zero_cst(ptr_type_node));
    /* MUTANT coarrays are allocated: return known; */
    return emit_choice(seq, is_allocated, known, emit_nothing(seq, table));
}

static tree emit_load_record(gimple_seq *seq, tree type, tree token, tree table, HOST_WIDE_INT offset)
{
    tree record = emit_record(seq, token, table);
    return emit_convert(seq, type, emit_load(seq, type_word, record, offset, !is_token_of_component(token)));
}

tree emit_base(gimple_seq *seq, tree token)
{
    return emit_load_record(seq, ptr_type_node, token, emit_table(seq), CAF_COARRAY_BASE);
}

tree emit_offset(gimple_seq *seq, tree token, tree address)
{
    tree base = emit_convert(seq, size_type_node, emit_base(seq, token));
    return emit(seq, size_type_node, MINUS_EXPR, emit_convert(seq, size_type_node, address), base);
}

static tree emit_bytes(gimple_seq *seq, tree token, tree table)
{
    return emit_load_record(seq, size_type_node, token, table, CAF_COARRAY_BYTES);
}

void only_if_inside_too(branching *f, tree token, tree offset, tree table)
{
    if (options.bounds)
        only_if_too(f, LT_EXPR, emit_convert(&f->seq, size_type_node, offset), emit_bytes(&f->seq, token, table));
}

void only_if_inside(branching *f, tree token, tree offset, tree bytes, tree table)
{
    if (!options.bounds)
        return;
    tree all = emit_bytes(&f->seq, token, table);
    offset = emit_convert(&f->seq, size_type_node, offset);
    if (!bytes) {
        only_if(f, LT_EXPR, offset, all);
        return;
    }
    only_if_too(f, LT_EXPR, offset, all);
    /* MUTANT a section ends inside: bytes), => size_one_node), */
    only_if_too(f, LE_EXPR, emit_convert(&f->seq, size_type_node, bytes),
                    emit(&f->seq, size_type_node, MINUS_EXPR, all, offset));
}

tree only_if_near_and_inside(branching *f, tree image, tree token, tree offset)
{
    tree table, distance;
    if (!options.bounds || varies(image)) { /* one condition pays off if the image is fixed */
        distance = only_if_near(f, image, &table);
        only_if_inside(f, token, offset, NULL, table);
        return distance;
    }
    distance = emit_distance(&f->seq, image, &table);
    tree all = emit_bytes(&f->seq, token, table);
    tree is_near = emit(&f->seq, boolean_type_node, NE_EXPR, distance, not_near());
    /* MUTANT an element is inside: LT_EXPR => LE_EXPR */
    only_if(f, LT_EXPR, emit_convert(&f->seq, size_type_node, offset),
            emit_choice(&f->seq, is_near, all, size_zero_node));
    return distance;
}

/* --- the slow path by value --------------------------------------------------------------------------------------- */

bool has_value_call(tree type)
{
    enum { X87 = 80 }; /* has bytes that are no part of the value */
    tree part = TREE_CODE(type) == COMPLEX_TYPE ? TREE_TYPE(type) : type;
    const unsigned HOST_WIDE_INT bytes = tree_to_uhwi(TYPE_SIZE_UNIT(type));
    return pow2p_hwi(bytes) && bytes <= 16 && !(SCALAR_FLOAT_TYPE_P(part) && TYPE_PRECISION(part) == X87);
}

static tree unsigned_of_size(tree type)
{
    const unsigned HOST_WIDE_INT bytes = tree_to_uhwi(TYPE_SIZE_UNIT(type));
    return bytes == 16 ? type_bits16 : bytes == 8 ? long_long_unsigned_type_node : make_unsigned_type(bytes * 8);
}

tree carrier(tree type)
{
    return tree_to_uhwi(TYPE_SIZE_UNIT(type)) == 16 ? type_bits16 : long_long_unsigned_type_node;
}

static tree emit_view(gimple_seq *seq, tree type, tree value)
{
    tree v = fresh(type);
    gimple_seq_add_stmt(seq, gimple_build_assign(v, VIEW_CONVERT_EXPR, build1(VIEW_CONVERT_EXPR, type, value)));
    return v;
}

tree emit_bits(gimple_seq *seq, tree value)
{
    tree t = TREE_TYPE(value);
    return emit_convert(seq, carrier(t), INTEGRAL_TYPE_P(t) ? value : emit_view(seq, unsigned_of_size(t), value));
}

tree emit_from_bits(gimple_seq *seq, tree type, tree bits)
{
    return INTEGRAL_TYPE_P(type) ? emit_convert(seq, type, bits)
                                 : emit_view(seq, type, emit_convert(seq, unsigned_of_size(type), bits));
}

/* After a put by value, a pure function that reads the other image's memory must be called again. For GCC the put
 * accesses no memory; therefore these statements change a word that such a function reads. */
tree emit_order(gimple_seq *seq)
{
    return emit_read(seq, order_variable);
}

void emit_put_order(gimple_seq *seq)
{
    tree type = TREE_TYPE(order_variable), n = emit(seq, type, PLUS_EXPR, emit_order(seq), build_one_cst(type));
    gimple_seq_add_stmt(seq, gimple_build_assign(order_variable, n)); /* MUTANT functions that only get */
}

void emit_value_put(gimple_seq *seq, coindexed *a, tree value)
{
    tree bits = emit_bits(seq, value), offset = emit_convert(seq, size_type_node, a->offset);
    const int bytes = (int)tree_to_uhwi(TYPE_SIZE_UNIT(TREE_TYPE(value)));
    gcall *slow = bytes == 16 ? gimple_build_call(value_put16, 4, a->token, offset, a->image, bits)
                              : gimple_build_call(value_put, 5, a->token, offset, a->image,
                                                  build_int_cst(integer_type_node, bytes), bits);
    gimple_set_location(slow, gimple_location(a->call));
    gimple_seq_add_stmt(seq, slow);
    emit_put_order(seq);
}

tree emit_value_get(gimple_seq *seq, coindexed *a, tree type)
{
    tree order = emit_order(seq);
    tree offset = emit_convert(seq, size_type_node, a->offset), bits = fresh(carrier(type));
    const int bytes = (int)tree_to_uhwi(TYPE_SIZE_UNIT(type));
    gcall *slow = bytes == 16 ? gimple_build_call(value_get16, 4, a->token, offset, a->image, order)
                              : gimple_build_call(value_get, 5, a->token, offset, a->image,
                                                  build_int_cst(integer_type_node, bytes), order);
    gimple_call_set_lhs(slow, bits);
    gimple_set_location(slow, gimple_location(a->call));
    gimple_seq_add_stmt(seq, slow);
    return emit_from_bits(seq, type, bits);
}
