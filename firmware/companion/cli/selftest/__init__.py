"""`farklecrib selftest`: try each device with a person who looks and listens; each device has a file of its own."""

import typer

from companion.cli.selftest.buttons import selftest_buttons
from companion.cli.selftest.camera import selftest_camera
from companion.cli.selftest.leds import selftest_leds
from companion.cli.selftest.sound import selftest_sound

app = typer.Typer(no_args_is_help=True, help="Try a device with somebody looking and listening.")
app.command("leds")(selftest_leds)
app.command("buttons")(selftest_buttons)
app.command("sound")(selftest_sound)
app.command("camera")(selftest_camera)
