import pytest
import torch

from attn_lab.models.recall_task import (
    accuracy,
    answers,
    ask_about,
    asked_pair,
    draw,
    is_held_out,
    lead,
    sequences,
    share_present,
    spelled,
)

ONE = torch.tensor([[0, 3, 9, 1, 16, 8, 9, 5, 12, 8]])  # BOS C a A h H a E d H
ASKED = torch.tensor([[0, 1, 9, 2, 10, 3, 11, 4, 12, 2]] * 3)  # the right answer is token 10


def test_the_worked_sequence_asks_about_pair_3_and_the_answer_is_the_value_after_it():
    assert asked_pair(ONE).tolist() == [3]
    assert answers(ONE).tolist() == [9]
    assert spelled(ONE[0]) == ["BOS", "C", "a", "A", "h", "H", "a", "E", "d", "H"]


def test_asking_about_another_pair_changes_the_last_token_only():
    changed = ask_about(ONE, 2)
    assert changed[0, -1] == 1
    assert torch.equal(changed[:, :-1], ONE[:, :-1])
    assert answers(changed).tolist() == [16]


def test_a_pair_outside_1_to_4_is_refused():
    with pytest.raises(ValueError, match="pair: expected 1 to 4, got 0"):
        ask_about(ONE, 0)


def test_every_sequence_holds_four_different_keys_and_asks_about_one_of_them():
    tokens = sequences(2_000, seed=3)
    keys = tokens[:, 1:-1:2]
    assert ((keys >= 1) & (keys <= 8)).all()
    assert ((tokens[:, 2:-1:2] >= 9) & (tokens[:, 2:-1:2] <= 16)).all()
    assert all(len(set(row)) == 4 for row in keys.tolist())
    assert (keys == tokens[:, -1:]).any(-1).all()


def test_held_out_sequences_and_training_sequences_never_meet():
    assert is_held_out(sequences(500, seed=4)).all()
    assert not is_held_out(sequences(500, seed=4, held_out=False)).any()


def test_every_pair_is_asked_about_equally_often():
    counts = asked_pair(sequences(8_000, seed=5)).bincount()[1:]
    assert ((counts - 2_000).abs() < 150).all(), counts


def test_a_seed_gives_the_same_sequences_again_and_another_seed_others():
    assert torch.equal(sequences(50, seed=6), sequences(50, seed=6))
    assert not torch.equal(sequences(50, seed=6), sequences(50, seed=7))


def test_draw_leaves_the_global_random_state_alone():
    before = torch.random.get_rng_state()
    draw(10, torch.Generator().manual_seed(0))
    assert torch.equal(before, torch.random.get_rng_state())


def logits(**values):
    row = torch.zeros(17)
    for token, value in values.items():
        row[int(token[1:])] = value
    return row


THREE = torch.stack([logits(t10=5.0, t9=2.0), logits(t10=1.0, t12=4.0), logits(t15=2.0)])


def test_the_lead_is_the_right_logit_minus_the_best_other_one():
    assert lead(THREE, ASKED).tolist() == [3.0, -3.0, -2.0]


def test_accuracy_counts_the_leads_above_0():
    assert accuracy(THREE, ASKED) == 1 / 3


def test_a_wrong_answer_may_still_be_one_of_the_four_values_present():
    assert share_present(THREE, ASKED) == 2 / 3
