#include "places.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>

static Dwfl *dwfl;

bool places_open(pid_t process)
{
    static char *folders; /* where debug information lies by itself: as usual */
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_linux_proc_find_elf,
                                             .find_debuginfo = dwfl_standard_find_debuginfo,
                                             .debuginfo_path = &folders};
    dwfl = dwfl_begin(&callbacks);
    return dwfl && dwfl_linux_proc_report(dwfl, process) == 0 && dwfl_report_end(dwfl, NULL, NULL) == 0;
}

/* Moves a place to where the compiler has put this function into another. */
static void go_to_call(struct place *place, Dwarf_Die *cu, Dwarf_Die *function)
{
    Dwarf_Attribute attribute;
    Dwarf_Files *files;
    Dwarf_Word file = 0, line = 0;
    dwarf_formudata(dwarf_attr(function, DW_AT_call_file, &attribute), &file);
    dwarf_formudata(dwarf_attr(function, DW_AT_call_line, &attribute), &line);
    place->file = dwarf_getsrcfiles(cu, &files, NULL) == 0 ? dwarf_filesrc(files, file, NULL, NULL) : NULL;
    place->line = (int)line;
}

/* The functions around an address, outermost first: below this one there are n. Not by dwarf_getscopes, which does not
 * look into Fortran's modules, nor for procedures inside others. */
static int functions_below(Dwarf_Die *die, Dwarf_Addr address, Dwarf_Die *functions, int n, int most)
{
    Dwarf_Die child;
    if (n == most || dwarf_child(die, &child) != 0)
        return n;
    do {
        const int tag = dwarf_tag(&child);
        const bool is_here = dwarf_haspc(&child, address) > 0;
        if (is_here && (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)) {
            functions[n] = child;
            return functions_below(&child, address, functions, n + 1, most);
        }
        if (is_here || tag == DW_TAG_subprogram || tag == DW_TAG_module || tag == DW_TAG_namespace ||
            tag == DW_TAG_class_type || tag == DW_TAG_structure_type) {
            const int deeper = functions_below(&child, address, functions, n, most);
            if (deeper > n)
                return deeper;
        }
    } while (dwarf_siblingof(&child, &child) == 0);
    return n;
}

/* Makes places of them, of which the innermost is this one. */
static int places_in(Dwarf_Die *cu, Dwarf_Addr address, struct place place, struct place *places, int most)
{
    enum { DEPTH = 32 };
    Dwarf_Die functions[DEPTH];
    int n = 0;
    for (int i = functions_below(cu, address, functions, 0, DEPTH); i-- > 0 && n < most;) {
        place.function = dwarf_diename(&functions[i]);
        places[n++] = place;
        go_to_call(&place, cu, &functions[i]);
    }
    return n;
}

int places_at(uintptr_t address, struct place *places, int most)
{
    Dwfl_Module *module = dwfl_addrmodule(dwfl, address);
    struct place place = {0};
    if (!module)
        return 0;
    Dwarf_Addr start, bias;
    place.module = dwfl_module_info(module, NULL, &start, NULL, NULL, NULL, NULL, NULL);
    place.offset = address - start;
    place.function = place.symbol = dwfl_module_addrname(module, address);
    Dwfl_Line *line = dwfl_module_getsrc(module, address);
    if (line)
        place.file = dwfl_lineinfo(line, NULL, &place.line, NULL, NULL, NULL);
    Dwarf_Die *cu = dwfl_module_addrdie(module, address, &bias);
    const int n = cu ? places_in(cu, address - bias, place, places, most) : 0;
    if (n == 0)
        places[0] = place;
    return n ? n : 1;
}
