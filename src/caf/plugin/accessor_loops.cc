/* Recognises the loops of an accessor that copy an array, and computes the section of the coarray that they copy.
 * Only loop nests that do nothing else, and whose addresses advance by a constant step, are recognised. */
#include "accessor.h"

/* --- loops of an accessor ----------------------------------------------------------------------------------------- */

/* # i = PHI <first, i + 1>; if (i > last) ... */
static bool read_counter(counter *c, gphi *phi)
{
    c->i = gimple_phi_result(phi);
    if (gimple_phi_num_args(phi) != 2)
        return false;
    for (int k = 0; k < 2; k++) {
        tree next = gimple_phi_arg_def(phi, (unsigned)k);
        gimple *g = TREE_CODE(next) == SSA_NAME ? SSA_NAME_DEF_STMT(next) : NULL;
        if (g && is_gimple_assign(g) && gimple_assign_rhs_code(g) == PLUS_EXPR && gimple_assign_rhs1(g) == c->i &&
            integer_onep(gimple_assign_rhs2(g)))
            c->first = gimple_phi_arg_def(phi, (unsigned)(1 - k));
    }
    gimple_stmt_iterator end = gsi_last_nondebug_bb(gimple_bb(phi));
    gcond *until = gsi_end_p(end) ? NULL : dyn_cast<gcond *>(gsi_stmt(end));
    if (!c->first || !until || gimple_cond_code(until) != GT_EXPR || gimple_cond_lhs(until) != c->i)
        return false;
    c->last = gimple_cond_rhs(until);
    return true;
}

/* The number of dimensions of the buffer, which must equal the number of loops; 0: the buffer is not an array. */
static size_t rank_of(tree buffer)
{
    if (TREE_CODE(TREE_TYPE(TREE_TYPE(buffer))) != RECORD_TYPE)
        return 0;
    tree dims = TYPE_FIELDS(TREE_TYPE(TREE_TYPE(buffer)));
    for (int i = 0; i < 4 && dims; i++) /* data, offset, dtype, span */
        dims = DECL_CHAIN(dims);
    tree domain = dims && TREE_CODE(TREE_TYPE(dims)) == ARRAY_TYPE ? TYPE_DOMAIN(TREE_TYPE(dims)) : NULL;
    return domain && tree_fits_uhwi_p(TYPE_MAX_VALUE(domain)) ? tree_to_uhwi(TYPE_MAX_VALUE(domain)) + 1 : 0;
}

/* Finds the counters of a loop nest, innermost first. Other PHI results are ignored: if the section depends on one
 * of them, remake_value fails later, and the access stays a call. */
static bool read_counters(function *f, tree buffer, std::vector<counter> *counters)
{
    basic_block bb;
    FOR_EACH_BB_FN(bb, f)
        for (gphi_iterator gsi = gsi_start_phis(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
            counter c = {};
            if (virtual_operand_p(gimple_phi_result(gsi.phi())))
                continue;
            if (read_counter(&c, gsi.phi()))
                counters->insert(counters->begin(), c);
        }
    const size_t rank = rank_of(buffer);
    return !counters->empty() && counters->size() <= MOST_RANK && (rank == 0 || counters->size() == rank);
}

/* --- the growth of an address with a counter ---------------------------------------------------------------------- */

static tree emit_size(remake *r, enum tree_code code, tree a, tree b)
{
    a = emit_convert(&r->made, size_type_node, a);
    b = emit_convert(&r->made, size_type_node, b);
    if (TREE_CODE(a) == INTEGER_CST && TREE_CODE(b) == INTEGER_CST)
        return fold_build2(code, size_type_node, a, b);
    if (code == MULT_EXPR ? integer_onep(b) : integer_zerop(b))
        return a;
    if ((code == PLUS_EXPR && integer_zerop(a)) || (code == MULT_EXPR && integer_onep(a)))
        return b;
    return emit(&r->made, size_type_node, code, a, b);
}

static tree growth(remake *r, tree t, tree i);

static tree growth_of_address(remake *r, tree reference, tree i)
{
    poly_int64 bits, bit;
    tree offset;
    machine_mode mode;
    int is_unsigned, is_reverse, is_volatile;
    tree base = get_inner_reference(reference, &bits, &bit, &offset, &mode, &is_unsigned, &is_reverse, &is_volatile);
    if (TREE_CODE(base) != MEM_REF)
        return DECL_P(base) && !offset ? size_zero_node : NULL;
    tree a = growth(r, TREE_OPERAND(base, 0), i), b = offset ? growth(r, offset, i) : size_zero_node;
    return a && b ? emit_size(r, PLUS_EXPR, a, b) : NULL;
}

static tree growth_of(remake *r, enum tree_code code, tree a, tree b, tree i)
{
    tree of_a = growth(r, a, i), of_b = b ? growth(r, b, i) : size_zero_node;
    if (!of_a || !of_b)
        return NULL;
    if (integer_zerop(of_a) && integer_zerop(of_b))
        return size_zero_node;
    if (CONVERT_EXPR_CODE_P(code))
        return of_a;
    if (code == PLUS_EXPR || code == POINTER_PLUS_EXPR || code == MINUS_EXPR)
        return emit_size(r, code == MINUS_EXPR ? MINUS_EXPR : PLUS_EXPR, of_a, of_b);
    if (code != MULT_EXPR || (!integer_zerop(of_a) && !integer_zerop(of_b)))
        return NULL;
    tree factor = integer_zerop(of_b) ? b : a;
    for (const counter &other : r->counters) {
        tree moves = growth(r, factor, other.i);
        if (!moves || !integer_zerop(moves))
            return NULL;
    }
    tree by = remake_value(r, factor);
    return by ? emit_size(r, MULT_EXPR, integer_zerop(of_b) ? of_a : of_b, by) : NULL;
}

/* The number of bytes by which t grows if i grows by 1, as a value of size_t; NULL: the growth is not constant. */
static tree growth(remake *r, tree t, tree i)
{
    if (t == i)
        return size_one_node;
    if (CONSTANT_CLASS_P(t))
        return size_zero_node;
    if (TREE_CODE(t) == ADDR_EXPR)
        return growth_of_address(r, TREE_OPERAND(t, 0), i);
    if (UNARY_CLASS_P(t) || BINARY_CLASS_P(t))
        return growth_of(r, TREE_CODE(t), TREE_OPERAND(t, 0), BINARY_CLASS_P(t) ? TREE_OPERAND(t, 1) : NULL, i);
    if (TREE_CODE(t) != SSA_NAME)
        return NULL;
    gimple *g = SSA_NAME_DEF_STMT(t);
    if (SSA_NAME_IS_DEFAULT_DEF(t) || is_a<gphi *>(g))
        return size_zero_node;
    if (!is_gimple_assign(g) || gimple_num_ops(g) > 3)
        return NULL;
    if (gimple_assign_load_p(g)) {
        tree moves = growth_of_address(r, gimple_assign_rhs1(g), i);
        if (moves && integer_zerop(moves))
            return moves;
        r->why = r->why ? r->why : "a vector subscript, or a subscript that depends on another one";
        return NULL;
    }
    if (gimple_assign_single_p(g))
        return growth(r, gimple_assign_rhs1(g), i);
    return growth_of(r, gimple_assign_rhs_code(g), gimple_assign_rhs1(g), gimple_assign_rhs2(g), i);
}

/* --- what is copied ----------------------------------------------------------------------------------------------- */

static bool is_parameter(tree name, tree parameter)
{
    return TREE_CODE(name) == SSA_NAME && SSA_NAME_IS_DEFAULT_DEF(name) && SSA_NAME_VAR(name) == parameter;
}

static bool allocates(gimple *g)
{
    return gimple_call_builtin_p(g, BUILT_IN_MALLOC) || gimple_call_builtin_p(g, BUILT_IN_REALLOC);
}

static bool is_conversion(enum tree_code code)
{
    return CONVERT_EXPR_CODE_P(code) || code == FLOAT_EXPR || code == FIX_TRUNC_EXPR;
}

/* Finds the only store that does not write the buffer's descriptor. It must store data that one statement loads. A
 * getter may also allocate. */
static bool find_copy(function *f, tree buffer, tree has_new_buffer, tree *from, tree *to, enum tree_code *conversion)
{
    gimple *copy = NULL;
    basic_block bb;
    FOR_EACH_BB_FN(bb, f)
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
            gimple *g = gsi_stmt(gsi);
            if (is_gimple_debug(g) || gimple_clobber_p(g) || !gimple_vdef(g))
                continue;
            if (is_gimple_call(g)) {
                if (!has_new_buffer || !allocates(g))
                    return false;
                continue;
            }
            tree base = gimple_store_p(g) ? get_base_address(gimple_get_lhs(g)) : NULL;
            if (!base || TREE_CODE(base) != MEM_REF)
                return false;
            tree at = TREE_OPERAND(base, 0);
            if (has_new_buffer && (is_parameter(at, buffer) || is_parameter(at, has_new_buffer)))
                continue;
            if (copy)
                return false;
            copy = g;
        }
    tree value = copy && gimple_assign_single_p(copy) ? gimple_assign_rhs1(copy) : NULL;
    if (!value)
        return false;
    gimple *g = TREE_CODE(value) == SSA_NAME ? SSA_NAME_DEF_STMT(value) : NULL;
    *conversion = NOP_EXPR;
    if (g && is_gimple_assign(g) && is_conversion(gimple_assign_rhs_code(g)) &&
        TREE_CODE(gimple_assign_rhs1(g)) == SSA_NAME) {
        *conversion = gimple_assign_rhs_code(g);
        g = SSA_NAME_DEF_STMT(gimple_assign_rhs1(g));
        if (!gimple_assign_load_p(g))
            return false;
    }
    *from = g && gimple_assign_load_p(g) ? gimple_assign_rhs1(g) : value;
    *to = gimple_assign_lhs(copy);
    tree base = get_base_address(*from);
    return !TREE_THIS_VOLATILE(*to) && !TREE_THIS_VOLATILE(*from) && base && TREE_CODE(base) == MEM_REF &&
        (is_gimple_reg_type(TREE_TYPE(*to)) ? is_gimple_reg_type(TREE_TYPE(*from))
                                            : types_compatible_p(TREE_TYPE(*from), TREE_TYPE(*to)));
}

/* The section that the reference traverses, starting at its first element. */
static bool read_section(remake *r, tree reference, array_section *s)
{
    for (const counter &c : r->counters) {
        tree first = remake_value(r, c.first), last = remake_value(r, c.last);
        if (!first || !last)
            return false;
        r->done[c.i] = first;
        tree n = emit_op(&r->made, PLUS_EXPR, emit_op(&r->made, MINUS_EXPR, last, first),
                         build_one_cst(long_integer_type_node));
        s->extent.push_back(n);
    }
    for (const counter &c : r->counters) {
        tree by = growth_of_address(r, reference, c.i);
        if (!by)
            return false;
        s->step.push_back(emit_convert(&r->made, long_integer_type_node, by));
    }
    s->element = TYPE_MAIN_VARIANT(TREE_TYPE(reference));
    s->first = remake_address(r, reference);
    return s->first != NULL;
}

bool read_get_loops(remake *r, tree fn, tree buffer, tree has_new_buffer, array_section *s)
{
    tree from, to;
    enum tree_code conversion;
    function *f = DECL_STRUCT_FUNCTION(fn);
    if (!read_counters(f, buffer, &r->counters) || !find_copy(f, buffer, has_new_buffer, &from, &to, &conversion) ||
        !types_compatible_p(TREE_TYPE(from), TREE_TYPE(to)))
        return false;
    tree inner = growth_of_address(r, to, r->counters[0].i); /* the buffer is filled in order */
    return inner && tree_int_cst_equal(inner, TYPE_SIZE_UNIT(TREE_TYPE(to))) && read_section(r, from, s);
}

bool read_put_loops(remake *r, tree fn, tree buffer, array_section *mine, array_section *theirs,
                    enum tree_code *conversion)
{
    tree from, to;
    function *f = DECL_STRUCT_FUNCTION(fn);
    return read_counters(f, buffer, &r->counters) && find_copy(f, NULL, NULL, &from, &to, conversion) &&
        read_section(r, from, mine) && read_section(r, to, theirs);
}
