"""`farklecrib setup-pi` on fake roots: it shows what the boot files lack, and changes nothing unasked."""

from pathlib import Path

import pytest
from pi_trees import CMDLINE, CONFIG_TXT, fresh_tree
from running import run

from companion.doctor.pi_model import CMDLINE_FILE, CONFIG_FILE, Family, missing_lines, missing_words


def boot(root: Path) -> tuple[str, str]:
    return (root / CONFIG_FILE).read_text(encoding="utf-8"), (root / CMDLINE_FILE).read_text(encoding="utf-8")


@pytest.mark.parametrize("options", [(), ("--dry-run",)])
def test_without_an_answer_the_boot_files_stay_and_the_lines_are_shown(tmp_path: Path, options: tuple[str]) -> None:
    done = run("setup-pi", "--root", str(fresh_tree(tmp_path, Family.PI_4, "trixie")), *options)
    assert done.returncode == 0, done.stderr
    assert "    core_freq_min=500\n" in done.stdout
    assert boot(tmp_path) == (CONFIG_TXT, f"{CMDLINE}\n")


def test_with_yes_nothing_is_missing_and_undo_takes_it_out_again(tmp_path: Path) -> None:
    fresh_tree(tmp_path, Family.ZERO_2_W, "trixie")
    assert "sudo reboot" in run("setup-pi", "--root", str(tmp_path), "--yes").stdout
    config, cmdline = boot(tmp_path)
    assert missing_lines(config, Family.ZERO_2_W) == missing_words(cmdline, Family.ZERO_2_W) == ()
    run("setup-pi", "--root", str(tmp_path), "--yes", "--undo")
    assert boot(tmp_path) == (CONFIG_TXT, f"{CMDLINE}\n")


def test_elsewhere_than_on_a_pi_it_says_so_in_one_line(tmp_path: Path) -> None:
    done = run("setup-pi", "--root", str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("farklecrib: error: expected a Raspberry Pi Zero 2 W, 3, 4, 5; got ")


def test_the_shell_is_told_the_commands_that_begin_like_a_word() -> None:
    done = run(_FARKLECRIB_COMPLETE="complete_bash", COMP_WORDS="farklecrib set", COMP_CWORD="1")
    assert done.stdout.split() == ["setup-pi"]
