#!/bin/sh
# Runs in the machine as root: each line of the port is a number, a time-out and a script in base64; the answer is the
# number, the exit status and the output in base64.
exec 3<>/dev/virtio-ports/vm # the port can be opened only once
while read -r number timeout script <&3; do
  echo "$script" | base64 -d >/run/vm.sh
  status=0
  timeout "$timeout" sh /run/vm.sh >/run/vm.out 2>&1 </dev/null 3>&- || status=$?
  echo "$number $status $(base64 -w0 /run/vm.out)" >&3
done
