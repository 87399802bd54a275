"""A text search for a typed routine finds its family in src/shmem/: one macro defines the family, and a comment before
the macro lists the family's names for one type."""
import pathlib
import re
import subprocess
import sys
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]


class Names(unittest.TestCase):
    def test_a_name_of_each_family_is_in_the_library(self):
        listed = subprocess.check_output([SOURCE / "scripts/check-symbols", "--names"], text=True).split()
        names = {name for name in listed if re.match(r"shmem_(ctx_)?(int_|(?!u?int)[a-z]+64(_|$))", name)}
        names |= {name for name in listed
                  if re.match(r"shmem_(ctx_)?uint_", name) and name.replace("uint_", "int_") not in names}
        self.assertGreater(len(names), 100)
        written = {word for path in (SOURCE / "src/shmem").glob("*.c") for word in re.findall(r"\w+", path.read_text())}
        self.assertEqual([], sorted(names - written))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
