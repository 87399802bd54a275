"""tests/late.py: PEs of its job stop and continue, and the job's end is unchanged.

usage: test_late.py --oshrun OSHRUN --oshcc OSHCC"""
import pathlib
import random
import signal
import subprocess
import sys
import unittest
import unittest.mock

from support import LIMIT, outcome, programs, wait_for

LATE = pathlib.Path(__file__).resolve().parents[1] / "late.py"

def children(pid):
    return [int(word) for word in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_stopped(pid):
    return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


class Late(unittest.TestCase):
    def test_exit_code(self):
        code, _, err = outcome([LATE, OSHRUN, "-n", "3", "sh", "-c", "exit 5"])
        self.assertEqual(code, 5, err)

    def test_pes_stop_until_a_signal_ends_the_job(self):
        job = subprocess.Popen([LATE, "--stops", "100000", OSHRUN, "-n", "2", "sh", "-c", "echo; exec sleep 1000"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        with job:
            job.stdout.readline()
            launcher, = children(job.pid)
            wait_for(lambda: any(map(is_stopped, children(launcher))))
            job.send_signal(signal.SIGTERM)
            self.assertNotEqual(job.wait(LIMIT), 0)

    def test_a_seed_draws_the_same(self):
        sys.path.insert(0, str(LATE.parent))
        import late  # noqa: PLC0415
        seen = []
        late.children, late.time.sleep = lambda pid: [1, 2, 3], lambda seconds: seen.append(seconds)
        late.send = lambda pids, number: seen.append((*pids, number))
        job = unittest.mock.Mock(pid=1, poll=lambda: None)
        for _ in range(2):
            late.make_late(job, random.Random(7), 50)
        self.assertEqual(seen[:200], seen[200:])
        self.assertEqual(len(seen), 400)


if __name__ == "__main__":
    OSHRUN, OSHCC = programs()
    unittest.main()
