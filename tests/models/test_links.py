import torch

from attn_lab.models.links import losses_by_question, without_asked_link
from attn_lab.models.recall_task import ask_about, asked_pair, sequences
from attn_lab.models.workbench import workbench

BENCH = workbench(seed=0)
TOKENS = sequences(40, seed=8)


def test_each_entry_is_the_mean_lead_lost_for_one_link_and_one_question():
    lost = losses_by_question(BENCH, TOKENS, "block")
    links = BENCH.links()
    for row, column in ((0, 0), (1, 3), (3, 2)):
        alone = BENCH.remove(ask_about(TOKENS, column + 1), [links[row]], "block").lost.mean()
        assert torch.isclose(lost[row, column], alone)


def test_each_sequence_loses_the_link_that_its_own_question_needs():
    effect = without_asked_link(BENCH, TOKENS, "zero")
    pairs = asked_pair(TOKENS).sort(stable=True)
    for place in (0, 17, 39):
        one = TOKENS[pairs.indices[place]][None]
        link = BENCH.links()[pairs.values[place] - 1]
        assert torch.isclose(effect.lost[place], BENCH.remove(one, [link], "zero").lost[0])
    assert abs(effect.accuracy - (effect.lead > 0).double().mean()) < 1e-12
    assert effect.state.shape == (40, 32)
