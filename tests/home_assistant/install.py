"""Install the newest Home Assistant that this Python takes, and what its MQTT integration needs, where this runs."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path


def pip(*requirements: str) -> None:
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", *requirements], check=True)


def requirements_of(domain: str, components: Path, seen: set[str]) -> list[str]:
    """Return what an integration and the integrations below it need."""
    file = components / domain / "manifest.json"
    if domain in seen or not file.exists():
        return []
    seen.add(domain)
    manifest = json.loads(file.read_text(encoding="utf-8"))
    below = (requirements_of(each, components, seen) for each in manifest.get("dependencies", []))
    return [*manifest.get("requirements", []), *(each for found in below for each in found)]


pip("homeassistant")
place = importlib.util.find_spec("homeassistant").submodule_search_locations[0]
known: set[str] = set()
pip(*(each for domain in ("mqtt", "frontend") for each in requirements_of(domain, Path(place, "components"), known)))
