"""What a repository keeps of what tasks learned: sameness, uses, expiry, what people decide."""

import string

from hypothesis import given
from hypothesis import strategies as st

from domain.core.ids import SessionId, ThreadId
from domain.learnings.book import MAX_LEARNINGS, MAX_ORIGINS, Standing
from domain.learnings.events import (
    LearningCited,
    LearningPinned,
    LearningRemoved,
    LearningsOffered,
    PromotionMerged,
    PromotionStarted,
)
from domain.learnings.identity import learning_id, learnings_stream, repository_of
from tests.domain.learnings_lab import DAY, REPOSITORY, Diary, kept, origin
from tests.hypothesis_profiles import effort

LIFETIME = 90 * DAY
TABS = learning_id("Use tabs")


def offered(thread, *ids):
    session = SessionId(f"{thread}/session-1")
    return LearningsOffered(learning_ids=ids, session_id=session, thread_id=ThreadId(thread))


def cited(thread, *ids):
    return LearningCited(learning_ids=ids, thread_id=ThreadId(thread))


def test_texts_that_differ_in_case_and_punctuation_only_are_one_learning_with_all_origins():
    diary = Diary()
    diary.note(kept("Use tabs!", origin("thread-a")))
    diary.note(kept("use   TABS", origin("thread-b")), days=3)
    (one,) = diary.book.every()
    assert [each.thread_id for each in one.origins] == ["thread-a", "thread-b"]
    assert (one.text, one.seen, one.touched_at) == ("Use tabs!", 2, diary.now)


def test_a_run_that_is_told_of_again_counts_once_and_origins_are_bounded():
    diary = Diary()
    for number in range(MAX_ORIGINS + 5):
        diary.note(kept("Use tabs", origin(f"thread-{number}")))
    diary.note(kept("Use tabs", origin(f"thread-{MAX_ORIGINS + 4}")))
    (one,) = diary.book.every()
    assert (one.seen, len(one.origins)) == (MAX_ORIGINS + 5, MAX_ORIGINS)
    assert one.origins[-1].thread_id == f"thread-{MAX_ORIGINS + 4}"


def test_only_what_a_thread_was_offered_counts_as_used_by_its_agents_and_once():
    diary = Diary()
    diary.note(kept("Use tabs"), cited("thread-b", TABS))
    assert diary.book.every()[0].used == 0
    diary.note(offered("thread-b", TABS), cited("thread-c", TABS), days=1)
    assert diary.book.every()[0].used == 0
    diary.note(cited("thread-b", TABS, "l-unknown"), cited("thread-b", TABS))
    assert (diary.book.every()[0].used, diary.book.every()[0].offered) == (1, 1)
    diary.note(LearningCited(learning_ids=(TABS,), by="ann"))
    assert diary.book.every()[0].used == 2


@given(st.lists(st.tuples(st.integers(0, 60), st.booleans()), max_size=12), st.integers(1, 200))
@effort(50)
def test_a_learning_expires_a_lifetime_after_it_was_used_last_and_being_offered_is_no_use(
    steps, days
):
    lifetime = days * DAY
    diary = Diary()
    diary.note(kept("Use tabs"), offered("thread-b", TABS))
    newest = diary.now
    for number, (later, is_use) in enumerate(steps):
        thread = f"thread-{number}"
        diary.note(offered(thread, TABS), days=later)
        if is_use:
            diary.note(cited(thread, TABS))
            newest = diary.now
    one = diary.book.every()[0]
    assert one.expires_at(lifetime) == newest + lifetime
    is_live = diary.now < newest + lifetime
    assert one.standing_at(diary.now, lifetime) is (Standing.LIVE if is_live else Standing.EXPIRED)
    assert (one in diary.book.offerable(diary.now, lifetime)) is is_live


def test_a_person_keeps_a_learning_for_good_and_lets_it_expire_again():
    diary = Diary()
    diary.note(kept("Use tabs"), LearningPinned(learning_id=TABS, by="ann"))
    diary.note(days=1000)
    assert diary.book.every()[0].standing_at(diary.now, LIFETIME) is Standing.PINNED
    diary.note(LearningPinned(learning_id=TABS, is_pinned=False, by="ann"))
    assert diary.book.every()[0].standing_at(diary.now, LIFETIME) is Standing.LIVE
    assert diary.book.every()[0].standing_at(diary.now + LIFETIME, LIFETIME) is Standing.EXPIRED


def test_what_a_person_removed_is_not_offered_again_although_a_task_learns_it_again():
    diary = Diary()
    diary.note(kept("Use tabs"), LearningRemoved(learning_id=TABS, by="ann"))
    diary.note(kept("use tabs", origin("thread-b")), days=1)
    assert diary.book.every()[0].standing_at(diary.now, LIFETIME) is Standing.REMOVED
    assert not diary.book.offerable(diary.now, LIFETIME)
    diary.note(LearningPinned(learning_id=TABS, by="ann"))
    assert diary.book.offerable(diary.now, LIFETIME)


def test_to_let_a_learning_expire_again_does_not_bring_back_what_was_removed():
    diary = Diary()
    diary.note(kept("Use tabs"), LearningRemoved(learning_id=TABS, by="ann"))
    diary.note(LearningPinned(learning_id=TABS, is_pinned=False, by="bob"))
    assert diary.book.every()[0].standing_at(diary.now, LIFETIME) is Standing.REMOVED


def test_of_two_promotions_at_once_the_one_that_is_merged_counts_whichever_came_first():
    for merges in ("thread-p", "thread-q"):
        diary = Diary()
        diary.note(kept("Use tabs"))
        for name in ("thread-p", "thread-q"):
            diary.note(PromotionStarted(learning_ids=(TABS,), thread_id=ThreadId(name), by="ann"))
        merged = PromotionMerged(
            learning_ids=(TABS,), thread_id=ThreadId(merges), commit="c", approved_by=("ann",)
        )
        diary.note(merged)
        (one,) = diary.book.every()
        assert (one.promotion, one.promoted_as) == (merges, "c")


def test_a_promotion_counts_only_with_people_who_approved_it_and_from_the_thread_that_was_opened_for_it():
    diary = Diary()
    ids, thread = (TABS,), ThreadId("thread-p")
    diary.note(kept("Use tabs"))
    merged = PromotionMerged(
        learning_ids=ids, thread_id=thread, commit="c" * 40, approved_by=("ann",)
    )
    diary.note(merged)
    assert diary.book.every()[0].promoted_as == ""
    diary.note(PromotionStarted(learning_ids=ids, thread_id=thread, by="ann"))
    assert diary.book.every()[0].standing_at(diary.now, LIFETIME) is Standing.PROMOTING
    diary.note(merged.model_copy(update={"thread_id": ThreadId("thread-x")}))
    diary.note(merged.model_copy(update={"approved_by": ()}))
    assert diary.book.every()[0].promoted_as == ""
    diary.note(merged)
    assert diary.book.every()[0].standing_at(diary.now, LIFETIME) is Standing.PROMOTED
    assert not diary.book.offerable(diary.now, LIFETIME)


def test_beyond_the_bound_the_one_that_would_expire_first_is_forgotten_but_none_that_is_to_last():
    diary = Diary()
    thread, ids = ThreadId("thread-p"), (learning_id("in AGENTS.md"),)
    diary.note(kept("lesson number 0"), kept("in AGENTS.md"))
    diary.note(LearningPinned(learning_id=learning_id("lesson number 0"), by="ann"))
    diary.note(PromotionStarted(learning_ids=ids, thread_id=thread, by="ann"))
    diary.note(
        PromotionMerged(learning_ids=ids, thread_id=thread, commit="c", approved_by=("ann",))
    )
    for number in range(1, MAX_LEARNINGS):
        diary.note(kept(f"lesson number {number}"), days=1)
    texts = {one.text for one in diary.book.every()}
    assert len(texts) == MAX_LEARNINGS
    assert {"lesson number 0", "in AGENTS.md"} <= texts
    assert "lesson number 1" not in texts


@given(st.text(string.ascii_letters + " .,!-\n", min_size=1))
@effort(50)
def test_sameness_is_of_words_alone(text):
    assert learning_id(text) == learning_id(f" {text.upper()} ")
    assert learning_id(text) != learning_id(f"{text} otherwise")


def test_a_repository_by_url_is_the_same_at_every_commit_and_a_folder_is_itself():
    url = "https://git.example/team/app.git"
    assert repository_of(f"{url}@{'a' * 40}") == repository_of(f"{url}@{'b' * 40}") == url
    assert repository_of(REPOSITORY) == REPOSITORY
    assert learnings_stream(REPOSITORY) != learnings_stream("/home/bob/shop")


def test_a_person_has_a_promoted_learning_offered_again_and_proposes_it_again():
    diary = Diary()
    promotion = ThreadId("thread-p")
    merged = PromotionMerged(
        learning_ids=(TABS,), thread_id=promotion, commit="c", approved_by=("ann",)
    )
    diary.note(kept("Use tabs"), PromotionStarted(learning_ids=(TABS,), thread_id=promotion))
    diary.note(merged, LearningPinned(learning_id=TABS, is_pinned=False, by="bob"))
    assert diary.book.every()[0].standing_at(diary.now, LIFETIME) is Standing.PROMOTED
    diary.note(LearningPinned(learning_id=TABS, by="ann"))
    (one,) = diary.book.offerable(diary.now, LIFETIME)
    assert (one.standing_at(diary.now, LIFETIME), one.promotion) == (Standing.PINNED, "")
