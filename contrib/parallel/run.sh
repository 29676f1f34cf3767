#!/bin/sh
# Does the parts of a plan of tgmconv with some processes of this machine, and commits them:
#
#     run.sh PLAN/ [PROCESSES]
#
# What may succeed later (exit code 75), or was killed, is tried again up to three times. With GNU parallel and --sshlogin,
# one line does it on several machines:
#
#     tgmconv commit --partial PLAN/ | parallel --pipe -N 50 --retries 3 tgmconv work PLAN/ -
plan=${1:?the folder of the plan} processes=${2:-$(nproc)}
for try in 1 2 3; do
  seq 0 $((processes - 1)) | xargs -P "$processes" -I '{}' tgmconv work "$plan" --shard "{}/$processes" && break
  echo "run.sh: parts failed in run $try of 3" >&2
done
tgmconv commit "$plan"
