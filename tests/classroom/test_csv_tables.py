"""Raised hands and the chat's codes are in the report, and few people are not told apart."""

import csv
import io

from attn_lab.classroom.count.csv_tables import (
    answers_csv,
    as_csv,
    counts_csv,
    guarded,
    moves_csv,
    questions_csv,
)
from attn_lab.classroom.server.running import write_report
from attn_lab.course.codes import encode


def _rows(room):
    return counts_csv(room).splitlines()[1:]


def test_every_source_is_counted_in_its_column(room, fill, ripple):
    fill(4, "all")
    fill(3, "row-4", round=2)
    room.paste(" ".join(encode(ripple, "all", "guess", 1, noise=str(n)) for n in range(3)))
    room.raise_hands("04/ripple", 1, {"row-4": 5, "other": 1})
    assert counts_csv(room).splitlines()[0] == (
        "exercise,round,answer,misconception,notebook,code,hands"
    )
    assert _rows(room) == [
        "04/ripple,1,Every row,future-flows-back,4,3,0",
        "04/ripple,1,Row 4 alone,,0,0,5",
        "04/ripple,1,another answer,,0,0,1",
        "04/ripple,2,Row 4 alone,,3,0,0",
    ]


def test_a_class_of_hands_alone_has_a_report(room):
    room.raise_hands("05/first-row", 1, {"computed": 9, "mask forgotten": 2})
    assert [row.rpartition(",")[2] for row in _rows(room)] == ["9", "2"]
    assert "as computed" in _rows(room)[0] and "mask-forgotten" in _rows(room)[1]


def test_one_and_two_people_are_not_told_apart(room, fill, ripple):
    fill(1, "all")
    fill(2, "column", start=1)
    room.paste(encode(ripple, "column", "guess", 1, noise="a"))
    assert _rows(room) == [  # and not by their order either
        "04/ripple,1,Every row,future-flows-back,under 3,0,0",
        "04/ripple,1,Column 4,axes-swapped,under 3,under 3,0",
    ]


def test_an_answer_that_a_notebook_spelled_keeps_its_spelling_beside_codes(room, fill, first_row):
    fill(3, [1, 0, 0, 0], exercise="05/first-row")
    room.paste(encode(first_row, [1, 0, 0, 0], "guess", 1, noise="a"))
    assert _rows(room) == ['05/first-row,1,"1, 0, 0, 0",,3,under 3,0']


def test_an_answer_in_somebodys_own_numbers_is_another_answer(room, fill):
    fill(4, [1, 0, 0, 0], exercise="05/first-row")
    fill(2, [0.7, 0.1, 0.1, 0.1], exercise="05/first-row", start=4)
    fill(1, [0.4, 0.2, 0.2, 0.2], exercise="05/first-row", start=6)
    assert _rows(room) == [
        '05/first-row,1,"1, 0, 0, 0",,4,0,0',
        "05/first-row,1,another answer,,3,0,0",
    ]


def test_a_table_of_counts_is_given_to_the_desk(served, answer):
    served.learn(answer(1))
    status, said, _ = served.lead("GET", "/counts.csv", headers=served.enter())
    assert status == 200
    assert said.splitlines()[1] == "04/ripple,1,Every row,future-flows-back,under 3,0,0"


def _questions(room):
    return list(csv.DictReader(io.StringIO(questions_csv(room))))


def test_the_share_right_stands_by_question_and_round(room, fill, ripple):
    fill(6, "all")
    fill(2, "row-4", start=6)
    fill(6, "row-4", round=2)
    room.mark("04/ripple", "row-4")
    (row,) = _questions(room)
    assert row["exercise"] == "04/ripple" and row["question"] == ripple.prompt
    assert (row["answered_1"], row["right_1"]) == ("8", "25 %")
    assert (row["answered_2"], row["right_2"]) == ("6", "100 %")
    assert row["computed"] == "Row 4 alone"


def test_no_share_is_said_of_two_answers(room, fill):
    fill(2, "row-4")
    room.mark("04/ripple", "row-4")
    (row,) = _questions(room)
    assert (row["answered_1"], row["right_1"]) == ("under 3", "")


def test_each_answer_is_told_right_or_wrong_where_that_is_known(room, fill):
    fill(3, "all")
    fill(1, "row-4", start=3)
    room.mark("04/ripple", "row-4")
    rows = csv.DictReader(io.StringIO(answers_csv(room)))
    assert [row["right"] for row in rows] == ["no", "no", "no", "yes"]


def test_small_numbers_are_hidden_in_the_table(room, fill):
    fill(6, "all")
    fill(2, "row-4", round=2)
    assert moves_csv(room).splitlines()[1] == "04/ripple,future-flows-back,6,0,under 3,0"


def test_cells_that_a_spreadsheet_would_calculate_are_guarded():
    for bad in ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =1", "\n=1"):
        assert guarded(bad) == "'" + bad
    for harmless in ("a=1", "", "[-1, 0]", -1, 0.5, None):
        assert guarded(harmless) == harmless
    assert as_csv(["a"], [["=1,2"]]).splitlines() == ["a", '"\'=1,2"']


def test_the_report_is_six_files(room, fill, course, tmp_path):
    fill(6, "all")
    fill(4, "row-4", round=2)
    room.database.engine.dispose()
    paths = write_report(f"sqlite:///{tmp_path}/class.sqlite", course, tmp_path / "report")
    assert [path.name for path in paths] == [
        *("moves.svg", "moves.png", "moves.csv", "answers.csv", "counts.csv", "questions.csv")
    ]
    assert "<svg" in paths[0].read_text()
    assert paths[1].read_bytes().startswith(b"\x89PNG")
    assert "future-flows-back,6,0,4,0" in paths[2].read_text()
    assert len(paths[3].read_text().splitlines()) == 11
