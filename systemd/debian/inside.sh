#!/bin/sh
# Runs in a Debian root for test.sh: /srv/old.deb is installed and updated to /srv/new.deb, which is tried, refuses
# /srv/worse.deb, is taken back, installed by apt, and purged. No init runs, so no service answers.
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

used() { [ "$(readlink /usr/lib/farklecrib/current)" = "$1" ] || fail "expected $1 in use, got $(readlink /usr/lib/farklecrib/current)"; }
refused() { # a command that must end with status 2 and one line
  why=$1; shift
  if said=$("$@" 2>&1); then fail "expected a refusal of $*, got success"; fi
  case $said in
    "farklecrib: error: "*"$why"*) [ "$(echo "$said" | wc -l)" = 1 ] || fail "expected one line, got $said" ;;
    *) fail "expected a refusal with $why, got $said" ;;
  esac
}

refused "a .deb file" farklecrib update /srv/tray.jpg
refused "expected root" runuser -u farklecrib -- farklecrib update /srv/new.deb
refused "expected a former version" farklecrib update --back
farklecrib update /srv/new.deb
used "$new"
[ -x "/usr/lib/farklecrib/kept/$old/bin/farklecrib" ] || fail "expected the former version to be kept"
refused "expected a version newer" farklecrib update /srv/old.deb

farklecrib update /srv/worse.deb && fail "expected a version that reads no dice to be refused"
used "kept/$new"
farklecrib version
farklecrib read /srv/tray.jpg
apt install -y /srv/new.deb --allow-downgrades
used "$new"
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

runuser -u farklecrib -- env HOME=/var/lib/farklecrib LG_WD=/run/farklecrib farklecrib play --autoplay >/srv/game.txt 2>/dev/null
rm -rf /usr/lib/farklecrib/kept # as after a first installation
apt install -y --reinstall /srv/old.deb --allow-downgrades
used "$old"
apt install -y /srv/new.deb
used "$new"
knows=/usr/lib/farklecrib/kept/$old/share/journal.json
sed -i 's/"TurnBanked", //' "$knows" # as if it were older than banking
refused "expected --yes" farklecrib update --back
used "$new"
farklecrib update --back --yes
used "kept/$old"
ls /var/lib/farklecrib/journal.db.replaced-* >/dev/null || fail "expected the newer journal to be kept"
[ "$(stat -c %U /var/lib/farklecrib/journal.db)" = farklecrib ] || fail "expected a journal of the service's user"
runuser -u farklecrib -- env HOME=/var/lib/farklecrib farklecrib games show | tail -1

apt remove -y farklecrib
[ ! -e /usr/lib/farklecrib ] || fail "expected no program after remove, got $(find /usr/lib/farklecrib | head -3)"
[ -e /var/lib/farklecrib/mine ] && [ -e /etc/farklecrib/config.toml ] || fail "expected games and configuration after remove"
apt purge -y farklecrib
for left in /var/lib/farklecrib /etc/farklecrib /usr/lib/farklecrib /usr/bin/farklecrib /etc/avahi/services/farklecrib.service; do
  [ ! -e $left ] || fail "expected no $left after purge"
done
find /etc/systemd /var/lib/systemd -name '*farklecrib*' | grep . && fail "expected no link after purge"
echo "removed and purged"
