#!/bin/sh
# Install Mosquitto and PostgreSQL where they are missing and root may do it, and run all tests of a league.
set -eu

PATH="$PATH:/usr/sbin"
if ! command -v mosquitto >/dev/null || ! ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1; then
  root=""
  [ "$(id -u)" = 0 ] || root="sudo -n"
  echo "farklecrib: installing Mosquitto and PostgreSQL"
  { $root apt-get update -qq && $root apt-get install -y -qq --no-install-recommends mosquitto postgresql; } >/dev/null || {
    echo "farklecrib: expected Mosquitto and PostgreSQL; install them with: sudo apt install mosquitto postgresql"
    exit 1
  }
fi
LEAGUE_PLAY_S=${LEAGUE_PLAY_S:-600} exec .venv/bin/python -m pytest -n 2 -rs -m "not soak" tests/league
