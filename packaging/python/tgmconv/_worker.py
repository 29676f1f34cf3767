"""The child process that reads files, and what is said with it (docs/reference/worker.md)."""

from __future__ import annotations

import atexit
import itertools
import json
import mmap
import os
import subprocess
import tempfile
import threading
from concurrent.futures import Future

from ._program import TgmconvError, binary, error


class GoneError(TgmconvError):
    """The process has ended before it was asked."""


class Worker:
    """A running `tgmconv worker`. Several threads may ask it at a time."""

    def __init__(self):
        self.said = tempfile.TemporaryFile()  # on standard error: a pipe that nobody reads would stop it
        self.process = subprocess.Popen(
            [binary(), "worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.said,
            start_new_session=True,  # an interrupt is for Python, which ends it
        )
        self.numbers = itertools.count(1)
        self.waiting: dict[int, Future] = {}
        self.lock = threading.Lock()
        self.ended = False
        threading.Thread(target=self.listen, name="tgmconv", daemon=True).start()

    def listen(self):
        """Hands answers to those who wait for them."""
        for line in self.process.stdout:
            answer = json.loads(line)
            with self.lock:
                future = self.waiting.pop(answer["id"], None)
            if future is not None:
                future.set_result(answer)
        with self.lock:
            self.ended = True
            left = list(self.waiting.values())
            self.waiting.clear()
        for future in left:
            future.set_exception(TgmconvError(f"the program that reads the files ended with exit code {self.process.wait()}: {self.last()}"))

    def last(self) -> str:
        """The beginning of the last that was said on standard error."""
        self.said.seek(0)
        return self.said.read(2000).decode(errors="replace").strip()

    def ask(self, **request) -> dict:
        """The answer to a request."""
        future: Future = Future()
        number = next(self.numbers)
        line = json.dumps({"id": number, **request}).encode() + b"\n"
        with self.lock:
            if self.ended:
                raise GoneError("the program that reads the files has ended")
            self.waiting[number] = future
            try:
                self.process.stdin.write(line)
                self.process.stdin.flush()
            except OSError as err:
                self.waiting.pop(number, None)
                self.ended = True
                raise GoneError(f"the program that reads the files has ended: {err}") from None
        answer = future.result()
        if "error" in answer:
            raise error(answer["error"], answer.get("code", 1))
        return answer

    def close(self):
        """Ends the process."""
        try:
            self.process.stdin.close()
            self.process.wait(5)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()


_current: tuple[int, Worker] | None = None
_starting = threading.Lock()


def worker() -> Worker:
    """The worker of this process: one is started if there is none, after a fork, and where one has ended."""
    global _current
    with _starting:
        if _current is None or _current[0] != os.getpid() or _current[1].ended:
            _current = os.getpid(), Worker()
        return _current[1]


def _forked():
    """Forgets the worker of the parent, whose pipes are not this process's."""
    global _current, _starting
    _current, _starting = None, threading.Lock()


@atexit.register
def _end():
    if _current is not None and _current[0] == os.getpid():
        _current[1].close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


class Handle:
    """A labelled dataset of files, opened in the worker of whatever process uses it."""

    def __init__(self, words: list[str]):
        self.words = words
        self.lock = threading.Lock()
        self.opened: tuple[Worker, int] | None = None
        self.documents: dict[str, dict] | None = None
        self.notes: list[str] = []
        self.ignored: set[str] = set()  # attributes
        self.open()

    def __getstate__(self):
        return self.words, self.documents

    def __setstate__(self, state):
        self.words, self.documents = state
        self.lock, self.opened, self.notes = threading.Lock(), None, []

    def open(self) -> tuple[Worker, int]:
        """The worker, and the number of the dataset there."""
        try:
            return self.open_in(worker())
        except GoneError:  # it was killed since it was asked last
            return self.open_in(worker())

    def open_in(self, at: Worker) -> tuple[Worker, int]:
        with self.lock:
            if self.opened is None or self.opened[0] is not at:
                answer = at.ask(open=self.words)
                if self.documents is None:
                    self.documents, self.notes = answer["documents"], answer.get("notes", [])
                elif self.documents != answer["documents"]:
                    raise error("the files are no longer those that were opened: " + " ".join(self.words), 65)
                self.opened = at, answer["dataset"]
            return self.opened

    def read(self, array: str, start: list[int], count: list[int]):
        """The memory of the elements of a region."""
        return self.fill("read", {"array": array, "start": start, "count": count})

    def get(self, key: str):
        """The memory of a value of the Zarr store, or None."""
        return self.fill("get", {"key": key})

    def fill(self, what: str, request: dict):
        fd, name, path = memory_file()
        try:
            try:
                at, number = self.open()
                answer = at.ask(**{what: {"dataset": number, "into": name, **request}})
            except GoneError:
                at, number = self.open()
                answer = at.ask(**{what: {"dataset": number, "into": name, **request}})
            size = answer["bytes"]
            if size < 0:
                return None
            return mmap.mmap(fd, size) if size else b""
        finally:
            os.close(fd)
            if path:
                os.unlink(path)

    def close(self):
        """Closes the files."""
        with self.lock:
            opened, self.opened = self.opened, None
        if opened is not None and not opened[0].ended:
            try:
                opened[0].ask(close=opened[1])
            except TgmconvError:
                pass  # it ends with the process


def memory_file() -> tuple[int, str, str | None]:
    """A file for the worker to fill: its descriptor, its name there, and the path to remove."""
    if hasattr(os, "memfd_create"):
        fd = os.memfd_create("tgmconv", os.MFD_CLOEXEC)
        return fd, f"/proc/{os.getpid()}/fd/{fd}", None
    fd, path = tempfile.mkstemp(prefix="tgmconv-")
    return fd, path, path
