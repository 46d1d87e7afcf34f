"""The model of a Pi and the lines of its boot files. Our lines are added and removed without a trace."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pi_trees import MODELS

from companion.checkup.raspberry_pi import (
    Family,
    family_of,
    missing_lines,
    missing_words,
    settings,
    with_lines,
    with_words,
    without_lines,
)


@pytest.mark.parametrize(
    ("model", "family"),
    [
        *((name, family) for family, name in MODELS.items()),
        ("Raspberry Pi 3 Model A Plus Rev 1.0\0", Family.PI_3),
        ("Raspberry Pi 400 Rev 1.0", Family.PI_4),
        ("Raspberry Pi 500 Rev 1.0", Family.PI_5),
        ("Raspberry Pi Compute Module 4 Rev 1.1", Family.PI_4),
        ("Raspberry Pi Compute Module 4S Rev 1.0", Family.PI_4),
        ("Raspberry Pi Compute Module 5 Rev 1.0", Family.PI_5),
        ("Raspberry Pi Zero W Rev 1.1", None),
        ("Raspberry Pi 2 Model B Rev 1.1", None),
        ("Raspberry Pi Model B Plus Rev 1.2", None),
        ("Orange Pi 5", None),
        ("", None),
    ],
)
def test_a_model_is_known_by_its_name(model: str, family: Family | None) -> None:
    assert family_of(model) is family


def test_a_line_counts_only_in_sections_of_its_model() -> None:
    text = "core_freq=1\n[pi4]\ncore_freq=2 # fast\n[pi3]\ncore_freq=3\n[all]\n#core_freq=4\ndtparam=spi=off\n"
    last = {family: {each.key: each.value for each in settings(text, family)} for family in (Family.PI_4, Family.PI_3)}
    assert last[Family.PI_4] == {"core_freq": "2", "dtparam=spi": "off"}
    assert last[Family.PI_3] == {"core_freq": "3", "dtparam=spi": "off"}


@pytest.mark.parametrize(
    ("section", "families"),
    [
        ("pi0", {Family.ZERO_2_W}),
        ("pi0w", {Family.ZERO_2_W}),
        ("pi02", {Family.ZERO_2_W}),
        ("pi3", {Family.PI_3}),
        ("pi4", {Family.PI_4}),
        ("cm4", {Family.PI_4}),
        ("cm4s", {Family.PI_4}),
        ("pi5", {Family.PI_5}),
        ("pi1", set()),
        ("none", set()),
        ("all", set(Family)),
    ],
)
def test_a_section_is_read_by_the_models_that_the_documentation_names(section: str, families: set[Family]) -> None:
    text = f"[{section}]\ncore_freq=250\n"
    assert {family for family in Family if settings(text, family)} == families


def test_a_zeros_core_clock_in_its_own_section_is_one_of_a_zero_2_w() -> None:
    text = "dtparam=spi=on\n[pi0]\ncore_freq=250\n"
    assert missing_lines(text, Family.ZERO_2_W) == ()
    assert missing_lines(text, Family.PI_3) == ("core_freq=250",)


LINES = st.lists(
    st.sampled_from(
        ["[all]", "[pi4]", "[pi3]", "core_freq=500", "core_freq_min=250", "dtparam=spi=off", "# x", "", "arm_boost=1"]
    ),
    max_size=12,
)


@given(LINES, st.sampled_from(list(Family)), st.booleans())
def test_our_block_corrects_any_config_txt_and_is_removed_without_a_trace(
    lines: list[str], family: Family, ends: bool
) -> None:
    text = "\n".join(lines) + ("\n" if ends and lines else "")
    made = with_lines(text, missing_lines(text, family))
    assert missing_lines(made, family) == ()
    assert with_lines(made, missing_lines(without_lines(made), family)) == made
    assert without_lines(made).rstrip("\n") == text.rstrip("\n")


@given(st.lists(st.sampled_from(["rootwait", "spidev.bufsiz=4096", "spidev.bufsiz=65536", "quiet", "a=b"]), max_size=8))
def test_any_kernel_line_stays_one_line_and_gets_a_large_enough_buffer(words: list[str]) -> None:
    text = " ".join(words) + "\n"
    missing = missing_words(text, Family.PI_4)
    made = with_words(text, missing) if missing else text
    assert missing_words(made, Family.PI_4) == ()
    assert made.count("\n") == 1
    assert [word for word in made.split() if not word.startswith("spidev")] == [
        word for word in words if not word.startswith("spidev")
    ]
