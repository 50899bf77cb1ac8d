"""How often each thread has moved, whether its workflow knows, and the labels that were asked for.

Revision ID: 02_0006
"""

import sqlalchemy as sa
from alembic import op

revision = "02_0006"
down_revision = "02_0005"

_COLUMNS = (
    sa.Column("generation", sa.Integer, nullable=False, server_default="0"),
    sa.Column("is_sent", sa.Boolean, nullable=False, server_default=sa.true()),
    sa.Column("labels", sa.Text, nullable=False, server_default=""),
)


def upgrade() -> None:
    """Add the columns where they are not there yet."""
    known = {column["name"] for column in sa.inspect(op.get_bind()).get_columns("placements")}
    for column in _COLUMNS:
        if column.name not in known:
            op.add_column("placements", column)
