"""What is refused of plan files; the types are the words that agents and people see."""

from domain.core.errors import ConflictError, InvalidError, NotFoundError


class UnknownFileError(InvalidError):
    """No plan file has that name; the message lists them."""

    type = "unknown_file"
    status = 404


class BadUnicodeError(InvalidError):
    """A text that no file can hold: half of a character, or a NUL."""

    type = "bad_unicode"


class TooLargeError(InvalidError):
    """A plan file would be larger than one may be."""

    type = "too_large"


class SectionNotFoundError(InvalidError):
    """A file has no heading of that text; the message lists those that it has."""

    type = "section_not_found"


class AmbiguousSectionError(InvalidError):
    """A file has several headings of that text; the message lists all that it has."""

    type = "ambiguous"


class BrokenSectionError(InvalidError):
    """A section's new text would change what stands around it."""

    type = "broken_section"


class TangledTextError(InvalidError):
    """A text is not read, as its structure would take too long to find out."""

    type = "tangled"


class ConfirmNeededError(InvalidError):
    """Plan files are removed only by a call that says so."""

    type = "confirm_needed"


class NoPlanError(NotFoundError):
    """There is no plan yet, or no archived one of that name."""

    type = "no_plan"


class PlanFilesOffError(ConflictError):
    """The thread has no plan files: a person has not turned them on."""

    type = "plan_files_off"


class UnusableFileError(ConflictError):
    """Something else than a text of ours is in the place of a plan file."""

    type = "unusable_file"
