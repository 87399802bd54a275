#!/usr/bin/env python3
"""A core dump contains the memory that the PE uses, but not its peers' memory, and not heap that was never touched."""

import os
import pathlib
import resource

from faults import Tests

MB = 1 << 20


def flags(tests, core):
    """Checks which memory the kernel excludes from dumps."""
    name = "what a core would have"
    if tests.wanted(name):
        ended = tests.job(2, core, "look")
        tests.check_good(name, ended)
        tests.check(name, ended.out.count("block 11 static 1 peer 0 untouched 0\n") == 2, "not what is wanted", ended)


def limited():
    """A limit above the core's size and far below the heaps': a core with all memory must not fill the disk."""
    resource.setrlimit(resource.RLIMIT_CORE, (1024 * MB, 1024 * MB))


def dump(tests, core):
    """A real core, if the system writes cores into the folder of the process."""
    name = "a core, with the default heap"
    pattern = pathlib.Path("/proc/sys/kernel/core_pattern").read_text().strip()
    if not tests.wanted(name):
        return
    if pattern.startswith(("|", "/")) or resource.getrlimit(resource.RLIMIT_CORE)[1] not in (resource.RLIM_INFINITY,):
        print(f"skipped {name}: cores are not written here (core_pattern {pattern}, or a limit on their size)")
        return
    folder = tests.folder / "cores"
    folder.mkdir()
    ended = tests.job(2, core, "dump", str(folder), preexec_fn=limited)
    cores = list(folder.iterdir())
    tests.check(name, ended.code == 139 and "PE 1 was killed by signal 11" in ended.err, f"exit code is {ended.code}",
                ended)
    tests.check(name, len(cores) == 1, f"{len(cores)} cores", ended)
    for path in cores:
        size = path.stat().st_size
        tests.check(name, size < 256 * MB, f"the core has {size // MB} MiB", ended)
        text = path.read_bytes() if size < 256 * MB else b""
        word = 0x6b6f6f6c68657265
        tests.check(name, (word + 1).to_bytes(8, "little") * 1000 in text, "the PE's block is not in the core", ended)
        tests.check(name, word.to_bytes(8, "little") * 1000 not in text, "a peer's block is in the core", ended)
        os.unlink(path)


def main():
    tests = Tests()
    core = tests.build("core")[0]
    flags(tests, core)
    dump(tests, core)
    tests.verdict()


if __name__ == "__main__":
    main()
