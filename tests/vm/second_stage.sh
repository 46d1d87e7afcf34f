#!/bin/sh
# The first process of the machine that configures its own root, once: Debian's second stage, and the test's agent.
set -eu
export PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t tmpfs tmp /tmp
echo force-unsafe-io >/etc/dpkg/dpkg.cfg.d/vm
if /debootstrap/debootstrap --second-stage; then
  rm -f /etc/dpkg/dpkg.cfg.d/vm /second_stage.sh
  passwd -d root >/dev/null
  echo table >/etc/hostname
  echo '127.0.0.1 localhost table' >/etc/hosts
  echo '/dev/vda / ext4 noatime 0 1' >/etc/fstab
  echo '/dev/vdb /var/lib/farklecrib ext4 noatime,data=ordered,nofail,x-systemd.device-timeout=300 0 2' >>/etc/fstab
  mkdir -p /var/lib/farklecrib /mnt/host /mnt/usr
  systemctl enable vm-agent.service
  systemctl mask systemd-networkd-wait-online.service apt-daily.timer apt-daily-upgrade.timer e2scrub_all.timer \
    fstrim.timer man-db.timer dpkg-db-backup.timer systemd-firstboot.service
  rm -rf /var/cache/apt/archives/*.deb /debootstrap
  : >/configured
fi
sync
mount -o remount,ro / || true
echo b >/proc/sysrq-trigger
sleep 60
