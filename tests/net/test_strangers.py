#!/usr/bin/env python3
"""Another user of the host knows a PE's endpoint address and tries to read, to write and to crash the PE. All attempts
fail: between emulated nodes that use the host's network, and from inside the network that the job makes for itself.

usage: test_strangers.py --oshrun OSHRUN --oshcc OSHCC"""
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
from support import LIMIT, OneFolder, programs  # noqa: E402

NOBODY = 65534
MAGIC, HEAD = b"ECPN", struct.Struct("<4sHHHB?4xQQ40x")    # struct card_head of src/net/card.c
SECRET = slice(8, 24)    # of an address
PLACE = re.compile(r"PE (\d) pid (\d+) heap (\S+) text (\S+) private (\S+)")


class Job:
    """A victim of two PEs on as many nodes; cards: each PE's address and the key to its heap."""

    def __init__(self, folder, network, of_its_own):
        self.stop = pathlib.Path(folder, "stop")
        self.stop.unlink(missing_ok=True)
        environment = dict(os.environ, SHMEM_NODES="2", SHMEM_NET=network, FI_PROVIDER="tcp", SHMEM_NET_STATS="1",
                           SHMEM_SYMMETRIC_SIZE="16M")
        if not of_its_own:
            environment["COPAL_NETWORK"] = "host"
        self.run = subprocess.Popen([OSHRUN, "-n", "2", f"{folder}/victim", self.stop], env=environment, text=True,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.place = {}
        while len(self.place) < 2:
            line = self.run.stdout.readline()
            if not line:
                raise AssertionError(self.run.communicate()[1])
            place = PLACE.match(line)
            self.place[int(place[1])] = place
        self.pid = int(self.place[0][2])
        self.cards = self.read_cards()

    def read_cards(self):
        """The job file, which only this user and root can open."""
        for entry in pathlib.Path(f"/proc/{self.pid}/fd").iterdir():
            if "copal" in os.readlink(entry):
                with entry.open("rb") as file:
                    text = file.read(2 << 20)
                found = [at for at in range(0, len(text), 8) if text[at:at + 4] == MAGIC]
                if len(found) == 2:
                    return [self.card(text[at:]) for at in found]
        raise AssertionError("the job file has no cards")

    @staticmethod
    def card(text):
        _, address_bytes, key_bytes, *_ = HEAD.unpack_from(text)
        key = HEAD.size + (address_bytes + 7) // 8 * 8
        return text[HEAD.size:HEAD.size + address_bytes], text[key:key + key_bytes]

    def end(self):
        self.stop.touch()
        out, err = self.run.communicate(timeout=LIMIT)
        return self.run.returncode, out, err

    def kill(self):
        if self.run.poll() is None:
            self.run.kill()
            self.run.communicate()


class Strangers(OneFolder):
    sources = ("net/victim",)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        os.chmod(cls.folder, 0o755)
        lib = pathlib.Path(OSHRUN).parent.parent / "lib/copal"
        for network in "ucx", "ofi":    # where another user can read them
            shutil.copy(lib / f"libcopal-{network}.so", cls.folder)
        shutil.copy(STRANGER, f"{cls.folder}/stranger")

    def job(self, network, of_its_own=False):
        job = Job(self.folder, network, of_its_own)
        self.addCleanup(job.kill)
        return job

    def stranger(self, job, network, card, remote, what):
        """The stranger's output."""
        for name, text in zip(("address", "key"), card):
            pathlib.Path(self.folder, name).write_bytes(text)
        result = subprocess.run(
            ["nsenter", "-t", str(job.pid), "-n", "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
             f"{self.folder}/stranger", f"{self.folder}/libcopal-{network}.so", f"{self.folder}/address",
             f"{self.folder}/key", remote, what], env=dict(os.environ, FI_PROVIDER="tcp"), cwd="/", timeout=LIMIT,
            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertIn(f"uid {NOBODY}\n", result.stdout)
        return result.stdout

    def guess(self, network, of_its_own):
        job = self.job(network, of_its_own)
        address, key = job.cards[0]
        wrong = bytes(byte ^ 0x5a for byte in address[SECRET])
        strange = address[:SECRET.start] + wrong + address[SECRET.stop:]
        for number in range(1, 3 if network == "ofi" else 2):    # the keys that libfabric once used
            guessed = struct.pack("<Q", number) + key[8:] if network == "ofi" else key
            for place in 3, 5:
                said = self.stranger(job, network, (strange, guessed), job.place[0][place], "messages")
                self.assertIn("read nothing", said)
                self.assertIn("no message has come", said)
        code, out, err = job.end()
        self.assertEqual((code, out), (0, "done\n"), err)
        dropped = re.findall(r"copal: PE (\d): network: .* (\d+) messages without the port's secret dropped\n", err)
        self.assertEqual(sorted(pe for pe, _ in dropped), ["0", "1"], err)
        dropped = dict(dropped)
        self.assertEqual(dropped["1"], "0", err)
        self.assertGreaterEqual(int(dropped["0"]), 2 * 9, err)    # each stranger sends a hello and messages

    def test_wrong_secret_by_ucx(self):
        self.guess("ucx", False)

    def test_wrong_secret_by_libfabric(self):
        self.guess("ofi", False)

    def test_wrong_secret_in_the_jobs_own_network(self):
        for network in "ucx", "ofi":
            self.guess(network, True)

    def test_right_secret(self):
        """Shows that a process that knows the secret has access: the strangers lack only the secret."""
        for network in "ucx", "ofi":
            job = self.job(network)
            said = self.stranger(job, network, job.cards[0], job.place[0][4], "answered")
            self.assertIn("read: what only its user may read", said)
            job.run.communicate(timeout=LIMIT)    # the job detects that its memory has been written

    def test_right_secret_and_other_memory(self):
        for of_its_own in False, True:
            job = self.job("ucx", of_its_own)
            said = self.stranger(job, "ucx", job.cards[0], job.place[0][5], "memory")
            self.assertIn("read nothing", said)
            out, err = job.run.communicate(timeout=LIMIT)
            self.assertEqual((job.run.returncode, out), (1, ""), err)
            self.assertRegex(err, r"copal: PE 0: [a-z_ ]+: a message of another PE is about \d+ bytes at 0x\w+, "
                                  "which are not in the memory that this PE has opened to others")
            job = self.job("ofi", of_its_own)
            said = self.stranger(job, "ofi", job.cards[0], job.place[0][5], "memory")
            self.assertIn("read nothing", said)
            code, out, err = job.end()
            self.assertEqual((code, out), (0, "done\n"), err)


if __name__ == "__main__":
    STRANGER = os.path.abspath(sys.argv.pop())
    OSHRUN, OSHCC = programs()
    may = shutil.which("nsenter") and subprocess.run(["nsenter", "--net=/proc/self/ns/net", "true"]).returncode == 0
    if os.geteuid() != 0 or not shutil.which("setpriv") or not may:
        print("root alone, and with its rights, can become another user in a job's network")
        sys.exit(77)
    unittest.main()
