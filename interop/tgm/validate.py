"""Validates single messages with the reference implementation at every level.

For NAME.tgm in the folder, NAME.issues.json becomes {level: {"issues": [[severity, code], ...], "hash_verified": bool}}, or
{"error": text} for a level at which the reference fails to answer.

    python validate.py FOLDER
"""

import json
import pathlib
import sys

import tensogram


def validate(data, level):
    try:
        report = tensogram.validate(data, level=level)
    except Exception as error:
        return {"error": str(error)}
    issues = [[issue["severity"], issue["code"]] for issue in report["issues"]]
    return {"issues": issues, "hash_verified": report["hash_verified"], "objects": report["object_count"]}


for path in sorted(pathlib.Path(sys.argv[1]).glob("*.tgm")):
    data = path.read_bytes()
    result = {level: validate(data, level) for level in ("quick", "default", "full", "checksum")}
    path.with_suffix(".issues.json").write_text(json.dumps(result))
