#!/bin/sh
# Runs for test.sh in a Debian root without an init: /srv/old.deb replaces an installation made from a checkout. It is
# then upgraded to /srv/new.deb with its games, interrupted, downgraded, and purged.
set -eu

fail() { echo "farklecrib: error: $1" >&2; exit 1; }
apt() { apt-get -q -o Dpkg::Use-Pty=0 "$@" >/srv/apt.log 2>&1; }
must() { apt "$@" || { tail -20 /srv/apt.log >&2; fail "expected apt-get $1 to succeed"; }; }
used() { [ "$(readlink $home/current)" = "$1" ] || fail "expected $1 in use, got $(readlink $home/current)"; }
table() { cd /run/farklecrib && exec runuser -u farklecrib -- env HOME=$games LG_WD=/run/farklecrib farklecrib "$@"; }
whole() { # all files of the version in use are those of its package
  version=$(basename "$(readlink $home/current)")
  sed -n "s|  usr/lib/farklecrib/$version/|  $home/current/|p" "/srv/$version.md5" >/srv/sums
  [ -s /srv/sums ] && md5sum --quiet -c /srv/sums || fail "expected a whole version, got $(readlink $home/current)"
}
none() { found=$("$@"); [ -z "$found" ] || fail "expected nothing, got $found"; }

home=/usr/lib/farklecrib games=/var/lib/farklecrib etc=/etc/systemd/system
new=$(dpkg-deb -f /srv/new.deb Version) old=$(dpkg-deb -f /srv/old.deb Version)
for each in old new; do
  dpkg-deb --ctrl-tarfile /srv/$each.deb | tar -xO ./md5sums >"/srv/$(dpkg-deb -f /srv/$each.deb Version).md5"
done
mkdir -p /run/farklecrib

echo "-- a checkout's installation goes, a person's drop-in stays"
mkdir -p /opt/farklecrib/bin /etc/udev/rules.d /etc/sysusers.d $etc/farklecrib.service.d $etc/multi-user.target.wants
touch /opt/farklecrib/pyvenv.cfg $etc/farklecrib.service $etc/farklecrib.service.d/restart.conf \
  $etc/farklecrib.service.d/mine.conf /etc/udev/rules.d/60-farklecrib.rules /etc/sysusers.d/farklecrib.conf
ln -s $etc/farklecrib.service $etc/multi-user.target.wants/farklecrib.service
ln -s /opt/farklecrib/bin/farklecrib /usr/local/bin/farklecrib
must update
must install -y /srv/old.deb
used "$old"
none find /opt /usr/local/bin /etc/udev /etc/sysusers.d -name '*farklecrib*'
[ "$(find $etc -name '*farklecrib*' -o -name '*.conf' | sort | xargs)" = "$etc/farklecrib.service.d \
$etc/farklecrib.service.d/mine.conf $etc/multi-user.target.wants/farklecrib.service" ] ||
  fail "expected the drop-in and the link to the unit, got $(find $etc)"
[ "$(readlink $etc/multi-user.target.wants/farklecrib.service)" != $etc/farklecrib.service ] || fail "expected our unit"
echo "# mine" >>/etc/farklecrib/config.toml
chown farklecrib /run/farklecrib
python=$(basename "$(readlink $home/current/bin/python3)")
mkdir -p "/usr/local/lib/farklecrib/$python"
echo "found = True" >"/usr/local/lib/farklecrib/$python/added.py"

echo "-- without games no backup; then a game of the old version, whose backup the upgrade makes"
must install -y --reinstall /srv/old.deb
none find $games -name 'games.*'
table play >/srv/play.log 2>&1 &
playing=$!
python3 - <<'P' || { tail -5 /srv/play.log; fail "expected the page to answer"; }
import json, time, urllib.request
for _ in range(120):
    try:
        page = urllib.request.urlopen("http://127.0.0.1:8080/", timeout=5).read()
        break
    except OSError:
        time.sleep(1)
assert b"Farkle Crib" in page, page[:200]
print("the page answered with", len(page), "bytes")
game = json.dumps({"rules": "farkle-cribbage", "players": ["Ann", "Ben"]}).encode()
asked = urllib.request.Request("http://127.0.0.1:8080/api/v1/game", game, {"Content-Type": "application/json"})
urllib.request.urlopen(asked, timeout=60)
P
kill $playing
wait $playing || true
must install -y /srv/new.deb
used "$new"
whole
grep '^farklecrib: backup: 1 game' /srv/apt.log || fail "expected a backup, got $(tail -5 /srv/apt.log)"
first=$games/games.$old-to-$new.zip
sum=$(md5sum <"$first")
[ ! -e $home/kept ] && [ ! -e "$home/$old" ] || fail "expected the new version alone, got $(ls $home)"
"$home/current/bin/python3" -P -c 'import added' || fail "expected what a person added to be found"
tail -1 /etc/farklecrib/config.toml | grep -q '^# mine$' || fail "expected the person's configuration to stay"

echo "-- links in the folder of the service's user lead root nowhere; the newest three backups stay"
runuser -u farklecrib -- ln -s /etc/evil "$games/games.$new-to-$new.2.zip"
touch -d '+1 hour' "$first"
for _ in 1 2 3; do must install -y --reinstall /srv/new.deb; done
none find /etc -name 'evil'
none find $games ! -user farklecrib
[ "$(find $games -name 'games.*-to-*.zip' -type f | wc -l)" -le 3 ] || fail "expected three backups, got $(ls $games)"
[ "$(md5sum <"$first")" = "$sum" ] || fail "expected the first backup unchanged"
rm -f $games/games."$new"-to-"$new".*

echo "-- a backup that fails stops the installation, and the way without one works"
chown root $games
if apt install -y --allow-downgrades /srv/old.deb; then fail "expected a stop, got an installation"; fi
used "$new"
whole
grep '^farklecrib: error: expected a backup' /srv/apt.log
way=$(sed -n 's/^farklecrib: to install without a backup: sudo //p' /srv/apt.log)
cp /srv/old.deb "/srv/${way##*/}"
(cd /srv && $way -y >/srv/apt.log 2>&1) || { tail /srv/apt.log >&2; fail "expected this to succeed: $way"; }
used "$old"
must install -y /srv/new.deb

echo "-- the new version continues the game, whose journal the old one cannot read after a downgrade"
(table play --autoplay) >/srv/game.txt 2>&1 || { tail -3 /srv/game.txt; fail "expected a game"; }
must install -y --allow-downgrades /srv/old.deb
used "$old"
whole
said=$(table play 2>&1) && fail "expected a refusal of the newer journal, got $said"
echo "$said" | grep "restore a backup: farklecrib games restore FILE" || fail "expected the way back, got $said"
(table games restore "$first") 2>&1 | tee /srv/restored
aside=$(sed -n 's/^the games that were there are kept as //p' /srv/restored)
[ -s "$games/$aside" ] && (table games list) || fail "expected the newer journal aside, got $(ls $games)"
none find $games ! -user farklecrib

echo "-- cuts: between the scripts, and dpkg killed at any moment"
dpkg --unpack /srv/new.deb >/srv/apt.log 2>&1
used "kept/$old"
whole
farklecrib version
farklecrib doctor | grep '^WARN  version' || fail "expected the doctor to say that the installation did not end"
dpkg --configure -a >/srv/apt.log 2>&1
used "$new"
to=old
for seconds in 0.3 0.8 2 4 6 8 11 14 18 23; do
  setsid --wait timeout -s KILL $seconds dpkg --force-downgrade -i /srv/$to.deb >/srv/apt.log 2>&1 && to=new
  whole
  echo "$seconds s: $(readlink $home/current), dpkg says $(dpkg-query -W -f '${db:Status-Status} ${Version}' farklecrib)"
done
dpkg --configure -a >/srv/apt.log 2>&1 || true # the command that apt asks for
must install -y --allow-downgrades --reinstall /srv/old.deb
must install -y /srv/new.deb
used "$new"
whole
none find $home -name 'kept'

[ -L $etc/multi-user.target.wants/farklecrib.service ] || fail "expected the service to be enabled"
systemd-analyze verify --man=no farklecrib.service 2>&1 | grep -i 'farklecrib' && fail "expected a unit without faults"
find "$home/$new" -name '*.pyc' | grep -q . || fail "expected compiled bytecode"
[ "$(farklecrib --help | grep -c setup-pi)" = 1 ] || fail "expected the help"
farklecrib score farkle-cribbage "1 1 5"
farklecrib read /srv/tray.jpg
farklecrib mat /srv/tray.pdf
head -c 4 /srv/tray.pdf | grep -q %PDF || fail "expected a paper tray as PDF"
farklecrib doctor || [ $? = 1 ]
farklecrib config check
cd /tmp
LG_WD=/tmp "$home/current/bin/python3" -P -c '
import sys, cv2, numpy, gpiozero, gpiod
try:
    import lgpio
except ModuleNotFoundError:  # neither the index nor Debian 13 has it for amd64, which has no GPIO
    assert sys.version_info >= (3, 13)
    lgpio = sys
import os; os.environ["BLINKA_OS_AGNOSTIC"] = "1"
import neopixel
ours = "/usr/lib/farklecrib/"
assert all(each.__file__.startswith(ours) for each in (cv2, numpy, gpiozero, gpiod, neopixel)), numpy.__file__
print("numpy", numpy.__version__, "cv2", cv2.__version__, "lgpio", getattr(lgpio, "__file__", "none"))
assert any("/usr/lib/python3/dist-packages" == each for each in sys.path)'

must remove -y farklecrib
[ ! -e $home ] || fail "expected no program after remove, got $(find $home | head -3)"
[ -e $games/journal.db ] && [ -e /etc/farklecrib/config.toml ] || fail "expected games and configuration after remove"
mount -t tmpfs games $games # games on a partition of their own, which cannot be removed
touch $games/journal.db
must purge -y farklecrib
none find $games -mindepth 1
umount $games
rm -rf $games/journal.db* # under the mount, out of the reach of the purge
for left in /etc/farklecrib $home /usr/bin/farklecrib /etc/avahi/services/farklecrib.service; do
  [ ! -e $left ] || fail "expected no $left after purge"
done
none find /etc/systemd /var/lib/systemd -name '*farklecrib*' ! -name farklecrib.service.d
echo "removed and purged"
