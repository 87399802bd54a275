/* -fcaf-report: lists each coindexed access with its source line, like -fopt-info. */
#include "plugin.h"

static void report(const coindexed *a, const char *kind, const char *text)
{
    if (!options.report)
        return;
    const expanded_location at = expand_location(gimple_location(a->call));
    fprintf(stderr, "%s:%d:%d: %s: %s %s\n", at.file ? at.file : "?", at.line, at.column, kind,
            a->is_put ? "put" : "get", text);
}

void report_inline(const coindexed *a)
{
    report(a, "optimized", a->form);
}

void report_call(const coindexed *a)
{
    report(a, "missed", (std::string("stays a call: ") + a->why).c_str());
}
