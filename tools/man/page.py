"""Writes the page of a family of routines."""

import re

import classic
import headers
import mdoc
import sheet


EXTENSION = "An extension of Copal, in no version of OpenSHMEM's specification."


class Writer:
    """Common data of all pages."""

    def __init__(self, chapters, everywhere, generics, procedures, examples, constants, date, section):
        self.chapters, self.everywhere, self.generics = chapters, everywhere, generics
        self.procedures, self.examples, self.constants = procedures, examples, constants
        self.date, self.section = date, section
        families = [family for chapter in chapters for family in chapter.families]
        self.pages = {name: family.page for family in reversed(families) for name in self.names(family)}
        self.classic = {name: family.page for family in families for name in self.classic_names(family)}
        for example in examples:
            for name in set(example.pages) - {family.page for family in families} - {"shmemx", "shcoll"}:
                raise headers.Wrong(f"{example.path}: there is no page {name}")

    def names(self, family):
        """All names by which a program or a reader may call the family's routines."""
        names = {*family.names, *family.concrete()}
        return names | {self.generics[routine.name] for routine in family.routines if routine.name in self.generics
                        and (routine.types or not routine.name.startswith("shmem_ctx_"))}

    def said_of(self, family, argument):
        """The meaning of an argument: from the family, otherwise its chapter, otherwise the text for all chapters."""
        for comment in (family.comment, family.chapter.comment, self.everywhere):
            if argument in comment.arguments:
                return comment.arguments[argument]
        raise headers.Wrong(f"{family.page}: the argument {argument} has no explanation")

    def classic_names(self, family):
        found = classic.groups(family.comment.sections.get("Classic", []))
        return list(classic.names(found, {word: self.said_of(family, word) for word in classic.placeholders(found)}))

    def fortran_of(self, family):
        called = {routine.name for routine in family.routines}
        called |= {self.generics[name] for name in called if name in self.generics}
        return [procedure for procedure in self.procedures if procedure.name in called
                and self.pages.get(procedure.name, family.page) == family.page]


class Page:
    def __init__(self, writer, family):
        self.writer, self.family = writer, family
        self.marker = mdoc.Marker(writer.pages, writer.constants)
        self.own = writer.names(family) | set(writer.classic_names(family))
        self.procedures = writer.fortran_of(family)
        self.classic = classic.groups(family.comment.sections.get("Classic", []))
        self.comments = (family.comment, family.chapter.comment, writer.everywhere)
        self.arguments = {}    # name -> declaration; the context first, as in a call
        declarations = [argument for routine in family.routines for argument in routine.arguments]
        for declaration in sorted(declarations, key=lambda argument: argument != "shmem_ctx_t ctx"):
            if declaration not in ("void", "..."):
                self.arguments.setdefault(re.search(r"\w+$", declaration)[0], declaration)

    def text(self):
        family = self.family
        names = [f".Nm {name} ," for name in family.names]
        names[-1] = names[-1].removesuffix(" ,")
        lines = [f".Dd {self.writer.date}", f".Dt {family.page.upper()} {self.writer.section}", ".Os Copal",
                 ".Sh NAME", *names, f".Nd {family.purpose}",
                 ".Sh LIBRARY", "OpenSHMEM (libshmem,", ".Fl lshmem ) ;", ".Xr oshcc 1", "links it.",
                 *self.fortran_library(),
                 ".Sh SYNOPSIS", *self.synopsis(),
                 ".Sh DESCRIPTION", *self.paragraphs(family.comment.text or [sentence_of(family.purpose)]),
                 *self.argument_list(), *self.types(),
                 *self.section("ON RETURN", self.needed("On return")),
                 *self.section("RETURN VALUES", self.returned()),
                 *self.example(),
                 *self.section("ERRORS", self.needed("Errors")), *self.section("DEPRECATED", self.deprecated())]
        if self.procedures:
            lines += self.section("FORTRAN", self.said("Fortran"))
        elif self.classic:
            lines += self.section("FORTRAN", family.comment.sections.get("Fortran", []))
        lines += self.section("NOTES", self.said("Notes") + family.chapter.comment.text)
        lines += self.see_also()
        plural = "s" if re.search(", | to ", family.section) else ""
        lines += [".Sh STANDARDS", f"OpenSHMEM 1.6, section{plural} {family.section}." if family.section else EXTENSION]
        if family.since:
            lines += [".Sh HISTORY", f"In OpenSHMEM {family.since}."]
        return "\n".join(lines) + "\n"

    def said(self, word):
        """The texts for all chapters, for the chapter and for the family. A text that begins with "None" replaces more
        general texts."""
        found = []
        for comment in self.comments:
            found = comment.sections.get(word, []) + found
            if found and found[0].startswith("None"):
                break
        return found

    def fortran_library(self):
        has_some = self.procedures or self.classic
        return ["Fortran: libshmem_fortran, which", ".Xr oshfort 1", "links too."] if has_some else []

    def needed(self, word):
        found = self.said(word)
        if not found:
            raise headers.Wrong(f'{self.family.page}: no paragraph begins with "{word}: "')
        return found

    def returned(self):
        if any(not routine.result.endswith("void") for routine in self.family.routines):
            return self.needed("Returns")
        if self.said("Returns"):
            raise headers.Wrong(f"{self.family.page}: its routines return nothing, but a paragraph begins with Returns")
        return []

    def deprecated(self):
        found = self.said("Deprecated")
        if self.classic:
            own = list(dict.fromkeys(procedure.name for procedure in self.procedures if "SIZE" not in procedure.name))
            module = f"  The module shmem has {listed(own, 'and')}." if own else ""
            found = [*found, classic.ABOUT + module]
        return found

    def paragraphs(self, texts):
        lines = []
        for text in texts:
            first = re.match(r"\w+", text)
            if not first or first[0] not in {*self.arguments, *self.own}:
                text = text[0].upper() + text[1:]
            lines += [".Pp", *self.prose(text)]
        return lines[1:]

    def prose(self, text):
        return self.marker.prose(text, self.own, set(self.arguments))

    def section(self, title, texts):
        return [f".Sh {title}", *self.paragraphs(texts)] if texts else []

    def synopsis(self):
        current = [routine for routine in self.family.routines if not routine.deprecated]
        old = [routine for routine in self.family.routines if routine.deprecated]
        generics = self.writer.generics
        generic = [routine._replace(name=generics[routine.name]) for routine in current or old
                   if routine.name in generics and (routine.types or routine.name != generics[routine.name])]
        parts = []
        if generic:
            title = "C11 and C++, for all types" if generic[0].types else "C11 and C++"
            parts.append((title if current else f"{title}, deprecated", prototypes(generic)))
        if current:
            parts.append(("C and C++", prototypes(current)))
        if old:
            parts.append(("C and C++, deprecated", prototypes(old)))
        if self.procedures:
            parts.append(("Fortran", mdoc.literal(fortran_text(self.procedures))))
        if self.classic:
            lines = [line for statement in classic.statements(self.classic) for line in broken(statement)]
            parts.append(("Fortran, deprecated", mdoc.literal("\n".join(["include 'shmem.fh'", "", *lines]))))
        if self.family.code:
            types = headers.PROTOTYPE.sub("", sheet.declarations(self.family.code) + "\n").strip("\n")
            return [".In shmemx.h", *(mdoc.literal(types) if types else []), *(line for title, lines in parts
                                                                              for line in (f".Ss {title}", *lines))]
        return [".In shmem.h", *(line for title, lines in parts for line in (f".Ss {title}", *lines))]

    def argument_list(self):
        for name in self.family.comment.arguments:
            if name not in self.arguments and name not in classic.placeholders(self.classic):
                raise headers.Wrong(f"{self.family.page}: no routine has an argument {name}")
        lines = []
        for name, declaration in self.arguments.items():
            meaning = self.writer.said_of(self.family, name)
            if "*" in declaration and not re.search("symmetric|calling PE", meaning):
                raise headers.Wrong(f"{self.family.page}: the explanation of the pointer {name} must contain "
                                    f"\"symmetric\" or \"calling PE\"")
            lines += [f".It Fa {mdoc.quoted(declaration)}", *self.prose(sentence_of(meaning))]
        return [".Sh ARGUMENTS", ".Bl -tag -width Ds", *lines, ".El"] if lines else []

    def types(self):
        """Lists the values of TYPENAME and SIZE: one list for all routines with the same values."""
        lists = {}
        for routine in self.family.routines:
            short = routine.name.removeprefix("shmem_").removeprefix("ctx_")
            if routine.types:
                lists.setdefault(tuple(routine.types), {})[short] = None
        over_types = [rows for rows in lists if rows[0][0]]
        lines = []
        for rows, names in lists.items():
            if rows in over_types:
                which = f" in the names {listed(names, 'and')}" if len(over_types) > 1 else ""
                words = ", ".join(name if name == c_type else f"{name} ({c_type})" for c_type, name in rows)
                lines += [".Pp", *mdoc.filled(f"TYPENAME{which} is one of these words, and TYPE is the same word, or "
                                              f"the type in brackets: {words}.")]
                if "_Complex" in words:
                    lines.append("In C++ the complex types are std::complex<double> and std::complex<float>.")
            else:
                lines += [".Pp", f"SIZE is the number of bits of an element: {listed([n for _, n in rows], 'or')}."]
                if any(routine.name.endswith("mem") for routine in self.family.routines):
                    lines.append("In Fortran, SIZE may also be mem, for bytes.")
        for word in classic.placeholders(self.classic):
            meaning = sentence_of(self.writer.said_of(self.family, word))
            lines += [".Pp", *mdoc.filled(f"In the names of shmem.fh, {word} is {meaning}")]
        return [".Sh TYPES", *lines[1:]] if lines else []

    def example(self):
        page, lines = self.family.page, []
        for example in self.writer.examples:
            if page in example.pages:
                if not self.own & set(re.findall(r"\w+", example.code)):
                    raise headers.Wrong(f"{example.path} does not call {page}")
                lines += mdoc.literal(example.code) + [".Pp", f"{example.run} prints:"]
                lines += mdoc.literal("\n".join(example.prints))
        if not lines:
            raise headers.Wrong(f"{page}: no example in examples/man names this page in its line /* man: ... */")
        return [".Sh EXAMPLES", *lines]

    def see_also(self):
        pages = {*self.marker.seen, *((other.page, "3") for other in self.family.chapter.families), ("shmem", "7")}
        return [".Sh SEE ALSO", *mdoc.references(pages - {(self.family.page, "3")})]


def extensions(writer):
    """shmemx(3): the routines of shmemx.h by page."""
    chapter = next(chapter for chapter in writer.chapters if chapter.families[0].code)
    marker = mdoc.Marker(writer.pages, writer.constants)
    example = next(example for example in writer.examples if "shmemx" in example.pages)
    return "\n".join([
        f".Dd {writer.date}", f".Dt SHMEMX {writer.section}", ".Os Copal", ".Sh NAME", ".Nm shmemx",
        ".Nd Copal's extensions to OpenSHMEM",
        ".Sh LIBRARY", "OpenSHMEM (libshmem,", ".Fl lshmem ) ;", ".Xr oshcc 1", "links it.",
        ".Sh SYNOPSIS", ".In shmemx.h", ".Sh DESCRIPTION", *marker.prose(" ".join(chapter.comment.text)),
        ".Bl -tag -width Ds", *(line for family in chapter.families for line in
                                (f".It Xr {family.page} 3", *marker.prose(sentence_of(family.purpose)))), ".El",
        ".Sh EXAMPLES", *mdoc.literal(example.code), ".Pp", f"{example.run} prints:",
        *mdoc.literal("\n".join(example.prints)),
        ".Sh SEE ALSO", *mdoc.references({*marker.seen, *((family.page, "3") for family in chapter.families),
                                         ("shmem", "7")}), ".Sh STANDARDS", EXTENSION]) + "\n"


def prototypes(routines):
    return [line for routine in routines for line in mdoc.prototype(routine.result, routine.name, routine.arguments)]


def sentence_of(text):
    return text if text.endswith(".") else text + "."


def listed(words, conjunction):
    *words, last = words
    return f"{', '.join(words)} {conjunction} {last}" if words else last


# --- Fortran ----------------------------------------------------------------------------------------------------------

def fortran_text(procedures):
    """The procedures; a common declaration follows the procedures that share it."""
    by_name, alike = {}, {}
    for procedure in procedures:
        by_name.setdefault(procedure.name, []).append(procedure)
    for same in by_name.values():
        longest = sorted(same, key=lambda procedure: -len(procedure.declarations))
        declarations = list(dict.fromkeys(d for procedure in longest for d in procedure.declarations))
        alike.setdefault(tuple(declarations), []).extend(procedure.heading for procedure in same)
    lines = ["use shmem"]
    for declarations, headings in alike.items():
        lines += ["", *(line for heading in headings for line in broken(heading))]
        lines += [f"    {line}" for declaration in declarations for line in broken(declaration)]
    return "\n".join(lines)


def broken(text):
    """Wraps a statement for a terminal."""
    lines = []
    while len(text) > 68:
        at = text.rindex(", ", 0, 66) + 1
        lines.append(text[:at] + " &")
        text = "    " + text[at:].lstrip()
    return [*lines, text]
