"""The program tgmconv: where it is, how it is run, and its errors."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence


class TgmconvError(Exception):
    """What the program says when it fails: the file, the place, what was found, what was expected."""


class UsageError(TgmconvError, ValueError):
    """An argument is wrong (exit code 2)."""


class InputChangedError(TgmconvError):
    """A file changed while it was read (exit code 65)."""


class TemporaryError(TgmconvError):
    """A server does not answer, or another process holds a lock: the same may be tried again (exit code 75)."""


def error(text: str, code: int) -> TgmconvError:
    """The exception for an exit code of the program."""
    return {2: UsageError, 65: InputChangedError, 75: TemporaryError}.get(code, TgmconvError)(text)


def binary() -> str:
    """The path of the program: $TGMCONV, the wheel's program, or the first on PATH."""
    if named := os.environ.get("TGMCONV"):
        return named
    name = "tgmconv.exe" if sys.platform == "win32" else "tgmconv"
    schemes = [sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user")]
    for scheme in schemes:
        path = os.path.join(sysconfig.get_path("scripts", scheme), name)
        if os.path.isfile(path):
            return path
    if found := shutil.which("tgmconv"):
        return found
    raise TgmconvError("the program tgmconv is neither beside Python nor on PATH; $TGMCONV names it")


def run(words: Sequence[str], **options) -> subprocess.CompletedProcess:
    """Runs the program, whose errors become exceptions."""
    done = subprocess.run([binary(), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    if done.returncode not in (0, 3):
        said = done.stderr.decode(errors="replace") if isinstance(done.stderr, bytes) else done.stderr
        lines = [line.removeprefix("tgmconv: ") for line in said.splitlines() if not line.startswith("tgmconv: hint:")]
        raise error("\n".join(lines) or f"exit code {done.returncode}", done.returncode)
    return done


def version() -> str:
    """The version of the program."""
    return run(["version"], text=True).stdout.split()[1]


def names(inputs) -> list[str]:
    """One path or several as words of a command line."""
    if isinstance(inputs, (str, os.PathLike)):
        inputs = [inputs]
    # A name that begins with a minus is no flag.
    return [f".{os.sep}{name}" if name.startswith("-") else name for name in map(os.fspath, inputs)]


def flags(values: dict) -> list[str]:
    """Flags of a command line: names of arguments with - for _; lists are repeated; None and False are left out."""
    words = []
    for name, value in values.items():
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(flag)
        elif isinstance(value, dict):
            words += [f"{flag}={key}={text(one)}" for key, one in value.items()]
        elif isinstance(value, (list, tuple)):
            words += [f"{flag}={one}" for one in value]
        else:
            words.append(f"{flag}={value}")
    return words


def text(value) -> str:
    """A value of a clause: lists are joined by /, slices are ranges."""
    if isinstance(value, slice):
        return f"{'' if value.start is None else value.start}:{'' if value.stop is None else value.stop}"
    if isinstance(value, (list, tuple)):
        return "/".join(map(str, value))
    return str(value)


def convert(inputs, output, **options) -> None:
    """Converts files to the format of the output's name, as `tgmconv convert` does, whose flags options are.

    convert("forecast.grib2", "forecast.nc", where={"shortName": "2t"})
    """
    run(["convert", "--quiet", *flags(options), f"--output={os.fspath(output)}", "--", *names(inputs)])
