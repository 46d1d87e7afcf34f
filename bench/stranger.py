"""Ask a table for its pages without end, as a stranger in the network: `python bench/stranger.py HOST PORT ADDRESS`.

It opens a few connections from one address, and ends with its standard input. Then it prints the counts of the answers
by status.
"""

import http.client
import itertools
import json
import sys
import threading
from collections import Counter

CONNECTIONS = 4
PAGES = (
    *("/", "/wall", "/phone", "/games", "/games/now", "/games/now/throws", "/standing", "/statistics", "/fairness"),
    *("/rules", "/rules/farkle-cribbage", "/score-sheet", "/boards/12.json", "/api/v1/state", "/api/v1/games"),
)


def hammer(host: str, port: int, address: str, ending: threading.Event, counts: "Counter[str]") -> None:
    """Ask for one page after the other, each as soon as the last has come."""
    connection = http.client.HTTPConnection(host, port, timeout=60, source_address=(address, 0))
    for page in itertools.cycle(PAGES):
        if ending.is_set():
            break
        try:
            connection.request("GET", page, headers={"accept": "text/html", "accept-encoding": "gzip"})
            answer = connection.getresponse()
            answer.read()
            counts[str(answer.status)] += 1
        except (OSError, http.client.HTTPException):
            counts["none"] += 1
            connection.close()
    connection.close()


def main() -> None:
    """Hammer until the end of the standard input, and print the counts."""
    host, port, address = sys.argv[1:]
    ending, counts = threading.Event(), Counter[str]()
    given = (host, int(port), address, ending, counts)
    threads = [threading.Thread(target=hammer, args=given) for _ in range(CONNECTIONS)]
    for each in threads:
        each.start()
    sys.stdin.read()
    ending.set()
    for each in threads:
        each.join()
    sys.stdout.write(json.dumps(counts))


if __name__ == "__main__":
    main()
