import torch

from attn_lab.explore.this_machine import WITHOUT_WIDGETS, versions


def test_the_versions_go_into_a_widget_and_the_text_never_changes():
    bundle = versions()._repr_mimebundle_()
    assert bundle["text/plain"] == WITHOUT_WIDGETS
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert torch.__version__ not in bundle["text/plain"]


def test_the_sentence_names_the_installed_version():
    assert torch.__version__.split("+")[0] in versions().sentence()
