"""`farklecrib setup-pi`: offer the lines of the boot files that an LED strip on GPIO10 needs."""

from pathlib import Path
from typing import Annotated

import typer

from companion.cli.options import agreed, tell


def setup_pi(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the lines; change nothing, do not ask.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Change the files without asking.")] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Take our lines out again.")] = False,
    root: Annotated[Path, typer.Option("--root", metavar="DIR", help="The root of a mounted card.")] = Path("/"),
) -> int:
    """Show what /boot/firmware/config.txt and cmdline.txt lack for the LED strip, and ask before changing them."""
    from companion.checkup.boot_files import Installation, boot_files, restore_boot_files
    from companion.errors import reporting_file_errors

    machine = Installation(root, ask=(lambda _: True) if yes else agreed, tell=tell, dry=dry_run)
    with reporting_file_errors("boot files that can be written (run it with sudo)", root / "boot/firmware"):
        if undo:
            restore_boot_files(machine)
        else:
            boot_files(machine, machine.family)
    if machine.changed and not dry_run:
        tell("restart the Pi for the new lines to count: sudo reboot")
    return 0
