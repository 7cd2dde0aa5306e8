"""The live card: what it shows, what it keeps, and what stands there once the kernel is gone."""

from attn_lab.course.editions import REVEAL_MIME
from attn_lab.predict.card import TITLE, card
from attn_lab.predict.panels import gate, live_card
from attn_lab.record import Attempt
from tests.helpers.panels import controls, move, press, said

from ..helpers.questions import CHOICE


def shown(predicted):
    attempts = [Attempt(CHOICE.id, predicted, "guess", "first", 1)]
    return card(CHOICE, "same", attempts, CHOICE.compare(predicted, "same"))


def test_the_line_afterwards_keeps_what_is_written(choice):
    choice.commit("smaller", "guess", "first")
    choice.reveal("same")
    panel = live_card(CHOICE, shown("smaller"), asks=True)
    assert controls(panel)["now"]["label"] == "In one sentence, what would you say now?"
    move(panel, "now", "one factor")
    press(panel, "keep-words")
    assert choice.attempt.afterwards == "one factor"
    assert "Kept beside your first words" in said(panel, "kept")


def test_a_card_that_came_out_as_predicted_asks_for_no_words():
    assert set(controls(live_card(CHOICE, shown("same"), asks=False))) == {"card"}


def test_the_view_stands_beside_the_still_card_and_what_programs_read():
    still = shown("odd")
    bundle = live_card(CHOICE, still, asks=True)._repr_mimebundle_()
    assert set(bundle) == {
        "application/vnd.jupyter.widget-view+json",
        "text/html",
        "text/plain",
        REVEAL_MIME,
    }
    assert bundle["text/html"] == still.html and bundle["text/plain"] == still.text
    assert bundle["text/html"].startswith(TITLE)


def test_the_gate_leads_to_its_question_and_holds_nothing_else():
    panel = gate(CHOICE, "Write your prediction first")
    assert 'data-goto="attn-id-01-minus-max"' in panel.html["line"]
    assert panel._repr_mimebundle_()["text/html"] == "Write your prediction first"
