"""Makes fixtures/netcdf/wild/: small netCDF files as models, satellites and floats write them, and what they mean.

    .interop/venv/bin/python interop/netcdf/make_wild.py [FOLDER]

The values are this project's; names, dimensions and attributes are those that the programs write. look/testdata/wild.json has, for each
variable with places, what xarray, cftime and pyproj say: of each slice the time, the value nearest to a place, and where it lies.
"""
import json
import os
import sys

import cftime
import h5py
import netCDF4
import numpy as np
import pyproj

OUT = sys.argv[1] if len(sys.argv) > 1 else 'fixtures/netcdf/wild'
os.makedirs(OUT, exist_ok=True)
PLACE = (47.1, 9.2)
expected = []


def new(name, **dims):
    d = netCDF4.Dataset(os.path.join(OUT, name), 'w', format='NETCDF3_CLASSIC')
    for dim, n in dims.items():
        d.createDimension(dim, n)
    return d


def var(d, name, dims=(), values=None, dtype='f4', fill=None, **attrs):
    v = d.createVariable(name, dtype, dims, fill_value=fill)
    v.set_auto_maskandscale(False)
    v.setncatts(attrs)
    if values is not None:
        v[...] = values
    return v


def ramp(*shape):
    return np.arange(np.prod(shape), dtype='f4').reshape(shape) + 0.5


def expect(name, variable, slices):
    expected.append({'file': name, 'variable': variable, 'slices': slices})


def nearest(lat, lon, field):
    """The value of a field nearest to PLACE on arrays of places, and the place."""
    a, b = np.radians(lat), np.radians(lon)
    p, q = np.radians(PLACE)
    cos = np.sin(a) * np.sin(p) + np.cos(a) * np.cos(p) * np.cos(b - q)
    i = int(np.nanargmax(cos))
    return {'value': float(np.asarray(field).ravel()[i]), 'lat': float(np.asarray(lat).ravel()[i]), 'lon': float(np.asarray(lon).ravel()[i])}


def at(time, lat, lon, field):
    return dict(nearest(lat, lon, field), time=time)


def wrf(name, moving):
    d = new(name, Time=None, DateStrLen=19, south_north=4, west_east=5, bottom_top=2)
    times = ['2005-08-28_00:00:00', '2005-08-28_03:30:00']
    lat = np.array([np.repeat(np.linspace(44, 50, 4)[:, None], 5, 1) + moving * t for t in range(2)], 'f4')
    lon = np.array([np.repeat(np.linspace(4, 14, 5)[None], 4, 0) + moving * t for t in range(2)], 'f4')
    var(d, 'Times', ('Time', 'DateStrLen'), np.array([list(t) for t in times], 'S1'), 'S1')
    var(d, 'XLAT', ('Time', 'south_north', 'west_east'), lat, units='degree_north', description='LATITUDE, SOUTH IS NEGATIVE')
    var(d, 'XLONG', ('Time', 'south_north', 'west_east'), lon, units='degree_east', description='LONGITUDE, WEST IS NEGATIVE')
    t2 = ramp(2, 4, 5)
    var(d, 'T2', ('Time', 'south_north', 'west_east'), t2, units='K', description='TEMP at 2 M', coordinates='XLONG XLAT')
    t = ramp(2, 2, 4, 5)
    var(d, 'T', ('Time', 'bottom_top', 'south_north', 'west_east'), t, units='K', coordinates='XLONG XLAT')
    d.close()
    iso = [t.replace('_', 'T') + 'Z' for t in times]
    expect(name, 'T2', [at(iso[i], lat[i], lon[i], t2[i]) for i in range(2)])
    expect(name, 'T', [at(iso[i], lat[i], lon[i], t[i, k]) for i in range(2) for k in range(2)])


wrf('wrf.nc', 0)
wrf('wrf_moving.nc', 1.5)

# ROMS: coordinates named by points of the staggered grid, without units.
d = new('roms.nc', ocean_time=2, s_rho=2, eta_rho=3, xi_rho=4, xi_u=3)
lat, lon = np.meshgrid(np.linspace(45, 49, 3), np.linspace(6, 12, 4), indexing='ij')
var(d, 'ocean_time', ('ocean_time',), [0, 86400 * 59], 'f8', units='seconds since 2001-01-01 00:00:00', calendar='360_day')
var(d, 's_rho', ('s_rho',), [-0.75, -0.25], 'f8', standard_name='ocean_s_coordinate_g2', positive='up')
var(d, 'lat_rho', ('eta_rho', 'xi_rho'), lat, 'f8', long_name='latitude of RHO-points')
var(d, 'lon_rho', ('eta_rho', 'xi_rho'), lon, 'f8', long_name='longitude of RHO-points')
var(d, 'lat_u', ('eta_rho', 'xi_u'), lat[:, 1:], 'f8')
var(d, 'lon_u', ('eta_rho', 'xi_u'), lon[:, 1:] - 1, 'f8')
temp, u = ramp(2, 2, 3, 4), ramp(2, 3, 3)
var(d, 'temp', ('ocean_time', 's_rho', 'eta_rho', 'xi_rho'), temp, units='Celsius', coordinates='lon_rho lat_rho s_rho ocean_time')
var(d, 'ubar', ('ocean_time', 'eta_rho', 'xi_u'), u, units='meter second-1')
var(d, 'spherical', (), 1, 'i4')
d.close()
iso = [t.isoformat() for t in cftime.num2date([0, 86400 * 59], 'seconds since 2001-01-01', '360_day')]
assert iso[1].startswith('2001-02-30')
expect('roms.nc', 'temp', [at(iso[i], lat, lon, temp[i, k]) for i in range(2) for k in range(2)])
expect('roms.nc', 'ubar', [at(iso[i], lat[:, 1:], lon[:, 1:] - 1, u[i]) for i in range(2)])

# A rotated pole without latitudes and longitudes, its description a character.
d = new('rotated.nc', rlat=3, rlon=4, bnds=2)
rlat, rlon = np.array([-5., 0, 5]), np.array([-12., -8, -4, 0])
var(d, 'rlat', ('rlat',), rlat, 'f8', standard_name='grid_latitude', units='degrees', axis='Y', bounds='rlat_bnds')
var(d, 'rlat_bnds', ('rlat', 'bnds'), np.stack([rlat - 2.5, rlat + 2.5], 1), 'f8')
var(d, 'rlon', ('rlon',), rlon, 'f8', standard_name='grid_longitude', units='degrees', axis='X')
cf = {'grid_mapping_name': 'rotated_latitude_longitude', 'grid_north_pole_latitude': 39.25, 'grid_north_pole_longitude': -162.0}
var(d, 'rotated_pole', (), b'', 'S1', **cf)
tas = ramp(3, 4)
var(d, 'tas', ('rlat', 'rlon'), tas, units='K', standard_name='air_temperature', grid_mapping='rotated_pole', coordinates='time')
var(d, 'time', (), 6, 'f8', units='hours since 2020-01-01')
d.close()
x, y = np.meshgrid(rlon, rlat)
lon, lat = pyproj.Transformer.from_crs(pyproj.CRS.from_cf(dict(cf, north_pole_grid_longitude=0.0)), 'EPSG:4326', always_xy=True).transform(x, y)
expect('rotated.nc', 'tas', [at('2020-01-01T06:00:00Z', lat, lon, tas)])

# A Lambert conformal map in kilometres.
d = new('lambert.nc', y=3, x=4)
xs, ys = np.array([-500., 0, 500, 1000]), np.array([-400., 0, 400])
var(d, 'x', ('x',), xs, 'f8', standard_name='projection_x_coordinate', units='km')
var(d, 'y', ('y',), ys, 'f8', standard_name='projection_y_coordinate', units='km')
cf = {'grid_mapping_name': 'lambert_conformal_conic', 'standard_parallel': [30.0, 60.0], 'longitude_of_central_meridian': 5.0,
      'latitude_of_projection_origin': 46.0, 'earth_radius': 6371229.0}
var(d, 'crs', (), 0, 'i4', **cf)
tas = ramp(3, 4)
var(d, 'tas', ('y', 'x'), tas, units='K', grid_mapping='crs')
d.close()
x, y = np.meshgrid(xs * 1000, ys * 1000)
lon, lat = pyproj.Proj(pyproj.CRS.from_cf(cf))(x, y, inverse=True)
expect('lambert.nc', 'tas', [at('', lat, lon, tas)])

# A geostationary satellite: packed angles, packed unsigned values, some of them beside the Earth.
d = new('goes.nc', y=4, x=5)
xi, yi = np.array([0, 700, 1400, 2100, 2800], 'i2'), np.array([0, 400, 800, 1200], 'i2')
sx = {'scale_factor': np.float32(5.6e-05), 'add_offset': np.float32(0.02)}
sy = {'scale_factor': np.float32(-5.6e-05), 'add_offset': np.float32(0.14)}
var(d, 'x', ('x',), xi, 'i2', units='rad', axis='X', standard_name='projection_x_coordinate', **sx)
var(d, 'y', ('y',), yi, 'i2', units='rad', axis='Y', standard_name='projection_y_coordinate', **sy)
var(d, 't', (), 5.0e8, 'f8', standard_name='time', units='seconds since 2000-01-01 12:00:00', axis='T')
var(d, 'goes_imager_projection', (), 0, 'i4', grid_mapping_name='geostationary', perspective_point_height=35786023.0, semi_major_axis=6378137.0,
    semi_minor_axis=6356752.31414, longitude_of_projection_origin=-30.0, sweep_angle_axis='x')
rad = np.arange(20, dtype='i2').reshape(4, 5) - 10
var(d, 'Rad', ('y', 'x'), rad, 'i2', units='K', grid_mapping='goes_imager_projection', coordinates='t y x', _Unsigned='true', scale_factor=np.float32(0.01), add_offset=np.float32(0))
d.close()
x, y = np.meshgrid(xi * np.float64(sx['scale_factor']) + np.float64(sx['add_offset']), yi * np.float64(sy['scale_factor']) + np.float64(sy['add_offset']))
lon, lat = pyproj.Proj('+proj=geos +h=35786023 +lon_0=-30 +sweep=x +a=6378137 +b=6356752.31414')(x * 35786023, y * 35786023, inverse=True)
lat, lon = np.where(np.isfinite(lat), lat, np.nan), np.where(np.isfinite(lon), lon, np.nan)
assert np.isnan(lat).any() and np.isfinite(lat).any()
t = cftime.num2date(5.0e8, 'seconds since 2000-01-01 12:00:00', 'standard').isoformat() + 'Z'
expect('goes.nc', 'Rad', [at(t, lat, lon, rad.view('u2').astype('f4') * np.float32(0.01))])

# Argo: profiles, and texts of all kinds.
d = new('argo.nc', N_PROF=3, N_LEVELS=2, STRING4=4, STRING8=8)
lat, lon = np.array([40., 46, 60]), np.array([3., 8, 10])
var(d, 'PLATFORM_NUMBER', ('N_PROF', 'STRING8'), np.array([list('1901234 ')] * 3, 'S1'), 'S1')
var(d, 'DATA_TYPE', ('STRING4',), np.array(list('Argo'), 'S1'), 'S1')
var(d, 'DIRECTION', ('N_PROF',), np.array(list('AAD'), 'S1'), 'S1')
var(d, 'JULD', ('N_PROF',), [25000.25, 25001, 25002], 'f8', standard_name='time', units='days since 1950-01-01 00:00:00 UTC')
var(d, 'LATITUDE', ('N_PROF',), lat, 'f8', standard_name='latitude', units='degree_north')
var(d, 'LONGITUDE', ('N_PROF',), lon, 'f8', standard_name='longitude', units='degree_east')
temp = ramp(3, 2)
var(d, 'TEMP', ('N_PROF', 'N_LEVELS'), temp, units='degree_Celsius', fill=np.float32(99999))
d.close()
expect('argo.nc', 'TEMP', [at('', lat, lon, temp[:, k]) for k in range(2)])

# UGRID: values on faces and on nodes.
d = new('ugrid.nc', nMesh2_node=4, nMesh2_face=2, Three=3, time=1)
nlat, nlon = np.array([45., 45, 48, 48]), np.array([6., 10, 6, 10])
faces = np.array([[0, 1, 2], [1, 3, 2]], 'i4')
flat, flon = nlat[faces].mean(1), nlon[faces].mean(1)
var(d, 'Mesh2', (), 0, 'i4', cf_role='mesh_topology', topology_dimension=2, node_coordinates='Mesh2_node_x Mesh2_node_y',
    face_node_connectivity='Mesh2_face_nodes', face_coordinates='Mesh2_face_x Mesh2_face_y')
var(d, 'Mesh2_face_nodes', ('nMesh2_face', 'Three'), faces, 'i4', start_index=0)
for where, x, y, dim in (('node', nlon, nlat, 'nMesh2_node'), ('face', flon, flat, 'nMesh2_face')):
    var(d, f'Mesh2_{where}_x', (dim,), x, 'f8', standard_name='longitude', units='degrees_east')
    var(d, f'Mesh2_{where}_y', (dim,), y, 'f8', standard_name='latitude', units='degrees_north')
var(d, 'time', ('time',), [1.5], 'f8', units='days since 2020-02-28', calendar='standard')
depth, level = ramp(1, 2), ramp(4)
var(d, 'depth', ('time', 'nMesh2_face'), depth, units='m', mesh='Mesh2', location='face')
var(d, 'level', ('nMesh2_node',), level, units='m', mesh='Mesh2', location='node')
d.close()
expect('ugrid.nc', 'depth', [at('2020-02-29T12:00:00Z', flat, flon, depth[0])])
expect('ugrid.nc', 'level', [at('', nlat, nlon, level)])

# MPAS: cells in radians.
d = new('mpas.nc', nCells=3)
lat, lon = np.array([40., 47.5, 60]), np.array([3., 9.5, 10])
var(d, 'latCell', ('nCells',), np.radians(lat), 'f8', units='rad', long_name='Latitude location of cell centers in radians.')
var(d, 'lonCell', ('nCells',), np.radians(lon), 'f8', units='rad', long_name='Longitude location of cell centers in radians.')
var(d, 'ssh', ('nCells',), ramp(3), units='m')
d.close()
expect('mpas.nc', 'ssh', [at('', lat, lon, ramp(3))])

# No attributes at all, and axes in any order.
d = new('names.nc', lat=3, lon=4, time=2)
lat, lon = np.array([45., 47, 49]), np.array([6., 8, 10, 12])
var(d, 'lat', ('lat',), lat)
var(d, 'lon', ('lon',), lon)
var(d, 'time', ('time',), [10, 20], units='days since 2001-01-01', calendar='noleap')
a, b = ramp(4, 3), ramp(3, 4, 2)
var(d, 'columns', ('lon', 'lat'), a)
var(d, 'last', ('lat', 'lon', 'time'), b)
var(d, 'gw', ('lat',), ramp(3))
d.close()
y, x = np.meshgrid(lat, lon, indexing='ij')
expect('names.nc', 'columns', [at('', y.T, x.T, a)])
iso = [t.isoformat() for t in cftime.num2date([10, 20], 'days since 2001-01-01', 'noleap')]
expect('names.nc', 'last', [at(iso[k], y, x, b[:, :, k]) for k in range(2)])

# A station, with numbers that mark missing values although no attribute says so.
d = new('station.nc', time=3)
var(d, 'lat', (), 47.25, 'f8', units='degrees_north')
var(d, 'lon', (), 8.5, 'f8', units='degrees_east')
var(d, 'time', ('time',), [0, 1, 2], 'f8', units='hours since 2020-01-01')
var(d, 'tg', ('time',), [1.5, -999, 2.5], units='Celsius', coordinates='lat lon')
var(d, 'n', ('time',), [1, -999, 3], 'i2', coordinates='lat lon')
d.close()
expect('station.nc', 'tg', [{'time': f'2020-01-01T0{i}:00:00Z', 'lat': 47.25, 'lon': 8.5, 'value': v} for i, v in enumerate([1.5, -999, 2.5])])

# A volume of a weather radar by ODIM_H5: two sweeps of packed integers, of which the second says the angles of each ray. The
# beam is as xradar and wradlib have it: on an Earth of 4/3 of its radius at the latitude of the antenna.
with h5py.File(os.path.join(OUT, 'odim.h5'), 'w') as d:
    d.attrs['Conventions'] = np.bytes_('ODIM_H5/V2_2')
    for group, attrs in {
            'what': {'object': b'PVOL', 'date': b'20200207', 'time': b'131000', 'version': b'H5rad 2.2', 'source': b'NOD:none'},
            'where': {'lat': 47.0, 'lon': 9.0, 'height': 500.0}}.items():
        d.create_group(group).attrs.update(attrs)
    rays, bins = 6, 5
    raw = (np.arange(rays * bins) * 7 % 250).astype('u1').reshape(rays, bins)
    for n, (angle, azimuths, more) in enumerate((
            (0.5, np.arange(rays) * 60 + 30.0, {}),
            (4.0, np.arange(rays) * 60.0, {'startazA': (np.arange(rays) * 60 - 30.0) % 360, 'stopazA': np.arange(rays) * 60 + 30.0}))):
        sweep = d.create_group(f'dataset{n + 1}')
        sweep.create_group('what').attrs.update({'product': b'SCAN', 'startdate': b'20200207', 'starttime': f'13100{n}'.encode(), 'enddate': b'20200207',
                                                 'endtime': f'13103{n}'.encode()})
        sweep.create_group('where').attrs.update({'elangle': angle, 'nrays': rays, 'nbins': bins, 'rscale': 10000.0, 'rstart': 1.0, 'a1gate': 0})
        sweep.create_group('how').attrs.update(more)
        for k, (quantity, gain, offset) in enumerate((('DBZH', 0.5, -32.0), ('VRADH', 0.25, -30.0))):
            data = sweep.create_group(f'data{k + 1}')
            data['data'] = raw
            data.create_group('what').attrs.update({'quantity': quantity.encode(), 'gain': gain, 'offset': offset, 'nodata': 210.0, 'undetect': 0.0})
        r = 1000 + 5000 + 10000 * np.arange(bins)
        a, b = 6378137.0, 6378137.0 * (1 - 1 / 298.257223563)
        cos, sin = np.cos(np.radians(47)), np.sin(np.radians(47))
        radius = 4 / 3 * np.sqrt(((a * a * cos) ** 2 + (b * b * sin) ** 2) / ((a * cos) ** 2 + (b * sin) ** 2))
        theta = np.radians(angle)
        z = np.sqrt(r ** 2 + (radius + 500) ** 2 + 2 * r * (radius + 500) * np.sin(theta)) - radius
        ground = radius * np.arcsin(r * np.cos(theta) / (radius + z))
        az = np.repeat(azimuths[:, None], bins, 1)
        lon, lat, _ = pyproj.Geod(ellps='WGS84').fwd(np.full(az.shape, 9.0), np.full(az.shape, 47.0), az, np.broadcast_to(ground, az.shape))
        values = np.where(raw == 210, np.nan, raw * 0.5 - 32)
        expect('odim.h5', f'dataset{n + 1}/DBZH', [at(f'2020-02-07T13:10:0{n}Z', lat, lon, values)])

with open('look/testdata/wild.json', 'w') as f:
    f.write('[\n' + ',\n'.join(json.dumps(e) for e in expected) + '\n]\n')
