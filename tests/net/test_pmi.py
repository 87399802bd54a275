"""The PMI-1 module against a launcher of this test, which replies like real launchers, or wrongly.

usage: test_pmi.py --oshrun OSHRUN --oshcc OSHCC"""
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
from support import CONTAINED, LIMIT, OneFolder, has_containers, programs  # noqa: E402

STORE = "kvs_test"
FILE = "cannot share memory with the other PEs of this node: "
JOIN = "copal: shmem_init: cannot join the job: "
JOIN_0 = "copal: PE 0: shmem_init: cannot join the job: "

ON_HOST = ["unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"']
HAS_HOSTS = subprocess.run([*ON_HOST, "h1", "true"], capture_output=True, check=False).returncode == 0

SYNC = r"""
#include <shcoll.h>
#include <shmem.h>

int main(void)
{
    shmem_init();
    shcoll_init();
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
"""


class Launcher(threading.Thread):
    """Replies to the commands of one process. other: {beginning of a command: another reply}, a text, or None, which
    ends the connection. values, meeting: shared by the processes of a job."""

    def __init__(self, mapping, other, values=None, meeting=None):
        super().__init__()
        self.mapping, self.other, self.meeting = mapping, other, meeting
        self.own, self.process = socket.socketpair()
        self.commands, self.values = [], {} if values is None else values

    def answer(self, command):
        word = command.split()[0].removeprefix("cmd=")
        fields = dict(field.split("=", 1) for field in command.split())
        if word == "put":
            self.values[fields["key"]] = fields["value"]
        if word == "get":
            value = self.mapping if fields["key"] == "PMI_process_mapping" else self.values.get(fields["key"])
            if value == "":
                return "cmd=get_result rc=0 value="
            return f"cmd=get_result rc=0 msg=success value={value}" if value else \
                f"cmd=get_result rc=-1 msg=key_{fields['key']}_not_found value=unknown"
        if word == "barrier_in" and self.meeting:
            self.meeting.wait(LIMIT)
        return {"init": "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0",
                "get_my_kvsname": f"cmd=my_kvsname kvsname={STORE}",
                "put": "cmd=put_result rc=0 msg=success",
                "barrier_in": "cmd=barrier_out",
                "finalize": "cmd=finalize_ack"}.get(word)

    def run(self):
        try:
            self.converse()
        except ConnectionError:
            pass    # the process has ended before it read all

    def converse(self):
        with self.own, self.own.makefile("r", newline="\n") as lines:
            for line in lines:
                command = line.rstrip("\n")
                self.commands.append(command)
                given = [text for begin, text in self.other.items() if command.startswith(begin)]
                answer = given[0] if given else self.answer(command)
                if answer is None:
                    return
                self.own.sendall(answer if isinstance(answer, bytes) else answer.encode() + b"\n")


class Pmi(OneFolder):
    sources = ("faults/hello", "faults/end", "faults/heap", "net/place")

    def start(self, *words, rank=0, size=1, mapping="(vector,(0,1,1))", other=None, job=(), before=(),
              **environment):
        launcher = Launcher(mapping, other or {}, *job)
        launcher.start()
        own = launcher.process.fileno()
        variables = {"PMI_FD": str(own), "PMI_RANK": str(rank), "PMI_SIZE": str(size), "SHMEM_SYMMETRIC_SIZE": "16M"}
        process = subprocess.Popen([*before, f"{self.folder}/{words[0]}", *words[1:]], text=True, pass_fds=[own],
                                   env=dict(os.environ, **variables | environment), cwd=self.folder,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        launcher.process.close()
        return launcher, process

    def ends(self, pairs):
        """Exit code, standard output and standard error of each process of a job."""
        ended = []
        for launcher, process in pairs:
            self.addCleanup(process.kill)
            out, err = process.communicate(timeout=LIMIT)
            launcher.join()
            ended.append((process.returncode, out, err))
        return ended

    def process(self, *words, **more):
        """Exit code, standard output, standard error and the commands of a process."""
        launcher, process = self.start(*words, **more)
        try:
            out, err = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            raise AssertionError("hangs\n{}{}".format(*process.communicate())) from None
        launcher.join()
        return process.returncode, out, err, launcher.commands

    def refuses(self, sentence, *words, **more):
        """The printed sentence; "copal: " is followed by the PE that the launcher names."""
        rank = str(more.get("rank", 0))
        sentence = sentence.replace("copal: ", f"copal: PE {rank}: ", 1) if rank.isdigit() else sentence
        code, out, err, commands = self.process(*(words or ["hello"]), **more)
        self.assertEqual((code, out, err), (1, "", sentence + "\n"), commands)
        return commands

    def test_what_is_said(self):
        code, out, err, commands = self.process("hello")
        self.assertEqual((code, out), (0, "hello from PE 0 of 1\n"), err)
        self.assertEqual([command.split()[0] for command in commands],
                         [f"cmd={word}" for word in ("init", "get_my_kvsname", "get", "put", "barrier_in", "finalize")])
        self.assertTrue(all(len(command) < 1024 for command in commands), commands)

    def test_again_in_the_same_process(self):
        code, out, err, commands = self.process("place", "again")
        self.assertEqual((code, len(out.splitlines())), (0, 2), err)
        self.assertEqual([commands.count(f"cmd={word}") for word in ("barrier_in", "finalize")], [1, 1], commands)
        self.assertEqual(len([command for command in commands if command.startswith("cmd=init")]), 1, commands)

    def test_an_mpi_that_uses_the_connection_too(self):
        subprocess.run([OSHCC, HERE / "guest.c", "-Wl,--export-dynamic", "-o", f"{self.folder}/guest"], check=True)
        spawn = ["mcmd=spawn", "execname=cmd=finalize", "endcmd"]
        other = {"cmd=get_maxes": "cmd=maxes rc=0" + 5000 * " long=1", "mcmd=spawn": b"", "execname=": b"",
                 "endcmd": "cmd=spawn_result rc=0"}
        for words in ["first"], ["second"], ["first", "late"], ["second", "late"]:
            with self.subTest(words):
                code, out, err, commands = self.process("guest", *words, other=other)
                self.assertEqual((code, out, err), (0, "PE 0\n", ""), commands)
                self.assertEqual(commands.count("cmd=finalize"), 1, commands)
                self.assertEqual(commands[-1], "cmd=finalize")
                at = commands.index("cmd=get_maxes")
                self.assertEqual(commands[at + 1:at + 4], spawn, commands)
                self.assertEqual([c for c in commands if "pmi_version=2" in c], [])

    def test_the_end_has_a_code(self):
        for how, code in ("global7", 7), ("global0", 0), ("exit7", 7), ("bad_pe", 1):
            ended, _, err, commands = self.process("end", how, "0", "sleep")
            self.assertEqual((ended, commands[-1]), (code, f"cmd=abort exitcode={code}"), err)

    def test_answers_that_are_none(self):
        question = '"cmd=init pmi_version=1 pmi_subversion=1"'
        wanted = "expected was cmd=response_to_init"
        for answer, shown in (("cmd=hello", "cmd=hello"), ("", ""), ("no command", "no command"),
                              (b"\x00\x01\n", ""), (b"\xff\x07cmd=init\n", "??cmd=init"),
                              ("cmd=" + "x" * 200, "cmd=" + "x" * 96 + "..."),
                              ("cmd=barrier_out", "cmd=barrier_out")):
            self.refuses(f'{JOIN}the launcher replied "{shown}" to {question}, {wanted}', other={"cmd=init": answer})
        self.refuses(f'{JOIN}the launcher refuses {question}: "cmd=response_to_init rc=-1"',
                     other={"cmd=init": "cmd=response_to_init rc=-1"})
        self.refuses(f'{JOIN}the launcher sends a line of more than 2047 characters, "{"x" * 100}..."',
                     other={"cmd=init": b"x" * 5000})
        self.refuses(f'{JOIN}the launcher names no store of values: "cmd=my_kvsname"',
                     other={"cmd=get_my_kvsname": "cmd=my_kvsname"})
        self.refuses(f'{JOIN}the launcher names no store of values: "cmd=my_kvsname kvsname={"k" * 77}..."',
                     other={"cmd=get_my_kvsname": f"cmd=my_kvsname kvsname={'k' * 300}"})

    def test_two_answers_at_once(self):
        """A second reply counts as the reply to the next request."""
        twice = b"cmd=response_to_init rc=0\ncmd=barrier_out\n"
        self.refuses(f'{JOIN}the launcher replied "cmd=barrier_out" to "cmd=get_my_kvsname", expected was '
                     "cmd=my_kvsname", other={"cmd=init": twice})

    def test_a_connection_that_ends(self):
        closed = ("the launcher has closed its connection (PMI_FD): it has ended, or this process has left its job "
                  "before, in another program or by MPI_Finalize")
        for command, begin in (("init", JOIN), ("get_my_kvsname", JOIN), ("get ", JOIN),
                               ("put", f"copal: shmem_init: {FILE}"), ("barrier_in", f"copal: shmem_init: {FILE}")):
            self.refuses(begin + closed, other={f"cmd={command}": None})
        code, out, err, _ = self.process("hello", other={"cmd=finalize": None})    # the job has ended by then
        self.assertEqual((code, out, err), (0, "hello from PE 0 of 1\n", ""))

    def test_a_mapping_that_is_none(self):
        expected = 'expected is a list like "(vector,(0,2,4))"'
        said = "the launcher's list of each node's processes (PMI_process_mapping)"
        for mapping in "(vector,(0,0,1))", "(vector", "x":
            self.refuses(f'{JOIN}{said} is "{mapping}", {expected}', mapping=mapping)

    def test_no_mapping(self):
        """The PEs exchange their contact information."""
        for mapping in None, "":
            self.places([3, 3, 3], mapping)
            if HAS_HOSTS:
                self.places([2, 2, 1], mapping, [[*ON_HOST, host] for host in ("h1", "h1", "h2")])

    @unittest.skipUnless(has_containers(), "user namespaces are not allowed here")
    def test_a_container_for_each(self):
        for mapping in None, "(vector,(0,1,3))":
            self.places([3, 3, 3], mapping, [CONTAINED] * 3)
        self.places([1, 2, 2], None, [[], CONTAINED, CONTAINED])

    @unittest.skipUnless(HAS_HOSTS and len(os.sched_getaffinity(0)) > 1, "takes root, and two processors")
    def test_nodes_that_share_processors(self):
        """Four PEs, each with its own host name, run on one machine, and collectives detect this. With processors for
        each host they share nothing."""
        pathlib.Path(self.folder, "sync.c").write_text(SYNC)
        subprocess.run([OSHCC, "sync.c", "-o", "sync"], cwd=self.folder, check=True)
        mine = os.sched_getaffinity(0)
        self.addCleanup(os.sched_setaffinity, 0, mine)
        one, other, *_ = mine
        for processors, shared in ((one, one, one, one), True), ((one, other), False), ((one, one, one, other), True):
            n, pairs = len(processors), []
            job = {}, threading.Barrier(n)
            for pe, processor in enumerate(processors):
                os.sched_setaffinity(0, {processor})
                pairs.append(self.start("sync", rank=pe, size=n, mapping=None, job=job, before=[*ON_HOST, f"h{pe}"],
                                        SHCOLL_INFO="1"))
            os.sched_setaffinity(0, mine)
            ended = self.ends(pairs)
            self.assertEqual([code for code, _, _ in ended], [0] * n, ended)
            self.assertEqual(ended[0][1].count("with fewer processors than PEs"), int(shared), ended[0][1])
            self.assertEqual(len(re.findall(r"sync +all +two_level_tree", ended[0][1])), int(shared), ended[0][1])

    @unittest.skipUnless(HAS_HOSTS, "other host names take root")
    def test_nodes_that_differ_in_memory(self):
        """All nodes have the heap size of the node with the least memory."""
        job = {}, threading.Barrier(2)
        (code, out, err), other = self.ends([
            self.start("heap", rank=pe, size=2, mapping=None, job=job, before=[*ON_HOST, f"h{pe}"],
                       SHMEM_SYMMETRIC_SIZE=f"{32 >> pe}M") for pe in range(2)])
        self.assertEqual((code, out, other), (0, "heap 16777216\n", (0, "", "")))
        self.assertIn("the largest free block of its 16777216 has 16777216", err)

    def places(self, near, mapping, before=([], [], [])):
        """A job of three PEs, each of which has this many PEs on its node."""
        job = {}, threading.Barrier(3)
        ended = self.ends([self.start("place", rank=pe, size=3, mapping=mapping, job=job, before=before[pe])
                           for pe in range(3)])
        for pe, (code, out, err) in enumerate(ended):
            self.assertEqual((code, err), (0, ""), out)
            self.assertIn(f"PE {pe} of 3, {near[pe]} near", out)

    def test_a_place_that_is_missing(self):
        key = "copal-place-0-0-0"
        self.refuses(f'{JOIN}the "place" of PE 0 is not there: the launcher refuses "cmd=get kvsname={STORE} '
                     f'key={key}": "cmd=get_result rc=-1 msg=key_{key}_not_found value=unknown"', rank=1, size=2,
                     mapping=None)

    def test_a_value_that_is_not_taken(self):
        commands = self.process("hello", other={"cmd=put": "cmd=put_result rc=-1 msg=full"})
        self.assertRegex(commands[2], rf'^copal: PE 0: shmem_init: {FILE}the launcher refuses "cmd=put kvsname={STORE} '
                         r'key=copal-file-1-0-0 value=0040[0-9a-f]+\.*": "cmd=put_result rc=-1 msg=full"\n$')
        self.assertEqual(commands[0], 1)

    def as_second(self, value, sentence):
        """Starts the second PE of a node; the launcher gives it this value for the first PE's file."""
        key = f"cmd=get kvsname={STORE} key=copal-file-1-0-0"
        answer = f"cmd=get_result rc=0 value={value}"
        self.refuses(f"copal: shmem_init: {FILE}" + sentence, rank=1, size=2, mapping="(vector,(0,1,2))",
                     other={key: answer} if value else {})

    def test_values_of_others(self):
        begin = 'the "file" of PE 0 is not there: the launcher'
        self.as_second(None, f'{begin} refuses "cmd=get kvsname={STORE} key=copal-file-1-0-0": "cmd=get_result rc=-1 '
                       'msg=key_copal-file-1-0-0_not_found value=unknown"')
        for value in (" ", "0", "0020", "0020" + "0" * 63, "0020" + "0" * 65, "0020" + "0" * 63 + "g", "0" * 513,
                      "ffff" + "0" * 508, "0" * 1900):
            self.as_second(value, f"""{begin}'s value of "copal-file-1-0-0" is not in the format of a PE's value""")
        self.as_second("0041" + "0" * 130, 'the "file" of PE 0 has 65 bytes, allowed are 64')
        self.as_second("0020" + "0" * 64, "PE 0 describes its job file in another format; do all PEs run the same "
                       "version of Copal?")
        self.as_second("0040" + "0" * 128, "cannot open /proc/0/fd/0, the job file of PE 0: No such file or directory; "
                       "the processes of the job on a host must have the same user and, in containers, share the "
                       "host's process numbers and network")

    def test_a_card_that_is_missing(self):
        """A wrong value from a PE on another node."""
        key = "copal-card-1-0-0"
        code, _, err, commands = self.process("hello", rank=1, size=2, mapping="(vector,(0,2,1))")
        self.assertEqual((code, commands[-1]), (1, "cmd=abort exitcode=1"), err)
        self.assertEqual(err.splitlines()[0],    # the place in the source follows
                         'copal: PE 1: shmem_init: cannot reach PE 0 on its host: the "card" of PE 0 is not there: the '
                         f'launcher refuses "cmd=get kvsname={STORE} key={key}": "cmd=get_result rc=-1 '
                         f'msg=key_{key}_not_found value=unknown"')

    def test_the_launcher_ends(self):
        launcher, process = self.start("end", "stay", "0", "sleep", "say")
        self.assertEqual(process.stdout.readline(), "ready\n")
        launcher.own.shutdown(socket.SHUT_RDWR)
        out, err = process.communicate(timeout=LIMIT)
        self.assertEqual((process.returncode, out, err),
                         (1, "PE 0 was here\n",
                          "copal: PE 0: the job: PE 0 is lost: its launcher has ended; the job is ended\n"))

    def test_a_descriptor_that_is_none(self):
        remedy = "; programs between mpiexec or srun and this program must leave it open\n"
        with tempfile.TemporaryFile() as file:
            for text, what in (("77", "not an open descriptor"), ("x", "not an open descriptor"),
                               (str(file.fileno()), "no connection to a launcher")):
                done = subprocess.run([f"{self.folder}/hello"], capture_output=True, text=True, timeout=LIMIT,
                                      pass_fds=[file.fileno()],
                                      env=dict(os.environ, PMI_FD=text, PMI_RANK="0", PMI_SIZE="2"))
                self.assertEqual((done.returncode, done.stderr),
                                 (1, f'{JOIN_0}environment variable PMI_FD is "{text}", which is {what}{remedy}'))

    def test_ranks_that_make_no_sense(self):
        for rank, size in (("2", "2"), ("-1", "2"), ("one", "2"), ("0", "2x"), ("0", "99999999999")):
            self.refuses(f'{JOIN}environment variable PMI_RANK is "{rank}" and PMI_SIZE is "{size}", allowed is a rank '
                         "from 0 and a number of processes above it", rank=rank, size=size)

    def test_outlive(self):
        self.refuses(f"{JOIN}environment variable COPAL_OUTLIVE is set, but PMI-1, which mpiexec uses, cannot report "
                     "which PE has died; start the job by oshrun --outlive, srun --mpi=pmix, mpirun "
                     "or prterun, or without COPAL_OUTLIVE", COPAL_OUTLIVE="1")

    def test_a_copy_without_the_module(self):
        with tempfile.TemporaryDirectory() as folder:
            for library in (pathlib.Path(OSHRUN).parents[1] / "lib").glob("libshmem.so*"):
                shutil.copy(library, folder)
            self.refuses("copal: shmem_init: a launcher started this program by PMI-1, for which this copy of Copal "
                         f"has no module ({folder}/copal/libcopal-pmi.so: cannot open shared object file: No such file "
                         "or directory); start it by oshrun, or install all of Copal", LD_LIBRARY_PATH=folder)


OSHRUN, OSHCC = programs()
unittest.main()
