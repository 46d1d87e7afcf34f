#!/bin/sh
# Builds the Debian package on this Raspberry Pi and installs it: `make install-pi`; with --uninstall removes it:
# `make uninstall-pi`. --dry-run names the commands and changes nothing, --yes changes the boot files without asking.
set -eu

fail() { echo "farklecrib: error: $1" >&2; exit 2; }
run() {
  echo "$does: $*"
  [ -n "$dry" ] || "$@"
}

dry='' does=running remove='' setup=''
for option; do
  case $option in
    --dry-run) dry=yes does='would run' ;;
    --uninstall) remove=yes ;;
    --yes) setup=--yes ;;
    *) fail "expected --dry-run or --yes, got '$option'" ;;
  esac
done
root='' # commands that change the machine run as root, the others as the calling user
[ "$(id -u)" = 0 ] || root=sudo
cd "$(dirname "$0")/.."

if [ -n "$remove" ]; then
  run $root farklecrib setup-pi --undo $setup
  run $root apt-get remove --yes farklecrib
  echo "the games stay in /var/lib/farklecrib, the configuration in /etc/farklecrib; to delete them too:"
  echo "    sudo apt purge farklecrib; sudo rm -rf /usr/local/lib/farklecrib"
  exit
fi

model=$(tr -d '\000' 2>/dev/null </proc/device-tree/model || true)
case $model in
  "Raspberry Pi Zero 2"* | "Raspberry Pi "[345]*) ;;
  *) fail "expected a Raspberry Pi Zero 2 W, 3, 4 or 5, got '${model:-no Raspberry Pi}'; elsewhere: make play" ;;
esac
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
case $release in
  bookworm | trixie) ;;
  *) fail "expected Raspberry Pi OS on Debian bookworm or trixie, got '$release'" ;;
esac
arch=$(dpkg --print-architecture)
venv=build/install-pi

run $root apt-get update
wanted='espeak-ng alsa-utils avahi-daemon libbpf1 polkitd'
if [ -n "$dry" ] || [ -n "$(apt-cache pkgnames python3-picamera2)" ]; then # Debian itself does not have it
  wanted="$wanted python3-picamera2"
fi
# shellcheck disable=SC2086 # several words
run $root apt-get install --yes --no-install-recommends git python3-venv python3-dev gcc libc6-dev binutils $wanted
run python3 -m venv $venv
run $venv/bin/pip install --quiet --require-hashes --requirement requirements/build.txt
run $venv/bin/python systemd/debian/build.py --release "$release" --arch "$arch" --compression none
case $model in
  "Raspberry Pi 5"*) # not in our package, because it is under GPL-2; outside the version's folder, so upgrades keep it
    run sh -c "sed -n '/^adafruit-blinka-raspberry-pi5-neopixel==/,/# via/p' requirements/pi5.txt >$venv/pi5.txt"
    run $root $venv/bin/pip install --no-deps --only-binary :all: --require-hashes --upgrade --requirement $venv/pi5.txt \
      --target "/usr/local/lib/farklecrib/$(cd /usr/bin && readlink python3)"
    ;;
esac
package=./dist/farklecrib_$(python3 systemd/debian/build.py --release "$release" --print-version)_$arch.deb
run $root apt-get install --yes --no-install-recommends --reinstall --allow-downgrades "$package"
run $root farklecrib setup-pi $setup
