#!/bin/sh
# Makes all parts of the virtual machine, once: a kernel with simulated pins, cameras and sound, and a Debian root for
# arm64; then runs the scenarios: `make test-vm`. RELEASE=bookworm takes that release in place of trixie. Needs root, the
# packages named below and 8 GB of disk; the first time an hour, later at most 90 minutes.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
repo=$(CDPATH='' cd -- "$here/../.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/farklecrib/vm
kernel=6.12
release=${RELEASE:-trixie}
base=$cache/$release.img
root_packages=systemd,systemd-sysv,udev,dbus,python3,libstdc++6,zlib1g,init-system-helpers,kmod,e2fsprogs,procps,espeak-ng,alsa-utils,avahi-daemon,polkitd,curl,libbpf1,iproute2

fail() { echo "farklecrib: error: $1" >&2; exit 1; }
say() { echo "== $1"; }

[ "$(id -u)" = 0 ] || fail "expected root for the Debian root; run: sudo make test-vm"
for tool in qemu-system-aarch64 qemu-img aarch64-linux-gnu-gcc mmdebstrap arch-test flex bison bc mke2fs debugfs; do
  command -v $tool >/dev/null || fail "expected $tool, got none; apt install qemu-system-arm qemu-utils \
gcc-aarch64-linux-gnu libc6-dev mmdebstrap arch-test qemu-user-static flex bison bc libssl-dev e2fsprogs"
done
arch-test arm64 >/dev/null || fail "expected a machine that runs programs for arm64, got one that does not; apt install qemu-user-static binfmt-support"
mkdir -p "$cache"
export ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu-

if ! cmp -s "$here/kernel.config" "$cache/kernel.config"; then
  say "kernel $kernel of Debian's linux-source, and v4l2loopback"
  if [ ! -e "$cache/linux/Makefile" ]; then
    rm -rf "$cache/sources" "$cache/linux"
    mmdebstrap --quiet --variant=extract --include=linux-source-$kernel,v4l2loopback-dkms trixie "$cache/sources"
    mkdir "$cache/linux"
    tar -xf "$cache/sources/usr/src/linux-source-$kernel.tar.xz" -C "$cache/linux" --strip-components=1
  fi
  cd "$cache/linux"
  make -s KCONFIG_ALLCONFIG="$here/kernel.config" allnoconfig
  nice -n 15 make -s "-j$(nproc)" Image modules
  nice -n 15 make -s M="$(echo "$cache"/sources/usr/src/v4l2loopback-*)" modules
  cp "$cache"/sources/usr/src/v4l2loopback-*/v4l2loopback.ko "$cache/"
  cp sound/soundcore.ko sound/core/snd.ko sound/core/snd-timer.ko sound/core/snd-pcm.ko sound/drivers/snd-aloop.ko "$cache/"
  cp "$here/kernel.config" "$cache/kernel.config"
  cd "$repo"
fi

qemu-system-aarch64 -M virt,dumpdtb="$cache/virt.dtb" -cpu cortex-a72 -smp 2 -m 512 -display none -nic none 2>/dev/null
"$cache/linux/scripts/dtc/dtc" -q -I dts -O dtb -o "$cache/table.dtbo" "$here/table.dtso"
"$cache/linux/scripts/dtc/fdtoverlay" -i "$cache/virt.dtb" -o "$cache/table.dtb" "$cache/table.dtbo"

cat "$here/configure_root.sh" "$here/agent.sh" "$here/vm-agent.service" >"$base.wanted"
echo "$root_packages" >>"$base.wanted"
if ! cmp -s "$base.wanted" "$base.made"; then
  say "Debian $release for arm64, configured by an emulated processor"
  rm -rf "$cache/debian" "$base" "$base.made"
  nice -n 15 mmdebstrap --quiet --variant=minbase --arch=arm64 --include=$root_packages \
    --customize-hook="$here/configure_root.sh" "$release" "$cache/debian"
  mke2fs -q -t ext4 -d "$cache/debian" "$base" 3G
  rm -rf "$cache/debian"
  mv "$base.wanted" "$base.made"
fi

say "the package, and one with a higher version to update to"
rm -rf "$cache/dist" "$cache/newer"
build() { "$repo/.venv/bin/python" "$repo/systemd/debian/build.py" --release "$release" --arch arm64 --compression zstd "$@"; }
build --out "$cache/dist"
build --out "$cache/newer" --version 99.0
say "the scenarios"
exec "$repo/.venv/bin/python" "$here/run.py" --cache "$cache" --base "$base" "$@" \
  "$cache"/dist/farklecrib_*_arm64.deb "$cache"/newer/farklecrib_*_arm64.deb
