#!/bin/sh
# Shows the table's wall on a screen of this machine: waits until the table answers, starts the browser in full screen,
# and starts it again whenever it ends. docs/kiosk.md says how a Raspberry Pi starts this script with its desktop.
#
# Usage: kiosk.sh [ADDRESS]
# BROWSER names another browser than Chromium, PAUSE_S the seconds between two tries.
set -u

address=${1:-http://localhost:8080/wall}
pause_s=${PAUSE_S:-2}
browser=${BROWSER:-}
child=

for each in chromium chromium-browser; do
  [ -n "$browser" ] || browser=$(command -v "$each")
done
if [ -z "$browser" ]; then
  echo "kiosk.sh: error: expected a browser called chromium or chromium-browser, found none" >&2
  exit 2
fi

finish() {
  [ -z "$child" ] || kill "$child" 2>/dev/null
  exit 0
}
trap finish INT TERM HUP

while :; do
  until curl --silent --fail --max-time 10 --output /dev/null "$address"; do
    sleep "$pause_s"
  done
  # --incognito: after a power cut Chromium asks nobody whether to restore its pages.
  "$browser" --kiosk --start-maximized --incognito --no-first-run --noerrdialogs --disable-infobars \
    --password-store=basic "$address" &
  child=$!
  wait "$child"
  child=
  sleep "$pause_s"
done
