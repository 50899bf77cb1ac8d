"""What is refused of plan files; the types are the words that agents and people see."""

from domain.core.errors import ConflictError, InvalidError, NotFoundError


class UnknownFileError(InvalidError):
    """Unknown plan file; the message lists all names."""

    type = "unknown_file"
    status = 404


class BadUnicodeError(InvalidError):
    """A text cannot be written to a file: it has an unpaired surrogate or a NUL."""

    type = "bad_unicode"


class TooLargeError(InvalidError):
    """A plan file would be too large."""

    type = "too_large"


class SectionNotFoundError(InvalidError):
    """No heading of the file matches; the message lists all headings."""

    type = "section_not_found"


class AmbiguousSectionError(InvalidError):
    """Several headings of the file match; the message lists all headings."""

    type = "ambiguous"


class BrokenSectionError(InvalidError):
    """The new text of a section would change other sections."""

    type = "broken_section"


class TangledTextError(InvalidError):
    """A text is too complex to be parsed."""

    type = "tangled"


class ConfirmNeededError(InvalidError):
    """Plan files are only deleted after confirmation."""

    type = "confirm_needed"


class NoPlanError(NotFoundError):
    """There is no plan yet, or no archived plan of that name."""

    type = "no_plan"


class PlanFilesOffError(ConflictError):
    """Plan files are off in this thread."""

    type = "plan_files_off"


class UnusableFileError(ConflictError):
    """Something other than a plan file has its name."""

    type = "unusable_file"
