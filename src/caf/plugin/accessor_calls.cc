/* The objects to which a call by accessor refers: the accessor, and the program's own pointer to the coarray. */
#include "accessor.h"

#include <algorithm>

static bool calls(gimple *g, const char *name)
{
    return strcmp(called_by(g), name) == 0;
}

static tree variable_at(tree address)
{
    return TREE_CODE(address) == ADDR_EXPR && VAR_P(TREE_OPERAND(address, 0)) ? TREE_OPERAND(address, 0) : NULL;
}

/* --- objects that a file registers -------------------------------------------------------------------------------- */

static std::unordered_map<HOST_WIDE_INT, tree> accessors; /* by their hash */
static std::unordered_map<unsigned, tree> pointers;       /* to static coarrays, by their token's DECL_UID */

/* A static coarray's pointer is set after the call that registers it. */
static void read_constructor(function *f)
{
    tree token = NULL;
    basic_block bb;
    FOR_EACH_BB_FN(bb, f)
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
            gimple *g = gsi_stmt(gsi);
            tree to = gimple_store_p(g) ? gimple_get_lhs(g) : NULL;
            if (calls(g, "_gfortran_caf_register_accessor") && tree_fits_shwi_p(gimple_call_arg(g, 0)) &&
                TREE_CODE(gimple_call_arg(g, 1)) == ADDR_EXPR) {
                accessors[tree_to_shwi(gimple_call_arg(g, 0))] = TREE_OPERAND(gimple_call_arg(g, 1), 0);
            } else if (calls(g, "_gfortran_caf_register")) {
                token = variable_at(gimple_call_arg(g, 2));
            } else if (token && to && VAR_P(to) && is_global_var(to) && POINTER_TYPE_P(TREE_TYPE(to))) {
                pointers[DECL_UID(token)] = to;
                token = NULL;
            }
        }
}

static void read_file()
{
    static bool is_done;
    if (is_done)
        return;
    is_done = true;
    cgraph_node *node;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node) {
        function *f = DECL_STRUCT_FUNCTION(node->decl);
        if (f && f->cfg && strncmp(IDENTIFIER_POINTER(DECL_NAME(node->decl)), "_caf_init", 9) == 0)
            read_constructor(f);
    }
}

/* --- the number of an accessor ------------------------------------------------------------------------------------ */

/* A static variable keeps an accessor's number:
 *
 *     if (index == -1)
 *       index = _gfortran_caf_get_remote_function_index (hash); */
struct lookup {
    std::vector<gimple *> loads;
    gcall *call = NULL;
};
static std::unordered_map<unsigned, lookup> lookups; /* the current function's, by the variable's DECL_UID */

static void read_lookups()
{
    static unsigned read;
    if (read == DECL_UID(current_function_decl))
        return;
    read = DECL_UID(current_function_decl);
    lookups.clear();
    in_place_blocks.clear();
    basic_block bb;
    FOR_EACH_BB_FN(bb, cfun)
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
            gimple *g = gsi_stmt(gsi);
            if (gimple_assign_load_p(g) && VAR_P(gimple_assign_rhs1(g)))
                lookups[DECL_UID(gimple_assign_rhs1(g))].loads.push_back(g);
            tree to = gimple_store_p(g) ? gimple_get_lhs(g) : NULL;
            if (!to || !VAR_P(to))
                continue;
            if (gimple_assign_single_p(g) && TREE_CODE(gimple_assign_rhs1(g)) == SSA_NAME)
                g = SSA_NAME_DEF_STMT(gimple_assign_rhs1(g));
            if (calls(g, "_gfortran_caf_get_remote_function_index"))
                lookups[DECL_UID(to)].call = as_a<gcall *>(g);
        }
}

static gimple *load_of(tree index)
{
    gimple *g = TREE_CODE(index) == SSA_NAME ? SSA_NAME_DEF_STMT(index) : NULL;
    return g && gimple_assign_load_p(g) && VAR_P(gimple_assign_rhs1(g)) ? g : NULL;
}

tree accessor_of(tree index)
{
    read_file();
    read_lookups();
    gimple *g = load_of(index);
    const lookup *l = g ? &lookups[DECL_UID(gimple_assign_rhs1(g))] : NULL;
    if (!l || !l->call || !tree_fits_shwi_p(gimple_call_arg(l->call, 0)))
        return NULL;
    const auto found = accessors.find(tree_to_shwi(gimple_call_arg(l->call, 0)));
    function *f = found == accessors.end() ? NULL : DECL_STRUCT_FUNCTION(found->second);
    return f && f->cfg && gimple_in_ssa_p(f) && !DECL_STATIC_CHAIN(found->second) ? found->second : NULL;
}

static bool is_for_call(gimple *load)
{
    imm_use_iterator uses;
    use_operand_p use;
    FOR_EACH_IMM_USE_FAST(use, uses, gimple_assign_lhs(load))
        if (is_gimple_call(USE_STMT(use)))
            return true;
    return false;
}

/* Sets the condition as if the number were known, unless another call needs the number. */
void accessor_drop_lookup(tree index)
{
    gimple *own = load_of(index);
    std::vector<gimple *> &loads = lookups[DECL_UID(gimple_assign_rhs1(own))].loads;
    loads.erase(std::find(loads.begin(), loads.end(), own));
    remove_statement(own);
    for (gimple *g : loads)
        if (is_for_call(g))
            return;
    for (gimple *g : loads) {
        gimple_assign_set_rhs1(g, build_zero_cst(TREE_TYPE(gimple_assign_lhs(g))));
        update_stmt(g);
    }
}

/* --- the program's own pointer to a coarray ----------------------------------------------------------------------- */

bool is_descriptor(tree t)
{
    tree f = TREE_CODE(t) == RECORD_TYPE ? TYPE_FIELDS(t) : NULL;
    for (const char *name : {"data", "offset", "dtype", "span"}) {
        if (!f || !DECL_NAME(f) || strcmp(IDENTIFIER_POINTER(DECL_NAME(f)), name) != 0)
            return false;
        f = DECL_CHAIN(f);
    }
    return true;
}

/* The pointer of a module in another file: the token's name ends with the name of the coarray's variable. */
static tree named_like(tree token)
{
    static const char prefix[] = "_F.caf_token";
    const char *name = IDENTIFIER_POINTER(DECL_NAME(token));
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return NULL;
    tree wanted = get_identifier(name + sizeof prefix - 1);
    varpool_node *node;
    FOR_EACH_VARIABLE(node)
        if (DECL_ASSEMBLER_NAME_SET_P(node->decl) && DECL_ASSEMBLER_NAME(node->decl) == wanted)
            return node->decl;
    return NULL;
}

static tree of_static(tree token)
{
    const auto known = pointers.find(DECL_UID(token));
    tree p = known != pointers.end() ? known->second : DECL_NAME(token) ? named_like(token) : NULL;
    pointers[DECL_UID(token)] = p;
    return p && POINTER_TYPE_P(TREE_TYPE(p)) ? p : NULL;
}

bool is_foreign(tree token)
{
    gimple *g = TREE_CODE(token) == SSA_NAME ? SSA_NAME_DEF_STMT(token) : NULL;
    return g && gimple_assign_load_p(g) && VAR_P(gimple_assign_rhs1(g)) && DECL_EXTERNAL(gimple_assign_rhs1(g));
}

tree own_pointer(tree token, tree object)
{
    if (TREE_CODE(token) != SSA_NAME)
        return NULL;
    if (SSA_NAME_IS_DEFAULT_DEF(token)) { /* the token of a dummy argument */
        for (tree p = DECL_ARGUMENTS(current_function_decl); p; p = DECL_CHAIN(p))
            if (DECL_NAME(p) == DECL_NAME(object) && POINTER_TYPE_P(TREE_TYPE(p)))
                return get_or_create_ssa_default_def(cfun, p);
        return NULL;
    }
    gimple *g = SSA_NAME_DEF_STMT(token);
    tree from = gimple_assign_load_p(g) ? gimple_assign_rhs1(g) : NULL;
    if (from && VAR_P(from))
        return of_static(from);
    if (!from || TREE_CODE(from) != COMPONENT_REF || !is_descriptor(TREE_TYPE(TREE_OPERAND(from, 0))))
        return NULL; /* for example, an internal procedure's access to a dummy argument of its host */
    tree descriptor = unshare_expr(TREE_OPERAND(from, 0)), data = TYPE_FIELDS(TREE_TYPE(descriptor));
    tree pointer = build3(COMPONENT_REF, TREE_TYPE(data), descriptor, data, NULL);
    TREE_THIS_VOLATILE(pointer) = TREE_THIS_VOLATILE(from);
    return pointer;
}
