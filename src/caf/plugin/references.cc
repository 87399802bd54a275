/* gfortran 12 to 14: _gfortran_caf_send_by_ref and _gfortran_caf_get_by_ref, for a[k]%p(i) with an allocatable or
 * pointer component. A chain of references leads from the coarray to the data (src/caf/gfortran/direct/walk.c). */
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

/* The number of subscripts; -1: a form that the walk does not support. */
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

/* The subscripts of an array whose descriptor is at `at`, and whose first element is at s. The subscripts of an element
 * at the end of the walk are checked separately: the other checks do not change in most loops. */
static void emit_subscripts(branching *f, shape *s, const reference *r, tree at, bool is_safe, bool is_end)
{
    gimple_seq *seq = &f->seq;
    tree word = long_integer_type_node, sum = build_zero_cst(word), given = emit_load_index(seq, at, D_SPAN, is_safe);
    tree span = fresh(word), is_given = emit(seq, boolean_type_node, NE_EXPR, given, build_zero_cst(word));
    gimple_seq_add_stmt(seq, gimple_build_assign(span, COND_EXPR, is_given, given, fold_convert(word, r->item_size)));
    if (is_end)
        only_if_pending(f);
    for (int i = 0; i < subscripts_of(r); i++) {
        tree of_dim[3], start = r->start[i], end = r->end[i];
        for (int k : {LOWER, UPPER, STRIDE})
            of_dim[k] = emit_load_index(seq, at, D_DIM + i * D_DIM_SIZE + k * 8, is_safe);
        const int mode = mode_of(r, i);
        start = mode == MODE_FULL || mode == MODE_OPEN_START ? of_dim[LOWER] : emit_convert(seq, word, start);
        tree step = emit_op(seq, MULT_EXPR, of_dim[STRIDE], span), size = size_type_node;
        tree before = emit_op(seq, MINUS_EXPR, start, of_dim[LOWER]);
        sum = emit_op(seq, PLUS_EXPR, emit_op(seq, MULT_EXPR, before, step), sum);
        if (mode == MODE_SINGLE) {
            tree all = emit_convert(seq, size, emit_count(seq, of_dim[LOWER], of_dim[UPPER]));
            (is_end ? only_if : only_if_too)(f, LT_EXPR, emit_convert(seq, size, before), all);
            continue;
        }
        if (mode == MODE_RANGE || mode == MODE_OPEN_END)
            only_if_too(f, GE_EXPR, start, of_dim[LOWER]);
        if (mode == MODE_OPEN_END)
            only_if_too(f, LE_EXPR, start, of_dim[UPPER]);
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

/* Follows the pointer at s, the first word of a descriptor of that rank (-1: a pointer without a descriptor), to
 * memory that this image can load. If a condition does not hold, zeros are loaded instead, so that the loads may
 * leave loops. This is not done behind a pointer, which may be undefined if the program does not follow it, nor for
 * subscripts that are not checked. */
static tree emit_follow(branching *f, shape *s, int rank, tree table, tree distance, bool *is_safe)
{
    gimple_seq *seq = &f->seq;
    tree size = size_type_node, zero = build_zero_cst(TREE_TYPE(distance));
    if (s->token)
        only_if_inside_too(f, s->token, s->offset, table);
    else /* an undefined pointer of this image may lead anywhere */
        only_if_pending(f);
    *is_safe = f->pending && (options.bounds || TREE_CODE(s->offset) == INTEGER_CST);
    tree at = emit_if_pending(f, s->at, table);
    if (rank >= 0)
        only_if_too(f, EQ_EXPR, emit_load(seq, signed_char_type_node, at, D_RANK, *is_safe),
                    build_int_cst(signed_char_type_node, rank));
    s->at = emit_load(seq, ptr_type_node, at, D_DATA, *is_safe);
    s->token = s->offset = NULL;
    tree place = emit(seq, size, MINUS_EXPR, emit_convert(seq, size, s->at), emit_load_word(seq, size, table,
                                                                                           CAF_NEAR_HEAPS));
    tree bytes = emit_load_word(seq, size, table, CAF_NEAR_HEAPS_BYTES);
    tree is_mine = emit(seq, boolean_type_node, EQ_EXPR, distance, zero);
    tree is_there = emit(seq, boolean_type_node, NE_EXPR, s->at, build_zero_cst(ptr_type_node));
    /* MUTANT pointers lead to heaps */
    only_if_too(f, NE_EXPR, emit(seq, boolean_type_node, BIT_IOR_EXPR,
                                 emit(seq, boolean_type_node, LT_EXPR, place, bytes),
                                 emit(seq, boolean_type_node, BIT_AND_EXPR, is_mine, is_there)), boolean_false_node);
    return at;
}

/* The type of an object, or of a descriptor of objects, that may have components behind pointers. */
static bool may_have_components(tree type)
{
    while (TREE_CODE(type) == ARRAY_TYPE)
        type = TREE_TYPE(type);
    tree name = TREE_CODE(type) == RECORD_TYPE ? TYPE_IDENTIFIER(type) : NULL; /* array01_integer(kind=4) */
    return TREE_CODE(type) == RECORD_TYPE && !(name && strstr(IDENTIFIER_POINTER(name), "(kind="));
}

/* Whether an object of the type contains a coarray's descriptor. */
static bool has_token(tree type)
{
    while (TREE_CODE(type) == ARRAY_TYPE)
        type = TREE_TYPE(type);
    for (tree f = TREE_CODE(type) == RECORD_TYPE ? TYPE_FIELDS(type) : NULL; f; f = DECL_CHAIN(f))
        if ((DECL_NAME(f) && strcmp(IDENTIFIER_POINTER(DECL_NAME(f)), "token") == 0) || has_token(TREE_TYPE(f)))
            return true;
    return false;
}

/* Whether the parameter is the token of a dummy coarray, or points to a coarray's descriptor. */
static bool is_of_coarray(tree parameter)
{
    tree name = DECL_NAME(parameter), type = TREE_TYPE(parameter);
    return (name && strncmp(IDENTIFIER_POINTER(name), "caf_token", strlen("caf_token")) == 0) ||
        (POINTER_TYPE_P(type) && has_token(TREE_TYPE(type)));
}

/* A walk begins at the coarray's record, not at the program's pointer to the coarray. If that is a dummy argument, its
 * `restrict` would mean that no access by name uses the same memory. This is wrong for accesses to this image, which
 * may also be in a procedure that GCC inlines here. */
void forget_restrict()
{
    bool has_coarrays = false;
    for (tree p = DECL_ARGUMENTS(current_function_decl); p; p = DECL_CHAIN(p))
        has_coarrays |= is_of_coarray(p);
    for (tree p = DECL_ARGUMENTS(current_function_decl); has_coarrays && p; p = DECL_CHAIN(p)) {
        tree type = TREE_TYPE(p);
        if (!POINTER_TYPE_P(type) || !TYPE_RESTRICT(type) || !may_have_components(TREE_TYPE(type)))
            continue;
        /* MUTANT dummy arguments keep restrict */
        TREE_TYPE(p) = build_qualified_type(type, TYPE_QUALS(type) & ~TYPE_QUAL_RESTRICT);
        unsigned i;
        tree name;
        FOR_EACH_SSA_NAME(i, name, cfun)
            if (SSA_NAME_VAR(name) == p)
                TREE_TYPE(name) = TREE_TYPE(p);
    }
}

shape emit_walk(branching *f, coindexed *a, tree table, tree distance)
{
    shape s;
    only_if_too(f, NE_EXPR, a->token, build_zero_cst(TREE_TYPE(a->token)));
    s.at = emit_add(&f->seq, emit_base(&f->seq, a->token), distance);
    s.size = a->of_there.size;
    s.token = a->token;
    s.offset = build_zero_cst(long_integer_type_node);
    for (size_t i = 0; i < a->references.size(); i++) {
        const reference *r = &a->references[i];
        bool is_safe = false;
        if (type_of(r) == STATIC_ARRAY) {
            emit_static_subscripts(f, &s, r);
        } else if (type_of(r) == ARRAY) {
            emit_subscripts(f, &s, r, coarray_descriptor(a->token), false, false);
        } else {
            const bool is_described = i + 1 < a->references.size() && type_of(&a->references[i + 1]) == ARRAY;
            emit_advance(&f->seq, &s, r->offset);
            if (is_described) {
                r = &a->references[++i];
                tree at = emit_follow(f, &s, subscripts_of(r), table, distance, &is_safe);
                emit_subscripts(f, &s, r, at, is_safe, a->how == SCALAR && i + 1 == a->references.size());
            } else if (!integer_zerop(r->token_offset)) {
                emit_follow(f, &s, -1, table, distance, &is_safe);
            }
        }
    }
    return s;
}

/* --- the slow path by value --------------------------------------------------------------------------------------- */

static tree kind_there(const coindexed *a)
{
    return gimple_call_arg(a->call, a->is_put ? ONE_KIND : OTHER_KIND);
}

/* Whether data is the address of an existing variable. The library handles a get into a variable that may not be
 * allocated. */
static bool is_an_address(tree data)
{
    gimple *g = TREE_CODE(data) == SSA_NAME ? SSA_NAME_DEF_STMT(data) : NULL;
    if (!g || !is_gimple_assign(g))
        return TREE_CODE(data) == ADDR_EXPR;
    return CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(g)) || gimple_assign_rhs_code(g) == SSA_NAME
               ? is_an_address(gimple_assign_rhs1(g))
               : gimple_assign_rhs_code(g) == ADDR_EXPR || gimple_assign_rhs_code(g) == POINTER_PLUS_EXPR;
}

bool has_value_walk(const coindexed *a)
{
    enum { COMPLEX = 4 }; /* the last number that is no derived type and no character */
    for (const reference &r : a->references)
        if (type_of(&r) == COMPONENT && TREE_CODE(r.offset) != INTEGER_CST)
            return false;
    return a->of_there.number <= COMPLEX && !a->may_allocate && TREE_CODE(kind_there(a)) == INTEGER_CST &&
           (a->is_put || is_an_address(a->here.data));
}

/* The references in the library's form (src/caf/gfortran/direct/by_ref.c): the constant parts, and the subscripts. */
static void add_walk(vec<tree> *arguments, gimple_seq *seq, const coindexed *a)
{
    std::vector<long long> form = {a->of_there.number, tree_to_shwi(kind_there(a)), (long long)a->references.size()};
    std::vector<tree> subscripts;
    for (const reference &r : a->references) {
        const bool is_component = type_of(&r) == COMPONENT;
        const int n = is_component ? 0 : subscripts_of(&r);
        form.insert(form.end(), {type_of(&r), tree_to_shwi(r.item_size),
                                 is_component ? tree_to_shwi(r.offset) : (long long)n,
                                 is_component ? tree_to_shwi(r.token_offset) : 0});
        for (int i = 0; i < n; i++)
            subscripts.push_back(emit_convert(seq, long_integer_type_node, r.start[i]));
    }
    arguments->safe_push(build_string_literal(form.size() * sizeof form[0], (const char *)form.data()));
    for (tree t : subscripts)
        arguments->safe_push(t);
}

static gcall *emit_slow_walk(gimple_seq *seq, coindexed *a, tree function, tree bits)
{
    auto_vec<tree> arguments;
    arguments.safe_push(a->token);
    arguments.safe_push(emit_convert(seq, integer_type_node, a->image));
    if (bits)
        arguments.safe_push(bits);
    add_walk(&arguments, seq, a);
    if (!bits)
        arguments.safe_push(emit_order(seq));
    gcall *slow = gimple_build_call_vec(function, arguments);
    gimple_set_location(slow, gimple_location(a->call));
    gimple_seq_add_stmt(seq, slow);
    return slow;
}

void emit_value_walk(gimple_seq *seq, coindexed *a, tree value)
{
    emit_slow_walk(seq, a, value_put_by_ref, emit_convert(seq, type_bits16, emit_bits(seq, value)));
    emit_put_order(seq);
}

tree emit_value_of_walk(gimple_seq *seq, coindexed *a)
{
    tree bits = fresh(type_bits16);
    gcall *slow = emit_slow_walk(seq, a, value_get_by_ref, NULL);
    gimple_call_set_lhs(slow, bits);
    return emit_from_bits(seq, a->of_there.type, emit_convert(seq, carrier(a->of_there.type), bits));
}

/* --- recognition -------------------------------------------------------------------------------------------------- */

static const char *read_references(coindexed *a)
{
    enum { MOST = 8 };
    a->references.reserve(MOST);
    for (tree at = gimple_call_arg(a->call, REFERENCES); !integer_zerop(at); at = a->references.back().next) {
        if (a->references.size() == MOST)
            return "a long chain of components";
        a->references.emplace_back();
        if (!read_reference(&a->references.back(), a->call, at))
            return "the chain of components is not known";
    }
    int rank = 0;
    for (size_t i = 0; i < a->references.size(); i++) {
        const reference *r = &a->references[i];
        if (TREE_CODE(r->item_size) != INTEGER_CST)
            return "a component of deferred length";
        if (type_of(r) == COMPONENT) {
            if (!r->offset || !r->token_offset || TREE_CODE(r->token_offset) != INTEGER_CST)
                return "the chain of components is not known";
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
