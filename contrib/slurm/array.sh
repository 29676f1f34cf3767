#!/bin/bash
# Does the parts of a plan of tgmconv in an array of SLURM, and commits them after its end:
#
#     job=$(sbatch --parsable --array=0-15 array.sh /shared/plan 16)
#     sbatch --dependency=afterany:$job --wrap 'tgmconv commit /shared/plan'
#
# 16 is the number of shards, one for each task of the array. Tasks that were killed with their machine, or preempted, are
# requeued by SLURM, and those that may succeed later (exit code 75) by themselves, up to five times.
#SBATCH --job-name=tgmconv
#SBATCH --requeue
#SBATCH --cpus-per-task=1
#SBATCH --open-mode=append
plan=${1:?the folder of the plan} shards=${2:?the number of shards}
tgmconv work "$plan" --shard "/$shards" --threads "${SLURM_CPUS_PER_TASK:-1}"
code=$?
if [ $code -eq 75 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 5 ]; then
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
fi
exit $code
