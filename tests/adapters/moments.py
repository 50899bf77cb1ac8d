"""A worker that is killed just before any command of git."""

from adapters.git.commands import Git


class KilledError(BaseException):
    """The worker is gone: nothing may catch it."""


class Moments:
    """Has something happen just before a command of git, by its number from now on."""

    def __init__(self, monkeypatch) -> None:
        self._number, self._act, self._only = 0, None, ()
        run = Git.run

        async def counted(git, place, *arguments, **options):
            if self._number and (not self._only or arguments[0] in self._only):
                self._number -= 1
                if self._number == 0:
                    self._act()
            return await run(git, place, *arguments, **options)

        monkeypatch.setattr(Git, "run", counted)

    def at(self, number, act, *only):
        """Count all commands, or those alone."""
        self._number, self._act, self._only = number, act, only

    @property
    def is_over(self):
        """Whether it has happened; from here on it does not."""
        left, self._number = self._number, 0
        return left == 0


def kill():
    raise KilledError
