#!/bin/sh
# Show the table to the newest Home Assistant that a Python of this machine takes, in an environment of its own. What is
# missing skips it, and it says what. HA_PYTHON names another Python.
set -eu
venv=.venv-ha

skip() {
  echo "farklecrib: make test-ha is skipped: $1"
  exit 0
}

PATH="$PATH:/usr/sbin"
command -v mosquitto >/dev/null || skip "it needs Mosquitto: apt install mosquitto"
if [ ! -x $venv/bin/hass ]; then
  python=""
  for each in ${HA_PYTHON:-python3.14 python3.13 python3}; do
    if "$each" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 13))' 2>/dev/null; then
      python=$each
      break
    fi
  done
  [ -n "$python" ] || skip "Home Assistant needs Python 3.13 or newer with its venv module"
  "$python" -m venv $venv
  echo "farklecrib: installing Home Assistant into $venv (once; some minutes)"
  $venv/bin/python tests/home_assistant/install.py || { rm -rf $venv; skip "Home Assistant could not be installed; some of its packages are built: apt install gcc python3-dev"; }
fi
exec .venv/bin/python -m pytest -q -p no:cacheprovider -rs tests/home_assistant/in_home_assistant.py
