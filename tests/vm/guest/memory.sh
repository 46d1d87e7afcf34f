#!/bin/sh
# Prints the memory of each process of a control group, and of the machine, in MiB.
set -eu
while read -r process; do
  name=$(tr '\0' ' ' <"/proc/$process/cmdline" |
    grep -oE 'dicereader.live.eye|neopixel_process|espeak-ng|companion' | head -1)
  pss=$(awk '/^Pss:/{printf "%.0f", $2 / 1024}' "/proc/$process/smaps_rollup" 2>/dev/null) || continue # the process has ended
  echo "PSS of $name $pss MiB"
done <"$1/cgroup.procs"
awk '/MemTotal|MemFree|MemAvailable|^Slab|KernelStack|PageTables|^Cached/{printf "%s %.0f MiB\n", $1, $2 / 1024}' \
  /proc/meminfo
