"""Serves files with tgmconv for the checks of this folder."""
import contextlib
import os
import re
import subprocess
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..')


def build(folder):
    """Builds tgmconv into a folder and returns its path."""
    path = os.path.join(folder, 'tgmconv')
    subprocess.run(['go', 'build', '-o', path, './cmd/tgmconv'], cwd=ROOT, check=True)
    return path


@contextlib.contextmanager
def command():
    """The path of tgmconv."""
    with tempfile.TemporaryDirectory() as folder:
        yield build(folder)


@contextlib.contextmanager
def served(tgmconv, *args):
    """The address of a server of files, or an exception with what it writes."""
    p = subprocess.Popen([tgmconv, 'serve', '--addr', '127.0.0.1:0', '--index', 'none', *args],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        address = re.search(r'https?://\S+', p.stdout.readline())
        if not address:
            raise RuntimeError(p.stderr.read().strip() or 'the server ended')
        yield address.group(0)
    finally:
        p.kill()
        p.communicate()
