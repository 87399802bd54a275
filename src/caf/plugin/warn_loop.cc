/* Loops that wait for another image to change a coarray: nothing makes that change visible, and an optimiser may
 * read the coarray once, before the loop. Such a loop changes nothing that it depends on:
 *
 *     do while (flag == 0)             while (1)
 *     end do                             {
 *                                          if (*flag != 0) goto L.2;
 *                                          L.1:;
 *                                        } */
#include "warn.h"
#include <tree-iterator.h>

struct loop_facts {
    bool may_end = false;                       /* a call, or its own stores, may end the loop */
    std::set<tree> labels;
    std::vector<std::pair<tree, tree>> stores;  /* variables, values */
    std::vector<tree> gets, conditions;
};

/* Whether t is a coarray: behind a `restrict` pointer, which gfortran uses for no other variable or dummy argument
 * (those are references), or behind a descriptor with a token. */
static bool is_coarray(tree t)
{
    if (INDIRECT_REF_P(t)) {
        t = TREE_OPERAND(t, 0);
        STRIP_NOPS(t);
    }
    if (is_component(t, "data")) {
        for (tree field = TYPE_FIELDS(TREE_TYPE(TREE_OPERAND(t, 0))); field; field = DECL_CHAIN(field))
            if (is_named(field, "token"))
                return true;
        return false;
    }
    if (!DECL_P(t) || TREE_CODE(TREE_TYPE(t)) != POINTER_TYPE || !TYPE_RESTRICT(TREE_TYPE(t)))
        return false;
    return TREE_CODE(t) == PARM_DECL || TREE_STATIC(t) || DECL_EXTERNAL(t);
}

static bool is_volatile_in(tree expression)
{
    return find_in(expression, [](tree t) {
        return (EXPR_P(t) || DECL_P(t)) && (TREE_THIS_VOLATILE(t) || TYPE_VOLATILE(TREE_TYPE(t)));
    });
}

/* gfortran 15 and 16 pass only the token of a static coarray: whether the coarray is volatile is not known if the
 * procedure has another volatile one, or if it belongs to a module. */
static bool may_be_volatile(tree get)
{
    if (is_volatile_in(get))
        return true;
    tree token = CALL_EXPR_ARG(get, 0);
    STRIP_NOPS(token);
    if (!VAR_P(token) || !begins(function_of(get), "_gfortran_caf_get_from_remote"))
        return false;
    tree owner = DECL_CONTEXT(token);
    if (!owner || TREE_CODE(owner) != FUNCTION_DECL || !DECL_INITIAL(owner))
        return true;
    for (tree v = BLOCK_VARS(DECL_INITIAL(owner)); v; v = DECL_CHAIN(v))
        if (VAR_P(v) && TREE_THIS_VOLATILE(v))
            return true;
    return false;
}

static bool is_get(const char *name)
{
    return begins(name, "_gfortran_caf_get");    /* and _gfortran_caf_get_remote_function_index */
}

/* Whether the get has stat=: the loop may then end when the image fails. */
static bool has_stat(tree get)
{
    for (int i = 8; i < call_expr_nargs(get); i++) {
        tree argument = CALL_EXPR_ARG(get, i), variable = variable_at(argument);
        if (POINTER_TYPE_P(TREE_TYPE(argument)) && !integer_zerop(argument) &&
            !(variable && is_prefixed(variable, "__caf_")))
            return true;
    }
    return false;
}

static tree look(tree *at, int *subtrees, void *data)
{
    loop_facts &loop = *(loop_facts *)data;
    tree t = *at;
    switch (TREE_CODE(t)) {
    case BIND_EXPR: {
        tree body = BIND_EXPR_BODY(t);
        walk_tree(&body, look, data, NULL);
        *subtrees = 0;
        break;
    }
    case LABEL_EXPR:
        loop.labels.insert(LABEL_EXPR_LABEL(t));
        break;
    case MODIFY_EXPR: {
        tree stored = TREE_OPERAND(t, 0), to = base_of(stored);
        if (is_component(stored, "span"))
            ;    /* sets a descriptor's span to its element length */
        else if (stored == to || (VAR_P(to) && DECL_ARTIFICIAL(to) && TREE_CODE(stored) == COMPONENT_REF))
            loop.stores.push_back({to, TREE_OPERAND(t, 1)});
        else
            loop.may_end = true;
        break;
    }
    case CALL_EXPR: {
        tree function = get_callee_fndecl(t);
        if (is_get(function_of(t))) {
            loop.may_end |= has_stat(t);
            loop.gets.push_back(t);
        } else if (!function || !(TREE_READONLY(function) || DECL_PURE_P(function)))
            loop.may_end = true;
        break;
    }
    case COND_EXPR:
        loop.conditions.push_back(COND_EXPR_COND(t));
        break;
    case SWITCH_EXPR:
    case RETURN_EXPR:
        loop.may_end = true;
        break;
    default:
        break;
    }
    return NULL;
}

static bool reads(tree expression, const std::set<tree> &variables)
{
    return find_in(expression, [&](tree t) { return VAR_P(t) && variables.count(t); });
}

/* Variables whose values the loop may change from one iteration to the next, except those computed from unchanged
 * ones. */
static std::set<tree> changing_in(const loop_facts &loop)
{
    std::set<tree> changing;
    for (auto &store : loop.stores)
        changing.insert(store.first);
    for (size_t before = 0; before != changing.size();) {
        std::set<tree> still;
        for (auto &store : loop.stores)
            if (reads(store.second, changing))
                still.insert(store.first);
        before = changing.size();
        changing = still;
    }
    return changing;
}

/* Variables that gets fill (descriptors contain their addresses), and variables computed from them. */
static std::set<tree> got_in(const loop_facts &loop)
{
    std::set<tree> got;
    if (loop.gets.empty())
        return got;
    for (auto &store : loop.stores)
        if (tree variable = variable_at(store.second))
            got.insert({variable, store.first});
    for (size_t before = 0; before != got.size();) {
        before = got.size();
        for (auto &store : loop.stores)
            if (reads(store.second, got))
                got.insert(store.first);
    }
    return got;
}

/* Whether the body leaves the loop without a condition: the code is no loop. */
static bool is_left_at_once(tree body, const std::set<tree> &labels)
{
    if (TREE_CODE(body) == BIND_EXPR)
        return is_left_at_once(BIND_EXPR_BODY(body), labels);
    if (TREE_CODE(body) == GOTO_EXPR)
        return !labels.count(GOTO_DESTINATION(body));
    if (TREE_CODE(body) == STATEMENT_LIST)
        for (tree_stmt_iterator i = tsi_start(body); !tsi_end_p(i); tsi_next(&i))
            if (is_left_at_once(tsi_stmt(i), labels))
                return true;
    return false;
}

void check_loop(procedure &p, tree t)
{
    loop_facts loop;
    tree body = LOOP_EXPR_BODY(t);
    walk_tree(&body, look, &loop, NULL);
    if (loop.may_end || is_left_at_once(body, loop.labels))
        return;
    std::set<tree> changing = changing_in(loop), got = got_in(loop);
    for (tree get : loop.gets)
        if (reads(get, changing) || may_be_volatile(get))
            return;
    for (auto &store : loop.stores)    /* some are into the descriptor of a get */
        if (is_volatile_in(store.second))
            return;
    bool is_asked = false;
    for (tree condition : loop.conditions) {
        if (reads(condition, changing) || is_volatile_in(condition))
            return;
        is_asked |= reads(condition, got) ||
                    find_in(condition, [](tree t) { return INDIRECT_REF_P(t) && is_coarray(t); });
    }
    if (is_asked)
        caf_warning(p.place, "a loop that waits for another image to change a coarray, with nothing that orders it: "
                             "the compiler may read the coarray only once, and the loop may never end; use an event, "
                             "an atomic subroutine, or VOLATILE");
}
