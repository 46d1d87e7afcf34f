"""Install a package, try the new version, and switch to it, or return to the one that was in use.

The package's script `versions` switches the link `current`: first to a copy of the version in use that dpkg does not
remove, and last to the new version, after it has answered. So a machine that loses its power starts one of the two.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from companion.config import Config, data_folder
from companion.doctor.versions import Versions, number
from companion.errors import CompanionError
from companion.update.machine import Done, Machine, findings
from companion.update.package import Package

BACKUP = "games.before-update.zip"
"""The backup of all games in the data folder, from before the newest update."""


@dataclass(frozen=True)
class Update:
    """An update of one machine; `patience_s` is how long the new version's service may take to answer."""

    machine: Machine
    versions: Versions
    config: Config
    tell: Callable[[str], None]
    patience_s: float

    @property
    def backup(self) -> Path:
        """Where the games are backed up."""
        return data_folder(self.config) / BACKUP

    def keep(self) -> None:
        """Copy the version in use where dpkg does not remove it; the program must go on from there."""
        self._switch("keep")

    def back_up(self) -> None:
        """Back all games up, if there are any that this version can read.

        Raises:
            CompanionError: if the backup fails.
        """
        program = self._program(self.versions.current)
        games = self.machine.table_runs(program, "games", "list", "--json")
        if games.status:
            self.tell(f"no backup of the games, which this version cannot read: {games.reason}")
        elif json.loads(games.out or "[]"):
            made = self.machine.table_runs(program, "games", "backup", str(self.backup))
            if made.status:
                raise CompanionError(f"expected a backup of the games before an update, got: {made.reason}")
            self.tell(f"backup: {made.reason}")

    def install(self, package: Package) -> bool:
        """Install a package and use its version if it passes the trial; return whether it is in use.

        `CompanionError` reaches the caller if the games cannot be backed up; then nothing has changed.
        """
        self.back_up()
        before = findings(self._doctor(self.versions.current)) or {}
        wrong: str | None
        try:
            wrong = self._unpacked(package) or self._trial(package.version, before)
            if wrong is None:
                self._switch("use", package.version)
        except KeyboardInterrupt:
            wrong = "it was interrupted"
        except CompanionError as error:
            wrong = str(error)
        self.machine.end_trial()
        if wrong is None:
            self.tell(f"{package.version} runs; sudo farklecrib update --back returns to {self._former}")
            return True
        self._return(package.version, wrong)
        return False

    def restart(self) -> str | None:
        """Start the service of the version in use and wait for its answer; return what is wrong with it."""
        if not self.machine.has_service:
            self.tell("systemd does not start the table here, so its page was not tried")
            return None
        return self.machine.start(self.config, self.patience_s)

    def use(self, version: str) -> None:
        """Switch to a version; `CompanionError` reaches the caller if there is none."""
        self._switch("use", version)

    @property
    def _former(self) -> str:
        return number(self.versions.former or "none")

    def _program(self, version: str) -> str:
        return str(self.versions.home / version / "bin/farklecrib")

    def _doctor(self, version: str) -> Done:
        return self.machine.table_runs(self._program(version), "doctor", "--json", limit_s=300)

    def _switch(self, *what: str) -> None:
        """Call the script of the version in use.

        Raises:
            CompanionError: if it fails; then the link is as it was.
        """
        script = self.versions.home / self.versions.current / "share/versions"
        done = self.machine.root_runs("sh", str(script), str(self.versions.home), *what)
        if done.status:
            raise CompanionError(f"expected the versions in {str(self.versions.home)!r} to change, got: {done.reason}")

    def _unpacked(self, package: Package) -> str | None:
        self.tell(f"installing {package.version}")
        dpkg = ("dpkg", "--force-confdef", "--force-confold")
        done = self.machine.root_runs(*dpkg, "--dry-run", "--install", str(package.file))
        if done.status:
            return f"dpkg refuses it: {done.reason}"
        done = self.machine.root_runs(*dpkg, "--install", str(package.file), limit_s=3600, FARKLECRIB_TRIAL="1")
        return f"dpkg could not install it: {done.reason}" if done.status else None

    def _trial(self, version: str, before: dict[str, str]) -> str | None:
        """Return what is wrong with an installed version: a check that was well before, its reading, its answer."""
        program = self._program(version)
        self.tell(f"trying {version}")
        examined = self._doctor(version)
        after = findings(examined)
        if after is None:
            return f"its doctor did not run: {examined.reason}"
        worse = sorted(name for name, level in after.items() if level == "FAIL" and before.get(name, "FAIL") != "FAIL")
        if worse:
            return f"its doctor finds new faults: {', '.join(worse)}"
        picture = self.versions.home / version / "share/six-dice.jpg"
        done = self.machine.table_runs(program, "read", str(picture), "--expect", "6", "--json", limit_s=300)
        if done.status or '"sure": true' not in done.out:
            return f"it does not read six dice: {done.reason}"
        if not self.machine.has_service:
            self.tell("systemd does not start the table here, so its page was not tried")
            return None
        return self.machine.start(self.config, self.patience_s, str(self.versions.home / version))

    def _return(self, version: str, wrong: str) -> None:
        """Go on with the version that was in use, and with its games if the new version has changed them."""
        current = number(self.versions.current)
        program = self._program(self.versions.current)
        service = self.machine.has_service
        if service:
            self.machine.stop()  # else the new version's table would answer for the journal
        if self.machine.table_runs(program, "games", "list", "--json").status and self.backup.exists():
            done = self.machine.table_runs(program, "games", "restore", str(self.backup))
            self.tell(f"{current} cannot read what {version} wrote; restored the backup: {done.reason}")
        late = self.machine.start(self.config, self.patience_s) if service else None
        self.tell(f"{version} is not used: {wrong}")
        self.tell(f"{current} runs as before" if late is None else f"{current} is in use again, but {late}")
