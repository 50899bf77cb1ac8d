"""The ids of operations in the API's description: what clients made from it call their methods."""

from fastapi.routing import APIRoute


def operation_id(route: APIRoute) -> str:
    """Return the id of a route: its tag, and its name without the tag's noun.

    `open_thread` of `threads` is `threads_open`; what lists `threads` is `threads_list`, and `thread` is
    `threads_get`: a client has `threads.open(…)`. FastAPI warns of two of one id: name one of the routes otherwise.
    """
    tag = _identifier(str(route.tags[0])) if route.tags else ""
    return f"{tag}_{_method(tag, _identifier(route.name), is_read='GET' in (route.methods or ()))}"


def _method(tag: str, name: str, *, is_read: bool) -> str:
    is_plural, noun = tag.endswith("s"), tag.removesuffix("s")
    if is_read and name in {tag, noun}:
        return "list" if is_plural and name == tag else "get"
    return name.removesuffix(f"_{tag}").removesuffix(f"_{noun}") if is_plural else name


def _identifier(text: str) -> str:
    return text.replace("-", "_").replace(" ", "_")
