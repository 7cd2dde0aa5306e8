"""The cases of ONNX's own tests of its Attention node, as problems for this package.

The onnx package carries the program that makes them, not files: importing it runs it. Cases that
cap their scores with tanh are left out; attention as it is taught here does not.
"""

from dataclasses import dataclass
from functools import reduce
from importlib import import_module
from operator import and_
from typing import Any

import numpy as np
import torch
from onnx.helper import get_attribute_value
from torch import Tensor
from torch.nn.functional import pad

from attn_lab import split_heads

INSIDE = {0: "scores", 2: "biased scores", 3: "weights"}  # what the node's fourth output holds


@dataclass(frozen=True)
class Case:
    """One problem, and the node's answer."""

    name: str
    q: Tensor  # [B, heads, T, d], like k and v; where heads share keys, the keys are repeated
    k: Tensor
    v: Tensor
    allowed: Tensor | None
    bias: Tensor | None  # finite, added to the scaled scores; its -inf are in `allowed`
    scale: float | None
    output: Tensor
    merged: bool  # the output is [B, T, heads * d_v]
    inside: tuple[str, Tensor] | None  # the step that is also shown, and its values


def plain_cases() -> list[Case]:
    """Every case without a cap on the scores."""
    import_module("onnx.backend.test.case.node.attention")  # this makes the cases
    made = import_module("onnx.backend.test.case.node")._NodeTestCases
    tests = [test for test in made if test.model.graph.node[0].op_type == "Attention"]
    return [_read(test) for test in tests if not _settings(test).get("softcap")]


def _settings(test: Any) -> dict[str, Any]:
    return {each.name: get_attribute_value(each) for each in test.model.graph.node[0].attribute}


def _read(test: Any) -> Case:
    settings, node, (inputs, outputs) = _settings(test), test.model.graph.node[0], test.data_sets[0]
    given = dict(zip(filter(None, node.input), map(_tensor, inputs), strict=True))
    answer = dict(zip(filter(None, node.output), map(_tensor, outputs), strict=True))

    q, k, v = given["Q"], given["K"], given["V"]
    merged = q.dim() == 3
    if merged:
        q = split_heads(q, settings["q_num_heads"])
        k, v = (split_heads(x, settings["kv_num_heads"]) for x in (k, v))
    if "past_key" in given:
        k = torch.cat([given["past_key"], k], -2)
        v = torch.cat([given["past_value"], v], -2)
    group = q.shape[1] // k.shape[1]  # neighbouring heads of queries read the same keys
    k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)

    rules = _rules(given, settings, q.shape[-2], k.shape[-2])
    mask, bias = given.get("attn_mask"), None
    if mask is not None:
        closed = False if mask.dtype == torch.bool else -torch.inf
        mask = pad(mask, (0, k.shape[-2] - mask.shape[-1]), value=closed)
        rules.append(mask if mask.dtype == torch.bool else ~mask.isneginf())
        if mask.dtype != torch.bool:
            bias = mask.masked_fill(mask.isneginf(), 0.0)
    allowed = None
    if rules:
        allowed = reduce(and_, rules)
        if allowed.shape != (q.shape[-2], k.shape[-2]):
            allowed = allowed[(None,) * (4 - allowed.dim())]  # as many axes as the scores

    inside = None
    if "qk_matmul_output" in answer:
        mode = settings.get("qk_matmul_output_mode", 0)
        inside = INSIDE[mode], answer["qk_matmul_output"]
    name, scale = test.name.removeprefix("test_attention_"), settings.get("scale")
    return Case(name, q, k, v, allowed, bias, scale, answer["Y"], merged, inside)


def _rules(given: dict[str, Tensor], settings: dict[str, Any], T_q: int, T_k: int) -> list[Tensor]:
    """What the node's settings leave open, apart from its mask. A key's place is its index."""
    key = torch.arange(T_k)
    rules = []
    first = torch.tensor(given["past_key"].shape[-2] if "past_key" in given else 0)
    if "nonpad_kv_seqlen" in given:  # keys kept outside the node, the last queries' among them
        real = given["nonpad_kv_seqlen"][:, None, None, None]  # [B, 1, 1, 1]
        first = real - T_q
        rules.append(key < real)
    place = first + torch.arange(T_q)[:, None]  # of each query among the keys
    if settings.get("is_causal"):
        rules.append(key <= place)
    left, right = (settings.get(f"{side}_window_size", -1) for side in ("left", "right"))
    if left >= 0:
        rules.append(key >= place - left)
    if right >= 0:
        rules.append(key <= place + right)
    return rules


def _tensor(x: np.ndarray) -> Tensor:
    if x.dtype.name == "bfloat16":  # NumPy's extension type, which torch does not read
        return torch.tensor(x.view(np.int16)).view(torch.bfloat16)
    return torch.tensor(x)
