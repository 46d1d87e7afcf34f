#!/bin/sh
# Runs the two commands of README.md as a stranger does, in fresh Debian roots: `make test-fresh`. Each run clones the
# last commit into an empty home, starts `make play` until its page answers, and calls `make test`.
#
# RUNS names the runs, as RELEASE:WHO. WHO is `user`, a user without Chromium and with umask 002; `browser`, the same
# with Chromium; or `root`, for whom make installs Chromium. FOLDER is where the roots lie: made once, copied for each
# run. Needs root, mmdebstrap, 3 GB of disk, and five minutes for each run on two cores.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
repo=$(CDPATH='' cd -- "$here/../.." && pwd)
cache=${FOLDER:-${XDG_CACHE_HOME:-$HOME/.cache}/farklecrib/fresh}
runs=${RUNS:-bookworm:user trixie:user trixie:browser}

. "$here/../debian_root.sh"

[ "$(id -u)" = 0 ] || fail "expected root for the Debian roots; run: sudo make test-fresh"
command -v mmdebstrap >/dev/null || fail "expected mmdebstrap, got none; sudo apt install mmdebstrap"
mkdir -p "$cache"

for run in $runs; do
  release=${run%:*}
  who=${run#*:}
  log=$cache/$release-$who.log
  root=$cache/work
  case $run in
    bookworm:user | bookworm:browser | bookworm:root | trixie:user | trixie:browser | trixie:root) ;;
    *) fail "expected RUNS such as 'bookworm:user trixie:browser trixie:root', got '$run'" ;;
  esac
  say "$release as $who: $log"
  base_of "$release" "$cache/$release" --include=ca-certificates,git,make,python3-venv
  copy_of "$cache/$release" "$root"
  [ "$who" != browser ] || inside "$root" sh -ec 'apt-get update -qq
    apt-get install -y -qq --no-install-recommends chromium-headless-shell libatomic1' >"$log" 2>&1 ||
    fail "expected Chromium in the root: $(tail -3 "$log")"
  reach_packages "$root"
  user=root
  [ "$who" = root ] || { user=stranger; inside "$root" useradd --create-home $user; }
  home=$(inside "$root" sh -c "echo ~$user")
  git -c safe.directory='*' clone --quiet --no-local --depth 1 "file://$repo" "$root$home/farklecrib"
  inside "$root" chown -R "$user:" "$home"
  if inside "$root" setpriv --reuid "$user" --regid "$user" --init-groups \
    env HOME="$home" bash "$home/farklecrib/tests/fresh/inside.sh" >"$log" 2>&1; then
    grep -E '^[0-9]+ passed|^skipped:' "$log"
  else
    tail -60 "$log"
    fail "expected $release as $who to pass; $log has everything"
  fi
  rm -rf "$root"
done
say "both commands work in a fresh clone: $runs"
