"""Runs the cells of the notebook of the tutorial, with the wheel of Python in a fresh environment.

    python check_notebook.py

Cells are run one after the other by this program: Python as it is, lines that begin with "!" by a shell.
"""

import json
import os
import pathlib
import subprocess
import sys
import sysconfig
import tempfile

here = pathlib.Path(__file__).resolve().parent
top = here.parents[1]
sys.path.insert(0, str(top / "interop" / "python"))


def run(notebook):
    """Runs the cells of a notebook in this process."""
    names, cells = {}, 0
    for cell in json.loads(notebook.read_text())["cells"]:
        if cell["cell_type"] != "code":
            continue
        cells += 1
        text = "".join(cell["source"])
        if text.startswith("!"):
            subprocess.run(text[1:], shell=True, check=True)
        else:
            exec(compile(text, f"cell {cells}", "exec"), names)
    print(f"{notebook.name}: {cells} cells were run")


def main():
    if len(sys.argv) > 1:
        return run(pathlib.Path(sys.argv[1]))
    if sysconfig.get_platform() != "linux-x86_64":
        sys.exit(77)
    import check_engine

    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        python = check_engine.install(folder)
        (folder / "fixtures").symlink_to(top / "fixtures")
        path = str(python.parent) + os.pathsep + os.environ["PATH"]
        notebook = top / "docs" / "tutorial" / "tutorial.ipynb"
        sys.exit(subprocess.run([python, __file__, notebook], cwd=scratch, env={**os.environ, "PATH": path}).returncode)


if __name__ == "__main__":
    main()
