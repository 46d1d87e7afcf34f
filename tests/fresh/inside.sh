#!/bin/bash
# The two commands of README.md, in a fresh clone of a person's own home; run by roots.sh in a root.
set -euo pipefail
umask 002
cd "$(dirname "$0")/../.."

set -m # a job of its own, which Ctrl-C reaches as at a terminal
make play ARGS="--port 0" >play.log 2>&1 &
set +m
table=$!
until grep -q " is ready at " play.log; do
  kill -0 $table 2>/dev/null || { cat play.log; exit 1; }
  sleep 0.2
done
address=$(grep -o "http://[0-9.:]*" play.log | head -1)
python3 -c 'import sys, urllib.request; urllib.request.urlopen(sys.argv[1] + "/api/v1/state", timeout=60)' "$address"
kill -INT -- -$table
wait $table || true
cat play.log

make test
