"""However much is said of a pull request, one look of it fits into a history, and so does what is kept."""

from datetime import timedelta

from domain.forges.markers import marked
from domain.forges.pull_requests import CheckState, PullRequestReview, ReviewState
from domain.publications.bounds import MOST, within_bounds
from domain.publications.calls import LookAnswer
from domain.publications.seeing import is_pending, trimmed
from tests.domain.publication_life import ANN, BOT, NOW, Life, check, comment, thread, view

PAYLOAD_BYTES = 2 << 20


def said(number: int, body: str, by=ANN, **more):
    at = NOW + timedelta(minutes=number)
    one = comment(str(number), by, body=body).model_copy(update={"created_at": at})
    return thread(one, **more).model_copy(update={"id": f"t{number}"})


def test_what_thousands_of_strangers_write_fits_and_the_newest_that_waits_is_there():
    flood = [said(n, "\N{SNOWMAN}" * 8000, is_resolved=n % 2 == 0) for n in range(1000)]
    failed = [
        check(CheckState.FAILED, n).model_copy(update={"summary": "x" * 2000}) for n in range(2000)
    ]
    rude = PullRequestReview(
        id="1", author=ANN, state=ReviewState.CHANGES_REQUESTED, body="\0" * 8000
    )
    reviews = [rude.model_copy(update={"id": str(n)}) for n in range(1000)]
    whole = view(threads=tuple(flood), checks=tuple(failed), reviews=tuple(reviews))
    look = within_bounds(whole)
    life = Life()
    life.look(look)

    assert len(LookAnswer(look={"view": look}).model_dump_json()) < PAYLOAD_BYTES / 2
    assert len(life.state.model_dump_json()) < PAYLOAD_BYTES * 0.9
    assert flood[999].id in {each.id for each in look.threads}
    assert all(not each.is_resolved for each in look.threads)
    assert reviews[-1].id in {each.id for each in look.reviews}


def test_what_fits_stays_as_it_is():
    ours = said(3, marked("y" * 5000, "key"), BOT)
    small = view(
        threads=(said(1, "why?"), ours, said(2, "how?", is_resolved=True)),
        checks=(check(CheckState.PASSED, 1), check(CheckState.FAILED, 2)),
    )
    assert within_bounds(small) == small


def test_checks_that_run_are_seen_among_many_that_are_done():
    checks = [check(CheckState.PASSED, n) for n in range(MOST + 50)]
    look = within_bounds(view(checks=(*checks, check(CheckState.PENDING, 999))))

    assert len(look.checks) == MOST
    assert is_pending(look)
    assert is_pending(trimmed(look))
