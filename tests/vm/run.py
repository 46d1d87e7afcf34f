"""The scenarios of `make test-vm`: the package on Debian with systemd, in a machine of another processor.

Each scenario prints one line, and the last line counts them. The exit status is 1 if one failed. The folder of the last
run keeps the console and the log of a failed scenario.
"""

import argparse
import json
import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import cv2
from disks import call, mend, written_game
from log_writes import cut_disk, read_entries, recorded
from machine import Machine, MachineError, expect
from update_cuts import UpdateCuts

from companion.simulation.hands import SimulatedHands
from dicereader.sources.synthetic.source import SyntheticSource

API = "http://127.0.0.1:8080/api/v1"
JSON = "-H 'content-type: application/json'"
PINS = {"keep": 6, "roll": 5, "bank": 16}
LINES = "/sys/devices/platform/pins/gpiochip*"
CGROUP = "/sys/fs/cgroup$(systemctl show -P ControlGroup farklecrib)"
JOINED = f"echo $$ >{CGROUP}/cgroup.procs"
"""Moves a shell into the service's control group, whose filters then hold for it."""

FILL = "/var/lib/farklecrib/fill"
DROP_IN = "[Service]\nTimeoutStartSec=900\nWatchdogSec=300\nTimeoutStopSec=120\n"
GAMES_MB = 48
THROWS = ((1, 1, 2, 3, 4, 6), (2, 2, 2, 5, 5, 6), (1, 3, 4, 4, 5, 6))
"""The faces of the drawn pictures."""

SOUND_MODULES = ("soundcore.ko", "snd.ko", "snd-timer.ko", "snd-pcm.ko", "snd-aloop.ko")
"""The kernel's sound, in the order of loading: it comes after the service has started."""

GUEST = Path(__file__).parent / "guest"
"""Programs that run in the machine."""


class Run:
    """The scenarios with their results, and the machine that most of them share."""

    def __init__(
        self, cache: Path, base: Path, package: Path, newer: Path, out: Path, cuts: int, boots: int, only: str
    ) -> None:
        self.cache, self.base, self.package, self.newer, self.out = cache, base, package, newer, out
        self.cuts, self.boots = cuts, boots
        self.only = re.compile(f"boot$|install the package$|{only}")
        self.failed: list[str] = []
        self.frame_size = (0, 0)
        self.passed = 0
        self.seen: list[tuple[int, str]] = []
        """The length of the log of writes and the written game, each time an act was confirmed."""

    def scenario(self, name: str, run: Callable[[], str]) -> bool | None:
        """Run one scenario if it is wanted, print its line, and return whether it passed. The run goes on anyway."""
        if not self.only.match(name):
            return None
        began = time.monotonic()
        try:
            said = run()
        except Exception as error:  # noqa: BLE001 - one failing scenario must not hide the others
            self.failed.append(name)
            word, said = "FAIL", f"{type(error).__name__}: {error}"
        else:
            self.passed += 1
            word = "pass"
        print(f"{word}  {name} ({time.monotonic() - began:.0f} s): {said}", flush=True)
        return word == "pass"

    def disks(self, root: Path, games: Path, *, logged: bool) -> list[str]:
        """Return the block devices: the root's overlay, the games, and the package's folder."""
        games_disk = f"driver=file,filename={games},node-name=disk1"
        if logged:
            games_disk = recorded(games, self.out / "games.log", "disk1")
        return [
            f"driver=qcow2,file.driver=file,file.filename={root},node-name=disk0",
            games_disk,
            f"driver=file,filename={self.out / 'host.img'},node-name=disk2,read-only=on",
        ]

    def prepare(self) -> None:
        """Make the disks of this run."""
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(self.package, Path(folder) / "farklecrib.deb")
            shutil.copy(self.newer, Path(folder) / "newer.deb")
            for module in ("v4l2loopback.ko", *SOUND_MODULES):
                shutil.copy(self.cache / module, folder)
            self.frame_size = draw_frames(Path(folder) / "frames.yuv")
            call("mke2fs", "-q", "-t", "ext4", "-d", folder, self.out / "host.img", "240M")
        root = self.out / "root.qcow2"
        call("qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", self.base, root)
        call("mke2fs", "-q", "-t", "ext4", "-L", "games", self.out / "games.img", f"{GAMES_MB}M")
        shutil.copy(self.out / "games.img", self.out / "games.base")

    # The acts of a person at the table.

    def state(self, vm: Machine) -> dict:
        return json.loads(vm.run(f"curl -sf -m 60 {API}/state", 90))

    def notation(self, vm: Machine) -> str:
        return vm.run(f"curl -sf -m 60 {API}/notation.txt", 90)

    def post(self, vm: Machine, path: str, body: object) -> dict:
        return json.loads(vm.run(f"curl -s -m 120 {JSON} -d '{json.dumps(body)}' {API}/{path}", 150))

    def press(self, vm: Machine, button: str, seconds: float = 0.4) -> None:
        line = f"$(echo {LINES}/sim_gpio{PINS[button]})/pull"
        vm.run(f"echo pull-down >{line}; sleep {seconds}; echo pull-up >{line}; sleep 0.8")

    def confirm(self, vm: Machine, was: str) -> str:
        """Wait until the written game differs, and record the length of the log of writes at that time."""
        until_s = time.monotonic() + 60
        while time.monotonic() < until_s:
            now = self.notation(vm)
            if now != was:
                self.seen.append(((self.out / "games.log").stat().st_size, now))
                return now
        raise MachineError(f"expected the press to become an act, got the game as it was: {was!r}")

    def play(self, vm: Machine, presses: list[str]) -> int:
        """Press buttons one after another, and wait after each for its act in the journal. Return the acts."""
        was = self.notation(vm)
        for button in presses:
            self.press(vm, button)
            was = self.confirm(vm, was)
        return len(presses)

    def up(self, vm: Machine, timeout_s: float = 900) -> None:
        vm.wait(f"curl -sf -m 60 {API}/state >/dev/null", timeout_s)

    def main_pid(self, vm: Machine) -> int:
        return int(vm.run("systemctl show -P MainPID farklecrib"))

    # The scenarios.

    def boots_systemd(self, vm: Machine) -> str:
        seconds = vm.wait_ready()
        first = vm.run("cat /proc/1/comm").strip()
        expect(first == "systemd", "systemd as the first process", first)
        state = vm.ask("systemctl is-system-running --wait", 400)[1].strip()
        system = vm.run("uname -mr; systemctl --version | head -1").split("\n")
        failed = vm.run("systemctl --failed --plain --no-legend | cut -d' ' -f1").split()
        return f"agent after {seconds:.0f} s, {state}, failed units {failed or 'none'}; {system[0]}, {system[1]}"

    def installs(self, vm: Machine) -> str:
        vm.write("/etc/systemd/system/farklecrib.service.d/slow.conf", DROP_IN)
        vm.run("mkdir -p /mnt/host; mount -o ro /dev/vdc /mnt/host; cp /mnt/host/farklecrib.deb /srv/")
        before = time.monotonic()
        vm.run("cd /srv; apt-get install -y --no-install-recommends ./farklecrib.deb", 1500)
        seconds = time.monotonic() - before
        before = time.monotonic()
        self.up(vm)
        vm.run("rm /srv/farklecrib.deb")
        return f"apt-get install {seconds:.0f} s, then the page after {time.monotonic() - before:.0f} s; no network"

    def as_its_unit_says(self, vm: Machine) -> str:
        vm.wait("systemctl is-active farklecrib", 900)
        pid = self.main_pid(vm)
        status = dict(line.split(":\t", 1) for line in vm.run(f"cat /proc/{pid}/status").splitlines() if ":\t" in line)
        user = vm.run(f"stat -c %U /proc/{pid}").strip()
        expect(user == "farklecrib", "user farklecrib", user)
        expect(int(status["CapEff"], 16) == 0, "no capability", status["CapEff"])
        expect(status["NoNewPrivs"].strip() == "1", "no new privileges", status["NoNewPrivs"])
        expect(status["Seccomp"].strip() == "2", "a filter of system calls", status["Seccomp"])
        inside = vm.run(f"nsenter -t {pid} -m sh -c 'touch /usr/x; touch /etc/x; touch /home/x' 2>&1 || true")
        expect(inside.count("Read-only") >= 2, "a read-only system inside", inside)
        rate = vm.run("systemd-analyze security farklecrib --no-pager | tail -1").split(":")[1].split()[0]
        fed = "$(systemctl show -P WatchdogTimestampMonotonic farklecrib)"
        last = vm.run(f"echo {fed}").strip()
        vm.wait(f'[ "{fed}" != {last} ]', 250, 5)
        lines = vm.run("journalctl -u farklecrib --no-pager -o cat")
        (self.out / "service.log").write_text(lines, encoding="utf-8")
        return (
            f"user {user}, no capability, seccomp, exposure {rate}; the watchdog was fed again; "
            f"{len(lines.splitlines())} lines in its log"
        )

    def filters_the_network(self, vm: Machine) -> str:
        """Check that the kernel's programs for IPAddressDeny and DeviceAllow are attached."""
        # The unit has no RestrictFileSystems, whose hook (bpf-restrict-fs) this kernel lacks.
        denied = vm.run(
            "journalctl -b --no-pager -o cat | grep -i 'not supported' | grep -v bpf-restrict-fs | head -5; true"
        )
        send(vm, "ask.py")
        vm.run("setsid python3 -m http.server 8099 >/dev/null 2>&1 & sleep 8")
        for joined, host in ((JOINED, "127.0.0.1"), ("true", "192.0.2.1")):
            said = vm.ask(f"{joined}; python3 /run/ask.py {host} 8099")[1]
            expect("answers" in said, f"an answer of {host}", said)
        far = vm.ask(f"{JOINED}; python3 /run/ask.py 192.0.2.1 8099")[1]
        # The kernel drops the packets of some connections instead of refusing them.
        expect("not permitted" in far or "timed out" in far, "192.0.2.1 refused", far)
        disk = vm.ask(f"{JOINED}; head -c1 /dev/vda")
        expect("not permitted" in disk[1], "a disk that cannot be opened from the service", disk[1])
        expect("not supported" not in denied.lower(), "all of the unit's filters", denied)
        return (
            "from its control group 127.0.0.1 answers; 192.0.2.1 and /dev/vda, open to a shell beside it, are refused"
        )

    def plays_by_pins(self, vm: Machine) -> str:
        body = {"rules": "farkle-cribbage", "players": ["Ann", "Ben"]}
        self.post(vm, "game", body)
        vm.wait(f'curl -sf {API}/state | grep -q \'"kind":"blind"\'', 300)
        self.post(vm, "answer", {"answer": "count points ourselves"})
        acts = 0
        for turn in range(4):
            acts += self.play(vm, ["keep"] * (turn + 2) + ["bank"])
        state = self.state(vm)
        scores = [player["score"] for player in state["players"]]
        expect(scores == [6, 8], "scores 6 and 8", str(scores))
        return f"{acts} presses of simulated pins, {acts} acts in the journal, scores {scores}"

    def chatters(self, vm: Machine) -> str:
        was, seq = self.notation(vm), self.state(vm)["seq"]
        line = f"$(echo {LINES}/sim_gpio{PINS['keep']})/pull"
        vm.run(
            f"p={line}; for i in 1 2 3 4 5; do echo pull-down >$p; echo pull-up >$p; done;"
            " echo pull-down >$p; sleep 0.5;"
            " for i in 1 2 3; do echo pull-up >$p; echo pull-down >$p; done; echo pull-up >$p; sleep 2"
        )
        self.confirm(vm, was)
        after = self.state(vm)["seq"]
        expect(after == seq + 1, "one act of a chattering press", f"{after - seq}")
        return "a press with 8 bounces was one act"

    def lights_lamps(self, vm: Machine) -> str:
        lamps = vm.run(f"for n in 17 22 23; do echo $n $(cat {LINES}/sim_gpio$n/value); done")
        expect("1" in [line.split()[1] for line in lamps.splitlines()], "a lit lamp", lamps)
        return f"lamp pins and their levels: {', '.join(lamps.splitlines())}"

    def comes_back(self, vm: Machine, how: str) -> str:
        was, pid = self.notation(vm), self.main_pid(vm)
        vm.run(how, 400)
        began = time.monotonic()
        vm.wait(f"p=$(systemctl show -P MainPID farklecrib); [ $p != 0 ] && [ $p != {pid} ]", 300, 0.5)
        self.up(vm)
        now = self.notation(vm)
        expect(now == was, f"the game {was!r}", repr(now))
        return f"another process and its page after {time.monotonic() - began:.0f} s, the game unchanged"

    def out_of_memory(self, vm: Machine) -> str:
        was = self.notation(vm)
        needed = int(vm.run("systemctl show -P MemoryCurrent farklecrib"))
        vm.run(f"systemctl set-property --runtime farklecrib MemoryMax={int(needed * 0.6)} MemorySwapMax=0")
        try:
            vm.wait("journalctl -u farklecrib -b -o cat --no-pager | grep -q 'OOM killer'", 240)
        finally:
            vm.run("systemctl revert farklecrib || true; systemctl set-property --runtime farklecrib MemoryMax=85%")
        self.up(vm)
        now = self.notation(vm)
        expect(now == was, f"the game {was!r}", repr(now))
        again = vm.run("systemctl show -P NRestarts farklecrib").strip()
        mib = needed / 2**20
        return (
            f"a limit of {0.6 * mib:.0f} of {mib:.0f} MiB: killed and back, the game unchanged; restarts so far {again}"
        )

    def clock_jumps(self, vm: Machine) -> str:
        self.count_again(vm)  # after the previous end
        was, pid = self.notation(vm), self.main_pid(vm)
        for days in (400, -800, 400):
            vm.run(f"date -s '{days:+d} days' >/dev/null; sleep 5")
        self.press(vm, "keep")
        self.confirm(vm, was)
        expect(self.main_pid(vm) == pid, "the same process", str(self.main_pid(vm)))
        return "400 days ahead and back while a game runs: the same process, the next press is an act"

    def disk_full(self, vm: Machine) -> str:
        before = self.state(vm)
        was = self.notation(vm)
        vm.run(f"for size in 64k 512; do dd if=/dev/zero of={FILL}$size bs=$size 2>/dev/null || true; done")
        fitted = 0
        try:
            while fitted < 60:  # the pages that SQLite has allocated already still take some acts
                self.press(vm, "keep")
                state = self.state(vm)
                if state["seq"] == before["seq"] + fitted:
                    break
                was = self.confirm(vm, was)
                fitted += 1
            expect(self.notation(vm) == was, "no act on a full disk", self.notation(vm))
        finally:
            vm.run(f"rm -f {FILL}*")
        told = sorted(set(state["degraded"]) - set(before["degraded"]))
        expect(bool(told), "the table to say that it cannot save", str(state["degraded"]))
        self.press(vm, "keep")
        self.confirm(vm, was)
        return f"{fitted} acts fitted, the next was refused, degraded: {told}; with room a press counts again"

    def opens_spi(self, vm: Machine) -> str:
        send(vm, "spi.py")
        said = vm.run(f"{JOINED}; runuser -u farklecrib -- python3 /run/spi.py; ls -l /dev/spidev0.0")
        strip = vm.run("journalctl -u farklecrib --no-pager -o cat | grep -iE 'strip|lights' | tail -2; true")
        return (f"the service's user sends {said.split()[0]} bytes by /dev/spidev0.0, spi-gpio on simulated pins, "
                f"buffer {said.split()[1]}; the strip: {' '.join(strip.split())[:240]}")  # fmt: skip

    def sees(self, vm: Machine) -> str:
        """Feed drawn pictures to a camera of the kernel, and read them through V4L2 and OpenCV as the eye does."""
        throws = list(THROWS)
        code = vm.ask("insmod /mnt/host/v4l2loopback.ko && sleep 2 && ls -l /dev/video0")
        expect(code[0] == 0, "/dev/video0 of v4l2loopback", code[1])
        send(vm, "feed.py")
        send(vm, "look.py")
        width, height = self.frame_size
        vm.run("echo 0 >/run/frame; chmod 666 /run/frame; chmod 644 /run/look.py")
        vm.run(f"setsid python3 /run/feed.py /mnt/host/frames.yuv {width} {height} >/run/feed.log 2>&1 & sleep 8")
        look = f"/usr/lib/farklecrib/current/bin/python3 -P /run/look.py {len(throws)}"
        status, said = vm.ask(
            f"{JOINED}; cd /run/farklecrib; runuser -u farklecrib -- {look} 2>&1; cat /run/feed.log", 400
        )
        vm.ask("pkill -f /run/feed.py; true")
        read = [tuple(int(word) for word in line.split()[:6]) for line in said.splitlines() if line[:1].isdigit()]
        expect(status == 0 and read == throws, f"{throws}", said[-600:])
        return f"{len(throws)} drawn throws through /dev/video0, V4L2 and OpenCV: all read; {said.splitlines()[0]} s"

    def plays_what_it_sees(self, vm: Machine) -> str:
        """Let the eye read the pictures of a simulated camera in the machine itself."""
        vm.run(
            "sed -i 's/^source = .*/source = \"simulated\"/' /etc/farklecrib/config.toml; systemctl restart farklecrib"
        )
        self.up(vm)
        self.post(vm, "game", {"rules": "farkle-cribbage", "players": ["Ann", "Ben"]})
        vm.wait(f"curl -sf {API}/state | grep -q '\"sure\":true'", 300)
        began = time.monotonic()
        self.post(vm, "simulator/throw", {"dice": [1, 1, 2, 3, 4, 6]})
        vm.wait(f"curl -sf {API}/state | grep -q '\"roll\":.[1-6]'", 300)
        seconds = time.monotonic() - began
        self.press(vm, "bank")
        text = self.notation(vm)
        memory = self.memory(vm)
        return f"throw to roll {seconds:.0f} s; {text.splitlines()[2:]}; {memory}"

    def speaks(self, vm: Machine) -> str:
        """Plug a sound card in while the service runs; its next sentence is recorded at the other end of the card."""
        expect("alsa" not in vm.run("cat /proc/devices"), "a kernel without sound", "one with it")
        self.press(vm, "bank")  # the table speaks, and nobody hears it
        silent = vm.wait(f"curl -sf {API}/state | grep -o '\"No sound[^\"]*'", 120)
        vm.run("for module in soundcore snd snd-timer snd-pcm snd-aloop; do insmod /mnt/host/$module.ko; done")
        vm.wait("ls -l /dev/snd/pcmC0D0p && systemctl show -P DeviceAllow farklecrib | grep -q /dev/snd/pcmC0D0p", 120)
        vm.run(
            "(arecord -q -D hw:Loopback,1,0 -f S16_LE -r 22050 -c 1 -d 60 /run/heard.wav >/run/arecord 2>&1 &); sleep 3"
        )
        for button in ("keep", "bank", "keep"):
            self.press(vm, button, 1.0)
            vm.run("sleep 8", 60)
        vm.run("sleep 40", 90)
        send(vm, "heard.py")
        loud = vm.run("python3 /run/heard.py; cat /run/arecord")
        expect(int(loud.split()[1]) > 500, "speech on the other end of the loop", loud)
        degraded = [text for text in self.state(vm)["degraded"] if "sound" in text.lower()]
        expect(not degraded, "a voice that is no longer degraded", str(degraded))
        samples = " ".join(loud.split()[:2])
        return f"without a card {silent.strip()!r}; with one that came later: samples and loudest {samples}"

    def has_its_own_name(self, vm: Machine) -> str:
        """Give the page another port, and the network a machine of the same name."""
        for name in ("other_avahi.sh", "browse.py"):
            send(vm, name)
        vm.run("sed -i 's/^port = .*/port = 8090/' /etc/farklecrib/config.toml; systemctl restart farklecrib")
        vm.run("sh /run/other_avahi.sh table", 300)
        vm.wait("systemctl show -P StatusText farklecrib | grep 'page http://table-2.local:8090/'", 300)
        statuses = {
            name: vm.run(f"curl -s -o /dev/null -w %{{http_code}} -H 'Host: {name}:8090' http://10.9.0.1:8090/phone")
            for name in ("table-2.local", "table-3.local")
        }
        expect(statuses == {"table-2.local": "200", "table-3.local": "421"}, "its own name alone", str(statuses))
        found = vm.run("ip netns exec other python3 /run/browse.py 10.9.0.2 8090", 120)
        expect("8090 table-2" in found, "the service of table-2 with port 8090", found)
        vm.run("kill -9 $(systemctl show -P MainPID farklecrib)")
        gone = vm.run("sleep 1; ip netns exec other timeout 30 python3 /run/browse.py 10.9.0.2 1 || true", 120)
        vm.run("ip netns delete other; sed -i 's/^port = .*/port = 8080/' /etc/farklecrib/config.toml")
        vm.run("systemctl restart avahi-daemon; systemctl restart farklecrib", 300)
        self.up(vm)
        return (
            "page, status and service are table-2.local:8090, table-3.local gets 421; "
            f"after kill -9 the network has {gone.split() or 'no service'}"
        )

    def ends_without_polkit(self, vm: Machine) -> str:
        """End the table in its menu where nobody may switch the machine off."""
        vm.run("systemctl mask --now polkit.service; systemctl restart farklecrib", 300)
        self.up(vm)
        self.asks_to_end(vm, "end the table")
        self.press(vm, "roll")
        vm.wait("[ $(systemctl show -P ActiveState farklecrib) = inactive ]", 200)
        vm.run("sleep 20", 60)  # longer than the wait before a restart
        shown = {
            key: vm.run(f"systemctl show -P {key} farklecrib").strip() for key in ("ExecMainStatus", "ActiveState")
        }
        expected = {"ExecMainStatus": "3", "ActiveState": "inactive"}
        expect(shown == expected, "status 3 and a service that stays off", str(shown))
        vm.run("systemctl unmask polkit.service; systemctl start farklecrib", 300)
        self.up(vm)
        return "the item is 'end the table'; status 3, the service is inactive and not started again"

    def powers_off(self, vm: Machine) -> str:
        """Switch the machine off in the menu: by a page in vain, by the table's own button for good."""
        self.asks_to_end(vm, "power off")
        refused = [self.post(vm, "answer", {"answer": "power_off"}), self.post(vm, "buttons/roll", {"press": "tap"})]
        said = {each.get("detail") for each in refused}
        expect(said == {"press ROLL at the table itself to confirm it"}, "two refusals", str(said))
        with suppress(MachineError, OSError):  # the machine is off before it answers
            self.press(vm, "roll")
        seconds = vm.wait_off(300)
        return f"a page on the machine was refused twice; ROLL of the table switched it off in {seconds:.0f} s"

    def asks_to_end(self, vm: Machine, words: str) -> None:
        """Open the question whether to switch the table off, and check the item's words."""
        vm.wait(f"curl -sf {API}/state | grep -q '\"degraded\"'", 300)
        for _ in range(60):  # a pause wakes the table, or closes the menu; and polkit starts at the first question
            question = self.post(vm, "pause", {})["question"]
            items = question["answers"] if question else []
            if words in items:
                break
            vm.run("sleep 2")
        expect(words in items, f"the item {words!r}", str(items))
        self.post(vm, "answer", {"answer": "power_off"})

    def memory(self, vm: Machine) -> str:
        send(vm, "memory.sh")
        return ", ".join(vm.run(f"sh /run/memory.sh {CGROUP}").splitlines())

    def last_turns(self, vm: Machine) -> str:
        """Play further turns for the power cuts."""
        acts = 0
        for _ in range(3):
            acts += self.play(vm, ["keep", "keep", "keep", "bank"])
        return f"{acts} more acts"

    def cuts_power(self) -> str:
        """Fold the journal that each of many power cuts leaves, on this machine."""
        entries = list(read_entries(self.out / "games.log"))
        first = next(n for n, entry in enumerate(entries) if entry.end >= self.seen[0][0])
        last = next(n for n, entry in enumerate(entries) if entry.end >= self.seen[-1][0])
        span = entries[first : last + 1]
        expect(len(span) > self.cuts, f"more than {self.cuts} writes", str(len(span)))
        dropped = torn = lost = 0
        for n in range(self.cuts):
            end = first + 1 + n * (len(span) - 1) // self.cuts
            disk = self.out / f"cut-{n:02d}.img"
            more = cut_disk(self.out / "games.base", self.out / "games.log", entries[:end], n, disk)
            dropped, torn = dropped + more[0], torn + more[1]
            text = self.fold(disk)
            sure = max((i for i, (size, _) in enumerate(self.seen) if size <= entries[end - 1].end), default=-1)
            if sure >= 0 and text not in [game for _, game in self.seen[sure:]]:
                lost += 1
                print(f"      cut {n}: expected {self.seen[sure][1]!r} or later, got {text!r}", flush=True)
            if n % max(1, self.cuts // max(1, self.boots)):
                disk.unlink()
        expect(lost == 0, "no cut that loses a confirmed act", f"{lost} of {self.cuts}")
        return (f"{self.cuts} cuts in {len(span)} writes and flushes of play, {dropped} unflushed writes dropped, "
                f"{torn} torn: 0 lost a confirmed act")  # fmt: skip

    def fold(self, disk: Path) -> str:
        """Return the written game on a disk, after a replay of the file system's journal as by a mount."""
        copy = disk.with_suffix(".folded")
        shutil.copy(disk, copy)
        mend(copy)
        text = written_game(copy, "/")
        copy.unlink()
        return text

    def writes_overlay(self, vm: Machine) -> str:
        vm.write(
            "/usr/local/sbin/overlay-init", Path(__file__).with_name("overlay_init.sh").read_text(encoding="utf-8")
        )
        vm.run("chmod +x /usr/local/sbin/overlay-init; sync")
        return "written"

    def boots_read_only(self, disk: Path, name: str) -> str:
        """Boot with a read-only root and the games of a cut. Return the table's written game."""
        expected = self.fold(disk)
        with Machine(self.cache, self.out / f"{name}.console", self.disks(self.out / "root.qcow2", disk, logged=False),
                     append="init=/usr/local/sbin/overlay-init") as vm:  # fmt: skip
            vm.wait_ready()
            self.up(vm)
            now = self.notation(vm)
            root = vm.run("findmnt -no FSTYPE /; findmnt -no SOURCE /var/lib/farklecrib").split()
            said = vm.ask("farklecrib doctor | grep -E '^[A-Z]+ +games '", 300)[1].strip()
        expect(root[0] == "overlay", "an overlay as the root", str(root))
        expect(now == expected, f"the game {expected!r}", repr(now))
        return f"root {root[0]}, games on {root[1]}, the table shows the folded game; {said[:120]}"

    def all(self) -> int:
        """Run all scenarios; return the exit status."""
        self.prepare()
        disks = self.disks(self.out / "root.qcow2", self.out / "games.img", logged=True)
        with Machine(self.cache, self.out / "console", disks) as vm:
            for name, scenario in self.shared():
                if self.scenario(name, lambda scenario=scenario: scenario(vm)) is False:
                    self.keep_log(vm, name)
                    if self.passed < 2:  # no other scenario can run
                        return 1
            self.scenario("prepare the read-only root", lambda: self.writes_overlay(vm))
            self.scenario("power off", lambda: self.powers_off(vm))
        self.scenario("power cuts, folded", self.cuts_power)
        for disk in sorted(self.out.glob("cut-*.img"))[: self.boots]:
            self.scenario(f"boot after {disk.stem}", lambda disk=disk: self.boots_read_only(disk, disk.stem))
        UpdateCuts(self).all()
        print(f"{self.passed} passed, {len(self.failed)} failed{': ' if self.failed else ''}{', '.join(self.failed)}")
        return 1 if self.failed else 0

    def keep_log(self, vm: Machine, name: str) -> None:
        """Save the service's log and state after a failed scenario, and the machine's load."""
        with suppress(MachineError):
            said = vm.ask(
                f"journalctl -u farklecrib -b --no-pager -o short-monotonic; curl -s -m 60 {API}/state; uptime"
            )[1]
            (self.out / f"{name}.log").write_text(said, encoding="utf-8")

    def shared(self) -> Iterator[tuple[str, Callable[[Machine], str]]]:
        """Yield the scenarios of the first boot, in their order."""
        yield "boot", self.boots_systemd
        yield "install the package", self.installs
        yield "the service as its unit says", self.as_its_unit_says
        yield "filters of the unit", self.filters_the_network
        yield "memory of 512 MB", self.memory
        yield "a game by pins", self.plays_by_pins
        yield "chatter", self.chatters
        yield "lamps", self.lights_lamps
        yield "systemctl restart", lambda vm: self.again(vm, "systemctl restart farklecrib")
        yield "kill -9", lambda vm: self.again(vm, f"kill -9 {self.main_pid(vm)}")
        yield "out of memory", self.out_of_memory
        yield "clock", self.clock_jumps
        yield "full disk", self.disk_full
        yield "SPI", self.opens_spi
        yield "sound", self.speaks
        yield "camera", self.sees
        yield "more play", self.last_turns
        yield "a throw seen", self.plays_what_it_sees
        yield "two tables in one house", self.has_its_own_name
        yield "end of the table without polkit", self.ends_without_polkit

    def again(self, vm: Machine, how: str) -> str:
        said = self.comes_back(vm, how)
        self.count_again(vm)
        return said

    def count_again(self, vm: Machine) -> None:
        """Answer the question of a table that has started without a camera."""
        vm.wait(f'curl -sf {API}/state | grep -q \'"kind":"blind"\'', 300)
        self.post(vm, "answer", {"answer": "count points ourselves"})


def draw_frames(file: Path) -> tuple[int, int]:
    """Write a picture (YUYV) of each of three throws, and return their width and height."""
    size = (0, 0)
    with file.open("wb") as out:
        for seed, faces in enumerate(THROWS):
            source = SyntheticSource(lambda: 10.0, seed=seed)
            source.set_world(SimulatedHands(seed).lay_out(faces))
            frame = source.next(1.0)
            assert frame is not None
            out.write(cv2.cvtColor(frame.pixels, cv2.COLOR_BGR2YUV_YUY2).tobytes())
            size = (frame.pixels.shape[1], frame.pixels.shape[0])
    return size


def send(vm: Machine, name: str) -> None:
    """Write a program of `GUEST` to the machine's /run."""
    vm.write(f"/run/{name}", (GUEST / name).read_text(encoding="utf-8"))


def main() -> int:
    parser = argparse.ArgumentParser(description="Try the package in a virtual machine.")
    parser.add_argument("package", type=Path, help="the arm64 package for the root's release")
    parser.add_argument("newer", type=Path, help="the same with a higher version")
    parser.add_argument("--cache", type=Path, required=True, help="the folder of kernel and root")
    parser.add_argument("--base", type=Path, required=True, help="the disk of the root")
    parser.add_argument("--cuts", type=int, default=50, help="power cuts of play, and of the update")
    parser.add_argument("--boots", type=int, default=3, help="disks after a cut of play, and of the update, to boot")
    parser.add_argument(
        "--only", default="", help="the scenarios whose names begin with this pattern; 'a game|.*update'"
    )
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that qemu ends too
    out = given.cache / "run"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    return Run(given.cache, given.base, given.package, given.newer, out, given.cuts, given.boots, given.only).all()


if __name__ == "__main__":
    sys.exit(main())
