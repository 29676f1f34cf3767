"""Installs the wheel in a fresh environment and compares the engine tgmconv of xarray with cfgrib's and netCDF4's.

    python check_engine.py
"""

import pathlib
import subprocess
import sys
import sysconfig
import tempfile

here = pathlib.Path(__file__).resolve().parent
top = here.parents[1]


def install(folder, base=sys.executable):
    """A Python with the wheel, and with the packages that base has."""
    if not list(folder.glob("dist/*.whl")):
        subprocess.run(["go", "run", "./packaging/wheel", "-o", folder / "dist", "linux/amd64"], cwd=top, check=True, stdout=subprocess.DEVNULL)
    subprocess.run([base, "-m", "venv", "--clear", folder / "venv"], check=True)
    python = folder / "venv" / "bin" / "python"
    wheel = next((folder / "dist").glob("*.whl"))
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-index", wheel], check=True)
    packages = next((folder / "venv" / "lib").glob("python*/site-packages"))
    sites = subprocess.run([base, "-c", "import site; print(*site.getsitepackages(), sep='\\n')"], check=True, capture_output=True, text=True)
    (packages / "interop.pth").write_text(sites.stdout)
    return python


def main():
    if sysconfig.get_platform() != "linux-x86_64":
        sys.exit(77)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        failed = subprocess.run([install(folder), here / "engine.py", top / "fixtures"], cwd=scratch).returncode
        said = {}
        for base in [sys.executable, *sorted(map(str, top.glob(".interop/venv3.*/bin/python")))]:
            python = install(folder, base)
            version = subprocess.run([python, "--version"], check=True, capture_output=True, text=True).stdout.strip()
            done = subprocess.run([python, here / "fresh.py", top / "fixtures"], cwd=scratch, stdout=subprocess.PIPE, text=True)
            said[version] = done.stdout if done.returncode == 0 else None
        print("a new user's way:", ", ".join(said))
        if len(set(said.values())) != 1 or None in said.values():
            print(f"they read different values: {said}")
            failed = 1
        sys.exit(failed)


if __name__ == "__main__":
    main()
