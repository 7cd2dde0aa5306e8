import pytest
import torch

from attn_lab.models.interventions import HOWS, Cell, head_cells, run
from attn_lab.models.sentence_model import load
from attn_lab.models.sentence_texts import texts

TOKENS = texts("asked", 6, seed=1)
OTHERS = texts("asked", 6, seed=2)
MODEL = load("asked", 0)
W_O = [layer[3] for layer in MODEL.layers]
CLEAN = run(MODEL, TOKENS)
INSTEAD = run(MODEL, OTHERS).delivered


def stream_with_weights(weights_1):
    """The rest of the model on layer-1 weights set by hand, written out without interventions."""
    x = MODEL.words[TOKENS] + MODEL.places
    x = x + (weights_1 @ CLEAN.values[0]).transpose(1, 2).flatten(-2) @ W_O[0]
    q, k, v = ((x @ w).unflatten(-1, (2, 16)).transpose(1, 2) for w in MODEL.layers[1][:3])
    scores = (q @ k.mT / 4).masked_fill(torch.ones(14, 14).triu(1).bool(), -torch.inf)
    x = x + (scores.softmax(-1) @ v).transpose(1, 2).flatten(-2) @ W_O[1]
    return x[:, -1]


def test_without_cells_a_run_is_the_model_itself_to_the_bit():
    logits, weights = MODEL(TOKENS)
    assert torch.equal(CLEAN.logits, logits)
    assert all(torch.equal(a, b) for a, b in zip(CLEAN.weights, weights, strict=True))


def test_zero_gives_what_a_weight_of_0_written_by_hand_gives():
    weights = CLEAN.weights[0].clone()
    weights[:, 0, 2, 1] = 0  # layer 1, head 1, query 3, key 2
    changed = run(MODEL, TOKENS, [Cell(1, 1, 3, 2)], "zero")
    assert torch.allclose(changed.state, stream_with_weights(weights), atol=1e-11)


def test_block_gives_the_row_renormalised_over_its_other_keys():
    weights = CLEAN.weights[0].clone()
    weights[:, 0, 2, 1] = 0
    weights[:, 0, 2] /= weights[:, 0, 2].sum(-1, keepdim=True)
    changed = run(MODEL, TOKENS, [Cell(1, 1, 3, 2)], "block")
    assert torch.allclose(changed.state, stream_with_weights(weights), atol=1e-11)


def test_swapping_in_what_the_cell_delivered_anyway_changes_nothing():
    changed = run(MODEL, TOKENS, head_cells(1, 1, 14), "swap", CLEAN.delivered)
    assert torch.equal(changed.state, CLEAN.state)


def test_swapping_every_cell_of_the_last_layer_and_its_row_gives_the_others_reading():
    cells = head_cells(2, 1, 14) + head_cells(2, 2, 14)
    changed = run(MODEL, TOKENS, cells, "swap", INSTEAD)
    read = sum(
        gave.sum(-2) @ W_O[1][16 * head : 16 * head + 16]
        for head, gave in enumerate(INSTEAD[1].unbind(1))
    )
    read_1 = (CLEAN.weights[0] @ CLEAN.values[0]).transpose(1, 2).flatten(-2)
    before = MODEL.words[TOKENS] + MODEL.places + read_1 @ W_O[0]
    assert torch.allclose(changed.state, (before + read)[:, -1], atol=1e-11)


def test_the_weight_of_a_cell_counts_everything_from_1():
    assert torch.equal(CLEAN.weight_of(Cell(2, 1, 14, 3)), CLEAN.weights[1][:, 0, 13, 2])


@pytest.mark.parametrize("how", HOWS)
def test_a_cell_changes_only_its_own_row_within_its_layer(how):
    instead = INSTEAD if how == "swap" else [gave.mean(0, keepdim=True) for gave in INSTEAD]
    changed = run(MODEL, TOKENS, [Cell(1, 2, 5, 4)], how, instead)
    differs = (changed.weights[1] != CLEAN.weights[1]).any(0).any(0).any(-1)
    assert not differs[:4].any()  # layer 2's queries before position 5 saw nothing
    assert differs[4]


@pytest.mark.parametrize("cell", [(1, 1, 2, 3), (0, 1, 1, 1), (1, 3, 1, 1), (1, 1, 15, 1)])
def test_a_cell_that_does_not_exist_is_refused(cell):
    with pytest.raises(ValueError, match="cells: expected layer 1 to 2"):
        run(MODEL, TOKENS, [Cell(*cell)], "zero")


def test_an_unknown_way_and_a_missing_replacement_are_refused():
    with pytest.raises(ValueError, match="how: expected one of zero, mean, swap, block"):
        run(MODEL, TOKENS, [Cell(1, 1, 1, 1)], "remove")
    with pytest.raises(ValueError, match="instead: expected what the cells deliver"):
        run(MODEL, TOKENS, [Cell(1, 1, 1, 1)], "mean")
