"""Checks GraphQL against a schema: what is asked, with its variables, and what a double answers."""

from typing import Any

from graphql import GraphQLSchema, execute_sync, parse, validate


def problems(
    schema: GraphQLSchema, asked: dict[str, Any], answered: dict[str, Any], node: str = ""
) -> list[str]:
    """Return what a schema does not know of a request and its answer.

    The request is carried out on the answer itself, unless that is a refusal: what is missing there, of another
    type or not asked for is found. `node` is the type of an object that does not say its own.
    """
    document = parse(asked["query"])
    if wrong := [error.message for error in validate(schema, document)]:
        return wrong
    if answered.get("errors"):
        return []
    data = answered["data"]
    made = execute_sync(
        schema,
        document,
        data,
        variable_values=asked.get("variables"),
        type_resolver=lambda value, *_: value.get("__typename", node),
    )
    wrong = [f"{error.path}: {error.message}" for error in made.errors or ()]
    return wrong or ([] if made.data == data else [f"{data} where {made.data} was asked for"])
