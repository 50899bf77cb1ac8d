from api.app import create_app
from tests.api.conftest import client_of
from tests.api.opening import opened_thread

REPOSITORY = {"repository": "/somewhere", "goal": "Add a flag"}


async def test_a_command_sent_again_is_answered_alike_by_the_next_api(settings, temporal):
    """Also when its thread is over, where the workflow could not answer any more."""
    answers = []
    for _ in range(2):
        app = create_app(settings, temporal)
        async with app.router.lifespan_context(app), client_of(app, settings) as client:
            if not answers:
                opened = await client.post("/v1/threads", json=REPOSITORY | {"command_id": "o"})
            thread = f"/v1/threads/{opened_thread(opened)}"
            paused = await client.post(f"{thread}/pause", json={"command_id": "p"})
            over = await client.post(f"{thread}/cancel", json={"command_id": "c"})
            answers.append((paused.status_code, paused.text, over.status_code, over.text))
    assert answers[0] == answers[1]
    assert answers[0][0] == 200


async def test_an_id_used_for_something_else_is_refused(client):
    first = await client.post("/v1/threads", json=REPOSITORY | {"command_id": "k"})
    other = await client.post("/v1/threads", json=REPOSITORY | {"command_id": "k", "goal": "No"})
    thread = f"/v1/threads/{opened_thread(first)}"
    await client.post(f"{thread}/pause", json={"command_id": "x"})
    crossed = await client.post(f"{thread}/resume", json={"command_id": "x"})

    assert [(a.status_code, a.json()["type"]) for a in (other, crossed)] == [
        (409, "treadle:key_reused")
    ] * 2


async def test_what_was_refused_may_be_fixed_under_its_id(client):
    wrong = await client.post("/v1/threads", json=REPOSITORY | {"command_id": "m", "x": 1})
    fixed = await client.post("/v1/threads", json=REPOSITORY | {"command_id": "m"})
    assert (wrong.status_code, fixed.status_code) == (422, 201)


async def test_the_same_id_is_another_command_in_another_thread(client):
    opened = [
        await client.post("/v1/threads", json=REPOSITORY | {"command_id": key}) for key in "ab"
    ]
    threads = [f"/v1/threads/{opened_thread(answer)}" for answer in opened]
    paused = [await client.post(f"{t}/pause", json={"command_id": "p"}) for t in threads]
    assert [answer.status_code for answer in paused] == [200, 200]
