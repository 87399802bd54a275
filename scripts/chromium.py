"""Headless Chromium, driven through its DevTools protocol over two pipes: a page at a given width, light or dark."""
import base64
import json
import os
import select
import subprocess
import tempfile
import time

BROWSER = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage",
           "--remote-debugging-pipe"]
# The protocol uses file descriptors 3 and 4.
THROUGH_PIPES = ["sh", "-c", 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1', "sh"]
TIME_LIMIT = 120


class Failed(Exception):
    """An error, as a sentence."""


class Chromium:
    """One page. The protocol sets its width, as --window-size makes no window narrower than 500 pixels."""

    def __init__(self, width, height, dark=False, time_limit=TIME_LIMIT):
        self.deadline = time.monotonic() + time_limit
        self.home = tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True)
        self.browser = subprocess.Popen([*THROUGH_PIPES, *BROWSER, f"--user-data-dir={self.home.name}"],
                                        env={**os.environ, "HOME": self.home.name}, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.session, self.sent, self.unread, self.events = None, 0, b"", []
        page = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 500)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Page.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.browser.stdin.close()    # ends the browser
        try:
            self.browser.wait(10)
        except subprocess.TimeoutExpired:
            self.browser.kill()
            self.browser.wait()
        self.browser.stdout.close()
        self.home.cleanup()

    def receive(self):
        """The browser's next message."""
        while b"\0" not in self.unread:
            left = self.deadline - time.monotonic()
            if left <= 0 or not select.select([self.browser.stdout], [], [], left)[0]:
                raise Failed(f"{BROWSER[0]} did not answer in time")
            more = os.read(self.browser.stdout.fileno(), 1 << 16)
            if not more:
                raise Failed(f"{BROWSER[0]} ended with {self.browser.wait()}")
            self.unread += more
        message, _, self.unread = self.unread.partition(b"\0")
        return json.loads(message)

    def call(self, method, **parameters):
        """The browser's reply; keeps events that arrive before it."""
        self.sent += 1
        request = {"id": self.sent, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        try:
            self.browser.stdin.write(json.dumps(request).encode() + b"\0")
            self.browser.stdin.flush()
        except BrokenPipeError:
            raise Failed(f"{BROWSER[0]} ended with {self.browser.wait()}") from None
        while (answer := self.receive()).get("id") != self.sent:
            self.events.append(answer.get("method"))
        if "error" in answer:
            raise Failed(f"{BROWSER[0]}: {method}: {answer['error']['message']}")
        return answer["result"]

    def open(self, address):
        """Opens a page; returns after the page and its resources are loaded."""
        self.events.clear()
        self.call("Page.navigate", url=address)
        while "Page.loadEventFired" not in self.events:
            self.events.append(self.receive().get("method"))

    def value(self, expression):
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            what = answer["exceptionDetails"]
            raise Failed(f"the page says {what.get('exception', {}).get('description', what['text'])}")
        return answer["result"].get("value")

    def picture(self, path, whole=True):
        """A picture, .png or .webp, of the whole page, or of the window."""
        shot = self.call("Page.captureScreenshot", format=path.suffix[1:], captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))
