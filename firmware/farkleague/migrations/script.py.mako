"""${message}."""

from alembic import op

revision, down_revision = ${repr(up_revision)}, ${repr(down_revision)}


def upgrade() -> None:
    """Change the tables."""
    op.execute("")
