/* gfortran 12 to 14: _gfortran_caf_send_by_ref and _gfortran_caf_get_by_ref, a[k]%p(i) with an allocatable or pointer
 * component on the way.  A chain of references leads from the coarray to the data (src/caf/gfortran/direct/walk.c). */
#include "plugin.h"

enum argument_at { TOKEN, IMAGE, HERE, REFERENCES, ONE_KIND, OTHER_KIND, MAY_OVERLAP, MAY_ALLOCATE, STAT, TYPE };

static reference_type type_of(const reference *r)
{
    return (reference_type)tree_to_shwi(r->type);
}

static int mode_of(const reference *r, int dim)
{
    return r->mode[dim] && TREE_CODE(r->mode[dim]) == INTEGER_CST ? (int)tree_to_shwi(r->mode[dim]) : MODE_VECTOR;
}

/* The number of subscripts; -1: of a form that the walk does not have. */
static int subscripts_of(const reference *r)
{
    for (int i = 0; i <= MOST_RANK; i++) {
        const int mode = mode_of(r, i);
        const bool is_static = type_of(r) == STATIC_ARRAY;
        const bool needs_start = is_static || mode == MODE_SINGLE || mode == MODE_RANGE || mode == MODE_OPEN_END;
        const bool needs_end = mode == MODE_RANGE || mode == MODE_OPEN_START || (is_static && mode != MODE_SINGLE);
        if (mode == MODE_END)
            return i;
        if (mode == MODE_VECTOR || i == MOST_RANK || (needs_start && !r->start[i]) || (needs_end && !r->end[i]))
            return -1;
        if (mode != MODE_SINGLE && r->step[i] && !integer_onep(r->step[i]) && !integer_zerop(r->step[i]))
            return -1;
    }
    return -1;
}

static int rank_of(const reference *r)
{
    int rank = 0;
    for (int i = 0; i < subscripts_of(r); i++)
        rank += mode_of(r, i) != MODE_SINGLE;
    return rank;
}

/* The address of the allocatable coarray's descriptor, which has the token; NULL: not known. */
static tree coarray_descriptor(tree token)
{
    gimple *load = TREE_CODE(token) == SSA_NAME ? SSA_NAME_DEF_STMT(token) : NULL;
    if (!load || !gimple_assign_load_p(load) || TREE_CODE(gimple_assign_rhs1(load)) != COMPONENT_REF)
        return NULL;
    tree object = TREE_OPERAND(gimple_assign_rhs1(load), 0);
    if (TREE_CODE(TREE_TYPE(object)) != RECORD_TYPE)
        return NULL;
    if (DECL_P(object))
        return build_fold_addr_expr(object);
    const bool is_whole = TREE_CODE(object) == MEM_REF && integer_zerop(TREE_OPERAND(object, 1));
    return is_whole && TREE_CODE(TREE_OPERAND(object, 0)) == SSA_NAME ? TREE_OPERAND(object, 0) : NULL;
}

/* --- the walk ----------------------------------------------------------------------------------------------------- */

static void emit_advance(gimple_seq *seq, shape *s, tree bytes)
{
    s->at = emit_add(seq, s->at, bytes);
    if (s->token)
        s->offset = emit_op(seq, PLUS_EXPR, s->offset, bytes);
}

/* Subscripts of an array whose descriptor is at `at`, and whose first element is where s is. */
static void emit_subscripts(branching *f, shape *s, const reference *r, tree at)
{
    gimple_seq *seq = &f->seq;
    tree word = long_integer_type_node, sum = build_zero_cst(word), given = emit_load_index(seq, at, D_SPAN);
    tree span = fresh(word), is_given = emit(seq, boolean_type_node, NE_EXPR, given, build_zero_cst(word));
    gimple_seq_add_stmt(seq, gimple_build_assign(span, COND_EXPR, is_given, given, fold_convert(word, r->item_size)));
    for (int i = 0; i < subscripts_of(r); i++) {
        tree of_dim[3], start = r->start[i], end = r->end[i];
        for (int k : {LOWER, UPPER, STRIDE})
            of_dim[k] = emit_load_index(seq, at, D_DIM + i * D_DIM_SIZE + k * 8);
        const int mode = mode_of(r, i);
        start = mode == MODE_FULL || mode == MODE_OPEN_START ? of_dim[LOWER] : emit_convert(seq, word, start);
        if (mode != MODE_FULL && mode != MODE_OPEN_START)
            only_if_too(f, GE_EXPR, start, of_dim[LOWER]);
        if (mode == MODE_SINGLE || mode == MODE_OPEN_END)
            only_if_too(f, LE_EXPR, start, of_dim[UPPER]);
        tree step = emit_op(seq, MULT_EXPR, of_dim[STRIDE], span);
        tree distance = emit_op(seq, MULT_EXPR, emit_op(seq, MINUS_EXPR, start, of_dim[LOWER]), step);
        sum = emit_op(seq, PLUS_EXPR, distance, sum);
        if (mode == MODE_SINGLE)
            continue;
        end = mode == MODE_FULL || mode == MODE_OPEN_END ? of_dim[UPPER] : emit_convert(seq, word, end);
        if (mode == MODE_RANGE || mode == MODE_OPEN_START)
            only_if_too(f, LE_EXPR, end, of_dim[UPPER]);
        s->count.push_back(emit_count(seq, start, end));
        s->step.push_back(step);
    }
    emit_advance(seq, s, sum);
}

/* Subscripts of an array without a descriptor: distances from the first element, in elements. */
static void emit_static_subscripts(branching *f, shape *s, const reference *r)
{
    gimple_seq *seq = &f->seq;
    tree sum = build_zero_cst(long_integer_type_node);
    for (int i = 0; i < subscripts_of(r); i++) {
        sum = emit_op(seq, PLUS_EXPR, emit_op(seq, MULT_EXPR, r->start[i], r->item_size), sum);
        if (mode_of(r, i) == MODE_SINGLE)
            continue;
        s->count.push_back(emit_count(seq, r->start[i], r->end[i]));
        s->step.push_back(r->item_size);
    }
    emit_advance(seq, s, sum);
}

/* Follows the pointer at s, with which a descriptor of that rank begins (-1: that is alone). Returns the descriptor. */
static tree emit_follow(branching *f, shape *s, int rank, tree table)
{
    gimple_seq *seq = &f->seq;
    tree at = s->at;
    if (s->token)
        only_if_inside(f, s->token, s->offset, NULL, table);
    only_if_pending(f);
    if (rank >= 0) {
        descriptor d;
        element any;
        d.address = at;
        d.type = integer_zero_node; /* is not asked for */
        only_if_alike(f, &d, &any, rank);
    }
    s->at = fresh(ptr_type_node);
    s->token = s->offset = NULL;
    gimple_seq_add_stmt(seq, gimple_build_assign(s->at, memory(ptr_type_node, at, D_DATA, ptr_type_node)));
    tree heaps = emit_load_word(seq, size_type_node, table, CAF_NEAR_HEAPS);
    tree place = emit(seq, size_type_node, MINUS_EXPR, emit_convert(seq, size_type_node, s->at), heaps);
    only_if(f, LT_EXPR, place, emit_load_word(seq, size_type_node, table, CAF_NEAR_HEAPS_BYTES));
    return at;
}

shape emit_walk(branching *f, coindexed *a, tree table, tree distance)
{
    shape s;
    only_if(f, NE_EXPR, a->token, build_zero_cst(TREE_TYPE(a->token)));
    s.at = emit_add(&f->seq, emit_load_word(&f->seq, ptr_type_node, a->token, CAF_COARRAY_BASE), distance);
    s.size = a->of_there.size;
    s.token = a->token;
    s.offset = build_zero_cst(long_integer_type_node);
    for (size_t i = 0; i < a->references.size(); i++) {
        const reference *r = &a->references[i];
        if (type_of(r) == STATIC_ARRAY) {
            emit_static_subscripts(f, &s, r);
        } else if (type_of(r) == ARRAY) {
            emit_subscripts(f, &s, r, coarray_descriptor(a->token));
        } else {
            const bool is_described = i + 1 < a->references.size() && type_of(&a->references[i + 1]) == ARRAY;
            emit_advance(&f->seq, &s, r->offset);
            if (is_described) {
                r = &a->references[++i];
                tree at = emit_follow(f, &s, subscripts_of(r), table);
                emit_subscripts(f, &s, r, at);
            } else if (!integer_zerop(r->token_offset)) {
                emit_follow(f, &s, -1, table);
            }
        }
    }
    return s;
}

/* --- recognition -------------------------------------------------------------------------------------------------- */

static const char *read_references(coindexed *a)
{
    enum { MOST = 8 };
    a->references.reserve(MOST);
    for (tree at = gimple_call_arg(a->call, REFERENCES); !integer_zerop(at); at = a->references.back().next) {
        if (a->references.size() == MOST)
            return "a long way through components";
        a->references.emplace_back();
        if (!read_reference(&a->references.back(), a->call, at))
            return "the way through components is not known";
    }
    int rank = 0;
    for (size_t i = 0; i < a->references.size(); i++) {
        const reference *r = &a->references[i];
        if (TREE_CODE(r->item_size) != INTEGER_CST)
            return "a component of deferred length";
        if (type_of(r) == COMPONENT) {
            if (!r->offset || !r->token_offset || TREE_CODE(r->token_offset) != INTEGER_CST)
                return "the way through components is not known";
            continue;
        }
        if (subscripts_of(r) < 0)
            return "strides or a vector subscript";
        if (type_of(r) == ARRAY && i == 0 && !coarray_descriptor(a->token))
            return "an element of an allocatable coarray, whose bounds are not known here";
        rank += rank_of(r);
    }
    a->there.rank = build_int_cst(integer_type_node, rank);
    return NULL;
}

bool recognise_references(coindexed *a)
{
    gcall *call = a->call;
    if (gimple_call_num_args(call) < TYPE + 1u)
        return stays_call(a, "a call of another form");
    if (!integer_zerop(gimple_call_arg(call, STAT)))
        return stays_call(a, "stat= is given");
    a->may_allocate = !a->is_put && !integer_zerop(gimple_call_arg(call, MAY_ALLOCATE));
    a->is_same_kind = operand_equal_p(gimple_call_arg(call, ONE_KIND), gimple_call_arg(call, OTHER_KIND), 0);
    a->token = gimple_call_arg(call, TOKEN);
    a->image = gimple_call_arg(call, IMAGE);
    a->barrier = barrier_of(call, a->is_put);
    if (!read_descriptor(&a->here, call, gimple_call_arg(call, HERE)))
        return stays_call(a, "its descriptor is not known");
    if (const char *why = read_references(a))
        return stays_call(a, why);
    a->there.type = gimple_call_arg(call, TYPE);
    a->there.elem_len = a->references.back().item_size;
    if (TREE_CODE(a->there.type) != INTEGER_CST || integer_zerop(a->there.elem_len))
        return stays_call(a, "a component of deferred length");
    if (const char *why = choose_way(a))
        return stays_call(a, why);
    if (a->may_allocate && (a->how == LOOP || a->here.is_private))
        return stays_call(a, "the left-hand side may have to be allocated");
    a->emit = emit_assignment;
    return true;
}
