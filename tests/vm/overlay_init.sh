#!/bin/sh
# The first process of a boot with a read-only root: all writes but those to the games' partition go to memory.
set -eu
mount -o remount,ro /
mount -t tmpfs tmpfs /mnt
mkdir -p /mnt/upper /mnt/work /mnt/root
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root
sed -i '/^\/dev\/vda /d' /mnt/root/etc/fstab
cd /mnt/root
pivot_root . mnt
exec chroot . /sbin/init </dev/console >/dev/console 2>&1
