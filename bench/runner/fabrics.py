"""The benchmarks' emulated networks: the library's ready-made ones, with two changes. The programs' own processor time
costs nothing (they report what they compute), and some rounds change the charges within a node."""

import re
import sys
from pathlib import Path

from execute import RUNNER
from model import NODE_CHARGES

NODE_KEYS = {"node_latency": 1, "node_bandwidth": -1}  # each key changes by this power of the round's factor
COMPUTE = "compute"
TIMED = ("latency", "hop_latency", "send_overhead", "receive_overhead", "gap", "bandwidth", "copy_bandwidth",
         *NODE_KEYS)


def keys_of(folder, name):
    """{key: value} of a ready-made network, in its file's order."""
    path = folder / f"{name}.fabric"
    if not path.exists():
        known = ", ".join(sorted(file.stem for file in folder.glob("*.fabric")))
        sys.exit(f"{RUNNER}: there is no emulated network '{name}' among {known}")
    lines = (line.partition("#")[0] for line in path.read_text().splitlines())
    pairs = (line.partition("=") for line in lines if "=" in line)
    return {key.strip(): value.strip() for key, _, value in pairs}


def scaled(value, factor):
    """A number with its unit, multiplied by factor."""
    return re.sub(r"^[0-9.]+(e[-+]?[0-9]+)?", lambda figure: f"{float(figure.group()) * factor:.6g}", value)


def file_for(folder, name, number, scratch):
    """The path of the network's file for that round, which is written if it is missing."""
    path = Path(scratch) / f"{name}-{number}.fabric"
    if not path.exists():
        keys = {**keys_of(folder, name), COMPUTE: "0"}
        for key, power in NODE_KEYS.items():
            keys[key] = scaled(keys[key], NODE_CHARGES.get(number, 1) ** power)
        path.write_text("".join(f"{key} = {value}\n" for key, value in keys.items()))
    return str(path)


def described(folder, name):
    """The network's parameters, for display beside its figures."""
    return ", ".join(f"{key} {value}" for key, value in keys_of(folder, name).items() if key != COMPUTE)


# Units of a fabric's file, in seconds, and in seconds for a byte.
TIMES = {"ps": 1e-12, "ns": 1e-9, "us": 1e-6, "ms": 1e-3}
BANDWIDTHS = {"GB/s": 1e9, "MB/s": 1e6, "Gbit/s": 1e9 / 8}


def seconds(value):
    """Seconds of a time, or of a byte at a bandwidth."""
    figure, unit = re.fullmatch(r"([0-9.]+) *(.*)", value).groups()
    return float(figure) * TIMES[unit] if unit in TIMES else 1 / (float(figure) * BANDWIDTHS[unit])


def cost_parameters(folder, name):
    """The network's parameters for SHCOLL's cost model, as its tool accepts them: a message is sent, passes two
    switches, and is received."""
    keys = {key: seconds(value) for key, value in keys_of(folder, name).items() if key in TIMED}
    near = keys["node_latency"]
    return [f"{parameter}={value:.4g}" for parameter, value in {
        "net.alpha": keys["send_overhead"] + keys["latency"] + 2 * keys["hop_latency"] + keys["receive_overhead"],
        "net.gap": max(keys["gap"], keys["send_overhead"]), "net.beta": keys["bandwidth"],
        "copy": keys["copy_bandwidth"], "adapter": keys["gap"], "node.alpha": near * 9 / 8, "node.gap": near / 8,
        "node.beta": keys["node_bandwidth"], "atomic": near}.items()]
