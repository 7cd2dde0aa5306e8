import pytest
import torch

from attn_lab.models.links import exchanged, losses_by_question, without_asked_link
from attn_lab.models.sentence_texts import ask_about, exchange_adjectives, named_thing, texts
from attn_lab.models.workbench import workbench

BENCH = workbench(seed=0)
TOKENS = texts("asked", 40, seed=8)


def test_each_entry_is_the_mean_lead_lost_for_one_link_and_one_question():
    lost = losses_by_question(BENCH, TOKENS, "block")
    links = BENCH.links()
    for row, column in ((0, 0), (1, 2), (2, 1)):
        alone = BENCH.remove(ask_about(TOKENS, column + 1), [links[row]], "block").lost.mean()
        assert torch.isclose(lost[row, column], alone)


def test_each_text_loses_the_link_that_its_own_question_needs():
    effect = without_asked_link(BENCH, TOKENS, "zero")
    things = named_thing(TOKENS).sort(stable=True)
    for place in (0, 17, 39):
        one = TOKENS[things.indices[place]][None]
        link = BENCH.links()[things.values[place] - 1]
        assert torch.isclose(effect.lost[place], BENCH.remove(one, [link], "zero").lost[0])
    assert abs(effect.accuracy - (effect.lead > 0).double().mean()) < 1e-12
    assert effect.state.shape == (40, 32)


@pytest.mark.parametrize("links", ["asked", "both"])
def test_an_exchanged_link_delivers_what_the_text_with_exchanged_adjectives_delivers(links):
    text = ask_about(TOKENS[:1], 1)
    run = BENCH.run(text)
    donor = BENCH.run(exchange_adjectives(text, 1, 2))
    read = (run.weights[0] @ run.values[0])[0]  # [2, 14, 16]
    for cell in BENCH.links()[: 1 if links == "asked" else 2]:
        at = 0, cell.head - 1, cell.query - 1, cell.key - 1
        read[cell.head - 1, cell.query - 1] += donor.delivered[0][at] - run.delivered[0][at]
    x = BENCH.model.words[text] + BENCH.model.places
    x = x + read.transpose(0, 1).flatten(-2) @ BENCH.model.layers[0][3]
    q, k, v = ((x @ w).unflatten(-1, (2, 16)).transpose(1, 2) for w in BENCH.model.layers[1][:3])
    last = (q[:, :, -1:] @ k.mT / 4).softmax(-1) @ v
    state = x[:, -1] + last.transpose(1, 2).flatten(-2)[:, 0] @ BENCH.model.layers[1][3]
    assert torch.allclose(exchanged(BENCH, text, links)[0].state, state, atol=1e-10)
