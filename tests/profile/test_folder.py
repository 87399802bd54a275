"""What oshrun --profile leaves in its folder, and what it removes."""
import json
import os
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
from support import InFolder, programs
from test_profile import PES

OSHRUN = OSHCC = None    # set from the command line


class Folder(InFolder):
    def profile(self, program, *arguments):
        return self.run_tool(OSHRUN, "-n", PES, "--profile=folder", program, *arguments).stderr

    def setUp(self):
        super().setUp()
        self.succeed(OSHCC, "-o", "program", HERE / "counts.c")
        self.assertIn("4 PEs on 1 node", self.profile("./program"))

    def test_job_that_ends_before_its_first_call(self):
        """The folder has files of an earlier job, which must not count as a profile of this job."""
        self.assertRegex(self.profile("true"), "^copal-profile: no PE has written a file in [^\n]*\n$")

    def test_other_files(self):
        """Earlier profiles are removed, but no other file, and nothing that a link names."""
        pieces, elsewhere = self.folder / "folder/pieces", self.folder / "elsewhere"
        (pieces / "1").rename(elsewhere)
        (pieces / "1").symlink_to(elsewhere)
        (pieces / "empty").touch()
        for name in "12", "notes":
            (pieces / name).write_text("the user's")
        self.profile("true")
        self.assertEqual(sorted(path.name for path in pieces.iterdir()), ["1", "12", "empty", "notes"])
        self.profile("./program")
        self.assertEqual((pieces / "12").read_text() + (pieces / "notes").read_text(), 2 * "the user's")
        self.assertTrue(elsewhere.exists())

    def test_files_of_the_user(self):
        """A file of another origin that has the name of a result is kept, also where a link leads to it."""
        trace = self.folder / "folder/trace.json"
        trace.write_text("the user's")
        self.profile("./program")    # without a trace
        for name in "index.html", "profile.json":
            precious, result = self.folder / "precious", self.folder / "folder" / name
            precious.write_text("the user's")
            kept = result.read_text()
            result.unlink()
            result.symlink_to(precious)
            self.assertIn(f"{name} exists and is no file of a profile: ", self.profile("./program"))
            self.assertEqual(precious.read_text(), "the user's")
            result.unlink()
            result.write_text(kept)
            self.assertNotIn("exists", self.profile("./program"))
        self.assertEqual(trace.read_text(), "the user's")

    def test_command_line_with_other_bytes(self):
        """Bytes that are no character, and a character of which the record has only the first byte."""
        none = os.fsdecode(b"\xff\xff \xed\xa0\x80 \xe0\x80\x80 \xf4\x90\x80\x80")
        self.profile("./program", none, "é" * 300)
        command = json.loads((self.folder / "folder/profile.json").read_text())["command"]
        self.assertEqual(command, "./program \ufffd\ufffd " + 2 * "\ufffd\ufffd\ufffd " +
                         f"\ufffd\ufffd\ufffd\ufffd {'é' * 242}\ufffd")


if __name__ == "__main__":
    OSHRUN, OSHCC = programs()
    unittest.main(verbosity=2)
