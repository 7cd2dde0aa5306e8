"""What eight attention functions take a mask to mean: a table to look things up in.

Checked on 2026-11-29 with the versions named: run, or read in their documentation (flash-attn).
"""

COLUMNS = ("True means", "numbers are", "causal begins")

MASKS = {
    "attention, this course": ("may be read", "refused", "as align says"),
    "PyTorch 2.13, function": ("may be read", "added", "upper left"),
    "PyTorch 2.13, layer": ("blocked", "added", "no rule of its own"),
    "JAX 0.10.2": ("may be read", "refused, use bias", "upper left"),
    "Keras 3.15": ("may be read", "made Boolean", "upper left"),
    "ONNX Attention 25": ("may be read", "added", "after cached keys"),
    "Hugging Face 5.24": ("1: a real token", "1: a real token", "after cached keys"),
    "flash-attn 2.1": ("takes no mask", "takes no mask", "lower right"),
}
