"""The scenarios of an upgrade: `apt install` in the machine, a downgrade, and power cuts in each step.

The games lie on the root disk here, as they do on a memory card, so a power cut takes program and games at the same
moment. The disk that a cut leaves must hold one whole version under `current`, and unchanged games.
"""

import math
import re
import time
from bisect import bisect_left
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from disks import call, files, link, mend, package_sums, written_game
from log_writes import Entry, cut_disk, read_entries, recorded
from machine import Machine, MachineError, expect

if TYPE_CHECKING:
    from run import Run

HOME = "usr/lib/farklecrib"
GAMES = "/var/lib/farklecrib"
STEPS = (
    ("keep", "upgrade begins"),
    ("backup", "status half-installed"),
    ("unpack", "farklecrib: backup: "),
    ("configure", "status half-configured .*NEW"),
    ("start", "Starting farklecrib"),
    ("", "upgrade ended with"),
)
"""The steps of an upgrade, each with what the console says at its begin: the command, dpkg's log or the service's."""

SWITCH = 100
"""The last writes and flushes before the service starts, a step of their own: the link moves, and the copy goes."""

LIMIT_S = 1800
APT = "apt-get install -y --no-install-recommends --allow-downgrades -o Dpkg::Use-Pty=0"


class UpdateCuts:
    """The scenarios with the results of the first one."""

    def __init__(self, run: "Run") -> None:
        self.run = run
        self.disk, self.base, self.log = (run.out / f"update.{name}" for name in ("img", "base", "log"))
        self.console = run.out / "update.console"
        self.old, self.old_files = package_sums(run.package)
        self.new, self.new_files = package_sums(run.newer)
        self.game = ""
        self.steps: list[tuple[str, int]] = []
        """Each step and the length of the log of writes at its begin, the end last."""

    def all(self) -> None:
        """Run the scenarios."""
        scenario = self.run.scenario
        if not scenario("prepare the update", self.prepares):
            return
        disks = [recorded(self.disk, self.log, "disk0"), self.host_disk(1)]
        with Machine(self.run.cache, self.console, disks) as vm:
            if not scenario("update", lambda: self.upgrades(vm)):
                return
            scenario("update back", lambda: self.installs(vm, "farklecrib", self.old))
            scenario("update again", lambda: self.installs(vm, "newer", self.new))
            vm.power_off()
        scenario("power cuts of the update", self.cuts_power)
        for disk in sorted(self.run.out.glob("update-*.img")):
            scenario(f"boot after {disk.stem}", lambda disk=disk: self.boots(disk))
            disk.unlink()

    def host_disk(self, number: int) -> str:
        return f"driver=file,filename={self.run.out / 'host.img'},node-name=disk{number},read-only=on"

    def prepares(self) -> str:
        """Move the games to the root disk, whose image is the base of all cuts."""
        call("qemu-img", "convert", "-O", "raw", self.run.out / "root.qcow2", self.disk)
        disks = [f"driver=file,filename={self.disk},node-name=disk0",
                 f"driver=file,filename={self.run.out / 'games.img'},node-name=disk1"]  # fmt: skip
        with Machine(self.run.cache, self.console, disks) as vm:
            vm.wait_ready()
            self.run.up(vm)
            self.run.post(vm, "game", {"rules": "farkle-cribbage", "players": ["Ann", "Ben"]})
            self.game = self.run.notation(vm)
            vm.run(
                f"systemctl stop farklecrib; cp -a {GAMES} /srv/games; umount {GAMES};"
                f"sed -i '/^.dev.vdb /d' /etc/fstab; cp -a /srv/games/. {GAMES}; rm -r /srv/games;"
                "sed -i 's/^source = .*/source = \"picamera2\"/' /etc/farklecrib/config.toml"
            )
            vm.power_off()
        call("cp", "--sparse=auto", self.disk, self.base)
        now = self.version_on(self.base)
        expect(now == self.old, f"{self.old} in use", now)
        return f"{self.old} in use, the games on the root disk, the machine shut down"

    def version_on(self, disk: Path) -> str:
        return link(disk, f"/{HOME}/current").removeprefix("kept/")

    def answers(self, vm: Machine, version: str) -> None:
        """Expect the page with the unchanged game, from a process of the version that the link names."""
        self.run.up(vm)
        command = vm.run(f"tr '\\0' ' ' </proc/{self.run.main_pid(vm)}/cmdline; readlink -f /{HOME}/current")
        expect(command.count(f"/{version}") == 2, f"{version} running and in use", command)
        now = self.run.notation(vm)
        expect(now == self.game, f"the game {self.game!r}", repr(now))

    def upgrades(self, vm: Machine) -> str:
        """Upgrade, and record each step's place in the log of writes."""
        vm.wait_ready()
        self.answers(vm, self.old)
        vm.run("mkdir -p /mnt/host; mount -o ro /dev/vdb /mnt/host; sync")
        tty = "/dev/ttyAMA0"
        vm.run(
            f"setsid tail -n0 -F /var/log/dpkg.log >{tty} 2>/dev/null &\n"
            f"setsid journalctl -n0 -fu farklecrib -o cat >{tty} &\n"
            f"setsid sh -c 'echo upgrade begins; {APT} /mnt/host/newer.deb;"
            f" echo upgrade ended with $?' >{tty} 2>&1 &"
        )
        began = time.monotonic()
        self.follow()
        seconds = time.monotonic() - began
        said = self.console.read_text(encoding="utf-8", errors="replace")
        expect("upgrade ended with 0" in said, "an upgrade", said[-1000:])
        self.answers(vm, self.new)
        left = vm.run(f"ls /{HOME} {GAMES}").split()
        expect(self.old not in left and "kept" not in left, f"{self.new} alone", str(left))
        backup = f"games.{self.old}-to-{self.new}.zip"
        expect(backup in left, backup, str(left))
        return f"{self.old} to {self.new} in {seconds:.0f} s: the page answers, the game is unchanged and backed up"

    def follow(self) -> None:
        """Record each step's place in the log of writes until the upgrade ends."""
        at, until_s = 0, time.monotonic() + LIMIT_S
        self.steps = []
        for step, says in STEPS:
            wanted = re.compile(says.replace("NEW", re.escape(self.new)))
            while True:
                said = self.console.read_text(encoding="utf-8", errors="replace")
                ended = re.search(STEPS[-1][1], said[at:])
                if found := wanted.search(said, at):
                    break
                if ended or time.monotonic() > until_s:
                    raise MachineError(f"expected {says!r} on the console, got {said[-600:]!r}")
                time.sleep(0.02)
            at = found.end()
            self.steps.append((step, self.log.stat().st_size))

    def installs(self, vm: Machine, name: str, version: str) -> str:
        began = time.monotonic()
        vm.run(f"{APT} --reinstall /mnt/host/{name}.deb", LIMIT_S)
        self.answers(vm, version)
        return f"{version} answers after {time.monotonic() - began:.0f} s, the game is unchanged"

    def cuts_power(self) -> str:
        """Examine the disks that power cuts leave, the same number in each step. Keep some to boot them."""
        whole = {self.old: self.reference(self.base, self.old), self.new: self.reference(self.disk, self.new)}
        entries = list(read_entries(self.log))
        ends = self.points(entries)
        booted = {(2 * n + 1) * len(ends) // (2 * self.run.boots) for n in range(self.run.boots)}
        dropped = torn = 0
        used: dict[str, list[str]] = {}
        wrong: list[str] = []
        for n, (step, end) in enumerate(ends):
            disk = self.run.out / f"update-{n:02d}-{step}.img"
            more = cut_disk(self.base, self.log, entries[:end], n, disk)
            dropped, torn = dropped + more[0], torn + more[1]
            if n in booted:
                mended = disk.with_suffix(".mended")
                call("cp", "--sparse=auto", disk, mended)
            else:
                mended = disk.rename(disk.with_suffix(".mended"))
            try:
                mend(mended)
                used.setdefault(step, []).append(self.examine(mended, whole))
            except Exception as error:  # noqa: BLE001 - the other cuts are examined too
                wrong.append(f"cut {n} ({step}): {error}")
                print(f"      {wrong[-1]}", flush=True)
            mended.unlink()
        expect(not wrong, "a whole version and the games after each cut", f"{len(wrong)} of {len(ends)} without")
        spans = ", ".join(
            f"{step} {' and '.join(f'{n} {name}' for name, n in Counter(each).items())}" for step, each in used.items()
        )
        return (
            f"{len(ends)} cuts in {ends[-1][1] - ends[0][1]} writes and flushes, {dropped} unflushed writes dropped, "
            f"{torn} torn: each disk has one whole version as current, and the games; in use: {spans}"
        )

    def points(self, entries: list[Entry]) -> list[tuple[str, int]]:
        """Return the step and the number of entries before each cut: the same number of cuts, spread over each step."""
        places = [entry.end for entry in entries]
        starts = [bisect_left(places, size) for _, size in self.steps]
        starts.insert(-2, starts[-2] - SWITCH)
        names = [*(step for step, _ in self.steps[:-2]), "switch", "start"]
        spans = list(zip(names, starts, starts[1:], strict=False))
        expect(all(end > start for _, start, end in spans), "writes in each step", str(spans))
        found = []
        for n in range(1, self.run.cuts + 1):
            place = n * len(spans) / self.run.cuts
            step, start, end = spans[math.ceil(place) - 1]
            found.append((step, end - int((math.ceil(place) - place) * (end - start))))
        return found

    def reference(self, disk: Path, version: str) -> dict[str, str]:
        """Return the package's files of a version in use on a disk without a cut."""
        found = files(disk, f"/{HOME}/{version}")
        sums = self.old_files if version == self.old else self.new_files
        self.compare(
            found, {path.removeprefix(f"{HOME}/{version}/"): md5 for path, md5 in sums.items() if HOME in path}
        )
        return found

    def compare(self, found: dict[str, str], expected: dict[str, str]) -> None:
        """Expect all files of a package with the right content."""
        bad = sorted(path for path, md5 in expected.items() if found.get(path) != md5)
        expect(bool(expected) and not bad, f"{len(expected)} whole files", f"{len(bad)} others, such as {bad[:3]}")

    def examine(self, disk: Path, whole: dict[str, dict[str, str]]) -> str:
        """Expect one whole version and unchanged games. Return the version's folder."""
        name = link(disk, f"/{HOME}/current")
        reference = whole[name.removeprefix("kept/")]
        found = files(disk, f"/{HOME}/{name}")
        self.compare(found, {path: md5 for path, md5 in reference.items() if not path.endswith(".pyc")})
        self.compare(reference, found)  # bytecode may be missing, but not differ
        for path, md5 in self.old_files.items():
            if HOME not in path:
                now = files(disk, f"/{path}").get(".")
                expect(now in {md5, self.new_files[path]}, f"/{path} of one of the packages", str(now))
        command = link(disk, "/usr/bin/farklecrib")
        expect(command == "../lib/farklecrib/current/bin/farklecrib", "the command", command)
        game = written_game(disk, GAMES)
        expect(game == self.game, f"the game {self.game!r}", repr(game))
        return name

    def boots(self, disk: Path) -> str:
        """Boot a cut disk without repair, then finish the upgrade."""
        disks = [f"driver=file,filename={disk},node-name=disk0", self.host_disk(1)]
        with Machine(self.run.cache, self.run.out / f"{disk.stem}.console", disks) as vm:
            vm.wait_ready()
            self.run.up(vm)
            used = vm.run(f"readlink /{HOME}/current").strip()
            version = used.removeprefix("kept/")
            expect(version in {self.old, self.new}, "one of the versions", used)
            self.answers(vm, version)
            package = vm.run("dpkg-query -W -f '${db:Status-Status} ${Version}' farklecrib").strip()
            vm.run("mkdir -p /mnt/host; mount -o ro /dev/vdb /mnt/host")
            vm.ask("dpkg --configure -a", LIMIT_S)
            again = self.installs(vm, "newer", self.new)
            return f"{used} answered, the game unchanged, dpkg said {package}; the upgrade again: {again}"
