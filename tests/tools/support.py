"""What the tests of the tools share."""
import os
import pathlib
import subprocess
import tempfile
import unittest


class InFolder(unittest.TestCase):
    """Tests that run commands in a folder of their own."""

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
        return subprocess.run([str(word) for word in command], cwd=self.folder, timeout=120, text=True,
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
