"""Reads include/shmem: the families of routines and their comments.

A header begins with the comment of its chapter.  Each later comment describes a family: the routines that are declared
between this comment and the next one.  A family becomes a page:

    /* put, putmem: copy data to another PE (9.6.1.1; since 1.0).     names without shmem_, the purpose, the section
     *
     * What it does, in paragraphs.  Some begin with the name of their section:
     *
     * dest, source: the meaning of these arguments                   replaces the chapter's explanation
     *
     * On return: what is complete.                                   also Returns, Errors, Fortran, Notes
     *
     * Classic: shmem_KIND_put(dest, source, nelems, pe)              the form in shmem.fh: classic.py
     *
     * Deprecated since 1.5: shmem_barrier.                           without names: the whole family */

The text after a chapter's title applies to all its families, and the text of chapters.h applies to all chapters.  See
docs/README.md."""

import pathlib
import re
import typing

SECTIONS = ("On return", "Returns", "Errors", "Fortran", "Classic", "Notes")
EXTENSION = re.compile(r"(?s)([\w, ]+): (.+?)()()\.$")
TITLE = re.compile(r"(?s)([\w, ]+): (.+?) \((\d[\d., to]*?)(?:; (since [\d.]+))?\)\.?$")


class Wrong(Exception):
    """An error in a header."""


class Routine(typing.NamedTuple):
    """One declaration. If it is for several types, TYPE and TYPENAME stand for each; SIZE stands for each size."""
    result: str
    name: str                # shmem_TYPENAME_put
    arguments: list          # "const TYPE *source"
    types: list              # (C type, name) of each type, (None, size) of each size; empty: one routine
    deprecated: bool = False

    def names(self):
        return [self.name.replace("TYPENAME", n).replace("SIZE", n) for _, n in self.types] or [self.name]


class Comment:
    """A comment's paragraphs: text, arguments, sections."""

    def __init__(self, paragraphs):
        self.text, self.arguments, self.sections = [], {}, {}
        for paragraph in paragraphs:
            head, _, rest = paragraph.partition(": ")
            if head.startswith("Deprecated since "):
                self.sections.setdefault("Deprecated", []).append(paragraph)
            elif head in SECTIONS:
                self.sections.setdefault(head, []).append(rest)
            elif rest and re.fullmatch(r"\w+(, \w+)*", head):
                self.arguments.update(dict.fromkeys(head.split(", "), rest))
            else:
                self.text.append(paragraph)


class Family(typing.NamedTuple):
    page: str
    names: list              # the names in the title
    purpose: str
    section: str             # of the specification; None: an extension
    since: str
    comment: Comment
    routines: list
    chapter: "Chapter"
    code: str = ""           # of an extension, with types and constants

    def concrete(self):
        return [name for routine in self.routines for name in routine.names()]


class Chapter(typing.NamedTuple):
    title: str
    comment: Comment
    families: list


# --- text of C --------------------------------------------------------------------------------------------------------

def paragraphs_of(comment):
    """Splits a comment into paragraphs. A paragraph begins after an empty line, or with the name of its section."""
    text = "\n".join(re.sub(r"^\s*\*? ?", "", line).rstrip() for line in comment.strip().split("\n"))
    parts = re.split(r"\n\s*\n|(?<!,)\n(?=[A-Za-z_]\w*(?:, \w+)*: )", text)
    return [re.sub(r"\s+", " ", part).strip() for part in parts if part.strip()]


def blocks(text):
    """(line, comment, code after it) for each comment that begins a line."""
    found = list(re.finditer(r"(?ms)^/\*(.*?)\*/[ \t]*$", text))
    for this, following in zip(found, [*found[1:], None]):
        code = text[this.end():following.start() if following else len(text)]
        yield text.count("\n", 0, this.start()) + 1, this[1], code


def split(text):
    """The parts between commas outside of brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [re.sub(r"\s+", " ", part).strip() for part in parts]


def calls(code):
    """(name, arguments) of each call of a macro."""
    at = 0
    while match := re.compile(r"\b(COPAL_\w+)\(").search(code, at):
        at, depth = match.end(), 1
        while depth:
            depth += {"(": 1, ")": -1}.get(code[at], 0)
            at += 1
        yield match[1], split(code[match.end():at - 1])


def macros(code):
    """name -> (parameters, body)"""
    return {name: (split(parameters), body)
            for name, parameters, body in re.findall(r"(?m)^#define (\w+)\(([^)]*)\)[ \t]+(.*)$", code)}


def substituted(body, values):
    body = re.sub(r"\b\w+\b", lambda word: values.get(word[0], word[0]), body)
    return re.sub(r"\s*##\s*", "", body)


# --- the tables of types ----------------------------------------------------------------------------------------------

class Tables:
    """The tables of types.h."""

    def __init__(self, text):
        self.macros = macros(text.replace("\\\n", " "))
        self.spelled = {"COPAL_COMPLEXD": "double _Complex", "COPAL_COMPLEXF": "float _Complex"}

    def rows(self, table):
        rows = []
        for name, values in re.findall(r"(\w+)\(([^)]*)\)", self.macros[table][1]):
            if name == "X":
                *kind, word = split(values)[:2]    # in tables of distinct types an argument follows
                rows.append((self.spelled.get(kind[0], kind[0]) if kind else None, word))
            else:
                rows += self.rows(name)
        return rows


# --- families ---------------------------------------------------------------------------------------------------------

def declared(code, tables):
    """The routines that a family's code declares, in the order of the code."""
    code = code.replace("\\\n", " ")
    local = macros(code)
    code = re.sub(r"(?m)^#.*$", "", code)
    for name, arguments in calls(code):
        if name in tables.macros:
            yield from expanded(arguments[0], tables.rows(name), local)
        else:
            yield from declaration(name, arguments, [])


def expanded(macro, rows, local):
    parameters, body = local[macro]
    symbols = ["TYPE", "TYPENAME"] if rows[0][0] else ["SIZE"]
    yield from of_call(substituted(body, dict(zip(parameters, symbols))), rows, local)


def of_call(text, rows, local):
    for name, arguments in calls(text):
        if name in local:
            parameters, body = local[name]
            yield from of_call(substituted(body, dict(zip(parameters, arguments))), rows, local)
        else:
            yield from declaration(name, arguments, rows)
        return


def declaration(macro, values, rows):
    result, name, *arguments = values
    result = result.replace("COPAL_NORETURN", "_Noreturn")
    if macro == "COPAL_DECL":
        arguments = split(arguments[0][1:-1])
    elif macro != "COPAL_DECL_CTX":
        raise Wrong(f"COPAL_DECL or COPAL_DECL_CTX declares a routine, not {macro}")
    yield Routine(result, f"shmem_{name}", arguments, rows)
    if macro == "COPAL_DECL_CTX":
        yield Routine(result, f"shmem_ctx_{name}", ["shmem_ctx_t ctx", *arguments], rows)


def family(comment, routines, chapter, prefix="shmem_", code=""):
    title, *paragraphs = paragraphs_of(comment)
    match = (EXTENSION if code else TITLE).match(title)
    if not match:
        raise Wrong(f'a comment before routines begins with "name, name: purpose (section).", not with "{title}"')
    names = [prefix + name for name in match[1].split(", ")]
    said = Comment(paragraphs)
    old = said.sections.get("Deprecated", [])
    routines = [routine._replace(deprecated=is_among(routine.name, old)) for routine in routines]
    chapter.families.append(Family(names[0], names, match[2], match[3], match[4], said, routines, chapter, code))


def is_among(name, deprecated):
    """Whether a sentence "Deprecated since 1.5: barrier, wait." names the routine; without names, it applies to all."""
    for sentence in deprecated:
        _, _, names = sentence.partition(": ")
        words = re.findall(r"[\w]+", names.split(". ")[0])
        if not words or name in words or name.removeprefix("shmem_") in words:
            return True
    return False


def read_chapters(include):
    """All chapters, and the comment of chapters.h, which is for all of them."""
    folder = pathlib.Path(include) / "shmem"
    tables = Tables((folder / "types.h").read_text())
    index = (folder / "chapters.h").read_text()
    chapters = []
    for file in re.findall(r'(?m)^#include "(\w+\.h)"', index):
        text = (folder / file).read_text()
        for line, comment, code in blocks(text):
            try:
                if line == 1:
                    title, *paragraphs = paragraphs_of(comment)
                    title = re.sub(r" \([\d.]+\)|\.$", "", title)
                    chapters.append(Chapter(title, Comment(paragraphs), []))
                else:
                    family(comment, list(declared(code, tables)), chapters[-1])
            except Wrong as wrong:
                raise Wrong(f"{folder / file}:{line}: {wrong}") from None
    chapters.append(read_old((folder.parent / "shmem.h").read_text()))
    chapters.append(read_extensions((folder.parent / "shmemx.h").read_text()))
    everywhere = next(c for _, c, _ in blocks(index) if paragraphs_of(c)[0].startswith("For all routines"))
    return chapters, Comment(paragraphs_of(everywhere)[1:])


def read_old(text):
    """The names that shmem.h itself defines."""
    chapter = Chapter("Old names", Comment([]), [])
    for _, comment, code in blocks(text):
        if routines := prototypes(code):
            family(comment, routines, chapter, prefix="")
    return chapter


def read_extensions(text):
    """The routines of shmemx.h."""
    (_, comment, _), *others = blocks(text)
    chapter = Chapter("Extensions", Comment(paragraphs_of(comment)[1:]), [])
    for _, comment, code in others:
        if routines := prototypes(code):
            family(comment, routines, chapter, prefix="shmemx_", code=code)
    return chapter


PROTOTYPE = re.compile(r"(?m)^((?!typedef)\w[\w ]*?[ *]+)(\w+)\(([^()]*)\);\n")


def prototypes(code):
    """Declarations without a macro."""
    return [Routine(result.replace("COPAL_NORETURN", "_Noreturn").strip(), name, split(arguments), [])
            for result, name, arguments in PROTOTYPE.findall(code)]


def generics(text):
    """Routine -> the type-generic name in generic_c11.h that calls it."""
    found = {}
    for name, body in re.findall(r"(?m)^#define (shmem_\w+)\(\.\.\.\)\s+(.*)$", text.replace("\\\n", " ")):
        by_type = re.search(r"COPAL_BY_(\w+)\(\w+, (\w+),", body)
        if by_type:
            found[f"shmem_TYPENAME_{by_type[2]}"] = name
            if by_type[1] == "CTX":
                found[f"shmem_ctx_TYPENAME_{by_type[2]}"] = name
        else:
            found |= {routine: name for routine in re.findall(r": (shmem_\w+)", body)}
    return found
