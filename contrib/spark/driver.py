"""Does the parts of a plan of tgmconv on Spark, and commits them.

    spark-submit driver.py PLAN/ [--batch 20]

tgmconv must be in the PATH of the executors, and PLAN/, its inputs and its output must be known to them under the same
names. Spark tries tasks again that were killed or could not reach something (spark.task.maxFailures; local[2,4] on one
machine). It can be started again as well, and then goes on with what is missing.
"""
import argparse
import json
import shlex
import subprocess
import sys

from pyspark.sql import SparkSession

# Exit code 75 of tgmconv, and a killed process, fail the task, which Spark tries again. What cannot be done (1, 65) is in
# the results, and would be the same again.
SHELL = 'tgmconv work "$0" -; code=$?; case $code in 1|65) exit 0;; *) exit $code;; esac'


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
        for line in tasks.pipe(shlex.join(['sh', '-c', SHELL, given.plan]), checkCode=True).collect():
            result = json.loads(line)
            if result['state'] == 'failed':
                failed += 1
                print(f"driver: part {result['id']}: {result['error']}", file=sys.stderr)
        spark.stop()
    return 1 if failed else subprocess.run(['tgmconv', 'commit', given.plan]).returncode


if __name__ == '__main__':
    sys.exit(main())
