"""What a function did or returned is told apart, in words that say what came."""

import gc
import warnings

import numpy as np
import pytest
import torch

from attn_lab.grade import check


def by_zero(scores):
    return scores[0] / 0


def softmax(scores):
    return torch.tensor(scores, dtype=torch.float64).softmax(-1)


def damaging(scores):
    weights = softmax(scores)
    scores[0] = 0.0 if scores[0] else 1.0
    return weights


def damaging_with_numbers_of_numpy(scores):
    highest = max(scores)
    for i in range(len(scores)):
        scores[i] = np.exp(scores[i] - highest)
    return [score / sum(scores) for score in scores]


def damaging_with_numbers_of_torch(scores):
    weights = softmax(scores)
    scores[:] = weights
    return weights


def pair_only(q, k, v):
    return v


@pytest.mark.parametrize(
    ("name", "function", "said"),
    [
        ("softmax_row", by_zero, "ZeroDivisionError"),
        ("softmax_row", by_zero, "The line: `return scores[0] / 0`"),
        ("softmax_row", lambda scores: None, "returned nothing (None)"),
        ("softmax_row", lambda scores: print(0.5), "printed “0.5” and returned nothing"),
        ("softmax_row", damaging, "scores did not survive the call"),
        ("softmax_row", damaging_with_numbers_of_numpy, "scores did not survive the call"),
        ("softmax_row", damaging_with_numbers_of_torch, "scores did not survive the call"),
        ("softmax_row", lambda scores: softmax([*scores, 0]), "shape [4], and [3] is asked for"),
        ("softmax_row", lambda scores: softmax(scores) * float("nan"), "hold nan"),
        ("softmax_row", lambda scores: "0.5", "a str came back"),
        ("softmax_row", lambda scores: (x for x in scores), "a generator came back"),
        ("softmax_row", lambda scores: NotImplemented, "a NotImplementedType came back"),
        ("softmax_row", lambda scores: [], "an empty list came back"),
        ("softmax_row", lambda scores: [[1], [1, 2]], "different lengths"),
        ("softmax_row", lambda: 1, "called with (scores) and takes ()"),
        ("softmax_row", [0.5], "a list came"),
        ("causal_mask", lambda T_q, T_k: torch.ones(T_q, T_k).tril(), "holds float32"),
        ("attention", pair_only, "Two things are asked for, output and weights"),
        ("attention", lambda q, k, v: (q @ k.mT, v[:1]), "fit in the other order"),
    ],
)
def test_the_grader_tells_it_apart(name, function, said):
    verdict = check(name, function)
    assert (verdict.passed, verdict.mistake) == (False, "")
    assert said in verdict.message


def test_a_warning_of_the_function_is_not_an_error():
    def warning(scores):
        return torch.tensor(torch.tensor(scores)).softmax(-1)  # torch warns about this

    assert check("softmax_row", warning).passed


class MuteError(Exception):
    def __str__(self):
        raise RuntimeError("no words")


def raising_mute(scores):
    raise MuteError


async def waited_for_by_nobody(scores):
    return scores


class Broken(torch.nn.Module):
    def forward(self, scores):
        return scores[0] / 0


@pytest.mark.parametrize(
    ("name", "function", "said"),
    [
        ("softmax_row", raising_mute, "stopped with MuteError. The line: `raise MuteError`"),
        ("softmax_row", lambda scores: softmax(scores).flip(0).to_sparse(), "The weights differ"),
        ("causal_mask", lambda T_q, T_k: torch.ones(T_q, T_k).bool().to_sparse(), "mask differs"),
        ("softmax_row", lambda scores: Broken(), "a function came back"),
        ("softmax_row", waited_for_by_nobody, "a coroutine came back"),
    ],
)
def test_no_odd_result_ends_in_an_error_of_the_grader(name, function, said):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert said in check(name, function).message
        gc.collect()


@pytest.mark.parametrize(
    ("name", "function", "how"),
    [
        (
            "causal_mask",
            lambda T_q, T_k: torch.ones(T_q, T_k).tril().bool().tolist(),
            "The mask: a tensor is asked for, and a list came back. `torch.tensor` makes one",
        ),
        (
            "attention",
            lambda q, k, v: (v.tolist(), (q @ k.mT).tolist()),
            "The output: a tensor is asked for, and a list came back. `torch.tensor` makes one",
        ),
        (
            "split_merge_heads",
            (lambda x, n: list(x.chunk(n, -1)), lambda heads: torch.cat(list(heads), -1)),
            "The heads: a tensor is asked for, and a list came back. `torch.stack` makes one",
        ),
    ],
)
def test_where_a_tensor_is_asked_for_a_list_is_told_so(name, function, how):
    verdict = check(name, function)
    assert not verdict.passed and how in verdict.message


def test_where_a_list_is_asked_for_it_is_one():
    assert check("softmax_row", lambda scores: softmax(scores).tolist()).passed


class LeavingError(Exception):
    def __str__(self):
        raise SystemExit


def raising_and_leaving(scores):
    raise LeavingError


class LeavingArray:
    def __array__(self):
        raise SystemExit


@pytest.mark.parametrize("function", [raising_and_leaving, lambda scores: LeavingArray()])
def test_no_object_of_the_functions_own_ends_the_grading(function):
    assert not check("softmax_row", function).passed


def test_one_tensor_that_is_filled_anew_at_each_call_is_compared_as_it_was():
    kept = torch.empty(3, dtype=torch.float64)

    def exponentials(scores):
        return kept[: len(scores)].copy_(torch.tensor(scores).exp())

    assert check("softmax_row", exponentials).mistake == "not_normalised"


def test_a_masked_array_is_refused_in_words_and_its_mask_not_dropped():
    def masked(T_q, T_k):
        return np.ma.array(np.tri(T_q, T_k) > 0, mask=np.tri(T_q, T_k) == 0)

    verdict = check("causal_mask", masked)
    assert not verdict.passed
    assert "a masked array that hides some came back. `.filled(0)` gives" in verdict.message
    assert check("causal_mask", lambda *size: masked(*size).filled(False)).passed
