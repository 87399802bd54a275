/* A plugin for GCC's Fortran: a coindexed access of an image on this node becomes a load or a store.
 *
 * gfortran compiles h(i)[k] = v to a call with descriptors of both sides. Before (12 to 14):
 *
 *     desc.1.dtype = {}; desc.1.dtype.elem_len = 4; desc.1.dtype.rank = 0; desc.1.dtype.type = 1;
 *     desc.1.data = p;              # the address of h(i) in this image's memory
 *     desc.2.data = &v; ...
 *     _gfortran_caf_send (token, offset, k, &desc.1, 0B, &desc.2, 4, 4, 0, 0B, 0B);
 *     __asm__ __volatile__("":::"memory");
 *
 * and after the pass caf_near:
 *
 *     t = _gfortran_caf_near;       # the table of the current team (layout.h)
 *     d = t->distance[min (k, t->beyond)];
 *     if (d != PTRDIFF_MIN && offset < token->bytes)
 *       *(integer(kind=4) *)(p + d) = v;
 *     else
 *       _gfortran_caf_value_put (token, offset, k, 4, v);
 *
 * Descriptors and barriers are removed, so loops are optimised like those of local arrays. This is correct for four
 * reasons:
 *
 * - The address derives from the program's own pointer, p + d with d = 0 for this image. Therefore an image's accesses
 *   to its own part by [this_image()] and by name alias, and dummy arguments keep their `restrict`, except those that
 *   may have components (forget_restrict).
 * - The slow calls by value are DECL_IS_NOVOPS, "access no memory": this image's own memory is in every table, so they
 *   never access it (otherwise src/caf/gfortran/near.c ends the job). Therefore loops read the descriptors of
 *   components once. If the old call remains as the slow path, GCC knows that it may access all memory.
 * - Image control statements are calls that may change everything, so no value is kept across them, and the table is
 * not kept either.
 * - A function that only gets is pure for GCC, which may merge two of its calls.  A slow put by value therefore changes
 *   a word of its own (_gfortran_caf_value_order), which a slow get by value reads.
 *
 * Reads of the table and of a coarray's record have their own alias sets, so that the program's stores do not keep them
 * in loops. caf_near runs before all optimisation, when all functions are in SSA form; caf_range (ranges.cc) runs
 * before loops are unswitched, and checks bounds once per loop. An access that is not recognised remains a call
 * (report.cc). */
#include "plugin.h"

__attribute__((visibility("default"))) int plugin_is_GPL_compatible;

plugin_options options;

static bool recognise_no_more(coindexed *a)
{
    return stays_call(a, "both sides are coindexed, with components or by accessors");
}

static const struct {
    const char *name; /* after _gfortran_caf_ */
    bool is_put;
    bool (*recognise)(coindexed *);
} routines[] = {
    {"send", true, recognise_direct},
    {"get", false, recognise_direct},
    {"sendget", true, recognise_between},
    {"send_by_ref", true, recognise_references},
    {"get_by_ref", false, recognise_references},
    {"sendget_by_ref", true, recognise_no_more},
    {"send_to_remote", true, recognise_accessor},
    {"get_from_remote", false, recognise_accessor},
    {"transfer_between_remotes", true, recognise_no_more},
};

/* The reason why no access of this file is near; or NULL. */
static const char *why_none()
{
    if (!options.near)
        return "-fno-near is given";
    if (optimize < 1)
        return "accesses are near from -O1 on";
    return flag_sanitize & SANITIZE_THREAD ? "the thread sanitizer must see it" : NULL;
}

static void recognise(gcall *call, std::vector<coindexed> *found)
{
    static const char prefix[] = "_gfortran_caf_";
    const char *name = called_by(call);
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return;
    for (const auto &r : routines) {
        if (strcmp(name + sizeof prefix - 1, r.name) != 0)
            continue;
        if (found->empty() && !why_none()) {
            emit_begin();
            arguments_begin(cfun);
        }
        coindexed a;
        a.call = call;
        a.is_put = r.is_put;
        if (why_none() ? !stays_call(&a, why_none()) : !r.recognise(&a))
            a.emit = NULL;
        found->push_back(std::move(a));
    }
}

static const pass_data near_data = {
    GIMPLE_PASS, "caf_near", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0,
};

struct near_pass : gimple_opt_pass {
    near_pass(gcc::context *c) : gimple_opt_pass(near_data, c) {}
    bool gate(function *) final override
    {
        return options.report || !why_none();
    }
    unsigned execute(function *fun) final override
    {
        std::vector<coindexed> accesses;
        basic_block bb;
        if (GCCPLUGIN_VERSION_MAJOR < 15 && !why_none())
            forget_restrict();
        FOR_EACH_BB_FN(bb, fun)
            for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
                if (gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi)))
                    recognise(call, &accesses);
        bool is_changed = false;
        for (coindexed &a : accesses) {
            if (!a.emit) {
                report_call(&a);
                continue;
            }
            report_inline(&a);
            a.emit(&a);
            is_changed = true;
        }
        if (!is_changed)
            return need_ssa_update_p(fun) ? TODO_update_ssa_only_virtuals : 0;
        free_dominance_info(CDI_DOMINATORS);
        free_dominance_info(CDI_POST_DOMINATORS);
        mark_virtual_operands_for_renaming(fun);
        cgraph_edge::rebuild_edges();
        return TODO_update_ssa | TODO_cleanup_cfg | TODO_update_address_taken;
    }
};

/* All functions, before any of them is optimised, because accessors are read as gfortran made them. */
static const pass_data all_data = {SIMPLE_IPA_PASS, "caf", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

struct all_pass : simple_ipa_opt_pass {
    all_pass(gcc::context *c) : simple_ipa_opt_pass(all_data, c)
    {
        sub = new near_pass(c);
        c->get_passes()->register_one_dump_file(sub);
    }
};

static void insert_pass(const char *plugin, opt_pass *pass, const char *beside, pass_positioning_ops where)
{
    register_pass_info info;
    info.pass = pass;
    info.reference_pass_name = beside;
    info.ref_pass_instance_number = 1;
    info.pos_op = where;
    register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

__attribute__((visibility("default"))) int plugin_init(plugin_name_args *info, plugin_gcc_version *version)
{
    if (strcmp(version->basever, gcc_version.basever) != 0) { /* another version's interface may differ */
        if (version_flag)
            inform(UNKNOWN_LOCATION, "%s is for GCC %s, not %s: it changes nothing", info->base_name,
                   gcc_version.basever, version->basever);
        return 0;
    }
    for (int i = 0; i < info->argc; i++) {
        const std::string key = info->argv[i].key;
        if (key == "near" || key == "no-near")
            options.near = key == "near";
        else if (key == "bounds" || key == "no-bounds")
            options.bounds = key == "bounds";
        else if (key == "report")
            options.report = true;
        else if (key == "warn" || key == "no-warn")
            options.warn = key == "warn";
        else if (key == "error" || key == "no-error")
            options.error = key == "error";
        else
            error("%s has no option %qs", info->base_name, info->argv[i].key);
    }
    /* The front end's optimisation compares expressions without the image index, from 15 on also coindexed objects. */
    if (GCCPLUGIN_VERSION_MAJOR >= 15 && flag_frontend_optimize == -1)
        flag_frontend_optimize = 0;
    warn_start();
    register_callback(info->base_name, PLUGIN_REGISTER_GGC_ROOTS, NULL, (void *)emit_roots);
    insert_pass(info->base_name, new all_pass(g), "opt_local_passes", PASS_POS_INSERT_BEFORE);
    insert_pass(info->base_name, make_range_pass(g), "unswitch", PASS_POS_INSERT_BEFORE);
    return 0;
}
