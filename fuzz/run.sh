#!/usr/bin/env bash
# Fuzzes readers for so many seconds each: run.sh SECONDS [READER...]; without names, all. AT_ONCE of them run side by side. Each begins with
# what earlier runs found (corpus/<reader>), so a later run goes on. What fails lies in artifacts/<reader>; the last lines are in logs/.
set -euo pipefail
cd "$(dirname "$0")"
export SECONDS_EACH=$1 PROGRAM=${PROGRAM:-target/x86_64-unknown-linux-gnu/release/reader}
shift
# Every input is written to a file: on a disk, readers would wait for it most of the time.
if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ]; then export TMPDIR=/dev/shm; fi

fuzz() {
    case $1 in
    npy | npz | npz_scores) dictionary=npy ;;
    npy_captions | pt | checkpoint_zip | checkpoint_legacy | checkpoint_torchscript) dictionary=pickle ;;
    png | jpeg | webp | bmp | tiff | gif | label_map) dictionary=image ;;
    recipe) dictionary=recipe ;;
    ratings | choices | scores | class_labels | trial_column | ply | obj) dictionary=table ;;
    scores_parquet | nifti | cifti | mgh | matlab) dictionary=binary ;;
    *) dictionary=json ;;
    esac
    mkdir -p "artifacts/$1" logs
    if NEUROGAUGE_READER=$1 "$PROGRAM" "corpus/$1" -artifact_prefix="artifacts/$1/" -dict="dictionaries/$dictionary.dict" \
        -max_total_time="$SECONDS_EACH" -rss_limit_mb=3000 -timeout=10 -max_len=65536 > "logs/$1" 2>&1; then
        echo "$1: nothing found in $(grep -o '^Done [0-9]* runs' "logs/$1" | tail -n 1 | grep -o '[0-9]*') runs"
    else
        echo "$1: FAILED; see fuzz/logs/$1 and fuzz/artifacts/$1"
        exit 1
    fi
}
export -f fuzz

if [ $# -eq 0 ]; then set -- $(ls corpus); fi
printf '%s\n' "$@" | xargs -P "${AT_ONCE:-1}" -I {} bash -c 'fuzz {}'
