#!/bin/bash
# Does a plan of 40 files with contrib/slurm/array.sh in a SLURM of its own, on this machine, and compares the bytes.
#
#     SLURM_CHECK=1 interop/cluster/check_slurm.sh
#
# It takes four minutes, most of which SLURM waits: make interop leaves it out unless SLURM_CHECK is set.
# Tasks are requeued (scontrol requeue) and killed while they run. Needs Debian's slurmctld, slurmd, slurm-client and munge, and
# the rights of root. Exit 1 if anything differs, 77 if SLURM is not installed or does not start here.
cd "$(dirname "$0")/../.." || exit 1
tgmconv=$(realpath "${TGMCONV:-bin/tgmconv}")
[ -n "${SLURM_CHECK:-}" ] || { echo 'check_slurm: takes four minutes: set SLURM_CHECK=1'; exit 77; }
for program in munged slurmctld slurmd sbatch; do
  command -v $program > /dev/null || { echo "check_slurm: $program is not installed"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo 'check_slurm: SLURM needs the rights of root'; exit 77; }
top=$(mktemp -d)
pids=()
end() {
  for pid in "${pids[@]}"; do kill "$pid" 2> /dev/null; done
  wait
  rm -rf "$top"
}
trap end EXIT
chmod 755 "$top"
mkdir "$top"/{munge,state,spool,in,bin}
chmod 700 "$top/munge"
head -c 1024 /dev/urandom > "$top/munge/key"
chmod 600 "$top/munge/key"
munged --foreground --force --key-file "$top/munge/key" --socket "$top/munge.socket" --pid-file "$top/munge/pid" --log-file "$top/munge/log" --seed-file "$top/munge/seed" 2> /dev/null &
pids+=($!)
host=$(hostname -s)
cat > "$top/slurm.conf" <<CONF
ClusterName=tgmconv
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$top/munge.socket
CryptoType=crypto/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobRequeue=1
ReturnToService=2
SlurmctldPort=27817
SlurmdPort=27818
StateSaveLocation=$top/state
SlurmdSpoolDir=$top/spool
SlurmctldPidFile=$top/slurmctld.pid
SlurmdPidFile=$top/slurmd.pid
SlurmctldLogFile=$top/slurmctld.log
SlurmdLogFile=$top/slurmd.log
SchedulerParameters=sched_interval=1,bf_interval=1
MinJobAge=600
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$top/slurm.conf
sleep 1
slurmctld -D -i 2> /dev/null & pids+=($!)
slurmd -D 2> /dev/null & pids+=($!)
for _ in $(seq 60); do
  sinfo -h -o %T 2> /dev/null | grep -q idle && break
  sleep 1
done
sinfo -h -o %T 2> /dev/null | grep -q idle || { echo 'check_slurm: SLURM does not start here'; tail -3 "$top"/slurm*.log; exit 77; }

for n in $(seq 10 49); do cp fixtures/grib/gfs_2p50_f000.grib2 "$top/in/$n.grib2"; done
ln -s "$tgmconv" "$top/bin/tgmconv"
export PATH=$top/bin:$PATH
tgmconv convert --reproducible -q -o "$top/want/" "$top/in/" || exit 1
tgmconv plan --to "$top/plan" convert -o "$top/out/" "$top/in/" || exit 1
job=$(sbatch --parsable --array=0-7 --output "$top/job-%a.txt" contrib/slurm/array.sh "$top/plan" 8) || exit 1
killed=0 requeued=0
for _ in $(seq 300); do
  left=$(squeue -h -j "$job" -t pending,running,completing,configuring 2> /dev/null | wc -l)
  [ "$left" = 0 ] && break
  if [ $requeued -lt 3 ] && task=$(squeue -h -r -j "$job" -t running -o %i | head -1) && [ -n "$task" ]; then
    scontrol requeue "$task" && requeued=$((requeued + 1))
  elif [ $killed -lt 3 ] && pid=$(pgrep -f "tgmconv work $top/plan" | head -1) && [ -n "$pid" ]; then
    kill -9 "$pid" && killed=$((killed + 1))
  fi
  sleep 1
done
ids=$(tgmconv commit --partial "$top/plan" | wc -l)
again=$(sbatch --parsable --wait --array=0-7 --output "$top/job-%a.txt" contrib/slurm/array.sh "$top/plan" 8) || { echo 'check_slurm: the second array failed'; exit 1; }
tgmconv commit "$top/plan" || exit 1
diff -r "$top/want" "$top/out" || { echo 'check_slurm: other bytes'; exit 1; }
echo "check_slurm: $(ls "$top/out" | wc -l) files by jobs $job and $again: $requeued tasks requeued and $killed killed, $ids parts missing after the first, the same bytes"
