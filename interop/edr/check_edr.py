"""Compares values of /edr, as clients of the API read them, with those of ecCodes' nearest points by extract.

    python check_edr.py [TGMCONV]

The documents are checked with edr-pydantic, the coverages with covjson-pydantic, and OWSLib's client asks for values.
Skipped where these are not installed.
"""

import csv
import io
import json
import os
import re
import subprocess
import sys
import urllib.request

try:
    import covjson_pydantic.coverage as cov
    import edr_pydantic.capabilities as capabilities
    import edr_pydantic.collections as collections
    from owslib.ogcapi.edr import EnvironmentalDataRetrieval
except ImportError as err:
    print("skipped:", err)
    sys.exit(77)

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
TGMCONV = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "bin", "tgmconv")
FILES = [os.path.join(ROOT, "fixtures", "grib", name) for name in ("earthkit/t_time_series.grib", "cfgrib/era5-levels-members.grib")]
PLACES = os.path.join(ROOT, ".edr-places.csv")


def get(url):
    with urllib.request.urlopen(url) as answer:
        return answer.read(), answer.headers["Content-Type"]


def main():
    with open(PLACES, "w") as f:
        f.write("latitude,longitude,name\n50.1,8.7,Frankfurt\n")
    server = subprocess.Popen([TGMCONV, "serve", "--port", "0", "--locations", PLACES, *FILES], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        base = next(m.group(0) for line in server.stdout if (m := re.search(r"http://[0-9.:]+", line)))
        check(base + "/edr")
    finally:
        server.terminate()
        os.remove(PLACES)


def check(root):
    capabilities.LandingPageModel.model_validate_json(get(root)[0])
    capabilities.ConformanceModel.model_validate_json(get(root + "/conformance")[0])
    listed = collections.Collections.model_validate_json(get(root + "/collections")[0])
    assert json.loads(get(root + "/api")[0])["openapi"].startswith("3.0")
    client = EnvironmentalDataRetrieval(root)
    assert len(listed.collections) >= 2, listed
    n = 0
    for c in listed.collections:
        collections.Collection.model_validate_json(get(f"{root}/collections/{c.id}")[0])
        assert c.id in [found["id"] for found in client.collections()["collections"]]
        rows = {}
        text = get(f"{root}/collections/{c.id}/position?coords=POINT(8.7%2050.1)&f=CSV")[0].decode()
        for row in csv.DictReader(io.StringIO(text)):
            rows[row["name"], row["valid_time"], row["level"], row["number"]] = row["value"]
        assert rows
        for query, options in (("position", {"coords": "POINT(8.7 50.1)"}), ("cube", {"bbox": [-10, 40, 10, 60]}), ("area", {"coords": "POLYGON((-20 20,50 20,50 70,-20 70,-20 20))"})):
            answer = client.query_data(c.id, query, f="CoverageJSON", **options)
            if hasattr(answer, "read"):
                answer = answer.read()
            if isinstance(answer, dict):
                answer = json.dumps(answer)
            found = cov.CoverageCollection.model_validate_json(answer)
            assert found.coverages
            if query == "position":
                for one in found.coverages:
                    for name, of in one.ranges.items():
                        levels = one.domain.axes.z.values if one.domain.axes.z else [None]
                        for t, v in zip(one.domain.axes.t.values, of.values):
                            n += 1
                            assert any(k[0] == name and k[1] == t.strftime("%Y-%m-%dT%H:%M:%SZ") and float(value) == v for k, value in rows.items() if value), (name, t, levels, v)
        places = json.loads(get(f"{root}/collections/{c.id}/locations")[0])
        assert places["features"][0]["id"] == "Frankfurt"
        at = cov.CoverageCollection.model_validate_json(get(f"{root}/collections/{c.id}/locations/Frankfurt")[0])
        assert at.coverages
        geo = json.loads(get(f"{root}/collections/{c.id}/position?coords=POINT(8.7%2050.1)&f=GeoJSON")[0])
        assert len(geo["features"]) == len(rows), (len(geo["features"]), len(rows))
    print(f"{n} values of {len(listed.collections)} collections are those of extract")


if __name__ == "__main__":
    main()
