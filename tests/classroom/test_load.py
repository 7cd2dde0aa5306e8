"""A room that commits at once is written down exactly once while a page is open.

How fast it is, is measured by `tests/bench/class_load.py`, for 300 learners.
"""

import http.client
import json
import threading
from concurrent.futures import ThreadPoolExecutor

LEARNERS = 60


def test_a_room_that_commits_at_once_is_there_once_and_on_the_page(served, answer):
    headers = served.enter()
    move = {"do": "move", "to": "first", "exercise": "04/ripple"}
    served.lead("POST", "/control", move, headers)
    seen = []

    def page():
        connection = http.client.HTTPConnection(
            "127.0.0.1", served.server.instructor_port, timeout=60
        )
        connection.request("GET", "/stage/events", headers=headers)
        reply = connection.getresponse()
        while not seen or seen[-1] < LEARNERS:
            line = reply.readline().decode()
            if line.startswith("data: "):
                seen.append(json.loads(line[6:])["answered"][0])
        connection.close()

    watching = threading.Thread(target=page, daemon=True)
    watching.start()

    def learner(n):
        own = {"secret": f"{n:032x}"}
        twice = [served.learn(answer(n), **own)[0] for _ in range(2)]  # a lost reply is sent again
        return twice, served.learn(answer(1000 + n, round=2, answer="row-4"), **own)[0]

    with ThreadPoolExecutor(20) as pool:
        said = list(pool.map(learner, range(LEARNERS)))
    watching.join(60)
    assert said == [([200, 200], 200)] * LEARNERS
    rows = served.do(served.server.work(served.server.room.database.rows))
    assert len({row["id"] for row in rows}) == len(rows) == 2 * LEARNERS
    assert len({row["learner"] for row in rows}) == LEARNERS
    assert seen[-1] == LEARNERS
    assert len(seen) < LEARNERS  # whole states, not one for each answer
