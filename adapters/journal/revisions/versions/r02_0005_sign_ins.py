"""Sign-ins of browsers, and which identity each name belongs to.

Revision ID: 02_0005
"""

import sqlalchemy as sa
from alembic import op

revision = "02_0005"
down_revision = "02_0004"

_METADATA = sa.MetaData()

sa.Table(
    "sign_ins",
    _METADATA,
    sa.Column("sign_in_id", sa.Text, primary_key=True),
    sa.Column("hash", sa.Text, nullable=False, unique=True),
    sa.Column("person", sa.Text, nullable=False, index=True),
    sa.Column("checked_at", sa.Text, nullable=False),
    sa.Column("ended_at", sa.Text),
    sa.Column("details", sa.Text, nullable=False),
)
sa.Table(
    "identities",
    _METADATA,
    sa.Column("issuer", sa.Text, nullable=False),
    sa.Column("subject", sa.Text, nullable=False),
    sa.Column("person", sa.Text, nullable=False),
    sa.UniqueConstraint("issuer", "subject"),
    sa.UniqueConstraint("issuer", "person"),
)


def upgrade() -> None:
    """Make the tables where they are not there yet."""
    _METADATA.create_all(op.get_bind())
