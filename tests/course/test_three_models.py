import torch

from attn_lab.course.interventions import Cell
from attn_lab.course.recall_task import sequences
from attn_lab.course.three_models import answers_turned, in_every_model, last_row_effects
from attn_lab.course.workbench import workbench

BENCH = workbench(seed=0)
TOKENS = sequences(20, seed=8)


def test_every_model_is_measured_once_and_named():
    assert in_every_model(lambda bench: bench.seed) == {"model 0": 0, "model 1": 1, "model 2": 2}


def test_the_last_row_s_cells_come_head_by_head_and_key_by_key():
    weights, lost = last_row_effects(BENCH, TOKENS)
    assert weights.shape == lost.shape == (20, 20)
    cell = Cell(2, 2, 10, 4)
    assert torch.equal(weights[:, 13], BENCH.run(TOKENS).weight_of(cell))
    assert torch.allclose(lost[:, 13], BENCH.remove(TOKENS, [cell], "zero").lost)


def test_dim_and_other_turned_answers_add_up_to_all_of_them():
    everything = answers_turned(BENCH, TOKENS, dimmer_than=2.0)
    split = answers_turned(BENCH, TOKENS, dimmer_than=0.9)
    assert everything[1] == 0
    assert sum(split) == everything[0] > 0
    assert split[0] > 0
