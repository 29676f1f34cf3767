"""Prints the arrays of a served .tgm file as zarr-python reads them.

    python read_python.py URL [consolidated|listed|unconsolidated]

"consolidated" takes the arrays from the metadata of the root, "listed" finds them by listing the server's pages,
"unconsolidated" opens one after the other by the names that the groups give.
"""

import sys

import zarr
from digest import line

url, how = sys.argv[1], sys.argv[2]
root = zarr.open_group(url, mode="r", use_consolidated=how == "consolidated")
if how == "listed":
    found = sum(1 for _, node in root.members(max_depth=None) if isinstance(node, zarr.Array))
    print(f"found {found}", file=sys.stderr)
messages = root.attrs.get("_tensogram_messages")
groups = [root] if messages is None else [root[str(i)] for i in range(messages)]
total = 0
for i, group in enumerate(groups):
    for j, name in enumerate(group.attrs["_tensogram_variables"]):
        print(line(i, j, group[name][...]))
        total += 1
if how == "listed" and found != total:
    sys.exit(f"listing found {found} arrays, expected {total}")
