import numpy as np
import pytest
import torch

from attn_lab.models.recall_model import SEEDS, WEIGHTS, Layer, RecallModel, load, save
from attn_lab.models.recall_task import accuracy, answers, ask_about, sequences
from attn_lab.models.train import train


def by_hand(model, tokens):
    """The same model in NumPy float64, one sequence, one head at a time."""
    p = {name: value.numpy() for name, value in model.state_dict().items()}
    x = p["tokens"][tokens.numpy()] + p["positions"]
    for layer in ("first", "second"):
        w = {n: p[f"{layer}.w_{n}"] for n in "qkvo"}
        read = []
        for head in (slice(0, 16), slice(16, 32)):
            q, k, v = x @ w["q"][:, head], x @ w["k"][:, head], x @ w["v"][:, head]
            scores = q @ k.T / 4.0 + np.triu(np.full((10, 10), -np.inf), 1)
            e = np.exp(scores - scores.max(-1, keepdims=True))
            read.append(e / e.sum(-1, keepdims=True) @ v)
        x = x + np.concatenate(read, -1) @ w["o"]
    return x[-1] @ p["answer"]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_model_answers_all_of_10_000_held_out_sequences_right(seed):
    tokens = sequences(10_000, seed=2026)
    assert accuracy(load(seed)(tokens)[0], tokens) == 1.0


@pytest.mark.parametrize("seed", SEEDS)
def test_the_model_computes_what_numpy_computes_by_hand(seed):
    model, tokens = load(seed), sequences(3, seed=1)
    expected = np.stack([by_hand(model, row) for row in tokens])
    np.testing.assert_allclose(model(tokens)[0].numpy(), expected, atol=1e-11)


def test_a_model_has_9_600_numbers_in_a_file_of_less_than_50_kilobytes():
    assert sum(p.numel() for p in load(0).parameters()) == 9_600
    for seed in SEEDS:
        assert (WEIGHTS / f"recall_seed{seed}.npz").stat().st_size < 50_000


def test_the_weight_files_hold_float32_arrays_and_no_pickled_object():
    for seed in SEEDS:
        with np.load(WEIGHTS / f"recall_seed{seed}.npz", allow_pickle=False) as arrays:
            assert {arrays[name].dtype.str for name in arrays.files} == {"<f4"}


def test_what_is_saved_is_what_is_loaded(tmp_path):
    model = RecallModel()
    save(model, tmp_path / "recall_seed0.npz")
    tokens = sequences(4, seed=1)
    assert torch.allclose(load(0, tmp_path)(tokens)[0].float(), model(tokens)[0], atol=1e-4)


def test_a_seed_that_was_never_trained_is_refused():
    with pytest.raises(ValueError, match=r"seed: expected one of .*, got 3"):
        load(3)


def test_every_row_of_every_map_sums_to_1_and_reads_no_later_position():
    for weights in load(0)(sequences(20, seed=1))[1]:
        assert torch.allclose(weights.sum(-1), torch.ones(()).double())
        assert (weights.triu(1) == 0).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_asking_about_another_pair_leaves_all_earlier_rows_equal_to_the_bit(seed):
    model, tokens = load(seed), sequences(50, seed=1)
    clean = model(tokens)[1]
    for pair in (1, 2, 3, 4):
        for before, after in zip(clean, model(ask_about(tokens, pair))[1], strict=True):
            assert torch.equal(before[:, :, :-1], after[:, :, :-1])


def test_training_moves_towards_the_answer_and_reports_every_step():
    said = []
    model = train(0, steps=30, say=lambda step, loss: said.append((step, loss)))
    tokens = sequences(200, seed=1)
    assert [step for step, _ in said] == list(range(1, 31))
    assert said[-1][1] < said[0][1]
    assert model(tokens)[0].shape == (200, 17)
    assert answers(tokens).min() >= 9


def test_the_model_computes_on_one_thread_and_leaves_the_number_of_threads_as_it_was(monkeypatch):
    before, seen, inside = torch.get_num_threads(), [], Layer.forward

    def watched(layer, x):
        seen.append(torch.get_num_threads())
        return inside(layer, x)

    monkeypatch.setattr(Layer, "forward", watched)
    try:
        torch.set_num_threads(2)
        load(0)(sequences(2, seed=1))
        assert (seen, torch.get_num_threads()) == ([1, 1], 2)
    finally:
        torch.set_num_threads(before)
