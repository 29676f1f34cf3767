"""Installs the wheel in a fresh environment and compares the engine tgmconv of xarray with cfgrib's and netCDF4's.

    python check_engine.py
"""

import pathlib
import site
import subprocess
import sys
import sysconfig
import tempfile

here = pathlib.Path(__file__).resolve().parent
top = here.parents[1]


def install(folder):
    """A Python with the wheel, and with the packages that this one has."""
    subprocess.run(["go", "run", "./packaging/wheel", "-o", folder / "dist", "linux/amd64"], cwd=top, check=True, stdout=subprocess.DEVNULL)
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    python = folder / "venv" / "bin" / "python"
    wheel = next((folder / "dist").glob("*.whl"))
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-index", wheel], check=True)
    packages = next((folder / "venv" / "lib").glob("python*/site-packages"))
    (packages / "interop.pth").write_text("\n".join(site.getsitepackages()))
    return python


def main():
    if sysconfig.get_platform() != "linux-x86_64":
        sys.exit(77)
    with tempfile.TemporaryDirectory() as scratch:
        python = install(pathlib.Path(scratch))
        sys.exit(subprocess.run([python, here / "engine.py", top / "fixtures"], cwd=scratch).returncode)


if __name__ == "__main__":
    main()
