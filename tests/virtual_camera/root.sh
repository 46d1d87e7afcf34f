#!/bin/sh
# Makes a Debian Trixie root in a folder, with libcamera's virtual camera and the real picamera2, and runs the tests of
# the camera driver in it: `make test-pi`. Needs root, mmdebstrap, a gigabyte of disk and the first time some minutes.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
repo=$(CDPATH='' cd -- "$here/../.." && pwd)
root=${ROOT:-${XDG_CACHE_HOME:-$HOME/.cache}/farklecrib/trixie}

. "$repo/tests/debian_root.sh"

[ "$(id -u)" = 0 ] || fail "expected root for the Trixie root; run: sudo make test-pi"
command -v mmdebstrap >/dev/null || fail "expected mmdebstrap, got none; sudo apt install mmdebstrap"
mkdir -p "$(dirname "$root")"
base_of trixie "$root"
cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true

if [ ! -e "$root/opt/camera/installed" ]; then
  echo "farklecrib: installing libcamera and picamera2 there"
  cp "$here/requirements.txt" "$root/opt/camera.txt"
  inside "$root" sh -ec '
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends python3-libcamera libcamera-ipa libcamera-tools python3-numpy python3-venv gcc \
      libc6-dev linux-libc-dev python3-dev libcap-dev
    python3 -m venv --system-site-packages /opt/camera' >"$root.log" 2>&1 || { tail -20 "$root.log" >&2; exit 2; }
  reach_packages "$root" # after apt, because the package ca-certificates writes its file again
  inside "$root" sh -ec '
    /opt/camera/bin/pip install --quiet --disable-pip-version-check --require-hashes --requirement /opt/camera.txt
    touch /opt/camera/installed' >>"$root.log" 2>&1 || { tail -20 "$root.log" >&2; exit 2; }
fi

rm -rf "$root/opt/farklecrib"
mkdir -p "$root/opt/farklecrib/tests"
cp -r "$repo/vision" "$root/opt/farklecrib/"
cp -r "$here" "$root/opt/farklecrib/tests/"
cp "$repo/tests/vision/published_modes.py" "$repo/tests/pictures/trays/00104.jpg" \
  "$root/opt/farklecrib/tests/virtual_camera/"
inside "$root" sh -ec '
  cd /opt/farklecrib/tests/virtual_camera
  gcc -shared -fPIC -o /opt/shim.so udmabuf_shim.c -ldl
  exec env PYTHONPATH=/opt/farklecrib/vision LD_PRELOAD=/opt/shim.so LIBCAMERA_LOG_LEVELS="*:ERROR" \
    /opt/camera/bin/python -m pytest -p no:cacheprovider -ra -v --rootdir . driven_by_libcamera.py configured_by_picamera2.py'
