#!/bin/sh
# Builds the packages, and tries each for real: `make test-deb`. amd64: lintian, then installation, game, upgrade,
# interruptions, downgrade, removal and purge in a fresh Debian root without an init. arm64: unpacked, and run by
# qemu's user emulation. RELEASES=trixie tries one release. Needs root, mmdebstrap, lintian, gcc-aarch64-linux-gnu,
# 6 GB of disk and half an hour.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
repo=$(CDPATH='' cd -- "$here/../.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/farklecrib/deb
python=$repo/.venv/bin/python
out=${OUT:-$repo/dist}
picture=$repo/tests/pictures/trays/00104.jpg

. "$repo/tests/debian_root.sh"

[ "$(id -u)" = 0 ] || fail "expected root for the Debian roots; run: sudo make test-deb"
for tool in mmdebstrap lintian aarch64-linux-gnu-gcc readelf; do
  command -v $tool >/dev/null ||
    fail "expected $tool, got none; apt install mmdebstrap lintian gcc-aarch64-linux-gnu binutils"
done
mkdir -p "$cache"
SOURCE_DATE_EPOCH=$(git -C "$repo" log -1 --format=%ct)
export SOURCE_DATE_EPOCH # the same for all builds, even if a commit is made meanwhile

root_of() { # a fresh root of a release; made once, copied each time
  base_of "$1" "$cache/amd64-$1"
  copy_of "$cache/amd64-$1" "$cache/work-$1"
  printf '#!/bin/sh\nexit 101\n' >"$cache/work-$1/usr/sbin/policy-rc.d" # no service may start
  chmod +x "$cache/work-$1/usr/sbin/policy-rc.d"
}

older() { # the same package as an older version, which cannot read a turn that was banked
  tree=$cache/older
  rm -rf "$tree"
  dpkg-deb -R "$1" "$tree"
  was=$(dpkg-deb -f "$1" Version); is=0.0.9+${was##*+}
  mv "$tree/usr/lib/farklecrib/$was" "$tree/usr/lib/farklecrib/$is"
  sed -i "s|$was|$is|g" "$tree"/DEBIAN/*
  codec=$(cd "$tree" && find usr -path '*/companion/storage/codec.py')
  sed -i 's/ if kind is not Aside$/ if kind.__name__ not in ("Aside", "TurnBanked")/' "$tree/$codec"
  grep -q TurnBanked "$tree/$codec" || fail "expected the kinds of events in $codec"
  sed -i "s|.*  $codec$|$(md5sum <"$tree/$codec" | cut -c1-32)  $codec|" "$tree/DEBIAN/md5sums"
  dpkg-deb --root-owner-group -Znone --build "$tree" "$2" >/dev/null
  rm -rf "$tree"
}

amd64() {
  release=$1; new=$2; root=$cache/work-$release
  say "$release amd64: install, upgrade, cuts, going back, remove, purge"
  root_of "$release"
  cp "$new" "$root/srv/new.deb"
  older "$new" "$root/srv/old.deb"
  cp "$picture" "$root/srv/tray.jpg"
  cp "$here/inside.sh" "$root/srv/"
  inside "$root" sh /srv/inside.sh
  rm -rf "$root"
}

arm64() {
  # Debian 13's qemu, because onnxruntime ends with a segmentation fault under Debian 12's (7.2).
  qemu=$cache/qemu/usr/bin/qemu-aarch64
  [ -x "$qemu" ] || mmdebstrap --variant=extract --include=qemu-user trixie "$cache/qemu"
  release=$1; package=$2; root=$cache/work-arm64-$release
  say "$release arm64: unpack, score and read under qemu"
  rm -rf "$root"
  cp -a "$cache/arm64-$release" "$root"
  dpkg-deb -x "$package" "$root"
  site=$(echo "$root"/usr/lib/farklecrib/*/lib/python3.*/site-packages)
  name=$(basename "$(dirname "$site")")
  emulated() { PYTHONPATH=$site PYTHONDONTWRITEBYTECODE=1 "$qemu" -L "$root" "$root/usr/bin/$name" -s -P "$@"; }
  emulated -c 'import os; os.environ["LG_WD"] = "/tmp"
import cv2, gpiod, gpiozero, lgpio, numpy, onnxruntime, platform, _rpi_ws281x
print(platform.machine(), "numpy", numpy.__version__, "cv2", cv2.__version__, "onnxruntime", onnxruntime.__version__)'
  emulated -m companion score farkle-cribbage "1 1 5"
  emulated -m companion read "$picture"
  rm -rf "$root"
}

version() { "$python" "$here/build.py" --print-version --release "$1"; }

for release in ${RELEASES:-bookworm trixie}; do
  "$python" "$here/build.py" --release "$release" --out "$out"
  for arch in amd64 arm64; do
    package=$out/farklecrib_$(version "$release")_$arch.deb
    say "lintian $release $arch"
    lintian --fail-on error --allow-root "$package" >"$cache/lintian.log" 2>&1 ||
      { grep '^E:' "$cache/lintian.log"; fail "expected no error of lintian"; }
    echo "0 errors, $(grep -c '^W:' "$cache/lintian.log" || true) warnings"
    [ "$(dpkg-deb -f "$package" Installed-Size)" -le 307200 ] || fail "expected at most 300 MiB installed"
    case $arch in
      amd64) amd64 "$release" "$package" ;;
      arm64) arm64 "$release" "$package" ;;
    esac
  done
done

say "the same commit gives the same bytes, on one core, too"
rm -rf "$out/again"
taskset -c 0 "$python" "$here/build.py" --release trixie --out "$out/again" --arch arm64
for again in "$out"/again/*.deb; do
  cmp "$again" "$out/$(basename "$again")" || fail "expected two builds to be equal"
done
rm -rf "$out/again"
say "all packages hold"
