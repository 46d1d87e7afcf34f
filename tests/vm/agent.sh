#!/bin/sh
# Runs in the machine as root: each line of the port is a number, a time-out and a script in base64; the answer is the
# number, the exit status and the output in base64.
port=/dev/virtio-ports/vm
exec <$port >$port
while read -r number timeout script; do
  echo "$script" | base64 -d >/run/vm.sh
  timeout "$timeout" sh /run/vm.sh >/run/vm.out 2>&1 </dev/null
  status=$?
  echo "$number $status $(base64 -w0 /run/vm.out)"
done
