"""Reads src/fortran: the procedures of the module shmem."""

import pathlib
import re
import typing


class Procedure(typing.NamedTuple):
    heading: str             # "subroutine shmem_put(ctx, dest, source, nelems, pe)"
    name: str                # by which it is called; SIZE stands for mem and each size
    specific: str            # of its own; TYPENAME stands for each type
    declarations: list       # "type(*), dimension(..), intent(in), asynchronous :: source"


def read_module(folder):
    folder = pathlib.Path(folder)
    text = (folder / "shmem.F90").read_text()
    names = {"X_BITS": "SIZE", "X_NAME": "TYPENAME", "X_TYPE": "TYPE"}
    pieces = re.findall(r"(?m)^#define (X_\w+)(?:\((\w)\))? +(.*)$", text.replace("X_TYPE", "TYPE"))
    procedures = []
    for source in (text.split("\ncontains\n")[0], *((folder / f"{f}.inc").read_text() for f in ("sizes", "values"))):
        source = re.sub(r"(?m)^#.*$", "", source.replace("&\n", ""))
        for old, new in names.items():
            source = re.sub(rf"\b{old}\b", new, source)
        procedures += interfaces(source.replace("/**/", ""), pieces)
    return procedures


def interfaces(text, pieces):
    generic = procedure = None
    for line in text.splitlines():
        words = re.sub(r"\s+", " ", line.split("!")[0]).strip()
        if words.startswith("interface"):
            generic = words.removeprefix("interface").strip() or None
            if generic and generic.startswith("operator"):
                generic = None
        elif match := re.match(r"(.*\b(?:subroutine|function) )(\w+)(\(.*?\))", words):
            if words.startswith("end"):
                continue
            name = generic or match[2]
            procedure = Procedure(match[1] + name + match[3], name, match[2], [])
        elif words.startswith("end subroutine") or words.startswith("end function"):
            yield procedure
            procedure = None
        elif procedure:
            for piece in pieces * 2:
                words = spelled(words, *piece)
            said = (part.strip() for part in words.replace("import", "", 1).split(";"))
            procedure.declarations.extend(part.replace(procedure.specific, procedure.name) for part in said if part)


def spelled(text, macro, parameter, body):
    if parameter:
        return re.sub(rf"\b{macro}\((\w+)\)", lambda m: re.sub(rf"\b{parameter}\b", m[1], body), text)
    return re.sub(rf"\b{macro}\b", lambda _: body, text)


def names_of(procedure, types):
    """All its names, except those only for the linker; types are the values of TYPENAME."""
    names = {procedure.name, *(procedure.specific.replace("TYPENAME", word) for word in types)}
    sizes = ["8", "16", "32", "64", "128"]
    if not re.match("shmem_ib?(put|get)", procedure.name):
        sizes.append("mem")
    return {name.replace("SIZE", size) for name in names for size in sizes if not name.startswith("shmemf_")}


def type_names(folder):
    """The types of routines on single objects: those that C has, too, and those of p and g alone."""
    return [re.findall(r"(?m)^#define X_NAME (\w+)", (pathlib.Path(folder) / f"types_{language}.inc").read_text())
            for language in ("c", "fortran")]
