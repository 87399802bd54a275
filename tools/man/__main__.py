"""Writes the manual: usage: python3 tools/man --module FOLDER [--section 3] [--fortran] [--html FOLDER] OUT

The text of a page is the comment in a header, in the form that headers.py describes.  OUT gets man1, man3 and man7:
    - a page for each family of routines, and for each other name of the family a line that leads to the page (.so)
    - shmemx(3), a list of the extensions; shcoll(3), a page for a header; shmem(7) from docs/man
    - pages of docs/ about the tools and the environment (markdown.py)
Pages of routines are in section 3, or a subsection such as 3copal.  --module is the folder where the build writes the
module shmem; with --fortran, its names and the names of shmem.fh (classic.py) are in section 3f.  With --html, mandoc
also writes the pages as HTML, with an index."""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import typing

import fortran
import headers
import markdown
import page
import sheet

COLUMNS = 75    # of an example, which is indented by 5
HEADERS = ("shmem.h", "shmemx.h")
ROOT = pathlib.Path(__file__).resolve().parents[2]


class Example(typing.NamedTuple):
    path: pathlib.Path
    pages: list
    run: str                 # the command
    prints: list
    code: str


def read_example(path):
    """A program of examples/man: its lines like /* man: shmem_put */, and the code without them."""
    text = path.read_text()
    said = {}
    for key, value in re.findall(r"(?m)^/\* (\w+): (.*?) \*/$", text):
        said.setdefault(key, []).append(value)
    code = re.sub(r"(?m)^/\* \w+: .*\*/\n", "", text).strip("\n")
    if not {"man", "run", "prints"} <= said.keys():
        raise headers.Wrong(f"{path} must have the lines /* man: ... */, /* run: ... */ and /* prints: ... */")
    long = next((line for line in code.splitlines() if len(line) > COLUMNS), None)
    if long:
        raise headers.Wrong(f"{path}: a line of an example has at most {COLUMNS} columns, not: {long.strip()}")
    commands = " && ".join(said.get("build", []) + said["run"])
    return Example(path, " ".join(said["man"]).split(), commands, said["prints"], code)


class Manual:
    def __init__(self, out, section):
        self.out, self.section = out, section
        for folder in "man1", "man3", "man7":
            shutil.rmtree(out / folder, ignore_errors=True)
            (out / folder).mkdir(parents=True)

    def write(self, name, text, names, extension=None):
        (self.out / f"man3/{name}.{self.section}").write_text(text)
        for other in names:
            self.link(other, name, extension)

    def link(self, name, page, extension=None):
        """Writes a second name of a page, unless that name has a page."""
        path = self.out / f"man3/{name}.{extension or self.section}"
        if not path.exists():
            path.write_text(f".so man3/{page}.{self.section}\n")


def write_routines(manual, writer, module_types):
    for chapter in writer.chapters:
        for family in chapter.families:
            manual.write(family.page, page.Page(writer, family).text(), writer.names(family))
            for procedure in writer.fortran_of(family) if module_types else ():
                both, fortran_only = module_types
                single = procedure.name in ("shmem_p", "shmem_g")
                for name in fortran.names_of(procedure, both + fortran_only if single else both):
                    if single or "TYPENAME" not in procedure.specific or name in writer.names(family):
                        manual.link(name, family.page, "3f")
    for name, page_name in writer.classic.items() if module_types else ():
        manual.link(name, page_name, "3f")


def write_pages(manual, writer, without):
    """Writes the pages of docs/ that are in the manual, and their second names, except the names in `without`."""
    sources = {path.name: source for path in sorted((ROOT / "docs").glob("*.md")) if (source := markdown.read(path))}
    pages = {file: source.names for file, source in sources.items()}
    for source in sources.values():
        first, *others = (f"man{section}/{name}.{section}" for name, section in source.names if name not in without)
        (manual.out / first).write_text(markdown.Page(source, pages, writer.pages, writer.date).text())
        for other in others:
            (manual.out / other).write_text(f".so {first}\n")


def write_html(out, folder):
    """Writes HTML pages by mandoc, and an index with their purposes. A reference to a second name leads to the page."""
    folder.mkdir(parents=True, exist_ok=True)
    rows, pages = [], {}
    for path in sorted(out.glob("man*/*"), key=lambda path: (path.suffix, path.name.lower())):
        link = re.match(r"\.so man\d/(\S+)", path.read_text())
        pages[f"{path.stem}.{path.suffix[1]}"] = re.sub(r"(\.\d)\w*$", r"\1", link[1] if link else path.name)

    def reference(match):
        page = pages.get(match[1])
        return f'<a class="Xr" href="{page}.html">{match[2]}</a>' if page else match[2]

    for path in sorted(out.glob("man*/*"), key=lambda path: (path.suffix, path.name.lower())):
        text = path.read_text()
        if text.startswith(".so "):
            continue
        section = path.suffix[1]
        html = subprocess.run(["mandoc", "-Thtml", "-Oman=%N.%S.html", path], check=True, text=True,
                              stdout=subprocess.PIPE).stdout
        html = re.sub(r'(?s)<a class="Xr" href="([^"]*)\.html">(.*?)</a>', reference, html)
        (folder / f"{path.stem}.{section}.html").write_text(html)
        purpose = re.search(r"(?m)^\.Nd (.*)", text)[1]
        rows.append(f'<li><a href="{path.stem}.{section}.html">{path.stem}({section})</a>: {purpose}</li>')
    title = "The manual of Copal"
    (folder / "index.html").write_text(
        "\n".join(["<!DOCTYPE html>", f"<title>{title}</title>", f"<h1>{title}</h1>", "<ul>", *rows, "</ul>", ""]))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--section", default="3")
    parser.add_argument("--module", type=pathlib.Path, required=True)
    parser.add_argument("--fortran", action="store_true")
    parser.add_argument("--html", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    options = parser.parse_args()

    include = ROOT / "include"
    chapters, everywhere = headers.read_chapters(include)
    examples = [read_example(path) for path in sorted((ROOT / "examples/man").glob("*.c"))]
    overview = (ROOT / "docs/man/shmem.7").read_text()
    module = fortran.read_module(options.module)
    constants = set(re.findall(r"#define (SHMEMX?_\w+)", "".join((include / f).read_text() for f in HEADERS)))
    writer = page.Writer(chapters, everywhere, headers.generics((include / "shmem/generic_c11.h").read_text()), module,
                         examples, constants, re.match(r"\.Dd (.*)", overview)[1], options.section)

    manual = Manual(options.out, options.section)
    write_routines(manual, writer, fortran.type_names(options.module) if options.fortran else None)
    text, names = sheet.page("shcoll", "collectives on groups of PEs, each algorithm by name",
                             (include / "shcoll.h").read_text(), writer)
    manual.write("shcoll", text, names)
    manual.write("shmemx", page.extensions(writer), ())
    (options.out / "man7/shmem.7").write_text(overview_of(overview, writer))
    write_pages(manual, writer, () if options.fortran else ("oshfort",))
    if options.html:
        write_html(options.out, options.html)


def overview_of(text, writer):
    """Inserts the list of chapters and their families into shmem(7), in place of a marked line."""
    lines = []
    for chapter in writer.chapters:
        lines.append(f".It {chapter.title}")
        lines += [f".Xr {family.page} 3 ," for family in chapter.families]
        lines[-1] = lines[-1].removesuffix(" ,")
    return text.replace('.\\" chapters\n', "\n".join([".Bl -tag -width Ds", *lines, ".El", ""]))


if __name__ == "__main__":
    try:
        main()
    except headers.Wrong as wrong:
        sys.exit(f"man: {wrong}")
