#!/usr/bin/env bash
# Installs the outside programs that `make interop` compares tgmconv with into .interop/ (git-ignored).
# Each part is installed on its own; one that cannot be installed is named on the last lines and
# recorded in .interop/missing, and its checks are then reported as skipped, by name.
#
#   interop/setup.sh [part ...]     the parts are those of the function names below
set -u
cd "$(dirname "$0")/.."
root=$PWD/.interop
mkdir -p "$root/log"
: "${PYTHON:=python3}"

python_packages=(
  eccodes==2.50.0 eccodeslib==2.50.0.33
  tensogram==0.24.0 tensogram-xarray==0.24.0 tensogram-zarr==0.24.0
  netCDF4 h5py hdf5plugin h5netcdf
  zarr==3.1.6 obstore==0.12.1 xarray dask aiohttp requests cfgrib cf_xarray==0.11.3 pyproj==3.7.2 pytest==9.2.0
  edr-pydantic==0.7.0 covjson-pydantic==0.8.0 OWSLib==0.35.0
)

part_python() {
  [ -x "$root/venv/bin/python" ] || "$PYTHON" -m venv "$root/venv" || return 1
  "$root/venv/bin/python" -m pip install --quiet --disable-pip-version-check "${python_packages[@]}" || return 1
  # Of its requirements, which are some GB, the check that uses it needs none.
  "$root/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps tensogram-anemoi==0.24.0
}

# Newer Pythons than the other checks run on, for the wheel.
part_pythons() {
  local python version found=
  for version in 3.12 3.13; do
    for python in python$version "$HOME"/.pyenv/versions/$version*/bin/python; do
      "$python" -c 'pass' 2>/dev/null || continue
      [ -x "$root/venv$version/bin/python" ] || "$python" -m venv "$root/venv$version" || return 1
      "$root/venv$version/bin/python" -m pip install --quiet --disable-pip-version-check numpy==2.4.6 xarray==2026.9.0 || return 1
      found=1
      break
    done
  done
  [ -n "$found" ]
}

# The C libraries of payload codecs. In a place of its own because zfpy breaks zarr.
part_codecs() {
  [ -x "$root/venv-codecs/bin/python" ] || "$PYTHON" -m venv "$root/venv-codecs" || return 1
  "$root/venv-codecs/bin/python" -m pip install --quiet --disable-pip-version-check \
    tensogram==0.24.0 numpy blosc2==4.14.1 zfpy==1.0.1 pysz==1.1.0 hdf5plugin==7.1.0 h5py
}

# PROJ, for the places of projected grids.
part_pyproj() {
  [ -x "$root/pyproj/bin/python" ] || "$PYTHON" -m venv "$root/pyproj" || return 1
  "$root/pyproj/bin/python" -m pip install --quiet --disable-pip-version-check pyproj==3.7.2
}

part_reference019() {
  [ -x "$root/venv019/bin/python" ] || "$PYTHON" -m venv "$root/venv019" || return 1
  "$root/venv019/bin/python" -m pip install --quiet --disable-pip-version-check tensogram==0.19.0 numpy
}

# Tetration's Python package, with the packages for its sources.
part_tet() {
  [ -x "$root/venvtet/bin/python" ] || "$PYTHON" -m venv "$root/venvtet" || return 1
  "$root/venvtet/bin/python" -m pip install --quiet --disable-pip-version-check tet-py==0.8.3 numpy==2.4.6 h5py==3.16.0 netCDF4==1.7.5.1.post1 zarr==3.1.6
}

# The checkers of the CF conventions. cfchecks needs the library of UDUNITS-2 as well.
part_cf() {
  [ -x "$root/venvcf/bin/python" ] || "$PYTHON" -m venv "$root/venvcf" || return 1
  "$root/venvcf/bin/python" -m pip install --quiet --disable-pip-version-check compliance-checker==6.1.0 cfchecker==4.1.0
}

# Zarr clients with newer dependencies than the other checks have: references, tensorstore, obstore.
part_zarr() {
  [ -x "$root/venvzarr/bin/python" ] || "$PYTHON" -m venv "$root/venvzarr" || return 1
  "$root/venvzarr/bin/python" -m pip install --quiet --disable-pip-version-check zarr==3.1.6 xarray==2026.9.0 numcodecs==0.16.6 \
    tensorstore==0.1.86 obstore==0.12.1 kerchunk==0.2.10 virtualizarr==2.5.1 arro3-core==0.9.1 fastparquet pyarrow netCDF4 h5netcdf
}

# The former release of zarr-python, which writes format 2 alone.
part_zarr2() {
  [ -x "$root/venvzarr2/bin/python" ] || "$PYTHON" -m venv "$root/venvzarr2" || return 1
  "$root/venvzarr2/bin/python" -m pip install --quiet --disable-pip-version-check zarr==2.18.3 numcodecs==0.15.1 numpy==2.4.6
}

# ECMWF's GribJump, which bench/extract is measured against. Its libraries are wheels too.
part_gribjump() {
  [ -x "$root/venvgribjump/bin/python" ] || "$PYTHON" -m venv "$root/venvgribjump" || return 1
  "$root/venvgribjump/bin/python" -m pip install --quiet --disable-pip-version-check pygribjump==0.13.1.33 gribjumplib==0.13.1.33 \
    pyfdb==5.25.0.33 eccodes==2.50.0 numpy
}

# GDAL 3.12 with its Zarr driver, in the wheel of rasterio, which needs Python 3.12.
part_gdal() {
  local python
  for python in "$PYTHON" python3.13 python3.12 "$HOME"/.pyenv/versions/3.1[2-9]*/bin/python; do
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null || continue
    [ -x "$root/venvgdal/bin/python" ] || "$python" -m venv "$root/venvgdal" || return 1
    "$root/venvgdal/bin/python" -m pip install --quiet --disable-pip-version-check rasterio==1.5.0
    return
  done
  return 1
}

# cartopy, for maps. Its coastlines are those that the program embeds.
part_cartopy() {
  [ -x "$root/venvcartopy/bin/python" ] || "$PYTHON" -m venv "$root/venvcartopy" || return 1
  "$root/venvcartopy/bin/python" -m pip install --quiet --disable-pip-version-check cartopy==0.26.0 matplotlib==3.11.2 scipy pillow eccodes==2.50.0 eccodeslib==2.50.0.33
}

part_node() {
  command -v npm >/dev/null || return 1
  mkdir -p "$root/node" && (cd "$root/node" && npm install --silent --no-fund --no-audit zarrita@0.7.5)
}

# A browser, if there is none, and the package that drives it.
part_browser() {
  command -v npm >/dev/null || return 1
  mkdir -p "$root/node" && (cd "$root/node" && npm install --silent --no-fund --no-audit zarrita@0.7.5 playwright-core@1.56.1 typescript@5.9.3) || return 1
  command -v chromium || command -v chromium-browser || command -v google-chrome && return 0
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium
}

# Another viewer of Zarr in browsers, bundled for a page.
part_layer() {
  command -v npm >/dev/null || return 1
  mkdir -p "$root/node" && (cd "$root/node" && npm install --silent --no-fund --no-audit maplibre-gl@5.24.1 @carbonplan/zarr-layer@0.5.0) || return 1
  NODE_PATH=$root/node/node_modules go run github.com/evanw/esbuild/cmd/esbuild@v0.28.2 interop/zarr/layer.js \
    --bundle --minify --format=iife --log-level=error --outfile="$root/node/layer.js"
}

# Servers of object stores.
part_stores() {
  command -v npm >/dev/null || return 1
  mkdir -p "$root/node" && (cd "$root/node" && npm install --silent --no-fund --no-audit azurite@3.37.0) || return 1
  GOBIN=$root/go/bin go install github.com/versity/versitygw/cmd/versitygw@v1.8.0 &&
    GOBIN=$root/go/bin go install github.com/fsouza/fake-gcs-server@v1.56.1
}

# Debian packages need root; without it the part is skipped.
part_debian() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    qemu-user-static netcdf-bin cdo hdf5-tools libaec-tools libclang-dev libeccodes-dev libnetcdf-dev libhdf5-dev
}

# Encoders that share nothing with ecCodes: NCEP's for GRIB 2, ECMWF's former one for GRIB 1, OpenJPEG's. Not every Debian has all of them.
part_encoders() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
  local package missing=0
  apt-get update -qq
  for package in libg2c-dev libemos-dev gfortran libopenjp2-tools; do
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package" || missing=1
  done
  return $missing
}

# Sample files of other projects, from their source packages: some 5000 GRIB messages of a dozen centres, and
# netCDF and HDF5 files of many writers.
part_corpus() {
  local sources="$root/corpus/sources" package archive
  mkdir -p "$sources" "$root/corpus/grib" "$root/corpus/netcdf"
  for package in pygrib==2.1.8 iris-grib==0.21.0 earthkit-data==1.3.0 cfgrib==0.9.15.1 h5netcdf==1.8.2 netCDF4==1.7.5.1.post1 xarray==2026.9.0 pyfive==1.3.0 \
    pupygrib==0.9.0 metview==1.16.2; do
    "$PYTHON" -m pip download --quiet --disable-pip-version-check --no-deps --no-binary "${package%%=*}" -d "$sources" "$package" || return 1
  done
  for archive in "$sources"/*.tar.gz; do tar -xzf "$archive" -C "$sources" || return 1; done
  find "$sources" -type f -size +100c \( -iname '*.gr*b*' -o -iname '*.bin' \) | while read -r f; do
    head -c 40000 "$f" | grep -qa GRIB && cp "$f" "$root/corpus/grib/$(sed "s#$sources/##; s#/#_#g" <<<"$f")"
  done
  find "$sources" -type f -size +60c \( -iname '*.nc' -o -iname '*.nc4' -o -iname '*.h5' -o -iname '*.hdf5' \) | while read -r f; do
    cp "$f" "$root/corpus/netcdf/$(sed "s#$sources/##; s#/#_#g" <<<"$f")"
  done
}

# The reference's command, the peer of the end-to-end benchmarks. About five minutes on two cores.
part_cli() {
  command -v cargo >/dev/null || return 1
  [ -x "$root/cargo/bin/tensogram" ] && return 0
  [ -x "$root/cmake/bin/cmake" ] || { "$PYTHON" -m venv "$root/cmake" && "$root/cmake/bin/python" -m pip install --quiet 'cmake>=3.26,<4'; } || return 1
  PATH="$root/cmake/bin:$PATH" cargo install --quiet --root "$root/cargo" --target-dir "$root/cargo-target" \
    tensogram-cli --version 0.17.0 --features grib,netcdf
}

# The documentation as a site.
part_site() {
  [ -x "$root/venvsite/bin/python" ] || "$PYTHON" -m venv "$root/venvsite" || return 1
  "$root/venvsite/bin/python" -m pip install --quiet --disable-pip-version-check mkdocs==1.6.1
}

# The program that makes releases. It is installed only when it is named: it takes minutes.
part_goreleaser() { GOBIN=$root/go/bin go install github.com/goreleaser/goreleaser/v2@v2.16.0; }

# The command of Tetration. Not among the parts that are installed without being named: it takes ten minutes, and the
# libraries of HDF5 and netCDF (part debian).
part_tetcli() {
  command -v cargo >/dev/null || return 1
  [ -x "$root/cargo/bin/tet" ] && return 0
  cargo install --quiet --root "$root/cargo" --target-dir "$root/cargo-target" tetration --version 0.8.3 \
    --no-default-features --features tetration-cli,tetration-hdf5,tetration-netcdf
}

# Dask, of which the driver in contrib/ is tried, the schema of Kubernetes' objects, and readers of Parquet.
part_cluster() {
  [ -x "$root/venvcluster/bin/python" ] || "$PYTHON" -m venv "$root/venvcluster" || return 1
  "$root/venvcluster/bin/python" -m pip install --quiet --disable-pip-version-check distributed==2026.8.0 dask==2026.8.0 kubernetes-validate==1.37.0 \
    duckdb==2.0.1 polars==2.1.0
}

# Spark, which needs Java. Not among the parts that are installed without being named: it is 480 MB.
part_spark() { part_cluster && "$root/venvcluster/bin/python" -m pip install --quiet --disable-pip-version-check pyspark==4.3.0; }

# Two are installed at a time: one that Python's package index gives, and one that others give.
python=(python pythons codecs pyproj cf reference019 tet zarr zarr2 gribjump site gdal cartopy cluster corpus)
others=(node browser layer stores debian encoders cli)
parts=("$@")
[ ${#parts[@]} -gt 0 ] || parts=("${python[@]}" "${others[@]}")

# install installs the requested parts among its arguments, one after another.
install() {
  local p
  for p; do
    if "part_$p" >"$root/log/$p.log" 2>&1; then echo "interop-setup: $p: installed"
    else echo "interop-setup: $p: NOT installed (see .interop/log/$p.log)"; echo "$p" >>"$root/missing.new"; fi
  done
}
# Parts that are not installed this time are missing if they were before.
: >"$root/missing.new"
if [ -f "$root/missing" ]; then
  while read -r p; do [[ " ${parts[*]} " == *" $p "* ]] || [ -z "$p" ] || echo "$p" >>"$root/missing.new"; done <"$root/missing"
fi
first=() second=()
for p in "${parts[@]}"; do
  if [[ " ${python[*]} " == *" $p "* ]]; then first+=("$p"); else second+=("$p"); fi
done
install "${first[@]}" &
install "${second[@]}"
wait
mv "$root/missing.new" "$root/missing"
[ ! -s "$root/missing" ] || echo "interop-setup: skipped: $(paste -sd ' ' "$root/missing")"
