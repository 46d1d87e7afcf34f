# shellcheck shell=sh
# What scripts that work in Debian roots share; they source it, as root.

fail() { echo "farklecrib: error: $1" >&2; exit 1; }
say() { echo "== $1"; }

base_of() { # release, folder, more options of mmdebstrap: makes a root once
  [ ! -e "$2/etc/debian_version" ] || return 0
  release_of_base=$1
  folder_of_base=$2
  shift 2
  rm -rf "$folder_of_base" "$folder_of_base.new"
  mmdebstrap --mode=root --variant=minbase "$@" "$release_of_base" "$folder_of_base.new" >"$folder_of_base.log" 2>&1 ||
    fail "expected mmdebstrap to make $release_of_base: $(tail -5 "$folder_of_base.log")"
  mv "$folder_of_base.new" "$folder_of_base"
}

copy_of() { # a base, a folder: copies the base there
  rm -rf "$2"
  cp -a "$1" "$2"
  cp /etc/resolv.conf "$2/etc/" 2>/dev/null || true
  printf '127.0.0.1 localhost\n::1 localhost\n' >"$2/etc/hosts"
}

reach_packages() { # a root: pip reaches the package index there in the same way as on this machine
  [ ! -e /etc/pip.conf ] || cp /etc/pip.conf "$1/etc/"
  mkdir -p "$1/etc/ssl/certs"
  cp /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/" 2>/dev/null || true
}

inside() { # root, command: runs the command in the root; its mounts and processes end with it
  unshare --mount --pid --fork --kill-child sh -c '
    root=$1; shift
    mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev"
    passed=$(env | grep -E "^(PIP_[A-Z_]+|https?_proxy|no_proxy)=") || true
    set -f; IFS="
"
    exec chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
      LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive $passed "$@"' sh "$@"
}
