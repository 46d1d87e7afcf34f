#!/bin/sh
# Runs in a Debian root for test.sh: /srv/old.deb is installed and upgraded to /srv/new.deb, tried, and purged.
set -eu

fail() { echo "farklecrib: error: $1" >&2; exit 1; }
apt() { apt-get -qq -o Dpkg::Use-Pty=0 "$@" >/srv/apt.log 2>&1 || { tail -20 /srv/apt.log >&2; fail "expected apt-get $1 to succeed"; }; }

new=$(dpkg-deb -f /srv/new.deb Version)
apt update
apt install -y /srv/old.deb
old=$(readlink /usr/lib/farklecrib/current)
[ "$old" = "$(dpkg-deb -f /srv/old.deb Version)" ] || fail "expected the old version's link, got $old"
echo "# mine" >>/etc/farklecrib/config.toml
runuser -u farklecrib -- touch /var/lib/farklecrib/mine
runuser -u farklecrib -- farklecrib version

apt install -y /srv/new.deb
[ "$(readlink /usr/lib/farklecrib/current)" = "$new" ] || fail "expected the link to $new"
[ ! -e "/usr/lib/farklecrib/$old" ] || fail "expected nothing of $old, got $(find "/usr/lib/farklecrib/$old" | head -3)"
tail -1 /etc/farklecrib/config.toml | grep -q '^# mine$' || fail "expected the person's configuration to stay"
[ -e /var/lib/farklecrib/mine ] || fail "expected the games to stay"
[ -L /etc/systemd/system/multi-user.target.wants/farklecrib.service ] || fail "expected the service to be enabled"
systemd-analyze verify --man=no farklecrib.service 2>&1 | grep -i 'farklecrib' && fail "expected a unit without faults"
find "/usr/lib/farklecrib/$new" -name '*.pyc' | grep -q . || fail "expected compiled bytecode"

farklecrib version
[ "$(farklecrib --help | grep -c setup-pi)" = 1 ] || fail "expected the help"
farklecrib score farkle-cribbage "1 1 5"
farklecrib read /srv/tray.jpg
farklecrib doctor || [ $? = 1 ]
farklecrib config check
cd /tmp
LG_WD=/tmp "/usr/lib/farklecrib/current/bin/python3" -P -c '
import sys, cv2, numpy, gpiozero, gpiod
try:
    import lgpio
except ModuleNotFoundError:  # neither the index nor Debian 13 has it for amd64, where no GPIO is
    assert sys.version_info >= (3, 13)
    lgpio = sys
import os; os.environ["BLINKA_OS_AGNOSTIC"] = "1"
import neopixel
ours = "/usr/lib/farklecrib/"
assert all(each.__file__.startswith(ours) for each in (cv2, numpy, gpiozero, gpiod, neopixel)), numpy.__file__
print("numpy", numpy.__version__, "cv2", cv2.__version__, "lgpio", getattr(lgpio, "__file__", "none"))
assert any("/usr/lib/python3/dist-packages" == each for each in sys.path)'

mkdir -p /run/farklecrib
chown farklecrib /run/farklecrib
cd /run/farklecrib
runuser -u farklecrib -- env HOME=/var/lib/farklecrib LG_WD=/run/farklecrib farklecrib play >/srv/play.log 2>&1 &
playing=$!
python3 - <<'P' || { tail -5 /srv/play.log; fail "expected the page to answer"; }
import time, urllib.request
for _ in range(120):
    try:
        page = urllib.request.urlopen("http://127.0.0.1:8080/", timeout=5).read()
        assert b"Farkle Crib" in page, page[:200]
        print("the page answered with", len(page), "bytes")
        break
    except OSError:
        time.sleep(1)
else:
    raise SystemExit(1)
P
kill "$playing"
wait "$playing" || true
[ -e /var/lib/farklecrib/journal.db ] || fail "expected a journal of the service's user"

apt remove -y farklecrib
[ ! -e /usr/lib/farklecrib ] || fail "expected no program after remove, got $(find /usr/lib/farklecrib | head -3)"
[ -e /var/lib/farklecrib/mine ] && [ -e /etc/farklecrib/config.toml ] || fail "expected games and configuration after remove"
apt purge -y farklecrib
for left in /var/lib/farklecrib /etc/farklecrib /usr/lib/farklecrib /usr/bin/farklecrib /etc/avahi/services/farklecrib.service; do
  [ ! -e $left ] || fail "expected no $left after purge"
done
find /etc/systemd /var/lib/systemd -name '*farklecrib*' | grep . && fail "expected no link after purge"
echo "removed and purged"
