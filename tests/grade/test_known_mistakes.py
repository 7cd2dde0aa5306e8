"""Every wrong implementation of a task's bank is refused under its own name, and no other."""

import pytest

from attn_lab.course.questions import misconceptions
from attn_lab.grade import check
from attn_lab.grade.graders import GRADERS
from attn_lab.grade.mistakes import in_group
from attn_lab.grade.mistakes.wrong_masks import CAUSAL, JOINED, NOT_JOINED, PADDING
from attn_lab.grade.tasks.row_tasks import OF_A_ROW

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
    import math

    def raw(scores):
        parts = [math.exp(score) for score in scores]
        return [part / sum(parts) for part in parts]

    verdict = check("softmax_row", raw)
    assert verdict.mistake == "without_maximum"
    assert "OverflowError" in verdict.message
    assert "Plain Python stops here, where tensors go on with nan" in verdict.message
    assert "The same comes out of" not in verdict.message, "an error came, and no nan"


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
    assert "known mistake" not in verdict.message
