"""Inputs and known mistakes of the tasks about one row: softmax, and softmax tile by tile."""

import math
from typing import Any

import torch
from torch import Tensor

from attn_lab.grade.kept import growth
from attn_lab.grade.mistakes import Mistake, in_group, mistake
from attn_lab.grade.mistakes.wrong_tiles import running
from attn_lab.grade.tasks.task_entry import Case, Grader, Known, Part, known

Tiles = list[tuple[Tensor, Tensor]]
# The rest of the attention group needs more than one row, a mask, a width or a value.
# What each does is said anew: this task comes before masks, so no score is legal or blocked.
OF_A_ROW = {
    "hard_lookup": "The largest score gets everything.",
    "even_over_all": "All scores get the same weight, whatever they are.",
    "score_is_weight": "The scores are used as weights.",
    "shares_of_scores": "Each score is divided by the sum of the scores, without an exponential.",
    "not_normalised": "The exponentials are used as weights.",
    "base_two": "2 is raised to the scores, where e should be.",
    "without_maximum": "The maximum is not subtracted, and exponentials of large scores overflow.",
    "other_than_maximum": "What is subtracted is not the largest score, and the largest "
    "exponential can overflow.",
}


def _scores(*scores: float, trying: str) -> Case:
    return Case(trying, {"scores": list(scores)})


def _of_a_row(entry: Mistake, says: str) -> Known:
    def run(scores: list[float]) -> Tensor:
        k = torch.tensor(scores, dtype=torch.float64)[:, None]  # d_k is 1: the scores themselves
        return entry.run(torch.ones_like(k[:1]), k, torch.eye(len(k), dtype=k.dtype)).weights[0]

    without_masks = {"even-over-all": "plain-mean"}
    misconception = without_masks.get(entry.misconception, entry.misconception)
    return Known(entry.name, misconception, says, (run,))


SOFTMAX_ROW = Grader(
    task="01/softmax-row",
    parts=((Part("weights", ("key",), listed=True),),),
    cases=(
        _scores(0.5, 0.0, -1.0, trying="three small scores"),
        _scores(2.0, trying="a single score"),
        _scores(1000.0, 999.0, trying="scores of a thousand"),
        _scores(-1000.0, -999.5, trying="scores of minus a thousand"),
        _scores(0.0, 2000.0, 3.0, trying="one score far above the others"),
        _scores(2000.0, 0.0, 3.0, trying="a first score far above the others"),
        _scores(0.0, 3.0, 2000.0, trying="a last score far above the others"),
    ),
    right=(lambda scores: torch.tensor(scores, dtype=torch.float64).softmax(-1),),
    mistakes=tuple(_of_a_row(mistake(name), says) for name, says in OF_A_ROW.items()),
)


def _tiles(size: int, scores: list[float], trying: str) -> Case:
    row = torch.tensor(scores, dtype=torch.float64)
    v = torch.tensor([[10, 0, 1], [0, 20, 1], [40, 10, 1], [30, 50, 1], [5, 5, 1]])
    values = v[: len(row)].to(torch.float64)
    pairs = list(zip(row.split(size), values.split(size), strict=True))
    return Case(trying, {"tiles": pairs})


def joined(tiles: Tiles) -> tuple[Tensor, Tensor, int]:
    """The whole row, all values, and the size of the first tile."""
    scores, values = zip(*tiles, strict=True)
    return torch.cat(scores), torch.cat(values), len(scores[0])


def _of_tiles(entry: Mistake) -> Known:
    def run(tiles: Tiles) -> Any:
        return entry.run(*joined(tiles)).output

    return known(entry, run)


KEPT_WHOLE = Known(
    "kept_whole",
    "whole-row-at-once",
    "Of each tile something is kept until the last one.",
    (lambda tiles: joined(tiles)[0].softmax(-1) @ joined(tiles)[1],),
)
ONLINE_SOFTMAX = Grader(
    task="09/online-softmax",
    parts=((Part("output", ("column",), listed=True),),),
    cases=(
        _tiles(1, [2.0, 1.0], "two tiles of one score, the first one higher"),
        _tiles(2, [1.0, 3.0, 2.0, 5.0], "two tiles, the second one higher"),
        _tiles(2, [1.0, 3.0, 2.0, 5.0, 0.5], "a last tile that is shorter"),
        _tiles(2, [1.0, 3.0, -math.inf, -math.inf, 4.0], "a blocked tile in the middle"),
        _tiles(2, [-math.inf, -math.inf, 2.0, 5.0], "a blocked first tile"),
        _tiles(2, [1.0, 3.0, -math.inf, 5.0], "a tile that is blocked in part"),
        _tiles(2, [5.0, -math.inf, 2.0, 1.0], "a tile that is blocked in part"),
        _tiles(1, [-1000.0, -999.0], "scores a thousand away from 0"),
        _tiles(2, [0.0, 1.0, 1000.0, 999.0], "scores a thousand away from 0"),
    ),
    right=(lambda tiles: running(*joined(tiles)).output,),
    mistakes=tuple(map(_of_tiles, in_group("tiles"))),
    besides=growth,
    lacking=KEPT_WHOLE,
)
