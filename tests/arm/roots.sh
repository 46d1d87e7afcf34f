#!/bin/sh
# Runs the program's processor-dependent parts on an emulated Pi's processor, and compares them with this machine's:
# `make test-arm`. For each Debian release it unpacks two small roots with Python (arm64 and amd64; no package is
# configured, so none of their programs runs), and installs the locked packages with pip in a virtual environment of each.
# RELEASES=trixie tries one release.
# Needs mmdebstrap, gcc-aarch64-linux-gnu, 3 GB of disk and half an hour.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
repo=$(CDPATH='' cd -- "$here/../.." && pwd)
caches=${XDG_CACHE_HOME:-$HOME/.cache}/farklecrib
cache=$caches/arm
qemu=$caches/deb/qemu/usr/bin/qemu-aarch64

. "$repo/tests/debian_root.sh"

[ "$(id -u)" = 0 ] || fail "expected root for the Debian roots; run: sudo make test-arm"
for tool in mmdebstrap aarch64-linux-gnu-gcc gcc script; do
  command -v $tool >/dev/null || fail "expected $tool, got none; sudo apt install mmdebstrap gcc-aarch64-linux-gnu gcc libc6-dev bsdutils"
done
[ "$(uname -m)" = x86_64 ] || fail "expected a machine with an x86_64 processor, got $(uname -m)"
mkdir -p "$cache"

unpack() { # architecture, release, packages, folder
  rm -rf "$4.new"
  mmdebstrap --variant=extract --architectures="$1" --include="$3" "$2" "$4.new" >"$cache/unpack.log" 2>&1 ||
    { tail -5 "$cache/unpack.log" >&2; fail "expected mmdebstrap to unpack $2 for $1"; }
  mv "$4.new" "$4"
}

# Debian 13's qemu: Debian 12's shows the host's /proc/cpuinfo, at which onnxruntime ends with a segmentation fault.
[ -x "$qemu" ] || { say "qemu"; mkdir -p "$caches/deb"; rm -rf "$caches/deb/qemu"; unpack amd64 trixie qemu-user "$caches/deb/qemu"; }

python_of() { # architecture, release, Python's version: makes the root and its virtual environment with the program
  arch=$1
  release=$2
  version=$3
  root=$cache/$arch-$release
  venv=$cache/venv-$arch-$release
  if [ ! -d "$root" ]; then
    say "$release $arch: unpack"
    unpack "$arch" "$release" "python3-venv,libpython$version-dev,libstdc++6,zlib1g" "$root"
  fi
  for link in lib lib64; do # Debian 13's packages do not create these links
    [ -e "$root/$link" ] || [ ! -d "$root/usr/$link" ] || ln -s "usr/$link" "$root/$link"
  done
  # A command that runs the root's Python, also as sys.executable of its child processes and copied into an environment.
  case $arch in
    arm64) run="'$qemu' -cpu cortex-a53 -0 \"\$0\" -L '$root' '$root/usr/bin/python$version'" ;;
    amd64) run="'$root/lib64/ld-linux-x86-64.so.2' --argv0 \"\$0\" --library-path '$root/usr/lib/x86_64-linux-gnu:$root/lib/x86_64-linux-gnu' '$root/usr/bin/python$version'" ;;
  esac
  printf '#!/bin/sh\nexec %s "$@"\n' "$run" >"$root/usr/bin/python-of-root"
  chmod +x "$root/usr/bin/python-of-root"
  pip() {
    "$venv/bin/python" "$(echo "$root"/usr/share/python-wheels/pip-*.whl)/pip" --quiet --disable-pip-version-check \
      --no-cache-dir install --no-compile --no-build-isolation "$@" >"$cache/pip.log" 2>&1 ||
      { tail -20 "$cache/pip.log" >&2; fail "expected pip to install on $release $arch"; }
  }
  cat "$repo/requirements/build.txt" "$repo/requirements/pi.txt" >"$cache/wanted.txt"
  if ! cmp -s "$cache/wanted.txt" "$venv/installed.txt"; then
    say "$release $arch: pip installs the locked packages"
    rm -rf "$venv"
    "$root/usr/bin/python-of-root" -m venv --copies --without-pip "$venv"
    case $arch in # rpi_ws281x has no wheel; the compiler itself is this machine's
      arm64) CC=aarch64-linux-gnu-gcc ;;
      amd64) CC=gcc ;;
    esac
    export LDSHARED="$CC -shared" CC="$CC -I$root/usr/include/python$version -idirafter $root/usr/include"
    for lock in build pi; do
      pip --require-hashes --only-binary :all: --no-binary rpi-ws281x --requirement "$repo/requirements/$lock.txt"
    done
    cp "$cache/wanted.txt" "$venv/installed.txt"
  fi
  pip --no-deps --force-reinstall "$repo"
}

for release in ${RELEASES:-trixie bookworm}; do
  case $release in
    trixie) version=3.13 ;;
    bookworm) version=3.11 ;;
    *) fail "expected RELEASES to be of trixie and bookworm, got '$release'" ;;
  esac
  (python_of arm64 "$release" $version)
  (python_of amd64 "$release" $version)
done
say "compare"
cd "$repo"
RELEASES="${RELEASES:-trixie bookworm}" ROOTS=$cache "$repo/.venv/bin/pytest" -p no:cacheprovider --timeout 3600 -s "$@" "$here/on_arm64.py"

