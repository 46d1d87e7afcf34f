"""The first tables."""

from pathlib import Path

from alembic import op

revision, down_revision = "0001", None


def upgrade() -> None:
    """Make the tables."""
    op.execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
