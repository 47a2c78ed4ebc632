#!/bin/bash
# `neurogauge cluster` on a SLURM of one node, from Debian's packages: an array, a shard that is cancelled, the array again, the job that
# finishes the run. It takes root and BUILT, the folder of the command.
set -euo pipefail
: "${BUILT:?the folder of the command}"
command -v slurmctld slurmd munged > /dev/null || {
	apt-get update --quiet
	DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends slurm-wlm munge
}

root=$(mktemp --directory)
chmod 755 "$root"
export SLURM_CONF=$root/slurm.conf NEUROGAUGE_CACHE=$root/cache
neurogauge=$(realpath "$BUILT")/neurogauge

end() {
	squeue --noheader --format=%A 2> /dev/null | sort --unique | xargs --no-run-if-empty scancel || true
	sleep 1
	for daemon in slurmd slurmctld; do
		[ -e "$root/$daemon.pid" ] && kill "$(cat "$root/$daemon.pid")" || true
	done
	[ -e "$root/munged.pid" ] && kill "$(cat "$root/munged.pid")" || true
	sleep 2 # they write their state once more
	rm -rf "$root"
}
trap end EXIT
fail() {
	echo "test_slurm: $*" >&2
	"$neurogauge" cluster status "$run" >&2 || true
	tail --lines 20 "$root"/*.log >&2
	exit 1
}

host=$(hostname --short)
cat > "$SLURM_CONF" <<-CONF
	ClusterName=test
	SlurmctldHost=$host(127.0.0.1)
	AuthType=auth/munge
	AuthInfo=socket=$root/munge.socket
	CredType=cred/munge
	SlurmUser=root
	ProctrackType=proctrack/linuxproc
	TaskPlugin=task/none
	JobAcctGatherType=jobacct_gather/none
	SelectType=select/cons_tres
	SelectTypeParameters=CR_Core
	ReturnToService=2
	MpiDefault=none
	SlurmctldPort=16817
	SlurmdPort=16818
	StateSaveLocation=$root/state
	SlurmdSpoolDir=$root/spool
	SlurmctldPidFile=$root/slurmctld.pid
	SlurmdPidFile=$root/slurmd.pid
	SlurmctldLogFile=$root/slurmctld.log
	SlurmdLogFile=$root/slurmd.log
	NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
	PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
mkdir "$root/state" "$root/spool"
dd if=/dev/urandom of="$root/munge.key" bs=128 count=1 status=none
chmod 400 "$root/munge.key"
munged --force --key-file="$root/munge.key" --socket="$root/munge.socket" --pid-file="$root/munged.pid" \
	--log-file="$root/munged.log" --seed-file="$root/munged.seed"
slurmctld
# With -c the daemon forgets what an earlier one was told to do.
slurmd -c -N "$host"
run=$root/run
for _ in $(seq 60); do
	sinfo --noheader --format=%t 2> /dev/null | grep --quiet idle && break
	sleep 1
done
sinfo --noheader --format=%t | grep --quiet idle || fail "the node is not idle"

wait_for() { # until no job is left
	for _ in $(seq 600); do
		[ -z "$(squeue --noheader)" ] && return
		sleep 0.5
	done
	fail "jobs do not end: $(squeue)"
}

# Enough images for a shard to be cancelled in the middle.
"${PYTHON:-python3}" - "$root/images.npy" <<-'CODE'
	import struct, sys, random
	n, side = 400, 96
	header = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({n}, {side}, {side}, 3), }}".encode()
	header += b" " * (-(10 + len(header) + 1) % 64) + b"\n"
	draw = random.Random(0)
	with open(sys.argv[1], "wb") as file:
	    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header)
	    for _ in range(n):
	        file.write(draw.randbytes(side * side * 3))
CODE
options=(--images "$root/images.npy" --with placeholder:grid4 --with placeholder-captioner --with placeholder-detector)
NEUROGAUGE_CACHE=$root/other-cache "$neurogauge" --quiet perceive "${options[@]}" --out "$root/whole"
"$neurogauge" cluster plan perceive "${options[@]}" --out "$run" > /dev/null

slurm=("$neurogauge" cluster slurm "$run" --shards 4 --cpus-per-task 1 --time 10)
"${slurm[@]}" --submit | tee "$root/submitted"
array=$(head --lines 1 "$root/submitted" | cut --delimiter ' ' --fields 1)
for _ in $(seq 600); do
	[ -e "$run/shards/1-of-4/.lock" ] && break
	sleep 0.05
done
"$neurogauge" cluster status "$run" | grep "1/4 running: process" || fail "shard 1 is not seen running"
scancel "${array}_1"
wait_for
"$neurogauge" cluster status "$run"
[ -e "$run/shards/1-of-4/shard.json" ] && fail "shard 1 was not cancelled in time"
grep --quiet "stopped; what was done is kept" "$run/shards/1-of-4.log" || fail "the cancelled shard did not hear of it"
# The job that finishes the run started all the same, and did what was missing.
grep --quiet "1 of 4 shards are missing: 1/4" "$run/cluster/finish.log" || fail "the run was not finished"

# Once more: only that shard.
"${slurm[@]}" --submit | tee "$root/submitted"
grep --quiet "shards 1$" "$root/submitted" || fail "more than shard 1 was submitted"
wait_for
"$neurogauge" cluster status "$run" | grep "^finished" || fail "the run is not said to be finished"
[ -e "$run/shards/1-of-4/shard.json" ] || fail "not all shards are done"
"$neurogauge" --quiet cluster finish "$run" --all-shards
diff --recursive "$root/whole/features" "$run/features"
diff --recursive "$root/whole/detections" "$run/detections"
cmp "$root/whole/captions.json" "$run/captions.json"
"${slurm[@]}" 2>&1 | grep "all shards are done" || fail "something is left to do"
echo "test_slurm: array, scancel, repeat and reduce give the bytes of one call"
