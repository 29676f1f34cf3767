"""Does the parts of a plan of tgmconv on a Dask cluster, and commits them.

    python driver.py PLAN/ [tcp://SCHEDULER:8786] [--batch 20]

Without a scheduler, a cluster of two processes on this machine. tgmconv must be in the PATH of the workers, and PLAN/, its
inputs and its output must be known to them under the same names. What was killed or could not be reached is tried again; it
can be started again as well, and then goes on with what is missing.
"""
import argparse
import json
import subprocess
import sys

from distributed import Client, LocalCluster, as_completed

AGAIN = 75  # exit code of tgmconv: the same may succeed later


def work(plan, ids):
    """Does parts, and returns a result for each. What may be tried again is an exception, which Dask tries again."""
    run = subprocess.run(['tgmconv', 'work', plan, '-'], input='\n'.join(ids), capture_output=True, text=True)
    results = [json.loads(line) for line in run.stdout.splitlines()]
    if run.returncode == AGAIN or len(results) < len(ids):
        raise RuntimeError(f'tgmconv work: exit code {run.returncode}: {run.stderr}')
    return results


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument('plan')
    options.add_argument('scheduler', nargs='?')
    options.add_argument('--batch', type=int, default=20, help='parts of a task')
    given = options.parse_args()
    missing = subprocess.run(['tgmconv', 'commit', '--partial', given.plan], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    batches = [missing[i:i + given.batch] for i in range(0, len(missing), given.batch)]
    failed = 0
    with Client(given.scheduler or LocalCluster(n_workers=2, threads_per_worker=1)) as client:
        tasks = [client.submit(work, given.plan, ids, retries=10, pure=False) for ids in batches]
        for task in as_completed(tasks):
            if task.status == 'error':
                failed += 1
                print(f'driver: {task.exception()!r}', file=sys.stderr)
                continue
            for result in task.result():
                if result['state'] == 'failed':
                    failed += 1
                    print(f"driver: part {result['id']}: {result['error']}", file=sys.stderr)
    return 1 if failed else subprocess.run(['tgmconv', 'commit', given.plan]).returncode


if __name__ == '__main__':
    sys.exit(main())
