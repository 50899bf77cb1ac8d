"""What fields of flow files take: texts, names, keys, answers, and the base of all objects."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

A_SCRIPT = "the path of a Python file in the repository, like scripts/is_done.py"


def _printable(text: str) -> str:
    if any(ord(letter) < ord(" ") and letter not in "\t\n\r" for letter in text):
        raise PydanticCustomError("control_character", "must not hold control characters")
    return text


def _on_one_line(text: str) -> str:
    if "\n" in text or "\r" in text:
        raise PydanticCustomError("several_lines", "must be on one line")
    return text


def names_script(text: str) -> bool:
    """Tell whether a text is meant as the path of a Python file, and not as words."""
    return text.endswith(".py") and not any(letter.isspace() for letter in text)


def is_script(path: str) -> bool:
    """Tell whether a text is the path of a Python file below the folder, as codeInfo2 has it."""
    parts = path.replace("\\", "/").split("/")
    return path.endswith(".py") and ".." not in parts and not path.startswith(("/", "-", "~"))


def _script(path: str) -> str:
    if not is_script(path):
        raise PydanticCustomError("no_script", f"must be {A_SCRIPT}")
    return path


def all_different(options: list[str]) -> list[str]:
    """Take texts of which none is another one's, in upper or lower case."""
    if len({option.casefold() for option in options}) < len(options):
        raise PydanticCustomError("alike", "must all be different")
    return options


Text = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1), AfterValidator(_printable)
]
Name = Annotated[Text, StringConstraints(max_length=200), AfterValidator(_on_one_line)]
Key = Annotated[
    str, StringConstraints(strip_whitespace=True, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$")
]
FlowName = Annotated[
    str, StringConstraints(strip_whitespace=True, pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$")
]
Script = Annotated[Name, AfterValidator(_script)]
FlowNames = Annotated[
    list[FlowName], Field(min_length=1, max_length=20), AfterValidator(all_different)
]
Options = Annotated[list[Name], Field(min_length=2, max_length=20), AfterValidator(all_different)]
Answer = Literal["yes", "no"]


class Shape(BaseModel):
    """An object of a flow file: camelCase names, exact types, no unknown key."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, alias_generator=to_camel)


class LabelledStep(Shape):
    """What all steps have."""

    label: Name = ""
