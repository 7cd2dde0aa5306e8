"""The one widget that form, card and explorers are drawn with."""
