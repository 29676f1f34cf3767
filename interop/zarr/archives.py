"""Derives GRIB archives from ecCodes' samples, in styles that the fixtures do not have.

    .interop/venv/bin/python interop/zarr/archives.py FOLDER

No two fields of an archive are the same.
"""
import os
import sys

import eccodes
import numpy as np


def surface(which, kind, value, factor=0):
    return {f'typeOf{which}FixedSurface': kind, f'scaleFactorOf{which}FixedSurface': factor, f'scaledValueOf{which}FixedSurface': value}


def layer(kind, top, bottom, factor=0):
    return surface('First', kind, top, factor) | surface('Second', kind, bottom, factor)


def limit(which, value):
    return {f'scaleFactorOf{which}Limit': 0, f'scaledValueOf{which}Limit': value}


def local1(number, **keys):
    return {'setLocalDefinition': 1, 'localDefinitionNumber': number, 'class': 'od', 'expver': '0001', **keys}


STATISTIC = {'productDefinitionTemplateNumber': 8, 'shortName': '2t'}
ENSEMBLE = {'productDefinitionTemplateNumber': 1, 'shortName': '2t', 'numberOfForecastsInEnsemble': 3}
SATELLITE = {'productDefinitionTemplateNumber': 32, 'shortName': 'clbt', 'NB': 1, 'satelliteSeries': 333, 'instrumentType': 207,
             'scaleFactorOfCentralWaveNumber': 0}
AEROSOL = {'productDefinitionTemplateNumber': 44, 'discipline': 0, 'parameterCategory': 20, 'parameterNumber': 0, 'typeOfSizeInterval': 2,
           'scaleFactorOfFirstSize': 7, 'scaleFactorOfSecondSize': 7}
OPTICAL = {'productDefinitionTemplateNumber': 48, 'discipline': 0, 'parameterCategory': 20, 'parameterNumber': 102, 'aerosolType': 62000,
           'typeOfSizeInterval': 255, 'typeOfWavelengthInterval': 11, 'scaleFactorOfFirstWavelength': 9}
SPECTRUM = {'tablesVersion': 30, 'productDefinitionTemplateNumber': 100, 'discipline': 10, 'parameterCategory': 0, 'parameterNumber': 86,
            'numberOfWaveDirections': 3, 'numberOfWaveFrequencies': 2}
PROBABILITY = {'productDefinitionTemplateNumber': 5, 'shortName': '10u', 'forecastProbabilityNumber': 1, 'totalNumberOfForecastProbabilities': 4}
SEASONAL = local1(16, stream='msmm', type='fcmean', indicatorOfParameter=167, table2Version=128, dataDate=20200101, stepUnits=1)
LOCAL_TIME = {'tablesVersion': 31, 'productDefinitionTemplateNumber': 88, 'discipline': 0, 'parameterCategory': 0, 'parameterNumber': 0,
              'localTimeMethod': 0, 'numberOfForecastsUsedInLocalTime': 1, 'yearOfForecastUsedInLocalTime': 2007, 'monthOfForecastUsedInLocalTime': 3,
              'dayOfForecastUsedInLocalTime': 22, 'indicatorOfUnitForForecastTime': 1, 'forecastTime': 3}
T1 = {'indicatorOfParameter': 130, 'table2Version': 128}
WINDOWS = ('0-3', '3-6', '6-9', '0-6', '0-9', '0-12', '9-12', '0-1', '1-2')

# The archives: name, edition, and the keys of each field.
ARCHIVES = [
    ('seasonal_means', 1, [SEASONAL | {'endStep': end, 'number': n, 'system': s, 'method': m, 'verifyingMonth': 202000 + month, 'averagingPeriod': 6}
                           for s in (4, 5) for m in (1, 2) for n in (0, 1) for month, end in ((1, 744), (2, 1440), (3, 2184))]),
    ('hindcasts', 2, [local1(26, stream='enfh', type='pf', referenceDate=20200103) | ENSEMBLE | {'dataDate': date, 'step': step, 'number': n}
                      for date in (20100103, 20110103) for n in (0, 1, 2) for step in (0, 24)]),
    ('wave_spectra', 2, [SPECTRUM | {'waveDirectionNumber': d, 'waveFrequencyNumber': f, 'number': n} for d in (1, 2, 3) for f in (1, 2) for n in (1, 2)]),
    ('satellites', 2, [SATELLITE | {'step': step, 'satelliteNumber': s, 'scaledValueOfCentralWaveNumber': c}
                       for s in (51, 52) for c in (10800, 12000) for step in (0, 3)]),
    ('constituents', 2, [{'productDefinitionTemplateNumber': 40, 'discipline': 0, 'parameterCategory': 20, 'parameterNumber': 2, 'constituentType': c}
                         | surface('First', 100, p) for c in (0, 4, 7, 10000) for p in (50000, 85000)]),
    ('aerosol_sizes', 2, [AEROSOL | {'aerosolType': t, 'scaledValueOfFirstSize': a, 'scaledValueOfSecondSize': b}
                          for t in (62000, 62001) for a, b in ((0, 5), (5, 25), (25, 100))]),
    ('wavelengths', 2, [OPTICAL | {'scaledValueOfFirstWavelength': w, 'step': step} for w in (469, 550, 670) for step in (0, 3)]),
    ('probabilities', 2, [PROBABILITY | {'probabilityType': kind} | limits for kind, limits in (
        (0, limit('Lower', 5)), (1, limit('Upper', 5)), (1, limit('Upper', 10)), (3, limit('Lower', 5)),
        (2, limit('Lower', 1) | limit('Upper', 5)), (2, limit('Lower', 1) | limit('Upper', 10)))]),
    ('percentiles', 2, [{'productDefinitionTemplateNumber': 6, 'shortName': '2t', 'percentileValue': p, 'step': step} for p in (10, 50, 90) for step in (0, 6)]),
    ('derived', 2, [{'productDefinitionTemplateNumber': 2, 'shortName': '2t', 'derivedForecast': d, 'numberOfForecastsInEnsemble': 51} for d in range(10)]),
    ('pressures', 2, [{'shortName': 't'} | surface('First', 100, p) for p in (20, 40, 150, 200, 250, 85000, 85050)]),
    ('pressure_layers', 2, [{'shortName': 't'} | layer(100, *l) for l in ((100000, 50000), (50000, 0), (100000, 0))]),
    ('soil', 2, [{'shortName': 't'} | layer(106, *l, factor=2) for l in ((0, 7), (7, 28), (28, 100), (100, 289))]),
    ('soil_edition1', 1, [T1 | {'indicatorOfTypeOfLevel': 112, 'topLevel': a, 'bottomLevel': b} for a, b in ((0, 7), (7, 28), (28, 100), (100, None))]),
    ('ocean', 2, [{'discipline': 10, 'parameterCategory': 4, 'parameterNumber': 3} | l for l in (
        surface('First', 160, 5, 1), surface('First', 160, 15, 1), layer(160, 0, 100), layer(160, 100, 300), layer(160, 0, 300))]),
    ('levels', 2, [{'shortName': 't'} | l for l in (
        surface('First', 104, 995, 3), surface('First', 104, 9, 1), surface('First', 107, 300), surface('First', 107, 315), surface('First', 109, 1500, 9),
        surface('First', 109, 2000, 9), surface('First', 103, 2), surface('First', 103, 15, 1), layer(103, 1000, 0), layer(103, 3000, 0), layer(108, 3000, 0),
        layer(108, 6000, 3000), layer(108, 9000, 0), layer(107, 300, 310), layer(107, 310, 330), layer(105, 1, 2), layer(105, 2, 3))]),
    ('levels_edition1', 1, [T1 | {'indicatorOfTypeOfLevel': kind, 'level': v} for kind, list_ in (
        (107, (9950, 9000)), (113, (300, 315)), (117, (1500, 2000)), (105, (2, 10)), (109, (1, 2, 137)), (111, (5, 20)), (100, (1000, 500)), (160, (5, 15)))
        for v in list_]
     + [T1 | {'indicatorOfTypeOfLevel': kind, 'topLevel': a, 'bottomLevel': b} for kind, list_ in (
         (101, ((100, 50), (50, 0), (100, 0))), (106, ((30, 0), (60, 0))), (108, ((44, 72), (44, 100), (72, 94), (33, 100))), (116, ((30, 0), (60, 30), (90, 0))))
        for a, b in list_]),
    ('windows', 2, [{'shortName': 'tp', 'dataTime': t, 'stepRange': w} for t in (0, 1200) for w in WINDOWS]),
    ('windows_edition1', 1, [{'shortName': 'tp', 'timeRangeIndicator': 4, 'dataTime': t, 'stepRange': w} for t in (0, 1200) for w in WINDOWS]),
    ('statistics', 2, [STATISTIC | {'typeOfStatisticalProcessing': s, 'stepRange': w} for s in range(7) for w in ('0-6', '6-12', '0-24')]
     + [{'shortName': '2t', 'step': 6}]),
    ('interval_ends', 2, [STATISTIC | {'typeOfStatisticalProcessing': 1, 'stepRange': '0-24', 'dayOfEndOfOverallTimeInterval': day} for day in (24, 25, 26)]),
    ('units_of_steps', 2, [{'shortName': '2t', 'indicatorOfUnitOfTimeRange': u, 'forecastTime': n}
                           for u, list_ in ((0, (15, 30, 75)), (1, (2, 3)), (2, (1, 2)), (3, (1, 2)), (4, (1, 2)), (5, (2, 20))) for n in list_]),
    ('local_time', 2, [LOCAL_TIME | {'hourOfForecastUsedInLocalTime': hour} for hour in (0, 6, 18)]),
    ('ensemble_types', 2, [ENSEMBLE | {'centre': 7, 'typeOfEnsembleForecast': kind, 'perturbationNumber': n} for kind, n in ((0, 0), (1, 0), (2, 1), (2, 2), (3, 1))]),
    ('origins', 2, [{'shortName': '2t', 'centre': c, 'generatingProcessIdentifier': p} for c in (7, 98, 34) for p in (1, 2)]),
    ('runs', 2, [{'shortName': '2t', 'dataDate': 20200101, 'dataTime': t, 'step': s} for t in (0, 600, 1200) for s in ((0, 6, 12) if t != 600 else (0,))]),
]
GRID = {'Ni': 8, 'Nj': 5, 'latitudeOfFirstGridPointInDegrees': 40, 'latitudeOfLastGridPointInDegrees': 0, 'longitudeOfFirstGridPointInDegrees': 0,
        'longitudeOfLastGridPointInDegrees': 70, 'iDirectionIncrementInDegrees': 10, 'jDirectionIncrementInDegrees': 10}
GRIDS = ('reduced_gg_pl_48_grib2', 'regular_gg_pl_grib2', 'sh_pl_grib2', 'regular_ll_pl_grib2')


def field(sample, keys, seed):
    h = eccodes.codes_grib_new_from_samples(sample)
    for key, value in keys.items():
        if value is None:
            eccodes.codes_set_missing(h, key)
        else:
            eccodes.codes_set(h, key, value)
    n = keys['Ni'] * keys['Nj'] if 'Ni' in keys else eccodes.codes_get_size(h, 'values')
    eccodes.codes_set_values(h, np.random.default_rng(seed).random(n) * 100 + seed)
    message = eccodes.codes_get_message(h)
    eccodes.codes_release(h)
    return message


def derive(folder):
    """Writes the archives and returns their paths."""
    archives = [(name, [(f'regular_ll_sfc_grib{edition}', GRID | keys) for keys in fields]) for name, edition, fields in ARCHIVES]
    archives.append(('grids', [(sample, {'shortName': 't', 'level': p}) for sample in GRIDS for p in (500, 850)]))
    paths = []
    for name, fields in archives:
        paths.append(os.path.join(folder, name + '.grib'))
        with open(paths[-1], 'wb') as f:
            for i, (sample, keys) in enumerate(fields):
                f.write(field(sample, keys, i))
    return paths


if __name__ == '__main__':
    print(*derive(sys.argv[1]), sep='\n')
