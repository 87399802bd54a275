"""Writes one page for a whole header whose comments are plain text: shcoll(3)."""

import re
import textwrap

import headers
import mdoc

HEADING = re.compile(r"(?s)^ --- (.*?) -{3,}(.*)$")


def page(name, purpose, text, writer):
    """The page, and its names."""
    marker = mdoc.Marker(writer.pages, writer.constants)
    names = dict.fromkeys(re.findall(rf"(?m)^\w[^#\n(]*?\b({name}_\w+)\(", text))
    body, first = [], None
    for _, comment, code in headers.blocks(text):
        code = declarations(code)
        heading = HEADING.match(comment)
        if heading:
            body.append(f".Ss {heading[1][0].upper()}{heading[1][1:]}")
            comment = heading[2]
        said = texts(comment, marker, names)
        if first is None:
            first, code = said, ""
            continue
        if code:
            body += mdoc.literal(code)
        body += said
    example = next(example for example in writer.examples if name in example.pages)
    lines = [f".Dd {writer.date}", f".Dt {name.upper()} {writer.section}", ".Os Copal",
             ".Sh NAME", f".Nm {name}", f".Nd {purpose}",
             ".Sh LIBRARY", "SHCOLL (libshmem,", ".Fl lshmem ) .",
             ".Sh SYNOPSIS", f".In {name}.h",
             ".Sh DESCRIPTION", *without_double_gaps(first[1:] + body),
             ".Sh EXAMPLES", *mdoc.literal(example.code),
             ".Pp", f"{example.run} prints:", *mdoc.literal("\n".join(example.prints)),
             ".Sh SEE ALSO"]
    lines += [*mdoc.references({*marker.seen, ("shmem", "7")}),
              ".Sh STANDARDS", "An extension of Copal, in no version of OpenSHMEM's specification."]
    return "\n".join(lines) + "\n", names


def without_double_gaps(lines):
    """Removes empty lines beside headings."""
    return [line for line, before in zip(lines, ["", *lines]) if line != ".Pp" or not before.startswith(".Ss")]


def declarations(code):
    """Removes lines that only the compiler needs."""
    code = re.sub(r"(?ms)^#ifdef __cplusplus$.*?^#endif$|^#if defined\(__cplusplus\).*?^#endif$", "", code)
    code = re.sub(r"(?m)^#(if|ifdef|ifndef|else|elif|endif|include|undef)\b.*\n?|^#define \w+_H\n", "", code)
    code = re.sub(r"(?m)^(\w[^{};=]*?\));$", lambda prototype: fitted(prototype[0]), code)
    return code.strip("\n")


def fitted(prototype):
    """Wraps lines for a terminal."""
    words = re.sub(r"\s+", " ", prototype)
    return textwrap.fill(words, 72, subsequent_indent="    ", break_on_hyphens=False)


def texts(comment, marker, own):
    """Converts paragraphs: indented text is code, and a dash begins an item of a list."""
    lines = []
    plain = "\n".join(re.sub(r"^ \* ?", "", line) for line in ("\n" + comment).split("\n"))
    for part in re.split(r"\n\s*\n", plain):
        if re.match(r"\n*    ", part):
            lines += mdoc.literal("\n".join(line[4:] for line in part.strip("\n").split("\n")))
        elif part.strip():
            said, *items = [re.sub(r"\s+", " ", item).strip() for item in re.split(r"(?m)^- ", part)]
            lines += [".Pp", *marker.prose(said, own)]
            if items:
                lines += [".Bl -bullet", *(line for item in items for line in (".It", *marker.prose(item, own))), ".El"]
    return lines
