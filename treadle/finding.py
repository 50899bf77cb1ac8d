"""What `treadle doctor` found of one thing."""

from pydantic import BaseModel


class Finding(BaseModel):
    """One thing that was looked at; `fix` says what to do when it is not well."""

    name: str
    is_well: bool
    is_required: bool = True
    found: str = ""
    fix: str = ""
