"""Styles, pictures and templates that the pages of the table and of a league share.

`static` has the files that a browser loads, and `templates` those of Jinja2 with no words of their own.
"""

from pathlib import Path

FOLDER = Path(__file__).parent
