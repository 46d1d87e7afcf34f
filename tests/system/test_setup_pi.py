"""`farklecrib setup-pi` on fake roots: it shows the missing boot lines, and changes no file without a yes."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from asked import Run, refused, run
from pi_trees import CMDLINE, CONFIG_TXT, MODELS, RELEASES, fresh_tree, pi_tree
from running import run as run_program

from companion.checkup.raspberry_pi import (
    CMDLINE_FILE,
    CONFIG_FILE,
    MODEL_FILE,
    Family,
    Installation,
    boot_files,
    cmdline_words,
    config_lines,
    missing_lines,
    missing_words,
    restore_boot_files,
)

__all__ = ["run"]

ASKED = ["change /boot/firmware/config.txt?", "change /boot/firmware/cmdline.txt?"]


class Person:
    """The person who runs the command: the text shown before each question, and the questions."""

    def __init__(self, root: Path, says: bool = True) -> None:
        self.told: list[str] = []
        self.asked: list[str] = []
        self.shown: list[str] = []
        self.says = says
        self.machine = Installation(root, self._ask, self.told.append)

    def _ask(self, question: str) -> bool:
        self.asked.append(question)
        self.shown += self.told
        return self.says


def boot(root: Path) -> tuple[str, str]:
    return (root / CONFIG_FILE).read_text(encoding="utf-8"), (root / CMDLINE_FILE).read_text(encoding="utf-8")


@pytest.mark.parametrize("options", [(), ("--dry-run",)])
def test_without_an_answer_the_boot_files_stay_and_the_lines_are_shown(
    run: Run, tmp_path: Path, options: tuple[str]
) -> None:
    done = run("setup-pi", "--root", fresh_tree(tmp_path, Family.PI_4, "trixie"), *options)
    assert done.status == 0, done.err
    assert "    core_freq_min=500\n" in done.out
    assert boot(tmp_path) == (CONFIG_TXT, f"{CMDLINE}\n")


def test_with_yes_nothing_is_missing_and_undo_takes_it_out_again(run: Run, tmp_path: Path) -> None:
    fresh_tree(tmp_path, Family.ZERO_2_W, "trixie")
    assert "sudo reboot" in run("setup-pi", "--root", tmp_path, "--yes").out
    config, cmdline = boot(tmp_path)
    assert missing_lines(config, Family.ZERO_2_W) == missing_words(cmdline, Family.ZERO_2_W) == ()
    run("setup-pi", "--root", tmp_path, "--yes", "--undo")
    assert boot(tmp_path) == (CONFIG_TXT, f"{CMDLINE}\n")


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("family", MODELS)
def test_on_every_model_and_system_nothing_is_missing_and_run_again_it_asks_nothing(
    tmp_path: Path, family: Family, release: str
) -> None:
    boot_files(Person(fresh_tree(tmp_path, family, release)).machine, family)
    config, cmdline = boot(tmp_path)
    assert missing_lines(config, family) == missing_words(cmdline, family) == ()
    again = Person(tmp_path)
    assert not boot_files(again.machine, family)
    assert (again.asked, again.machine.changed) == ([], [])


def test_the_lines_are_shown_before_each_question(tmp_path: Path) -> None:
    person = Person(fresh_tree(tmp_path, Family.PI_4, "trixie"), says=False)
    boot_files(person.machine, Family.PI_4)
    assert person.asked == ASKED
    assert {f"    {line}" for line in (*config_lines(Family.PI_4), *cmdline_words(Family.PI_4))} <= set(person.shown)


@pytest.mark.parametrize(("family", "tree"), [(Family.PI_5, fresh_tree), (Family.ZERO_2_W, pi_tree)])
def test_a_pi_5_and_a_pi_that_is_set_up_are_not_asked(tmp_path: Path, family: Family, tree: Callable) -> None:
    person = Person(tree(tmp_path, family, "bookworm"))
    assert not boot_files(person.machine, family)
    assert person.asked == []


def test_undoing_asks_before_it_changes_a_boot_file(tmp_path: Path) -> None:
    boot_files(Person(fresh_tree(tmp_path, Family.PI_4, "trixie")).machine, Family.PI_4)
    before = boot(tmp_path)
    person = Person(tmp_path, says=False)
    restore_boot_files(person.machine)
    assert person.asked == ASKED
    assert boot(tmp_path) == before


def test_another_buffer_size_in_the_boot_file_stays(tmp_path: Path) -> None:
    cmdline = fresh_tree(tmp_path, Family.PI_4, "trixie") / CMDLINE_FILE
    cmdline.write_text("console=tty1 spidev.bufsiz=65536\n", encoding="utf-8")
    boot_files(Person(tmp_path).machine, Family.PI_4)
    restore_boot_files(Person(tmp_path).machine)
    assert cmdline.read_text(encoding="utf-8") == "console=tty1 spidev.bufsiz=65536\n"


def test_a_boot_file_stays_whole_if_the_card_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    person = Person(fresh_tree(tmp_path, Family.PI_4, "trixie"))
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        boot_files(person.machine, Family.PI_4)
    assert boot(tmp_path)[0] == CONFIG_TXT


@pytest.mark.parametrize("model", ["", "Raspberry Pi Model B Rev 2\0"])
def test_on_any_machine_but_a_known_pi_it_changes_nothing_and_says_so_in_one_line(
    run: Run, tmp_path: Path, model: str
) -> None:
    (fresh_tree(tmp_path, Family.PI_4, "trixie") / MODEL_FILE).write_text(model, encoding="utf-8")
    refused(run("setup-pi", "--root", tmp_path, "--yes"), "expected a Raspberry Pi Zero 2 W, 3, 4, 5; got ")
    assert boot(tmp_path) == (CONFIG_TXT, f"{CMDLINE}\n")


def test_the_shell_completes_the_beginning_of_a_command() -> None:
    done = run_program(_FARKLECRIB_COMPLETE="complete_bash", COMP_WORDS="farklecrib set", COMP_CWORD="1")
    assert done.stdout.split() == ["setup-pi"]
