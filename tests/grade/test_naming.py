"""Every wrong implementation of a task's bank is refused under its own name, and no other.

An error alone has many causes: only one with a known mistake's values gets its name.
"""

import math

import pytest
import torch

from attn_lab.course.misconceptions import misconceptions
from attn_lab.grade import check
from attn_lab.grade.graders import GRADERS
from attn_lab.grade.mistakes import in_group, mistake
from attn_lab.grade.mistakes.wrong_masks import CAUSAL, JOINED, NOT_JOINED, PADDING
from attn_lab.grade.naming import alike, outcome
from attn_lab.grade.tasks.row_tasks import OF_A_ROW
from attn_lab.grade.verdict import LEADS, RAISED, SAME, STOPPED

# task: the groups of the bank that its grader knows whole
GROUPS = {
    "causal_mask": ("mask",),
    "attention": ("attention",),
    "split_merge_heads": ("split", "merge"),
    "multi_head": ("heads",),
    "online_softmax": ("tiles",),
}
PAIRS = [(name, known) for name, grader in GRADERS.items() for known in grader.mistakes]


def as_given(functions):
    """The functions as a learner passes them: one, or a pair."""
    return functions[0] if len(functions) == 1 else functions


@pytest.mark.parametrize(("name", "known"), PAIRS, ids=lambda x: getattr(x, "name", x))
def test_it_is_refused_under_its_own_name_with_a_question(name, known):
    verdict = check(name, as_given(known.functions))
    assert (verdict.passed, verdict.mistake) == (False, known.name)
    one = misconceptions()[known.misconception]
    assert one.name in verdict.message
    assert known.says.rstrip(".").lower() in verdict.message.lower()  # once, as fact or as rule
    assert verdict.message.endswith("?") and one.check[1:] in verdict.message


@pytest.mark.parametrize("name", GROUPS)
def test_a_grader_knows_its_groups_whole(name):
    bank = [known.name for group in GROUPS[name] for known in in_group(group)]
    assert [known.name for known in GRADERS[name].mistakes] == bank


def test_two_masks_are_joined_with_each_wrong_one_of_the_bank():
    names = [known.name for known in JOINED]
    bank = {known.name for known in (*PADDING, *CAUSAL)}
    assert bank - set(names) == set(NOT_JOINED)
    assert len(set(names)) == len(names)


def test_a_rows_mistakes_are_those_of_attention_that_one_row_can_show():
    assert set(OF_A_ROW) < {known.name for known in in_group("attention")}


def test_attention_graded_without_a_mask_names_the_mistake_too():
    def no_root(q, k, v):
        weights = (q @ k.transpose(-2, -1)).softmax(-1)
        return weights @ v, weights

    assert check("attention", no_root).mistake == "no_scale"


def test_a_known_mistake_that_plain_python_stops_at_is_still_named():
    def raw(scores):
        parts = [math.exp(score) for score in scores]
        return [part / sum(parts) for part in parts]

    verdict = check("softmax_row", raw)
    assert verdict.mistake == "without_maximum"
    assert "OverflowError" in verdict.message
    assert STOPPED in verdict.message
    assert SAME not in verdict.message, "an error came, and no nan"


def test_a_row_is_judged_without_a_word_that_comes_with_masks():
    for known in GRADERS["softmax_row"].mistakes:
        said = check("softmax_row", as_given(known.functions)).message
        assert not {word for word in ("legal", "blocked", "mask") if word in said}


def test_what_would_hold_is_another_world_and_not_the_learners_code_again():
    shares = check("softmax_row", lambda scores: [each / sum(scores) for each in scores])
    assert shares.mistake == "shares_of_scores"
    assert "if scores were positive sizes" in shares.message
    assert "no exponential" not in shares.message


def test_a_mistake_nobody_listed_gets_no_name():
    verdict = check("softmax_row", lambda scores: [0.25, 0.25, 0.5])
    assert (verdict.passed, verdict.mistake) == (False, "")
    assert not any(lead in verdict.message for lead in LEADS)


def typing_error(q, k, v):
    return nope  # noqa: F821


def attend(scores, v):
    weights = scores.softmax(-1)
    return weights @ v, weights


def typing_error_with_a_mask(q, k, v, allowed=None):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fil(~allowed, -math.inf)
    return attend(scores, v)


def not_of_a_tensor(q, k, v, allowed=None):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        scores[not allowed] = -math.inf
    return attend(scores, v)


def sure_of_itself(q, k, v):
    assert q.shape == k.shape
    return attend(q @ k.mT / q.shape[-1] ** 0.5, v)


def refusing(q, k, v, allowed=None):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        if not allowed.any(-1).all():
            raise RuntimeError("a row is empty")
        scores = scores.masked_fill(~allowed, -math.inf)
    return attend(scores, v)


def transpose_forgotten(q, k, v):
    return attend(q @ k / q.shape[-1] ** 0.5, v)


def two_axes_turned(q, k, v):
    return attend(q @ k.T / q.shape[-1] ** 0.5, v)


def two_axes_unpacked(q, k, v):
    _, d = q.shape
    return attend(q @ k.T / d**0.5, v)


def layer_without_a_batch(x, w_q, w_k, w_v, w_o, n_heads, allowed):
    T, _ = x.shape
    q, k, v = ((x @ w).view(T, n_heads, -1).transpose(0, 1) for w in (w_q, w_k, w_v))
    scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~allowed, -math.inf)
    output, weights = attend(scores, v)
    return output.transpose(0, 1).reshape(T, -1) @ w_o, weights


@pytest.mark.parametrize(
    ("function", "error"),
    [
        (typing_error, "NameError"),
        (typing_error_with_a_mask, "AttributeError"),
        (not_of_a_tensor, "RuntimeError"),
        (sure_of_itself, "AssertionError"),
        (refusing, "RuntimeError: a row is empty"),
        (transpose_forgotten, "RuntimeError: mat1 and mat2"),
        (two_axes_turned, "RuntimeError"),
        (two_axes_unpacked, "ValueError"),
    ],
)
def test_an_error_of_its_own_gets_no_mistakes_name(function, error):
    verdict = check("attention", function)
    assert (verdict.passed, verdict.mistake) == (False, "")
    assert f"stopped with {error}" in verdict.message and "The line: `" in verdict.message
    assert not any(lead in verdict.message for lead in LEADS)


def test_a_layer_that_takes_no_batch_is_told_of_its_error():
    verdict = check("multi_head", layer_without_a_batch)
    assert (verdict.passed, verdict.mistake) == (False, "")
    assert "ValueError" in verdict.message
    assert not any(lead in verdict.message for lead in LEADS)


def test_an_error_is_named_where_values_elsewhere_are_the_mistakes_too():
    def turned(q, k, v):
        return attend(k @ q.transpose(-2, -1) / q.shape[-1] ** 0.5, v)

    verdict = check("attention", turned)
    assert verdict.mistake == "transposed_product"
    assert RAISED in verdict.message


def test_exchanged_keys_and_values_are_shown_by_numbers():
    def exchanged(q, k, v):
        return attend(q @ v.mT / q.shape[-1] ** 0.5, k)

    verdict = check("attention", exchanged)
    assert verdict.mistake == "keys_and_values_swapped"
    assert "The weights differ" in verdict.message


def test_a_gradient_that_is_not_a_number_is_seen_where_the_result_is_right():
    def added(q, k, v, allowed):
        bias = torch.zeros(allowed.shape, dtype=q.dtype).masked_fill(~allowed, -torch.inf)
        weights = (q @ k.mT / q.shape[-1] ** 0.5 + bias).softmax(-1).nan_to_num()
        return weights @ v, weights

    verdict = check("attention", added)
    assert verdict.mistake == "infinity_added"
    assert "The gradient of q holds nan" in verdict.message


def test_a_backward_pass_that_fails_is_noticed_without_a_line_of_the_grader():
    def in_place(q, k, v, allowed):
        scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~allowed, -1e30)
        weights = scores.softmax(-1)
        weights[~allowed.any(-1).expand(weights.shape[:-1])] = 0
        return weights @ v, weights

    verdict = check("attention", in_place)
    assert "a gradient past that query" in verdict.message and "RuntimeError" in verdict.message
    assert "The line" not in verdict.message


@pytest.mark.parametrize("setting", [torch.no_grad(), torch.device("meta")])
@pytest.mark.parametrize("name", ["infinity_added", "itself_alone"])
def test_what_a_notebook_has_set_for_itself_changes_nothing_that_ours_give(name, setting):
    attention, run = GRADERS["attention"], (mistake(name).run,)
    outcome.cache_clear()
    usual = [outcome(run, case, attention) for case in attention.cases]
    outcome.cache_clear()
    with setting:
        inside = [outcome(run, case, attention) for case in attention.cases]
    assert all(map(alike, usual, inside))


def causal_left_on(q, k, v):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    legal = torch.ones(scores.shape).tril().bool()
    return attend(scores.masked_fill(~legal, -math.inf), v)


def itself_or_all(q, k, v):
    """As if each position read itself on the first input, and right from there on."""
    scores = q @ k.mT / q.shape[-1] ** 0.5
    return (v[:1], torch.eye(1, 2)) if len(q) == 1 else attend(scores, v)


def test_a_name_holds_on_every_input_and_not_only_where_the_first_difference_is():
    assert check("attention", causal_left_on).mistake == "always_causal"
    accident = check("attention", itself_or_all)
    assert (accident.passed, accident.mistake) == (False, "")


def test_an_input_that_ends_in_nan_or_an_error_takes_no_name_away():
    def naive(q, k, v, allowed=None):
        scores = q @ k.mT
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)  # an empty row becomes nan
        return attend(scores, v)

    def of_two_axes(q, k, v):
        return attend(q @ k.t(), v)

    assert check("attention", naive).mistake == "no_scale"
    assert check("attention", of_two_axes).mistake == "no_scale"


def test_an_input_on_which_other_numbers_come_out_takes_the_name_away():
    def even_over_what_is_empty(q, k, v, allowed=None):
        scores = q @ k.mT
        return attend(scores if allowed is None else scores.masked_fill(~allowed, -1e9), v)

    assert check("attention", even_over_what_is_empty).mistake == ""


def test_masks_joined_by_or_are_told_that_an_and_was_meant():
    def joined(lengths, T):
        at = torch.arange(T)
        return (at < torch.tensor(lengths)[:, None, None]) | (at <= at[:, None])

    verdict = check("padding_and_causal", joined)
    assert verdict.mistake == "masks_joined_by_or"
    assert misconceptions()["or-for-and"].name == verdict.mistake_name == "or for and"


def hot(weigh):
    """Attention with a temperature, and without a mask."""

    def attention(q, k, v, temperature=1.0):
        weights = weigh(q @ k.mT / q.shape[-1] ** 0.5, temperature)
        return weights @ v, weights

    return attention


@pytest.mark.parametrize(
    ("weigh", "mistake"),
    [
        (lambda scores, t: scores.softmax(-1), "temperature_ignored"),
        (lambda scores, t: (scores * t).softmax(-1), "temperature_multiplied"),
        (lambda scores, t: scores.softmax(-1) / t, "temperature_after_softmax"),
        (
            lambda scores, t: torch.exp2(scores / t) / torch.exp2(scores / t).sum(-1, True),
            "base_two",
        ),
    ],
)
def test_a_temperature_is_graded_without_a_mask_too(weigh, mistake):
    verdict = check("attention", hot(weigh))
    assert (verdict.passed, verdict.mistake) == (False, mistake)
    assert check("attention", hot(lambda scores, t: (scores / t).softmax(-1))).passed


def heads(x, w_q, w_k, w_v, n_heads, split):
    q, k, v = (split(x @ w, n_heads) for w in (w_q, w_k, w_v))
    return q @ k.mT / q.shape[-1] ** 0.5, v


def neighbours(x, n_heads):
    return x.unflatten(-1, (n_heads, -1)).transpose(-3, -2)


def in_turn(x, n_heads):  # [T, d_head, n_heads], the other order of the two
    return x.reshape(*x.shape[:-1], x.shape[-1] // n_heads, n_heads).movedim(-1, -3)


def dealt_out(x, w_q, w_k, w_v, w_o, n_heads, allowed):
    scores, v = heads(x, w_q, w_k, w_v, n_heads, in_turn)
    output, weights = attend(scores.masked_fill(~allowed, -math.inf), v)
    return output.transpose(-3, -2).flatten(-2) @ w_o, weights


def like_linear(x, w_q, w_k, w_v, w_o, n_heads, allowed):
    scores, v = heads(x, w_q.T, w_k.T, w_v.T, n_heads, neighbours)
    output, weights = attend(scores.masked_fill(~allowed, -math.inf), v)
    return output.transpose(-3, -2).flatten(-2) @ w_o.T, weights


def averaged(x, w_q, w_k, w_v, w_o, n_heads, allowed):
    scores, v = heads(x, w_q, w_k, w_v, n_heads, neighbours)
    output, weights = attend(scores.masked_fill(~allowed, -math.inf), v)
    return output.transpose(-3, -2).flatten(-2) @ w_o, weights.mean(-3)


@pytest.mark.parametrize(
    ("function", "mistake"),
    [
        (dealt_out, "heads_interleaved_at_the_split"),
        (like_linear, "matrices_transposed"),
        (averaged, "weights_averaged"),
    ],
)
def test_a_layers_common_half_mistakes_have_names(function, mistake):
    assert check("multi_head", function).mistake == mistake


def row_tile_by_tile(of_total, of_mixed):
    def online(tiles):
        highest, total, mixed = -math.inf, 0.0, 0.0
        for scores, values in tiles:
            now = max(highest, scores.max().item())
            if now == -math.inf:
                continue
            parts, factor = (scores - now).exp(), math.exp(highest - now)
            total = total * (factor if of_total else 1) + parts.sum()
            mixed = mixed * (factor if of_mixed else 1) + parts @ values
            highest = now
        return mixed / total

    return online


@pytest.mark.parametrize(
    ("halves", "mistake"),
    [((False, True), "total_not_rescaled"), ((True, False), "mix_not_rescaled")],
)
def test_of_two_sums_the_one_that_is_not_rescaled_is_named(halves, mistake):
    assert check("online_softmax", row_tile_by_tile(*halves)).mistake == mistake


def test_a_row_with_base_two_is_named():
    def powers_of_two(scores):
        parts = [2 ** (score - max(scores)) for score in scores]
        return [part / sum(parts) for part in parts]

    assert check("softmax_row", powers_of_two).mistake == "base_two"
