"""Writes GRIB files as netCDF and compares them in xarray with what cfgrib makes of them.

    .interop/venv/bin/python interop/netcdf/check_fields.py [FILE ...]

Every variable of cfgrib must be there, on the same labels, with the same values (cfgrib's are float32) and missing points. Then the CF checker
(compliance-checker, part cf of interop/setup.sh) must find no error, nor cfchecks, which needs libudunits2 and knows CF up to 1.8.
Exit 1 if anything differs, 77 if xarray is not there.
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
try:
    import cfgrib
    import numpy as np
    import xarray as xr
except ImportError as e:
    print('netcdf/check_fields:', e)
    sys.exit(77)

warnings.simplefilter('ignore')
TGMCONV = os.environ.get('TGMCONV', 'bin/tgmconv')
CHECKER = '.interop/venvcf/bin/compliance-checker'
CFCHECKS = '.interop/venvcf/bin/cfchecks'
# That it does not know the version of CF, and rows of sanity.grib2 as above.
TOLERATED_BY_CFCHECKS = ('does not appear to contain CF Convention data', 'not monotonic')
TABLES = {  # tables that it would fetch; our files have no area types and no regions
    'areas.xml': '<area_type_table><version_number>1</version_number><date>2020</date><entry id="land"/></area_type_table>',
    'regions.xml': '<standardized_region_list><version_number>1</version_number><date>2020</date><entry id="global"/></standardized_region_list>',
}
GRID = ('latitude', 'longitude', 'x', 'y', 'rlat', 'rlon', 'values')
# Files that cfgrib reads otherwise: coefficients in one dimension, a grid without coordinates, rows in alternate directions and columns
# that it does not turn, one dataset with NaN where the fields make several, fields on several grids or of several unknown parameters
# as one variable, other names of dimensions.
NOT_COMPARED = ('spherical_harmonics.grib', 'spherical_pressure_level.grib1', 'sanity.grib2', 'ds.waveh.5.grib', 'mercator.grib', 'dspr.temp.bin', 'scanning_mode.grib2',
                'scanning_mode_with_bitmap.grib2', 'forecast_monthly_ukmo.grib', 'ncep-seasonal-monthly.grib', 'sort_data.grib', 'ecoclimap_rot.grib1',
                'wave_spectra.grib')
SAMPLED = 150_000  # bytes of the largest files of the corpus of which some are taken
# The checker expects the standard name time for a dimension named time; CF does not. Coordinates of
# sanity.grib2 are missing because its section contradicts itself.
TOLERATED = ("Coordinate variable 'time' should have standard_name='time'", 'must be strictly monotonic')
SAME = ('GRIB_paramId', 'GRIB_typeOfLevel', 'GRIB_stepType')


def variables(path):
    return [node[v] for node in xr.open_datatree(path).subtree for v in node.data_vars]


def at_labels(ours, theirs):
    """The part of ours that has the labels of theirs."""
    if 'values' in theirs.dims and 'values' not in ours.dims:  # a grid whose dimensions cfgrib does not know
        ours = ours.stack(values=[d for d in ours.dims if d in GRID], create_index=False)
    # A file with several sets of labels has a dimension for each.
    ours = ours.rename({d: re.sub(r'_[0-9]+$', '', d) for d in ours.dims if d not in theirs.dims and re.sub(r'_[0-9]+$', '', d) in theirs.dims})
    for dim in theirs.dims:
        if dim not in ours.dims and theirs.sizes[dim] == 1:
            ours = ours.expand_dims({dim: theirs[dim].values})
    if {'y', 'x'} <= set(theirs.dims) and {'rlat', 'rlon'} <= set(ours.dims):
        ours = ours.rename(rlat='y', rlon='x')
    ours = ours.isel({d: 0 for d in ours.dims if d in GRID and d not in theirs.dims and ours.sizes[d] == 1})
    labels = {d: theirs[d].values for d in ours.dims if d not in GRID and (d in theirs.dims or d in theirs.coords)}
    return ours.sel(labels).transpose(*theirs.dims)


def equal(ours, theirs):
    try:
        ours = at_labels(ours, theirs)
    except (KeyError, ValueError):
        return False
    if ours.shape != theirs.shape:
        return False
    a, b = ours.values.astype('f8'), theirs.values.astype('f8')
    if not np.array_equal(np.isnan(a), np.isnan(b)):
        return False
    largest = np.nanmax(np.abs(b)) if np.isfinite(b).any() else 0
    return not np.isfinite(b).any() or np.nanmax(np.abs(a - b)) <= 2e-7 * max(largest, 1e-30)


def compare(path, written, wrong):
    if path.endswith(NOT_COMPARED):  # names of the corpus begin with the project
        return 0
    ours, n = variables(written), 0
    try:
        datasets = cfgrib.open_datasets(path, backend_kwargs={'indexpath': ''})
    except Exception as e:  # fields that ecCodes has no coordinates for
        print(f'netcdf/check_fields: {path} is not compared: cfgrib: {type(e).__name__}: {e}')
        return 0
    for d in datasets:
        for name in d.data_vars:
            theirs = d[name]
            alike = [v for v in ours if all((v.attrs.get(k) or None) == (theirs.attrs.get(k) or None) for k in SAME)]
            if any(equal(v, theirs) for v in alike):
                n += 1
            else:
                wrong.append(f'{path}: {name} differs from each of {[v.name for v in alike]}')
    return n


def cf_errors(written, folder):
    report = os.path.join(folder, 'report.json')
    subprocess.run([CHECKER, '-t', 'cf:1.11', '-f', 'json', '-o', report, written], capture_output=True, timeout=900)
    with open(report) as f:
        found = json.load(f)['cf:1.11']['high_priorities']
    messages = [m for check in found if check['value'][0] != check['value'][1] for m in check['msgs']]
    return [m for m in messages if not any(t in m for t in TOLERATED)]


def cfchecks_errors(paths, folder):
    """The findings of cfchecks in files, None if it cannot run. paths maps the files to the paths of their sources."""
    for name, text in TABLES.items():
        with open(os.path.join(folder, name), 'w') as f:
            f.write(text)
    names = glob.glob('.interop/venvcf/lib/python3*/site-packages/compliance_checker/data/cf-standard-name-table.xml')
    if not os.path.exists(CFCHECKS) or not names:
        return None
    r = subprocess.run([CFCHECKS, '-v', '1.8', '-s', names[0], '-a', os.path.join(folder, 'areas.xml'), '-r', os.path.join(folder, 'regions.xml'), *paths],
                       capture_output=True, text=True, timeout=600)
    path, wrong, seen = '', [], 0
    for line in r.stdout.splitlines():
        if line.startswith('CHECKING NetCDF FILE:'):
            path, seen = line.split(': ', 1)[1], seen + 1
        elif line.startswith(('ERROR:', 'FATAL:')) and not any(t in line for t in TOLERATED_BY_CFCHECKS):
            wrong.append(f'{paths.get(path, path)}: cfchecks: {line}')
    return wrong if seen == len(paths) else None


def sample():
    """A part of the corpus."""
    files = [f for f in glob.glob('.interop/corpus/grib/*') if os.path.getsize(f) < SAMPLED and 'corrupt' not in f]
    return [f for f in sorted(files)[::9] if b'GRIB' in open(f, 'rb').read(65536)]


def main():
    # The checker takes minutes over files of many variables: those are for the command line.
    files = sys.argv[1:] or sorted(glob.glob('fixtures/grib/*.grib2') + glob.glob('fixtures/grib/cfgrib/*.grib'), key=os.path.getsize)[:14] + sample()
    wrong, compared, checked, written_of = [], 0, 0, {}
    with tempfile.TemporaryDirectory() as folder:
        for i, path in enumerate(files):
            written = os.path.join(folder, f'{i}.nc')
            r = subprocess.run([TGMCONV, 'to-netcdf', '-q', '-o', written, path], capture_output=True, text=True, timeout=300)
            if r.returncode:
                wrong.append(f'{path}: {r.stderr[-200:]}')
                continue
            written_of[written] = path
            compared += compare(path, written, wrong)
            if os.path.exists(CHECKER):
                checked += 1
                wrong += [f'{path}: {m}' for m in cf_errors(written, folder)]
        found = cfchecks_errors(written_of, folder)
        print('netcdf/check_fields:', 'cfchecks cannot run (libudunits2)' if found is None else f'cfchecks read {len(written_of)} files')
        wrong += found or []
    for w in wrong:
        print('netcdf/check_fields:', w)
    print(f'netcdf/check_fields: {len(files)} files, {compared} variables equal those of cfgrib, {checked} files checked for CF, {len(wrong)} errors')
    return 1 if wrong or not compared else 0


sys.exit(main())
