"""The page: its files, and at the address of each screen the page itself."""

from fastapi import APIRouter, Request, Response

from api.page import ICON, UNASKED_ICON, Page, addresses
from api.problems import RefusedError

router = APIRouter(include_in_schema=False)


def page(request: Request) -> Response:
    """Answer with a file of the page, or with the page.

    Raises:
        RefusedError: With status 404, where there is no such file.
    """
    found: Page = request.app.state.page
    path = request.url.path
    path = ICON if path == UNASKED_ICON else path
    answer = found.answer(path.removeprefix("/"), request)
    if answer is None:
        raise RefusedError(404, "not_found", "the page has no such file")
    return answer


for address in addresses():
    router.add_api_route(address, page, methods=["GET"])
