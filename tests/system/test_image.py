"""The image's files: checked without a build, against the package, the boot lines and each other."""

import configparser
import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from companion.checkup.raspberry_pi import Family, missing_lines, missing_words

ROOT = Path(__file__).resolve().parents[2]
IMAGE = ROOT / "image"
FILES = IMAGE / "layer/farklecrib.d/customize.overlay"
CONFIG = (IMAGE / "config/farklecrib.yaml").read_text(encoding="utf-8")
LAYER = (IMAGE / "layer/farklecrib.yaml").read_text(encoding="utf-8")
SCRIPT = FILES / "usr/local/sbin/farklecrib-games"


@pytest.mark.parametrize("family", Family)
def test_the_boot_files_lack_nothing_that_setup_pi_would_write(family: Family) -> None:
    text = (FILES / "usr/local/share/farklecrib/config.txt").read_text(encoding="utf-8")
    assert missing_lines(text, family) == ()
    words = re.findall(r"cmdline_extra: (.*)", CONFIG)[0]
    assert missing_words(words, family) == ()


def test_the_layers_variables_and_the_packages_file_are_the_ones_that_are_used() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert f"farklecrib_{version}+deb13_arm64.deb" in CONFIG
    named = set(re.findall(r"X-Env-Var-(\w+):", LAYER))
    assert set(re.findall(r"IGconf_farklecrib_(\w+)", LAYER)) == named
    assert re.findall(r"X-Env-Layer-Name: (\S+)", LAYER)[0] in CONFIG


def test_the_hotspot_is_an_access_point_with_a_key_and_its_own_addresses() -> None:
    file = configparser.ConfigParser()
    file.read(FILES / "etc/NetworkManager/system-connections/farklecrib.nmconnection", encoding="utf-8")
    assert (file["wifi"]["mode"], file["wifi-security"]["key-mgmt"], file["ipv4"]["method"]) == (
        "ap",
        "wpa-psk",
        "shared",
    )
    assert file["wifi-security"]["psk"] == "@KEY@"
    address = file["ipv4"]["address1"].partition("/")[0]
    assert f"http://{address}:8080/" in (IMAGE / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("has", "done"),
    [
        ("", ["sfdisk", "mkfs.ext4"]),  # the first start
        ("part", ["mkfs.ext4"]),  # cut before its file system
        ("part full", []),  # something else is there
        ("part full games", []),  # made
    ],
)
def test_the_first_start_makes_the_games_partition_once_and_formats_nothing_that_is_full(
    tmp_path: Path, has: str, done: list[str]
) -> None:
    stub = f"""#!/bin/sh
case "$(basename "$0") $*" in
  "blkid -L games") case "{has}" in *games*) ;; *) exit 2 ;; esac ;;
  "blkid -L BOOT") echo /dev/null1 ;;
  "blkid -p "*) case "{has}" in *full*) echo full ;; *) exit 2 ;; esac ;;
  "lsblk "*) echo mmcblk0 ;;
  "sfdisk "* | "mkfs"*) basename "$0" >>{tmp_path}/done ;;
esac
"""
    for name in ("blkid", "findmnt", "lsblk", "sfdisk", "partx", "udevadm", "mkfs.ext4"):
        (tmp_path / name).write_text(stub)
        (tmp_path / name).chmod(0o755)
    # No block device can be made here, so the test says whether the partition exists.
    text = SCRIPT.read_text(encoding="utf-8")
    assert '[ ! -b "$games" ]' in text
    text = text.replace('[ ! -b "$games" ]', "false" if "part" in has else "true")
    ended = subprocess.run(
        ["sh", "-c", text],
        env={"PATH": f"{tmp_path}:/usr/bin:/bin", "HOME": os.environ["HOME"]},
        capture_output=True,
        text=True,
    )
    seen = (tmp_path / "done").read_text().split() if (tmp_path / "done").exists() else []
    assert seen == done, ended.stderr
    assert ended.returncode == (1 if has == "part full" else 0), ended.stderr
