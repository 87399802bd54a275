"""scripts/netlab in a chroot: its hosts are in the chroot, too. Needs root; is skipped if there are no namespaces."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from support import LIMIT  # noqa: E402

NETLAB = pathlib.Path(__file__).resolve().parents[2] / "scripts/netlab"
NAMESPACES = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]  # if the test is killed, nothing remains
LAB = dict(os.environ, COPAL_NETLAB=f"test-{os.getpid()}")


class Chroot(unittest.TestCase):
    def run_in(self, mounts, command):
        """Runs both texts in a shell that ends at the first failure; $1 is a folder, which becomes the root."""
        with tempfile.TemporaryDirectory() as folder:
            job = subprocess.run([*NAMESPACES, "sh", "-ec", mounts + '; exec chroot "$1" sh -ec "$2"', "sh", folder,
                                  f"alias netlab={NETLAB}\n{command}"],
                                 env=LAB, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 text=True, timeout=LIMIT)
        return job.returncode, job.stdout

    def test_hosts_have_the_root_of_the_chroot(self):
        code, output = self.run_in('mount --rbind / "$1"; mount -t proc proc "$1/proc"; mount -t tmpfs tmpfs "$1/mnt"',
                                   "mkdir /mnt/within; cd /mnt/within; trap 'netlab down' EXIT; netlab up 2\n"
                                   "for host in h1 h2; do netlab exec $host sh -c 'echo $(hostname): $(pwd)'; done")
        self.assertEqual((code, output), (0, "h1: /mnt/within\nh2: /mnt/within\n"))

    def test_root_that_is_no_mount_point_is_named(self):
        code, output = self.run_in('for entry in /*; do\n'
                                   '    if [ -L "$entry" ]; then cp -P "$entry" "$1"\n'
                                   '    elif [ -d "$entry" ]; then mkdir "$1$entry"\n'
                                   '    mount --rbind "$entry" "$1$entry"; fi\n'
                                   'done; mount -t proc proc "$1/proc"', "netlab up 2")
        self.assertEqual(code, 1)
        self.assertRegex(output, r"^netlab: in this chroot / is no mount point.*\n$")


if __name__ == "__main__":
    if os.getuid() != 0 or not shutil.which("ip") or subprocess.run([*NAMESPACES, "--net", "true"]).returncode != 0:
        print("skipped: root, iproute2 and namespaces are needed")
        sys.exit(77)
    unittest.main()
