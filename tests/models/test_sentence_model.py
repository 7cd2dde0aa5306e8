import inspect

import numpy as np
import pytest
import torch

from attn_lab.models.sentence_model import BUILDS, NAMES, SEEDS, WEIGHTS, AttentionOnly, load, save
from attn_lab.models.sentence_texts import THINGS, accuracy, answers, ask_about, texts
from attn_lab.models.train import train

every_model = pytest.mark.parametrize("name", NAMES)
every_seed = pytest.mark.parametrize("seed", SEEDS)


def by_hand(model, tokens):
    """The same model in NumPy float64, one text, one head at a time."""
    p = {name: value.numpy() for name, value in model.state_dict().items()}
    x = p["words"][tokens.numpy()] + p["places"]
    d = 32 // model.n_heads
    for layer in range(len(model.layers)):
        w_q, w_k, w_v, w_o = p[f"layers.{layer}"]
        read = []
        for head in (slice(d * h, d * h + d) for h in range(model.n_heads)):
            q, k, v = x @ w_q[:, head], x @ w_k[:, head], x @ w_v[:, head]
            scores = q @ k.T / d**0.5 + np.triu(np.full((len(x), len(x)), -np.inf), 1)
            e = np.exp(scores - scores.max(-1, keepdims=True))
            read.append(e / e.sum(-1, keepdims=True) @ v)
        x = x + np.concatenate(read, -1) @ w_o
    return x[-1] @ p["answer"]


@every_seed
@pytest.mark.parametrize("name", ["subject", "asked"])
def test_every_answer_to_10_000_held_out_texts_is_right(name, seed):
    tokens = texts(BUILDS[name].kind, 10_000, seed=2026)
    assert accuracy(load(name, seed)(tokens)[0], tokens) == 1.0


@every_seed
@every_model
def test_the_model_computes_what_numpy_computes_by_hand(name, seed):
    model, tokens = load(name, seed), texts(BUILDS[name].kind, 3, seed=1)
    expected = np.stack([by_hand(model, row) for row in tokens])
    np.testing.assert_allclose(model(tokens)[0].numpy(), expected, atol=1e-11)


def test_two_layers_have_12_224_numbers_and_one_layer_4_096_fewer():
    counts = [sum(p.numel() for p in load(name).parameters()) for name in NAMES]
    assert counts == [8_000, 8_128, 12_224]


@every_seed
@every_model
def test_a_weight_file_is_small_and_holds_float32_arrays_and_no_pickled_object(name, seed):
    path = WEIGHTS / f"{name}_seed{seed}.npz"
    assert path.stat().st_size < 60_000
    with np.load(path, allow_pickle=False) as arrays:
        assert {arrays[each].dtype.str for each in arrays.files} == {"<f4"}


def test_what_is_saved_is_what_is_loaded(tmp_path):
    model = AttentionOnly(BUILDS["asked"])
    save(model, tmp_path / "asked_seed0.npz")
    tokens = texts("asked", 4, seed=1)
    again = load("asked", 0, tmp_path)(tokens)[0].float()
    assert torch.allclose(again, model(tokens)[0], atol=1e-4)


def test_what_was_never_trained_is_refused():
    with pytest.raises(ValueError, match=r"seed: expected one of .*, got 3"):
        load("asked", 3)
    with pytest.raises(ValueError, match="name: expected one of subject, asked_one_layer, asked"):
        load("recall")


def test_every_row_of_every_map_sums_to_1_and_reads_no_later_place():
    for weights in load("asked")(texts("asked", 20, seed=1))[1]:
        assert torch.allclose(weights.sum(-1), torch.ones(()).double())
        assert (weights.triu(1) == 0).all()


@every_seed
def test_asking_about_another_thing_leaves_all_earlier_rows_equal_to_the_bit(seed):
    model, tokens = load("asked", seed), texts("asked", 50, seed=1)
    clean = model(tokens)[1]
    for thing in THINGS:
        for before, after in zip(clean, model(ask_about(tokens, thing))[1], strict=True):
            assert torch.equal(before[:, :, :-1], after[:, :, :-1])


@pytest.mark.parametrize("name", ["subject"])  # the fastest; all three are trained by one loop
def test_training_gives_the_shipped_behaviour_and_reports_every_step(name):
    said = []
    model = train(name, 0, say=lambda step, loss: said.append((step, loss)))
    tokens = texts(BUILDS[name].kind, 500, seed=1)
    assert [step for step, _ in said] == list(range(1, BUILDS[name].steps + 1))
    assert said[-1][1] < said[0][1]
    shipped = accuracy(load(name, 0)(tokens)[0], tokens)
    assert accuracy(model(tokens)[0], tokens) == pytest.approx(shipped, abs=0.05)
    assert answers(tokens).min() >= 36


def test_the_forward_pass_that_07_prints_has_at_most_a_dozen_lines():
    source = inspect.getsource(AttentionOnly.forward)
    assert len(source.splitlines()) <= 12


def test_the_model_computes_on_one_thread_and_leaves_the_number_of_threads_as_it_was(monkeypatch):
    import attn_lab.models.sentence_model as module

    before, seen, inside = torch.get_num_threads(), [], module.masked_softmax

    def watched(*arguments):
        seen.append(torch.get_num_threads())
        return inside(*arguments)

    monkeypatch.setattr(module, "masked_softmax", watched)
    try:
        torch.set_num_threads(2)
        load("asked")(texts("asked", 2, seed=1))
        assert (seen, torch.get_num_threads()) == ([1, 1], 2)
    finally:
        torch.set_num_threads(before)
