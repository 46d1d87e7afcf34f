"""Counts each player's farkles in a file, for a scoreboard in the pub: listener = "/etc/farklecrib/farkles.py"."""

import json
import os
from pathlib import Path

FILE = Path(os.environ.get("FARKLES", "/var/lib/farklecrib/farkles.json"))


def on_event(event):
    if event.event_type == "farkle":
        counts = json.loads(FILE.read_text()) if FILE.exists() else {}
        counts[event.player] = counts.get(event.player, 0) + 1
        FILE.write_text(json.dumps(counts))
