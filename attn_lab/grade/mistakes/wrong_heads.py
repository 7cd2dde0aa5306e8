"""Wrong ways to split, merge, share and mix heads."""

import torch
from torch import Tensor

from attn_lab.core.attention import AttentionResult
from attn_lab.core.heads import merge_heads, split_heads
from attn_lab.grade.mistakes.mistake_entry import Mistake, scores_of, weights_of


def _heads(name: str, misconception: str, says: str, **wrong: object) -> Mistake:
    """Multi-head attention that is right but for `wrong`: a step by its name."""
    step: dict = {
        "apply": lambda x, w: x @ w,
        "split": split_heads,
        "divisor": lambda d_model, d_head: d_head**0.5,
        "mask": lambda allowed: allowed,
        "maps": lambda weights: weights,
        "merge": merge_heads,
        "project": lambda merged, w_o: step["apply"](merged, w_o),
        "shown": lambda weights: weights,
    } | wrong

    def run(
        x: Tensor,
        w_q: Tensor,
        w_k: Tensor,
        w_v: Tensor,
        w_o: Tensor,
        n_heads: int,
        allowed: Tensor | None = None,
    ) -> AttentionResult:
        q, k, v = (step["split"](step["apply"](x, w), n_heads) for w in (w_q, w_k, w_v))
        d_head = q.shape[-1]
        scores = scores_of(q, k) * d_head**0.5 / step["divisor"](n_heads * d_head, d_head)
        weights = step["maps"](weights_of(scores, step["mask"](allowed)))
        output = step["project"](step["merge"](weights @ v), w_o)
        return AttentionResult(output, step["shown"](weights))

    return Mistake(name, misconception, run, "heads", says)


def _split_bare(x: Tensor, n_heads: int) -> Tensor:
    return x.reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)


def _merge_bare(x: Tensor) -> Tensor:
    return x.reshape(*x.shape[:-3], x.shape[-2], -1)


def _split_in_turn(x: Tensor, n_heads: int) -> Tensor:
    return x.unflatten(-1, (-1, n_heads)).movedim(-1, -3)


def _merge_in_turn(x: Tensor) -> Tensor:
    return x.movedim(-3, -1).flatten(-2)


HEADS = (
    Mistake(
        "split_by_bare_reshape",
        "reshape-knows-heads",
        _split_bare,
        "split",
        "A reshape without transpose: each head gets whole positions, and no error comes.",
    ),
    Mistake(
        "split_without_transpose",
        "reshape-knows-heads",
        lambda x, n_heads: x.unflatten(-1, (n_heads, -1)),
        "split",
        "The head axis stays behind the positions, so that heads are compared with heads.",
    ),
    Mistake(
        "split_every_nth_column",
        "reshape-deals-out",
        _split_in_turn,
        "split",
        "The columns are dealt out in turn, where neighbours belong to one head.",
    ),
    Mistake(
        "merge_by_bare_reshape",
        "reshape-knows-heads",
        _merge_bare,
        "merge",
        "A reshape without transpose: a row holds two positions of one head.",
    ),
    Mistake(
        "merge_in_turn",
        "reshape-deals-out",
        _merge_in_turn,
        "merge",
        "The heads' columns alternate, where each head's stay together.",
    ),
    Mistake(
        "heads_tiled",
        "shared-keys-in-turn",
        lambda k, n_heads: k.repeat(n_heads // len(k), 1, 1),
        "share",
        "Shared key heads are repeated as a whole, 1 2 1 2, where neighbours share, 1 1 2 2.",
    ),
    _heads(
        "scale_by_model_width",
        "root-of-model-width",
        "The scores are divided by the root of d_model, not of the head's width.",
        divisor=lambda d_model, d_head: d_model**0.5,
    ),
    _heads(
        "heads_without_mask",
        "mask-forgotten",
        "The mask is not used.",
        mask=lambda allowed: None,
    ),
    _heads(
        "heads_always_causal",
        "mask-forgotten",
        "A causal mask stands in for the mask that is given.",
        mask=lambda allowed: torch.ones_like(allowed).tril(),
    ),
    _heads(
        "heads_averaged",
        "heads-share-one-map",
        "Every head reads with the mean of all heads' weights.",
        maps=lambda weights: weights.mean(-3, keepdim=True).expand(weights.shape),
    ),
    _heads(
        "first_head_for_all",
        "heads-share-one-map",
        "Every head reads with the first head's weights.",
        maps=lambda weights: weights[..., :1, :, :].expand(weights.shape),
    ),
    _heads(
        "heads_mixed_at_the_split",
        "reshape-knows-heads",
        "Heads are split by a bare reshape and merged by another: shapes fit, positions mix.",
        split=_split_bare,
        merge=_merge_bare,
    ),
    _heads(
        "heads_mixed_at_the_merge",
        "reshape-knows-heads",
        "Heads are merged by a bare reshape.",
        merge=_merge_bare,
    ),
    _heads(
        "heads_interleaved",
        "reshape-deals-out",
        "The columns are dealt out to the heads in turn, and gathered in turn.",
        split=_split_in_turn,
        merge=_merge_in_turn,
    ),
    _heads(
        "heads_interleaved_at_the_split",
        "reshape-deals-out",
        "The columns are dealt out to the heads in turn, and each head's stay together after that.",
        split=_split_in_turn,
    ),
    _heads(
        "matrices_transposed",
        "linear-layout",
        "The matrices are used as nn.Linear keeps its own, transposed.",
        apply=lambda x, w: x @ w.transpose(-2, -1),
    ),
    _heads(
        "weights_averaged",
        "heads-share-one-map",
        "The output is right, and the weights come back averaged over the heads.",
        shown=lambda weights: weights.mean(-3),
    ),
    _heads(
        "output_not_projected",
        "output-projection-forgotten",
        "The heads are joined, and W_O is never used.",
        project=lambda merged, w_o: merged,
    ),
)
