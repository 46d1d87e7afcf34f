#!/bin/sh
# Makes Debian's root, the folder $1, the root of the test's machine: its names, disks and agent. A hook of mmdebstrap.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$1
chroot "$root" passwd -d root >/dev/null
echo table >"$root/etc/hostname"
echo '127.0.0.1 localhost table' >"$root/etc/hosts"
cat >"$root/etc/fstab" <<END
/dev/vda / ext4 noatime 0 1
/dev/vdb /var/lib/farklecrib ext4 noatime,data=ordered,nofail,x-systemd.device-timeout=300 0 2
END
mkdir -p "$root/var/lib/farklecrib" "$root/mnt/host" "$root/mnt/usr"
install -D -m 0755 "$here/agent.sh" "$root/usr/local/sbin/vm-agent"
install -D -m 0644 "$here/vm-agent.service" "$root/etc/systemd/system/vm-agent.service"
chroot "$root" systemctl enable vm-agent.service
chroot "$root" systemctl mask systemd-networkd-wait-online.service apt-daily.timer apt-daily-upgrade.timer \
  e2scrub_all.timer fstrim.timer man-db.timer dpkg-db-backup.timer systemd-firstboot.service
