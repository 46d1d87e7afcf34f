#!/bin/sh
# The first process of a boot with a read-only root: all writes but those to the games' partition go to memory.
set -eu
mount -o remount,ro /
mount -t tmpfs tmpfs /mnt
mkdir -p /mnt/upper /mnt/work /mnt/whole
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/whole
sed -i '/^\/dev\/vda /d' /mnt/whole/etc/fstab
cd /mnt/whole
pivot_root . mnt
exec chroot . /sbin/init </dev/console >/dev/console 2>&1
