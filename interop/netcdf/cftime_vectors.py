"""Writes cf/testdata/cftime.json: dates that cftime decodes, or null where it refuses units or calendar.

usage: cftime_vectors.py FILE
"""
import json, random, sys, warnings
import cftime

warnings.simplefilter("ignore")
random.seed(1)
CALENDARS = ["standard", "gregorian", "proleptic_gregorian", "julian", "noleap", "365_day", "all_leap", "366_day", "360_day"]
UNITS = ["days since 1850-01-01", "hours since 1900-01-01 00:00:00.0", "seconds since 1970-01-01T00:00:00Z", "minutes since 2000-02-28 12:30",
         "days since 0001-01-01", "days since -0004-01-01", "days since 1582-10-04", "months since 2000-01-01", "common_years since 2001-01-01",
         "hours since 2000-01-01 12:30:15.5 +01:30", "msec since 2000-12-31 23:59:59", "Days since 2000-02-30", "h since 1999-12-31 00:00 -0600",
         "microseconds since 1970-01-01", "years since 2000-01-01", "weeks since 2000-01-01", "day as %Y%m%d.%f", "hours since 2000-01-01 24:00"]
out = []
for calendar in CALENDARS:
    for units in UNITS:
        values = [0, 1, -1, 58, 59, 60, 365, 366, -365.25, 0.5, 1.1, 100000.123456, -100000.75, 730000.3] + [random.uniform(-2e5, 2e5) for _ in range(6)]
        for v in values:
            try:
                d = cftime.num2date(v, units, calendar=calendar)
                date = [d.year, d.month, d.day, d.hour, d.minute, d.second, d.microsecond]
            except OverflowError:
                continue  # beyond 64 bits of microseconds
            except (ValueError, TypeError):
                date = None
            out.append({"units": units, "calendar": calendar, "value": v, "date": date})
            if date is None and v == 0:
                break
json.dump({"cftime": cftime.__version__, "dates": out}, open(sys.argv[1], "w"), separators=(",", ":"))
