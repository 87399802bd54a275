"""What tests of programs share, those of the tools and others."""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest


def programs():
    """Where oshrun and oshcc are, by the command line; the rest of it is unittest's."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--oshrun", required=True, type=os.path.abspath)
    parser.add_argument("--oshcc", required=True, type=os.path.abspath)
    options, sys.argv[1:] = parser.parse_known_args()
    return options.oshrun, options.oshcc


def run(*command, folder=None, **environment):
    """What a command prints that must succeed."""
    result = subprocess.run([str(word) for word in command], cwd=folder, timeout=120, text=True,
                            env=dict(os.environ, **environment), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode:
        raise AssertionError(f"{command} gave {result.returncode}:\n{result.stdout}")
    return result.stdout


class InFolder(unittest.TestCase):
    """Tests that run commands in a folder of their own."""
    limit_s = 120    # for each

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="copal-test-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run_tool(self, *command, **environment):
        return subprocess.run([str(word) for word in command], cwd=self.folder, timeout=self.limit_s, text=True,
                              env=dict(os.environ, **environment), stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def succeed(self, *command, **environment):
        result = self.run_tool(*command, **environment)
        self.assertEqual(result.returncode, 0, f"{command}: {result.stdout}{result.stderr}")
        return result.stdout

    def refuse(self, *command, **environment):
        result = self.run_tool(*command, **environment)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, f"not one sentence: {result.stderr}")
        return result.stderr
