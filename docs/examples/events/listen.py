"""Print what happens at a table, and miss nothing: python listen.py http://farklecrib.local:8080 last-act.txt"""

import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

table, place = sys.argv[1], Path(sys.argv[2])  # the file keeps the id of the last act that was handled
while True:
    last = place.read_text() if place.exists() else "none"  # no journal holds this id: `reset` gives the first one
    request = urllib.request.Request(f"{table}/api/v1/events?acts=1", headers={"Last-Event-ID": last})
    with suppress(OSError), urllib.request.urlopen(request, timeout=10) as stream:  # a ping comes every two seconds
        event: dict[str, str] = {}
        for name, _, value in (line.decode().rstrip("\n").partition(": ") for line in stream):
            event[name] = value
            if not name:  # an empty line ends an event
                if event.get("event", "ping") != "ping":  # a view has no name
                    print(event["event"], event.get("id", "-"), event["data"], flush=True)
                if "id" in event:  # in one step, as this program may be killed at any time
                    place.with_suffix(".new").write_text(event["id"])
                    place.with_suffix(".new").replace(place)
                event = {}
    time.sleep(0.2)
