"""Shows the progress: on a terminal in one line, elsewhere a line after each 5 % of the steps."""

import shutil
import sys
import time


def clock(seconds):
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"


class Progress:
    """total: the number of steps. key names a step's work; the next step with this key is expected to take as long."""

    def __init__(self, what, keys):
        self.what, self.keys = what, keys
        self.seconds, self.done, self.said, self.start = {}, 0, -1, time.monotonic()

    def remaining(self):
        usual = sum(self.seconds.values()) / len(self.seconds)
        return sum(self.seconds.get(key, usual) for key in self.keys[self.done:])

    def show(self, line, end):
        width = max(shutil.get_terminal_size().columns - 1, 20)
        text = f"\r{line[:width]:<{width}}" if sys.stderr.isatty() else line + "\n" * (not end)
        print(text, end=end, file=sys.stderr, flush=True)

    def say(self, text):
        twentieth = self.done * 20 // len(self.keys)
        left = f", about {clock(self.remaining())} left" if any(self.seconds.values()) else ""
        if sys.stderr.isatty() or twentieth > self.said:
            self.show(f"{self.what} {self.done + 1} of {len(self.keys)}{left}: {text}", "")
        self.said = twentieth

    def finished(self, key, seconds):
        self.seconds[key] = seconds
        self.done += 1

    def end(self):
        self.show(f"{self.what}: {self.done} done in {clock(time.monotonic() - self.start)}", "\n")
