"""The schemas as models of pydantic."""

import json
import re
from typing import Any

from datamodel_code_generator import InputFileType, generate
from datamodel_code_generator.enums import DataModelType
from datamodel_code_generator.format import Formatter, PythonVersion
from datamodel_code_generator.parser import LiteralType

_HEAD = '"""The models of Treadle\'s API. Generated from its OpenAPI document: do not edit."""\n\n'
_NESTED = re.compile(r"Annotated\[(\w+), Field\(validate_default=True\)\] = \{\}")
_LISTS = re.compile(r"Annotated\[([\w\[\], |]+), Field\(validate_default=True\)\] = \[\]")
_BODIES = re.compile(r'    body: Annotated\[([^\]]*),\s*Field\(discriminator="kind"\),?\s*\]')
_BODY = '    body: Annotated[KnownBody | UnknownBody, Field(union_mode="left_to_right")]'
_TYPING = re.compile(r"(from typing import [\w, ]+)\n")
_EVENT = "class Event(Model):"


def models_module(schemas: dict[str, Any]) -> str:
    """Return the text of the module."""
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Treadle", "version": "1"},
        "paths": {},
        "components": {"schemas": schemas},
    }
    text = generate(
        json.dumps(document),
        input_file_type=InputFileType.OpenAPI,
        output_model_type=DataModelType.PydanticV2BaseModel,
        target_python_version=PythonVersion.PY_311,
        base_class="treadle_client.wire.Model",
        custom_file_header=_HEAD.strip(),
        enum_field_as_literal=LiteralType.One,
        formatters=[Formatter.BUILTIN],
        capitalise_enum_members=True,
        collapse_root_models=True,
        empty_enum_field_name="none",
        set_default_enum_member=True,
        strict_nullable=True,
        use_annotated=True,
        use_double_quotes=True,
        use_one_literal_as_default=True,
        use_schema_description=True,
        use_standard_collections=True,
        use_union_operator=True,
    )
    assert isinstance(text, str)  # noqa: S101  (one module)
    return _finished(text)


def _finished(text: str) -> str:
    """Have defaults that a type checker takes, and values of newer engines that are kept as they are."""
    text = _NESTED.sub(r"\1 = Field(default_factory=lambda: \1())", text)
    text = _LISTS.sub(r"\1 = []", text)
    bodies = _BODIES.search(text)
    assert bodies is not None, "an event's body is no union any more"  # noqa: S101
    # not with operators: two hundred of them are nested deeper than pyright goes
    kinds = bodies[1].replace(" | ", ",\n        ").strip()
    known = f'Annotated[\n    Union[\n        {kinds},\n    ],\n    Field(discriminator="kind"),\n]'
    text = text.replace(bodies[0], _BODY, 1).replace(_EVENT, f"KnownBody = {known}\n\n\n{_EVENT}")
    text = text.replace("from enum import StrEnum\n", "")
    text = _TYPING.sub(r"\1, Union\n", text, count=1)
    text = text.replace(
        "import Model\n",
        "import Model as Model, OpenEnum as OpenEnum, UnknownBody as UnknownBody\n",
        1,
    )
    return text.replace("(StrEnum):", "(OpenEnum):")
