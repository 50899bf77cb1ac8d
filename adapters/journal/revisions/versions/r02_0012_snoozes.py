"""Snoozes of inbox items, by person.

Revision ID: 02_0012
"""

import sqlalchemy as sa
from alembic import op

revision = "02_0012"
down_revision = "02_0011"

_METADATA = sa.MetaData()

sa.Table(
    "snoozes",
    _METADATA,
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("item_id", sa.Text, primary_key=True),
    sa.Column("version", sa.Text, nullable=False),
    sa.Column("until", sa.Text, nullable=False),
)


def upgrade() -> None:
    """Make the table where it is not there yet."""
    _METADATA.create_all(op.get_bind())
