"""Invitations with which machines join as hosts.

Revision ID: 02_0003
"""

import sqlalchemy as sa
from alembic import op

revision = "02_0003"
down_revision = "02_0002"

_METADATA = sa.MetaData()

sa.Table(
    "invitations",
    _METADATA,
    sa.Column("invitation_id", sa.Text, primary_key=True),
    sa.Column("hash", sa.Text, nullable=False, unique=True),
    sa.Column("details", sa.Text, nullable=False),
    sa.Column("attempt", sa.Text),
)


def upgrade() -> None:
    """Make the table where it is not there yet."""
    _METADATA.create_all(op.get_bind())
