"""Print what happens at a table, and miss nothing: python listen.py http://farklecrib.local:8080 last-act.txt"""

import json
import sys
import time
import urllib.request
from pathlib import Path

table, place = sys.argv[1], Path(sys.argv[2])  # the file keeps the id of the last act that was handled
while True:
    last = place.read_text() if place.exists() else "none"  # no journal holds this id: `reset` gives the first one
    request = urllib.request.Request(f"{table}/api/v1/events?acts=1", headers={"Last-Event-ID": last})
    try:
        with urllib.request.urlopen(request, timeout=10) as stream:  # a ping comes every two seconds
            event: dict[str, str] = {}
            for line in stream:
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name:
                    event[name] = value
                    continue
                if event.get("event", "view") not in ("view", "ping"):
                    told = json.loads(event["data"])
                    print(event["event"], told.get("id") or event.get("id"), told.get("text"), flush=True)
                if "id" in event:  # in one step, as this program may be killed at any time
                    place.with_suffix(".new").write_text(event["id"])
                    place.with_suffix(".new").replace(place)
                event = {}
    except OSError as error:
        print("trying again:", error, file=sys.stderr)
    time.sleep(0.2)
