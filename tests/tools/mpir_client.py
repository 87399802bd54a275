"""A minimal parallel debugger, in gdb's Python: gdb -batch -x mpir_client.py --args oshrun -n N ./program.

It starts oshrun, announces that it debugs, and stops at MPIR_Breakpoint; prints the table, a line of JSON for each
process; attaches another gdb to the last process, which is stopped before main; and continues oshrun to its end,
where it prints the exit code. With MPIR_LATE=SECONDS it lets oshrun run first, like a tool that attaches later, and
then reads the table.
"""
import atexit
import json
import os
import pathlib
import subprocess
import time

import gdb


def table():
    entries = gdb.parse_and_eval("MPIR_proctable")
    for i in range(int(gdb.parse_and_eval("MPIR_proctable_size"))):
        entry = entries[i]
        yield {"host": entry["host_name"].string(), "executable": entry["executable_name"].string(),
               "pid": int(entry["pid"])}


def status_of(pid, field):
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return text.partition(f"\n{field}:\t")[2].split()[0]


def attach(pid):
    """A gdb that stops at main; returns when it has the process."""
    commands = ["handle SIGSTOP nostop noprint nopass", "break main", "continue", "print \"at main\"", "detach"]
    debugger = subprocess.Popen(["gdb", "-batch", "-nx", "-p", str(pid), *(w for c in commands for w in ("-ex", c))],
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    while status_of(pid, "TracerPid") == "0" and debugger.poll() is None:
        time.sleep(0.01)
    return debugger


def main():
    gdb.execute("set pagination off")
    gdb.execute("set breakpoint pending on")
    for signal in "SIGSTOP", "SIGCONT", "SIGTERM":
        gdb.execute(f"handle {signal} nostop noprint")
    late = os.environ.get("MPIR_LATE")
    if late:
        launcher = subprocess.Popen(os.environ["MPIR_COMMAND"].split())
        atexit.register(launcher.terminate)    # otherwise its job would keep the pipe of this output
        time.sleep(float(late))    # the job has run this long
        gdb.execute(f"attach {launcher.pid}")
        while not gdb.parse_and_eval("MPIR_proctable_size"):    # it may begin late on a busy machine
            gdb.execute("detach")
            time.sleep(0.1)    # between checks
            gdb.execute(f"attach {launcher.pid}")
    else:
        gdb.execute("starti")
        gdb.execute("set variable MPIR_being_debugged = 1")
        gdb.execute("break MPIR_Breakpoint")
        gdb.execute("continue")
    print(json.dumps({"state": int(gdb.parse_and_eval("MPIR_debug_state")),
                      "frame": gdb.newest_frame().name()}), flush=True)
    processes = list(table())
    while not late and any(status_of(process["pid"], "State") != "T" for process in processes):
        time.sleep(0.01)    # it may not be there yet
    for process in processes:
        print(json.dumps({**process, "process": status_of(process["pid"], "State")}), flush=True)
    if late:
        gdb.execute("detach")
        launcher.terminate()
        launcher.wait()
        return
    debugger = attach(processes[-1]["pid"])
    gdb.execute("continue")
    if gdb.selected_inferior().pid:    # the job shall end
        print(json.dumps({"state": int(gdb.parse_and_eval("MPIR_debug_state")),
                          "why": gdb.parse_and_eval("MPIR_debug_abort_string").string()}), flush=True)
        gdb.execute("continue")
    print(debugger.communicate()[0], flush=True)
    print(json.dumps({"code": int(gdb.parse_and_eval("$_exitcode"))}), flush=True)


main()
