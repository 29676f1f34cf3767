"""Does the parts of a plan of tgmconv on Spark, and commits them.

    spark-submit driver.py PLAN/ [--batch 20]

tgmconv must be in the PATH of the executors, and PLAN/, its inputs and its output must be known to them under the same
names. Spark tries tasks again that were killed or could not reach something (spark.task.maxFailures; local[2,4] on one
machine). It can be started again as well, and then goes on with what is missing.
"""
import argparse
import json
import subprocess
import sys

from pyspark.sql import SparkSession

AGAIN = 75  # exit code of tgmconv: the same may succeed later


def work(plan, ids):
    """Does parts, and returns a result for each. What may be tried again fails the task, which Spark tries again.

    That is what rdd.pipe does too, but with an empty environment, in which tgmconv has no PATH and no credentials.
    """
    run = subprocess.run(['tgmconv', 'work', plan, '-'], input='\n'.join(ids), capture_output=True, text=True)
    results = [json.loads(line) for line in run.stdout.splitlines()]
    if run.returncode == AGAIN or len(results) < len(ids):
        raise RuntimeError(f'tgmconv work: exit code {run.returncode}: {run.stderr}')
    return results


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument('plan')
    options.add_argument('--batch', type=int, default=20, help='parts of a task')
    given = options.parse_args()
    missing = subprocess.run(['tgmconv', 'commit', '--partial', given.plan], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    failed = 0
    if missing:
        spark = SparkSession.builder.appName(f'tgmconv {given.plan}').getOrCreate()
        tasks = spark.sparkContext.parallelize(missing, -(-len(missing) // given.batch))
        for result in tasks.mapPartitions(lambda ids: work(given.plan, list(ids))).collect():
            if result['state'] == 'failed':
                failed += 1
                print(f"driver: part {result['id']}: {result['error']}", file=sys.stderr)
        spark.stop()
    return 1 if failed else subprocess.run(['tgmconv', 'commit', given.plan]).returncode


if __name__ == '__main__':
    sys.exit(main())
