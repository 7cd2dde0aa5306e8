"""What a function keeps from tile to tile must not grow, wherever and however it is kept."""

import math

import pytest
import torch

from attn_lab.grade import check
from attn_lab.grade.kept import FEW, MANY, most_kept


def online(tiles):
    highest, total, mixed = -math.inf, 0.0, 0.0
    for scores, values in tiles:
        now = max(highest, scores.max().item())
        if now == -math.inf:
            continue
        parts, kept = (scores - now).exp(), math.exp(highest - now)
        total, mixed = total * kept + parts.sum(), mixed * kept + parts @ values
        highest = now
    return mixed / total


def all_joined(tiles):
    scores, values = zip(*tiles, strict=True)
    return torch.cat(scores).softmax(-1) @ torch.cat(values)


def in_one_line(tiles):
    return torch.cat([s for s, _ in tiles]).softmax(-1) @ torch.cat([v for _, v in tiles])


def growing_tensors(tiles):
    all_scores, all_values = torch.zeros(0), torch.zeros(0, 3)
    for scores, values in tiles:
        all_scores = torch.cat([all_scores, scores])
        all_values = torch.cat([all_values, values])
    return all_scores.softmax(-1) @ all_values.double()


def growing_lists(tiles):
    everything, rows = [], []
    for scores, values in tiles:
        everything += scores.tolist()
        rows.extend(values.tolist())
    return torch.tensor(everything, dtype=torch.float64).softmax(-1) @ torch.tensor(rows).double()


def merged_in_the_end(tiles):
    sums = torch.stack([scores.logsumexp(-1) for scores, _ in tiles])
    own = [scores.softmax(-1).nan_to_num() @ values for scores, values in tiles]
    return sums.softmax(-1) @ torch.stack(own)


def merged_from_the_end(tiles):
    if len(tiles) == 1:
        return all_joined(tiles)
    return all_joined([tiles[0], *tiles[1:]])


GROWING = [all_joined, in_one_line, growing_tensors, growing_lists, merged_in_the_end]


@pytest.mark.parametrize("function", [*GROWING, merged_from_the_end])
def test_a_right_output_from_what_grows_is_refused_and_named(function):
    verdict = check("online_softmax", function)
    assert (verdict.passed, verdict.mistake) == (False, "kept_whole")
    assert "The output is right" in verdict.message
    assert "what is kept grows with the number of tiles" in verdict.message
    assert verdict.mistake_name == "the whole row at once"


def test_a_maximum_and_two_sums_stay_as_many_whatever_the_number_of_tiles():
    assert most_kept(online, FEW) == most_kept(online, MANY)
    assert check("online_softmax", online).passed
