"""What turns cost and reserve, and the limits that people set.

Revision ID: 02_0015
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "02_0015"
down_revision = "02_0014"

_METADATA = sa.MetaData()
_NAME = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")

sa.Table(
    "charges",
    _METADATA,
    sa.Column("key", _NAME, primary_key=True),
    sa.Column("turn", _NAME, nullable=False, index=True),
    sa.Column("owner", _NAME, nullable=False),
    sa.Column("thread", _NAME, nullable=False, index=True),
    sa.Column("root", _NAME, nullable=False, index=True),
    sa.Column("task", _NAME, nullable=False, index=True),
    sa.Column("project", sa.Text, nullable=False),
    sa.Column("month", sa.Text, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("agent", sa.Text, nullable=False),
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("work", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False, index=True),
    sa.Column("entry", sa.Text, nullable=False, server_default=""),
    sa.Column("reserved", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("told", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("priced", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("included", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("included_turns", sa.Integer, nullable=False, server_default="0"),
    sa.Column("unknown", sa.Integer, nullable=False, server_default="0"),
    sa.Column("prices", sa.Text, nullable=False, server_default=""),
    sa.Index("charges_of_month", "month", "project"),
    sa.Index("charges_like", "agent", "project", "at"),
)
sa.Table(
    "money_limits",
    _METADATA,
    sa.Column("key", _NAME, primary_key=True),
    sa.Column("millionths", sa.BigInteger),
)


def upgrade() -> None:
    """Make the tables where they are not there yet."""
    _METADATA.create_all(op.get_bind())
