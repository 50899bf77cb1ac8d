"""The cookie of a browser session, on an answer."""

from starlette.responses import Response

from api.core.browser_sessions import BrowserSessions


def give_cookie(response: Response, sessions: BrowserSessions, cookie: str, seconds: int) -> None:
    """Give a browser a cookie, which it sends back here only."""
    response.set_cookie(
        sessions.cookie_name,
        cookie,
        max_age=seconds,
        httponly=True,
        secure=sessions.is_secure,
        samesite="strict",
    )
