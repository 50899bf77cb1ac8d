"""The page: its files, and under every other path outside of /v1 the page itself."""

from fastapi import APIRouter, Request, Response

from api.page import Page
from api.problems import RefusedError

router = APIRouter(include_in_schema=False)


@router.get("/{path:path}")
def page(path: str, request: Request) -> Response:
    """Answer with a file of the page, or with the page.

    Raises:
        RefusedError: With status 404, where neither the API nor the page has anything.
    """
    found: Page = request.app.state.page
    answer = None if path.partition("/")[0] in {"v1", "open"} else found.answer(path, request)
    if answer is None:
        raise RefusedError(404, "not_found", "there is nothing at this address")
    return answer
