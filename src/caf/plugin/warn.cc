/* -Wcaf. gfortran passes its functions to the middle end as trees (GENERIC) when it has read the whole file. Then,
 * before they are compiled, the statements of each function are checked in order. For example,
 *
 *     t = s[1](2:3)       is    desc.42.dtype = {.elem_len=4, .rank=0, .type=6};
 *                               desc.42.data = (void *) &t;
 *                               desc.43.dtype = ...
 *                               _gfortran_caf_get (caf_token.4, (long) desc.43.data - (long) s, 1, &desc.43, 0B,
 *                                                  &desc.42, 1, 1, 0, 0B);
 *
 * The rules are in warn_direct.cc (gfortran 12 to 14), warn_accessor.cc (15, 16) and warn_any.cc (all). */
#include "warn.h"
#include <langhooks.h>

static void (*parse_file)();

/* --- messages ----------------------------------------------------------------------------------------------------- */

struct caf_fault {
    location_t place;
    std::string text;
};
static std::vector<caf_fault> warnings;

void caf_warning(location_t place, const std::string &text)
{
    expanded_location at = expand_location(place);
    for (const caf_fault &said : warnings) {
        expanded_location there = expand_location(said.place);
        if (said.text == text && there.file && at.file && !strcmp(there.file, at.file) &&
            there.line == at.line && there.column == at.column)
            return;
    }
    warnings.push_back({place, text});
}

static void say_all()
{
    std::stable_sort(warnings.begin(), warnings.end(), [](const caf_fault &a, const caf_fault &b) {
        return linemap_compare_locations(line_table, b.place, a.place) < 0;
    });
    for (const caf_fault &w : warnings)
        if (options.error || global_options.x_warnings_are_errors)
            error_at(w.place, "%s", (w.text + " [-Werror=caf]").c_str());
        else
            warning_at(w.place, 0, "%s", (w.text + " [-Wcaf]").c_str());
    warnings.clear();
}

/* --- trees -------------------------------------------------------------------------------------------------------- */

bool begins(const std::string &text, const char *with)
{
    return text.compare(0, strlen(with), with) == 0;
}

bool is_named(tree variable, const char *name)
{
    if (!variable || !DECL_P(variable) || !DECL_NAME(variable))
        return variable && DECL_P(variable) && !*name;
    const char *is = IDENTIFIER_POINTER(DECL_NAME(variable));
    size_t length = strlen(name);
    return *name && strncmp(is, name, length) == 0 && (is[length] == '.' || !is[length]);
}

bool is_prefixed(tree declaration, const char *with)
{
    return DECL_P(declaration) && DECL_NAME(declaration) && begins(IDENTIFIER_POINTER(DECL_NAME(declaration)), with);
}

tree base_of(tree t)
{
    while (t && (handled_component_p(t) || CONVERT_EXPR_P(t) || TREE_CODE(t) == NON_LVALUE_EXPR ||
                 TREE_CODE(t) == INDIRECT_REF || TREE_CODE(t) == MEM_REF || TREE_CODE(t) == ADDR_EXPR ||
                 TREE_CODE(t) == POINTER_PLUS_EXPR || TREE_CODE(t) == SAVE_EXPR))
        t = TREE_OPERAND(t, 0);
    return t;
}

tree variable_at(tree argument)
{
    STRIP_NOPS(argument);
    if (TREE_CODE(argument) != ADDR_EXPR)
        return NULL;
    argument = TREE_OPERAND(argument, 0);
    return VAR_P(argument) ? argument : NULL;
}

const char *function_of(tree call)
{
    tree function = get_callee_fndecl(call);
    return function && DECL_NAME(function) ? IDENTIFIER_POINTER(DECL_NAME(function)) : "";
}

bool is_component(tree t, const char *name)
{
    return TREE_CODE(t) == COMPONENT_REF && is_named(TREE_OPERAND(t, 1), name);
}

/* --- a procedure's statements, in order --------------------------------------------------------------------------- */

static tree look(tree *at, int *subtrees, void *data)
{
    procedure &p = *(procedure *)data;
    tree t = *at;
    if (EXPR_P(t) && EXPR_HAS_LOCATION(t))
        p.place = EXPR_LOCATION(t);
    switch (TREE_CODE(t)) {
    case BIND_EXPR: {
        tree body = BIND_EXPR_BODY(t);
        walk_tree(&body, look, data, NULL);
        *subtrees = 0;
        break;
    }
    case MODIFY_EXPR:
    case INIT_EXPR: {
        tree to = TREE_OPERAND(t, 0), value = TREE_OPERAND(t, 1);
        location_t place = p.place;
        walk_tree(&TREE_OPERAND(t, 1), look, data, NULL);
        p.place = place;
        check_store(p, to, value);
        check_direct_store(p, to, value);
        check_accessor_store(p, to, value);
        walk_tree(&TREE_OPERAND(t, 0), look, data, NULL);
        p.place = place;
        if (tree base = base_of(to))
            p.known.insert(base);
        *subtrees = 0;
        break;
    }
    case CALL_EXPR: {
        const char *name = function_of(t);
        check_unset(p, t, name);
        check_call(p, t, name);
        check_direct_call(p, t, name);
        check_accessor_call(p, t, name);
        for (int i = 0; i < call_expr_nargs(t); i++)
            if (tree base = variable_at(CALL_EXPR_ARG(t, i)))
                p.known.insert(base);
        break;
    }
    case COND_EXPR: {
        tree asked = COND_EXPR_COND(t);
        if (TREE_CODE(asked) == NE_EXPR && integer_zerop(TREE_OPERAND(asked, 1)))
            p.copied = base_of(TREE_OPERAND(asked, 0));
        break;
    }
    case LABEL_EXPR:
        p.labels[LABEL_EXPR_LABEL(t)] = p.teams;
        break;
    case GOTO_EXPR:
        check_jump(p, GOTO_DESTINATION(t));
        break;
    case RETURN_EXPR:
        check_jump(p, NULL);
        break;
    case LOOP_EXPR:
        check_loop(p, t);
        break;
    case VAR_DECL:
    case PARM_DECL:
        check_accessor_variable(p, t);
        break;
    default:
        break;
    }
    return NULL;
}

static void look_at(tree function)
{
    procedure p;
    p.function = function;
    walk_tree(&DECL_SAVED_TREE(function), look, &p, NULL);
    end_direct(p);
    end_jumps(p);
}

static void parse_and_look()
{
    parse_file();
    if (seen_error())
        return;
    cgraph_node *node;
    FOR_EACH_FUNCTION(node)
        mend(node->decl);
    mend_purity();
    if (!options.warn || inhibit_warnings)
        return;
    FOR_EACH_FUNCTION(node)
        note_accessors(DECL_SAVED_TREE(node->decl));
    FOR_EACH_FUNCTION(node)
        look_at(node->decl);
    check_specifications();
    say_all();
}

void warn_start()
{
    if (strncmp(lang_hooks.name, "GNU Fortran", strlen("GNU Fortran")) != 0)
        return;
    parse_file = lang_hooks.parse_file;
    lang_hooks.parse_file = parse_and_look;
}
