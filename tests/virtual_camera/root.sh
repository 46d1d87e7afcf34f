#!/bin/sh
# Makes a Debian Trixie root in a folder, with libcamera's virtual camera and the real picamera2, and runs the tests of
# the camera driver in it: `make test-pi`. Needs root, debootstrap, a gigabyte of disk and the first time some minutes.
set -eu

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
repo=$(CDPATH= cd -- "$here/../.." && pwd)
root=${ROOT:-${XDG_CACHE_HOME:-$HOME/.cache}/farklecrib/trixie}

[ "$(id -u)" = 0 ] || { echo "farklecrib: expected root for the Trixie root; run: sudo make test-pi" >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "farklecrib: expected debootstrap; sudo apt install debootstrap" >&2; exit 2; }

if [ ! -e "$root/etc/debian_version" ]; then
  echo "farklecrib: making a Debian Trixie root in $root"
  mkdir -p "$root"
  debootstrap --variant=minbase trixie "$root" >"$root.log" 2>&1 || { tail -5 "$root.log" >&2; exit 2; }
fi
# The root reaches the package index in the same way as this machine.
cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
[ ! -e /etc/pip.conf ] || cp /etc/pip.conf "$root/etc/"

inside() { # a command in the root; its mounts vanish with it
  unshare --mount --pid --fork sh -c '
    root=$1; shift
    mount --rbind /dev "$root/dev" && mount -t proc proc "$root/proc"
    exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
      DEBIAN_FRONTEND=noninteractive ${PIP_CERT:+PIP_CERT="$PIP_CERT"} \
      ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
      "$@"' sh "$root" "$@"
}

if [ ! -e "$root/opt/camera/installed" ]; then
  echo "farklecrib: installing libcamera and picamera2 there"
  cp "$here/requirements.txt" "$root/opt/camera.txt"
  inside sh -ec '
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends python3-libcamera libcamera-ipa libcamera-tools python3-numpy python3-venv gcc \
      libc6-dev linux-libc-dev python3-dev libcap-dev
    python3 -m venv --system-site-packages /opt/camera' >"$root.log" 2>&1 || { tail -20 "$root.log" >&2; exit 2; }
  # After apt, because the package ca-certificates writes this file again.
  mkdir -p "$root/etc/ssl/certs"
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/" 2>/dev/null || true
  inside sh -ec '
    /opt/camera/bin/pip install --quiet --disable-pip-version-check --require-hashes --requirement /opt/camera.txt
    touch /opt/camera/installed' >>"$root.log" 2>&1 || { tail -20 "$root.log" >&2; exit 2; }
fi

rm -rf "$root/opt/farklecrib"
mkdir -p "$root/opt/farklecrib/tests"
cp -r "$repo/vision" "$root/opt/farklecrib/"
cp -r "$here" "$root/opt/farklecrib/tests/"
cp "$repo/tests/vision/published_modes.py" "$repo/tests/pictures/trays/00104.jpg" \
  "$root/opt/farklecrib/tests/virtual_camera/"
inside sh -ec '
  cd /opt/farklecrib/tests/virtual_camera
  gcc -shared -fPIC -o /opt/shim.so udmabuf_shim.c -ldl
  exec env PYTHONPATH=/opt/farklecrib/vision LD_PRELOAD=/opt/shim.so LIBCAMERA_LOG_LEVELS="*:ERROR" \
    /opt/camera/bin/python -m pytest -p no:cacheprovider -ra -v --rootdir . driven_by_libcamera.py configured_by_picamera2.py'
