"""Hosts, and on which of them each thread was placed.

Revision ID: 02_0001
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "02_0001"
down_revision = "01_0001"

_METADATA = sa.MetaData()
_NAME = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")

sa.Table(
    "hosts",
    _METADATA,
    sa.Column("host", _NAME, primary_key=True),
    sa.Column("facts", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("generation", sa.Integer, nullable=False),
)
sa.Table(
    "placements",
    _METADATA,
    sa.Column("stream", _NAME, primary_key=True),
    sa.Column("host", _NAME, nullable=False, index=True),
    sa.Column("placed", sa.BigInteger, nullable=False, server_default="0"),
)


def upgrade() -> None:
    """Make the two tables where they are not there yet."""
    _METADATA.create_all(op.get_bind())
