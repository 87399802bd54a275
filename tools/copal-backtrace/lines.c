#include "places.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static Dwfl *dwfl;
static char program[4096]; /* its path */
static Dwarf_Addr file_bias; /* the bias that libdw gives the file of open_file */

static char *folders; /* the usual folders of separate debug information */

static bool open_process(pid_t process)
{
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_linux_proc_find_elf,
                                             .find_debuginfo = dwfl_standard_find_debuginfo,
                                             .debuginfo_path = &folders};
    char link[64];
    snprintf(link, sizeof link, "/proc/%d/exe", (int)process);
    const ssize_t n = readlink(link, program, sizeof program - 1);
    program[n > 0 ? n : 0] = '\0';
    dwfl = dwfl_begin(&callbacks);
    return dwfl && dwfl_linux_proc_report(dwfl, process) == 0 && dwfl_report_end(dwfl, NULL, NULL) == 0;
}

static bool open_file(const char *path)
{
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                             .find_debuginfo = dwfl_standard_find_debuginfo,
                                             .section_address = dwfl_offline_section_address,
                                             .debuginfo_path = &folders};
    if (dwfl)
        dwfl_end(dwfl);
    dwfl = dwfl_begin(&callbacks);
    Dwfl_Module *module = dwfl ? dwfl_report_offline(dwfl, "", path, -1) : NULL;
    return module && dwfl_report_end(dwfl, NULL, NULL) == 0 && dwfl_module_getelf(module, &file_bias);
}

/* Moves a place to the call that the compiler has replaced by this inlined function. */
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

/* Appends the functions inside die that contain the address to the n known ones, outermost first. Returns the new
 * number. dwarf_getscopes would ignore Fortran's modules and procedures inside others. */
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

/* The places of the functions around an address, innermost first; `place` is the innermost one. */
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

/* Finds the compilation unit: by the table of ranges, or, since clang writes none, by a search of all units. */
static Dwarf_Die *unit_at(Dwfl_Module *module, Dwarf_Addr address, Dwarf_Addr *bias)
{
    Dwarf_Die *unit = dwfl_module_addrdie(module, address, bias);
    if (unit)
        return unit;
    while ((unit = dwfl_module_nextcu(module, unit, bias)))
        if (dwarf_haspc(unit, address - *bias) > 0)
            return unit;
    return NULL;
}

static int places_at(uintptr_t address, struct place *places, int most)
{
    address += file_bias;
    Dwfl_Module *module = dwfl_addrmodule(dwfl, address);
    struct place place = {0};
    if (!module)
        return 0;
    Dwarf_Addr start, bias = 0;
    place.module = dwfl_module_info(module, NULL, &start, NULL, NULL, NULL, NULL, NULL);
    place.offset = address - start;
    place.function = place.symbol = dwfl_module_addrname(module, address);
    Dwarf_Die *cu = unit_at(module, address, &bias);
    Dwarf_Line *line = cu ? dwarf_getsrc_die(cu, address - bias) : NULL;
    if (line) {
        place.file = dwarf_linesrc(line, NULL, NULL);
        dwarf_lineno(line, &place.line);
    }
    const int n = cu ? places_in(cu, address - bias, place, places, most) : 0;
    if (n == 0)
        places[0] = place;
    return n ? n : 1;
}

static int take_program(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr start, void *found)
{
    (void)user;
    (void)start;
    if (strcmp(name, program) != 0)
        return DWARF_CB_OK;
    *(Dwfl_Module **)found = module;
    return DWARF_CB_ABORT;
}

/* libdw's search by address may return a linker's symbol without size, such as __TMC_END__ at the address of the first
 * variable without an initial value. */
static const char *find_variable(Dwfl_Module *module, uintptr_t address, GElf_Off *off)
{
    const int n = dwfl_module_getsymtab(module);
    for (int i = 1; i < n; i++) {
        GElf_Sym symbol;
        GElf_Addr at;
        const char *name = dwfl_module_getsym_info(module, i, &symbol, &at, NULL, NULL, NULL);
        if (name && GELF_ST_TYPE(symbol.st_info) == STT_OBJECT && address - at < symbol.st_size) {
            *off = address - at;
            return name;
        }
    }
    return NULL;
}

/* A PE's statics are mapped from the job file, so their addresses are in no module: they belong to the program. */
static const char *variable_at(uintptr_t address, uintptr_t *offset)
{
    Dwfl_Module *module = NULL;
    GElf_Off off = 0;
    dwfl_getmodules(dwfl, take_program, &module, 0);
    const char *name = module ? find_variable(module, address, &off) : NULL;
    *offset = off;
    return name;
}

extern const struct finder copal_lines __attribute__((visibility("default")));
const struct finder copal_lines = {open_process, open_file, places_at, variable_at};
