"""What a person sees while it runs: one line on a terminal; elsewhere a line now and then."""

import shutil
import sys
import time


def clock(seconds):
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"


def status(text, end=""):
    """Put this line in the place of the one before."""
    width = max(shutil.get_terminal_size().columns - 1, 20)
    print(f"\r{text[:width]:<{width}}", end=end, file=sys.stderr, flush=True)


class Progress:
    """total steps; key names what a step does, so that the time of the last such step tells that of the next."""

    def __init__(self, what, keys):
        self.what, self.keys, self.total = what, keys, len(keys)
        self.seconds, self.done, self.said, self.start = {}, 0, -1, time.monotonic()
        self.tty = sys.stderr.isatty()

    def remaining(self):
        usual = sum(self.seconds.values()) / len(self.seconds) if self.seconds else 0
        return sum(self.seconds.get(key, usual) for key in self.keys[self.done:])

    def say(self, text):
        """What is done now; on no terminal, each twentieth of the way."""
        left = f", about {clock(self.remaining())} left" if any(self.seconds.values()) else ""
        line = f"{self.what} {self.done + 1} of {self.total}{left}: {text}"
        if self.tty:
            status(line)
        elif self.done * 20 // self.total > self.said:
            self.said = self.done * 20 // self.total
            print(line, file=sys.stderr, flush=True)

    def finished(self, key, seconds):
        self.seconds[key] = seconds
        self.done += 1

    def end(self):
        text = f"{self.what}: {self.done} done in {clock(time.monotonic() - self.start)}"
        if self.tty:
            status(text, "\n")
        else:
            print(text, file=sys.stderr, flush=True)
