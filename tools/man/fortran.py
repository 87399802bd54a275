"""Reads the procedures of the module shmem: interfaces that cmake/interfaces.awk wrote."""

import pathlib
import re
import typing


class Procedure(typing.NamedTuple):
    heading: str             # "subroutine shmem_put(ctx, dest, source, nelems, pe)"
    name: str                # the generic name; SIZE stands for mem and each size
    specific: str            # the specific name; TYPENAME stands for each type
    declarations: list       # "type(*), dimension(..), intent(in), asynchronous :: source"


def read_module(folder):
    procedures = []
    for file in ("shmem.F90", "sizes.inc", "values.inc"):
        text = (pathlib.Path(folder) / file).read_text().split("\ncontains\n")[0]
        for old, new in ("&\n", ""), ("/**/", ""), ("X_BITS", "SIZE"), ("X_NAME", "TYPENAME"), ("X_TYPE", "TYPE"):
            text = text.replace(old, new)
        procedures += interfaces(text)
    return procedures


def interfaces(text):
    generic = procedure = None
    for line in text.splitlines():
        words = re.sub(r"\s+", " ", line).strip()
        if words.startswith("interface"):
            generic = words.removeprefix("interface").strip()
        elif words.startswith(("end subroutine", "end function")):
            yield procedure
            procedure = None
        elif match := re.match(r"(.*\b(?:subroutine|function) )(\w+)(\(.*?\))", words):
            name = generic or match[2]
            procedure = Procedure(match[1] + name + match[3], name, match[2], [])
        elif procedure and words != "import":
            procedure.declarations.append(words)


def names_of(procedure, types):
    """All names of a procedure, except names for the linker; types: the values of TYPENAME."""
    names = {procedure.name, *(procedure.specific.replace("TYPENAME", word) for word in types)}
    sizes = ["8", "16", "32", "64", "128"]
    if not re.match("shmem_ib?(put|get)", procedure.name):
        sizes.append("mem")
    return {name.replace("SIZE", size) for name in names for size in sizes if not name.startswith("shmemf_")}


def type_names(folder):
    """The types of routines on single objects: types that C also has, and types only of p and g."""
    return [re.findall(r"(?m)^#define X_NAME (\w+)", (pathlib.Path(folder) / f"types_{language}.inc").read_text())
            for language in ("c", "fortran")]
