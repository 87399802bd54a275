/* Corrects gfortran's trees of a procedure, if the program's meaning can be derived from them. */
#include "warn.h"
#include <tree-iterator.h>

static std::set<tree> declared; /* the variables of the function's scopes so far */
static std::set<tree> computed; /* the bounds and subscripts, caf_temp_*, set so far */

static void add_to_outermost_scope(tree variable, tree function)
{
    tree body = DECL_SAVED_TREE(function);
    DECL_CONTEXT(variable) = function;
    DECL_CHAIN(variable) = BIND_EXPR_VARS(body);
    BIND_EXPR_VARS(body) = variable;
    if (BIND_EXPR_BLOCK(body))
        BLOCK_VARS(BIND_EXPR_BLOCK(body)) = variable;
    declared.insert(variable);
}

/* gfortran uses some variables in a scope that does not declare them. The enclosing scope declares them (the module,
 * for a put to the module's own coarray (15, 16); the procedure, for a coarray in a BLOCK), or none does (is_recursive
 * of -fcheck=recursion; an accessor's data, for a coarray that a BLOCK declares (15, 16)). */
static void declare(tree variable, tree function)
{
    if (DECL_EXTERNAL(variable))
        return;
    bool is_accessors = is_prefixed(variable, "__caf_");
    tree body = DECL_SAVED_TREE(function), scope = DECL_CONTEXT(variable);
    if (TREE_STATIC(variable)) {
        if (is_accessors || is_named(variable, "caf_token") || is_named(variable, "is_recursive"))
            varpool_node::finalize_decl(variable);
    } else if (is_accessors && (TREE_CODE(scope) != FUNCTION_DECL || scope == function) && !declared.count(variable) &&
               TREE_CODE(body) == BIND_EXPR) {
        add_to_outermost_scope(variable, function);
    }
}

/* A static scalar coarray of type complex, of which gfortran makes a copy: stores would go to the copy, and addresses
 * would be addresses of the copy.
 *
 *     SAVE_EXPR <*z> = value;    becomes    *z = value; */
static void mend_complex(tree *at)
{
    tree saved = TREE_OPERAND(*at, 0), pointer = INDIRECT_REF_P(saved) ? TREE_OPERAND(saved, 0) : NULL;
    if (pointer && VAR_P(pointer) && (TREE_STATIC(pointer) || DECL_EXTERNAL(pointer)))
        *at = saved;
}

/* The offset of a component, from which gfortran subtracts the component's value instead of the coarray's address:
 *
 *     (long) &y->n - (long) (*y).n    becomes    (long) &y->n - (long) y */
static void mend_atomic(tree call)
{
    for (int i = 1; i < 3; i++) {
        tree offset = CALL_EXPR_ARG(call, i);
        if (TREE_CODE(offset) != MINUS_EXPR)
            continue;
        tree of = TREE_OPERAND(offset, 0), from = TREE_OPERAND(offset, 1);
        while (CONVERT_EXPR_P(from))
            from = TREE_OPERAND(from, 0);
        while (CONVERT_EXPR_P(of))
            of = TREE_OPERAND(of, 0);
        if (POINTER_TYPE_P(TREE_TYPE(from)) || TREE_CODE(of) != ADDR_EXPR)
            continue;
        of = get_base_address(TREE_OPERAND(of, 0));
        if (of && (INDIRECT_REF_P(of) || TREE_CODE(of) == MEM_REF))
            CALL_EXPR_ARG(call, i) =
                fold_build2(MINUS_EXPR, TREE_TYPE(offset), TREE_OPERAND(offset, 0),
                            fold_convert(TREE_TYPE(offset), unshare_expr(TREE_OPERAND(of, 0))));
    }
}

/* The size of a component that is copied into a coarray. gfortran computes it only if the component is not allocated:
 *
 *     if (e.d.data != 0B)                                          size = e.d.dim[0].ubound - ... + 1;
 *       { _gfortran_caf_register (MAX_EXPR <size * 4, 1>, ...) }   if (e.d.data != 0B)
 *     else                                              becomes      { ... }
 *       { size = e.d.dim[0].ubound - ... + 1; ... }                else
 *                                                                    { ... } */
static void mend_size(tree *at)
{
    tree then = COND_EXPR_THEN(*at), otherwise = COND_EXPR_ELSE(*at), before = NULL;
    while (otherwise && TREE_CODE(otherwise) == BIND_EXPR)
        otherwise = BIND_EXPR_BODY(otherwise);
    if (!then || !otherwise || TREE_CODE(otherwise) != STATEMENT_LIST)
        return;
    tree call = find_in(then, [](tree t) {
        return TREE_CODE(t) == CALL_EXPR && !strcmp(function_of(t), "_gfortran_caf_register");
    });
    if (!call)
        return;
    auto_vec<tree> sets;
    bool is_needed = false;
    tree_stmt_iterator i = tsi_start(otherwise);
    for (; !tsi_end_p(i) && TREE_CODE(tsi_stmt(i)) == MODIFY_EXPR; tsi_next(&i)) {
        tree variable = TREE_OPERAND(tsi_stmt(i), 0);
        if (!VAR_P(variable) || !DECL_ARTIFICIAL(variable))
            break;
        sets.safe_push(tsi_stmt(i));
        is_needed |= !!find_in(CALL_EXPR_ARG(call, 0), [=](tree t) { return t == variable; });
    }
    if (!is_needed)
        return;
    for (tree set : sets)
        append_to_statement_list(set, &before);
    for (i = tsi_start(otherwise); !sets.is_empty() && tsi_stmt(i) != sets.last();)
        tsi_delink(&i);
    tsi_delink(&i);
    append_to_statement_list(*at, &before);
    *at = before;
}

/* A bound of an ASSOCIATE name (15, 16), in a variable that gfortran sets only after the access:
 *
 *     __caf_get_from_remote_add_data_5.caf_temp_n = caf_temp_n;    becomes    ... = (integer(kind=8)) n;
 *     ...
 *     caf_temp_n = (integer(kind=8)) n; */
static void mend_bound(tree store, tree function)
{
    tree to = base_of(TREE_OPERAND(store, 0)), bound = TREE_OPERAND(store, 1);
    if (to && VAR_P(to) && is_prefixed(to, "caf_temp_"))
        computed.insert(to);
    if (!VAR_P(bound) || !is_prefixed(bound, "caf_temp_") || !to || !is_prefixed(to, "__caf_") || computed.count(bound))
        return;
    tree set = find_in(DECL_SAVED_TREE(function), [=](tree t) {
        return TREE_CODE(t) == MODIFY_EXPR && TREE_OPERAND(t, 0) == bound;
    });
    if (set && !TREE_SIDE_EFFECTS(TREE_OPERAND(set, 1)))
        TREE_OPERAND(store, 1) = unshare_expr(TREE_OPERAND(set, 1));
}

/* stat= of FORM TEAM, SYNC TEAM, CHANGE TEAM, END TEAM and CRITICAL (16). gfortran does not mark the variable as
 * addressable. If nothing else does, GCC passes the address of a copy. */
static void mend_status(tree call)
{
    for (int i = 0; i < call_expr_nargs(call); i++) {
        tree at = CALL_EXPR_ARG(call, i);
        STRIP_NOPS(at);
        if (TREE_CODE(at) == ADDR_EXPR && DECL_P(TREE_OPERAND(at, 0)))
            TREE_ADDRESSABLE(TREE_OPERAND(at, 0)) = 1;
    }
}

/* The temporary for the value of an array expression that is put (15, 16). gfortran gives it the codimension of a
 * coarray in the expression, so all images would have to allocate it together, and deallocate it when the procedure
 * ends.
 *
 *     _gfortran_caf_register (72, 1, &_F.DA34.token, &_F.DA34, ...);    becomes    ... (72, 8, ...)
 *     _gfortran_caf_deregister (&_F.DA34.token, 0, ...);                becomes    ... (&_F.DA34.token, 1, ...) */
static void mend_temporary(tree call, int collective, int alone)
{
    tree kind = CALL_EXPR_ARG(call, 1), variable = base_of(CALL_EXPR_ARG(call, collective ? 3 : 0));
    if (variable && VAR_P(variable) && is_prefixed(variable, "_F.DA") && tree_fits_shwi_p(kind) &&
        tree_to_shwi(kind) == collective)
        CALL_EXPR_ARG(call, 1) = build_int_cst(TREE_TYPE(kind), alone);
}

/* The first store to a field of a descriptor; NULL: none. */
static tree store_to(tree function, tree descriptor, const char *field)
{
    auto is_store = [=](tree t) {
        tree to = TREE_CODE(t) == MODIFY_EXPR ? TREE_OPERAND(t, 0) : NULL;
        return to && is_component(to, field) && TREE_OPERAND(to, 0) == descriptor;
    };
    return descriptor ? find_in(DECL_SAVED_TREE(function), is_store) : NULL;
}

/* The image of sync images, of which the library reads 4 bytes, in a variable of another kind:
 *
 *     _gfortran_caf_sync_images (1, &k, ...)    becomes    ... (1, (image = (integer(kind=4)) k, &image), ...) */
static void mend_image(tree call, tree function)
{
    tree at = CALL_EXPR_ARG(call, 1);
    STRIP_NOPS(at);
    tree type = POINTER_TYPE_P(TREE_TYPE(at)) ? TREE_TYPE(TREE_TYPE(at)) : NULL;
    if (!type || TREE_CODE(type) != INTEGER_TYPE || TYPE_PRECISION(type) == TYPE_PRECISION(integer_type_node) ||
        TREE_CODE(DECL_SAVED_TREE(function)) != BIND_EXPR)
        return;
    tree image = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier("image"), integer_type_node);
    DECL_IGNORED_P(image) = 1;
    TREE_ADDRESSABLE(image) = 1;
    add_to_outermost_scope(image, function);
    tree value = fold_convert(integer_type_node, build_fold_indirect_ref(at));
    tree address = build_fold_addr_expr(image);
    CALL_EXPR_ARG(call, 1) = build2(COMPOUND_EXPR, TREE_TYPE(address),
                                    build2(MODIFY_EXPR, integer_type_node, image, value), address);
}

/* A section of a pointer, p(2:4), whose elements are components of larger ones, p => y%i. For a collective subroutine
 * gfortran computes its beginning from the size of the components:
 *
 *     parm.span = p.span;
 *     parm.data = p.data + (sizetype) (... * 4);    becomes    ... p.data + (sizetype) (... * p.span); */
static void mend_section(tree call, tree function)
{
    tree section = variable_at(CALL_EXPR_ARG(call, 0)), span = store_to(function, section, "span");
    tree data = store_to(function, section, "data"), dtype = store_to(function, section, "dtype");
    if (!span || !data || !dtype || TREE_CODE(TREE_OPERAND(span, 1)) != COMPONENT_REF ||
        TREE_CODE(TREE_OPERAND(dtype, 1)) != CONSTRUCTOR)
        return;
    described d;
    d.dtype = TREE_OPERAND(dtype, 1);
    data = TREE_OPERAND(data, 1);
    STRIP_NOPS(data);
    if (TREE_CODE(data) != POINTER_PLUS_EXPR)
        return;
    tree *offset = &TREE_OPERAND(data, 1);
    while (CONVERT_EXPR_P(*offset) || TREE_CODE(*offset) == NON_LVALUE_EXPR)
        offset = &TREE_OPERAND(*offset, 0);
    tree type = TREE_TYPE(*offset), bytes = fold_convert(type, unshare_expr(TREE_OPERAND(span, 1)));
    if (TREE_CODE(*offset) == MULT_EXPR && TREE_CODE(TREE_OPERAND(*offset, 1)) == INTEGER_CST)
        TREE_OPERAND(*offset, 1) = bytes;
    else if (field_of(d, "elem_len") == 1) /* gfortran omits * 1 */
        *offset = build2(MULT_EXPR, type, *offset, bytes);
}

/* Kinds of allocations and deallocations (src/caf/gfortran/abi.h). */
enum { COARRAY_ALLOC = 1, COMPONENT_ALLOCATE_ONLY = 8 };
enum { WITH_COARRAY = 0, COMPONENT_ALONE = 1 };

static tree look(tree *at, int *subtrees, void *function)
{
    tree t = *at;
    switch (TREE_CODE(t)) {
    case VAR_DECL:
        declare(t, (tree)function);
        break;
    case SAVE_EXPR:
        mend_complex(at);
        break;
    case MODIFY_EXPR:
        mend_bound(t, (tree)function);
        break;
    case CALL_EXPR:
        if (begins(function_of(t), "_gfortran_caf_"))
            mend_status(t);
        if (begins(function_of(t), "_gfortran_caf_atomic_"))
            mend_atomic(t);
        else if (begins(function_of(t), "_gfortran_caf_co_"))
            mend_section(t, (tree)function);
        else if (!strcmp(function_of(t), "_gfortran_caf_sync_images"))
            mend_image(t, (tree)function);
        else if (!strcmp(function_of(t), "_gfortran_caf_register"))
            mend_temporary(t, COARRAY_ALLOC, COMPONENT_ALLOCATE_ONLY);
        else if (!strcmp(function_of(t), "_gfortran_caf_deregister"))
            mend_temporary(t, WITH_COARRAY, COMPONENT_ALONE);
        break;
    case COND_EXPR:
        mend_size(at);
        break;
    case BIND_EXPR: {    /* but not the initial values of its variables */
        for (tree v = BIND_EXPR_VARS(t); v; v = DECL_CHAIN(v))
            declared.insert(v);
        walk_tree(&BIND_EXPR_BODY(t), look, function, NULL);
        *subtrees = 0;
        break;
    }
    default:
        break;
    }
    return NULL;
}

void mend(tree function)
{
    declared.clear();
    computed.clear();
    walk_tree(&DECL_SAVED_TREE(function), look, function, NULL);
}

/* --- functions that gfortran regards as pure ---------------------------------------------------------------------- */

/* gfortran regards a function as pure although it reads VOLATILE variables, queries the states of images, or assigns to
 * coindexed objects (15, 16). GCC would merge its calls, move them out of loops, or remove them. A function of another
 * file may be such a function. */
static bool is_elsewhere(tree function)
{
    return function && DECL_EXTERNAL(function) && !fndecl_built_in_p(function) && !is_prefixed(function, "_gfortran_");
}

static tree forget_elsewhere(tree *at, int *, void *)
{
    tree function = TREE_CODE(*at) == CALL_EXPR ? get_callee_fndecl(*at) : NULL;
    if (is_elsewhere(function))
        DECL_PURE_P(function) = 0;
    return NULL;
}

/* A call of a subroutine counts, too: the subroutine may do the same. */
static bool is_impure(tree t)
{
    if (TREE_CODE(t) != CALL_EXPR)
        return (EXPR_P(t) || VAR_P(t)) && TREE_THIS_VOLATILE(t);
    for (const char *name : {"image_status", "failed_images", "stopped_images", "send", "transfer_between_remotes"})
        if (begins(function_of(t), (std::string("_gfortran_caf_") + name).c_str()))
            return true;
    tree function = get_callee_fndecl(t);
    const bool is_users = is_elsewhere(function) || (function && DECL_SAVED_TREE(function));
    return is_users && !DECL_PURE_P(function) && !TREE_READONLY(function);
}

void mend_purity()
{
    cgraph_node *node;
    FOR_EACH_FUNCTION(node)
        walk_tree_without_duplicates(&DECL_SAVED_TREE(node->decl), forget_elsewhere, NULL);
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        FOR_EACH_FUNCTION(node)
            if (DECL_PURE_P(node->decl) && find_in(DECL_SAVED_TREE(node->decl), is_impure)) {
                DECL_PURE_P(node->decl) = 0;
                is_changed = true;
            }
    }
}
