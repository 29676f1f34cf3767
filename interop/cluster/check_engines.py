"""Does plans of 200 parts with xargs, the script for SLURM, Dask and Spark, with workers, drivers and commits killed, and compares the bytes.

    .interop/venv/bin/python interop/cluster/check_engines.py [ENGINE ...]

Each engine runs the script or driver of contrib/ with a tgmconv that is killed at a random time in each call,
100 times in all, or as KILLS says (Spark 20 times; spark-cluster has executors in processes of their own); drivers are killed with all their processes too, and the commit twice. What is there in the end is what
`tgmconv convert`, `to-zarr`, `extract` and `index` write in one process: nothing more, nothing less. Engines that are not installed (part
cluster of interop/setup.sh; Spark needs Java) are named. Exit 1 if anything differs, 77 if neither Dask nor Spark can run.
"""
import filecmp
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
TGMCONV = os.path.abspath(os.environ.get('TGMCONV', 'bin/tgmconv'))
PYTHON = os.path.abspath(os.environ.get('CLUSTER_PYTHON', '.interop/venvcluster/bin/python'))
PARTS = 200
FILES = 50  # of extract and index, each a part
# How often tgmconv is killed. Each time that Spark gives up, it begins again for some ten seconds.
KILLS = {'xargs': 100, 'array': 100, 'dask': 100, 'spark': 20, 'spark-cluster': 20}
RUNS = 60  # of a driver at most
WRAPPER = '''#!/bin/sh
# Kills tgmconv at a random time in each call, until there were enough.
r=$(od -An -N2 -tu2 /dev/urandom)
if [ $(ls {kills} | wc -l) -ge {most} ] || [ "$1 $2" = "commit --partial" ]; then exec {tgmconv} "$@"; fi
{tgmconv} "$@" <&0 &
sleep 0.$(printf %03d $((r % 100)))
kill -9 $! 2>/dev/null && : >{kills}/$$
wait $!
'''
problems = 0


def problem(*words):
    global problems
    problems += 1
    print('DIFFERS', *words, flush=True)


def tgmconv(*words):
    subprocess.run([TGMCONV, *words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def outputs(work, folder):
    """The commands that are planned, by the names of their outputs."""
    return {
        'files': ['convert', '-o', f'{folder}/files/', f'{work}/in/'],
        'store': ['to-zarr', '-o', f'{folder}/store', 'fixtures/grib/gfs_2p50_f000.grib2'],
        'points.csv': ['extract', '--at', '50,8;-10,100', '-o', f'{folder}/points.csv', f'{work}/fields/'],
        'archive.parquet': ['index', '-o', f'{folder}/archive.parquet', f'{work}/fields/'],
    }


def differences(a, b):
    """The files below two folders, or the two files, that are not the same."""
    if os.path.isfile(b):
        return [] if os.path.isfile(a) and filecmp.cmp(a, b, shallow=False) else [b]
    names = {os.path.relpath(os.path.join(d, f), top) for top in (a, b) for d, _, files in os.walk(top) for f in files}
    return [n for n in sorted(names) if not all(os.path.exists(os.path.join(top, n)) for top in (a, b))
            or not filecmp.cmp(os.path.join(a, n), os.path.join(b, n), shallow=False)]


def inputs(folder):
    """200 files, each with another content: a time of its own."""
    os.makedirs(folder)
    source = open('fixtures/netcdf/cf_temperature.nc', 'rb').read()
    at = source.index(b'days since') if b'days since' in source else None
    for n in range(PARTS):
        data = source if at is None else source[:at] + source[at:].replace(b'1970', b'%04d' % (1800 + n), 1)
        with open(f'{folder}/{n:03}.nc', 'wb') as f:
            f.write(data)


def fields(folder):
    """Files of two fields, larger than the least part, each of a year of its own."""
    os.makedirs(folder)
    source = bytearray(open('fixtures/grib/2t.grib2', 'rb').read())
    for n in range(FILES):
        source[28:30] = (1900 + n).to_bytes(2, 'big')  # year of section 1
        with open(f'{folder}/{n:03}.grib2', 'wb') as f:
            f.write(source * 2)


def run(engine, words, plan, env, killed_runs):
    """Runs a driver until it is successful, killing it the first times. Returns how often it ran."""
    for n in range(RUNS):
        driver = subprocess.Popen(words, env=env, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if n < killed_runs:
            time.sleep(random.uniform(0.5, 8 if engine.startswith('spark') else 4))
            os.killpg(driver.pid, signal.SIGKILL)
        _, said = driver.communicate()
        if driver.returncode == 0:
            return n + 1
    problem(engine, f'not successful after {RUNS} runs:', said.decode()[-2000:])
    return RUNS


def check(engine, words, work):
    began = time.time()
    folder = os.path.join(work, engine)
    kills, bin = f'{folder}/kills', f'{folder}/bin'
    for d in (kills, bin):
        os.makedirs(d)
    env = dict(os.environ, PATH=bin + ':' + os.environ['PATH'], PYSPARK_PYTHON=PYTHON, SPARK_LOCAL_IP='127.0.0.1')
    runs = 0
    planned = outputs(work, folder)
    for n, (name, verb) in enumerate(planned.items(), 1):
        plan = f'{folder}/{name}-plan'
        with open(f'{bin}/tgmconv', 'w') as f:  # each plan has its share of the kills
            f.write(WRAPPER.format(kills=kills, tgmconv=TGMCONV, most=int(os.environ.get('KILLS', KILLS[engine])) * n // len(planned)))
        os.chmod(f'{bin}/tgmconv', 0o755)
        tgmconv('plan', '--to', plan, '--part-size', '1MiB', *verb)
        runs += run(engine, [w.replace('PLAN', plan) for w in words], plan, env, 0 if name == 'store' else 2)
        if bad := differences(f'{folder}/{name}', f'{work}/once/{name}'):
            problem(engine, name, len(bad), 'files, the first:', bad[0])
        if left := [k for k in os.listdir(folder) if k not in ('kills', 'bin') and k.removesuffix('-plan') not in planned]:
            problem(engine, name, 'left', left)
        before = open(f'{plan}/committed.json').read()
        tgmconv('commit', plan)
        if before != open(f'{plan}/committed.json').read():
            problem(engine, name, 'a second commit changed committed.json')
    print(f'{engine}: {PARTS} files, a store, a table and a catalogue, {len(os.listdir(kills))} processes killed, {runs} runs, {time.time() - began:.0f} s', flush=True)
    shutil.rmtree(folder)


def main():
    engines = {'xargs': ['contrib/parallel/run.sh', 'PLAN', '2']}
    # The script of SLURM, without SLURM: it gives each task its number.
    engines['array'] = ['bash', '-c', 'for i in 0 1 2; do SLURM_ARRAY_TASK_ID=$i bash contrib/slurm/array.sh PLAN 3 & done; wait; tgmconv commit PLAN']
    have = subprocess.run([PYTHON, '-c', 'import distributed'], capture_output=True).returncode == 0 if os.path.exists(PYTHON) else False
    if have:
        engines['dask'] = [PYTHON, 'contrib/dask/driver.py', 'PLAN', '--batch', '4']
    submit = os.path.join(os.path.dirname(PYTHON), 'spark-submit')
    if os.path.exists(submit) and shutil.which('java'):
        # local-cluster has workers and executors that are processes of their own: MACHINES,CORES,MB.
        masters = {'spark': 'local[2,20]', 'spark-cluster': 'local-cluster[2,1,1024]'}
        for name, master in masters.items():
            engines[name] = [submit, '--master', master, '--conf', 'spark.ui.enabled=false', '--conf', 'spark.task.maxFailures=20', 'contrib/spark/driver.py', 'PLAN', '--batch', '4']
    for name in {'dask', 'spark', 'spark-cluster'} - set(engines):
        print('check_engines: skipped:', name, '(not installed)')
    # local-cluster takes three minutes, and is asked for by its name.
    chosen = sys.argv[1:] or [name for name in engines if name != 'spark-cluster']
    with tempfile.TemporaryDirectory() as work:
        inputs(f'{work}/in')
        fields(f'{work}/fields')
        os.mkdir(f'{work}/once')
        for verb in outputs(work, f'{work}/once').values():
            tgmconv(*verb, *(['--reproducible'] if verb[0] == 'convert' else []))
        for name in chosen:
            check(name, engines[name], work)
    sys.exit(1 if problems else 0 if len(engines) > 2 else 77)


if __name__ == '__main__':
    main()
