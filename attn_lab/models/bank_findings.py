"""What a bank head gets right, what its map shows, and what its answers need."""

from typing import Literal, NamedTuple

import torch

from attn_lab.core.heads import project
from attn_lab.models.bank_head import Head, embed, read
from attn_lab.models.bank_sentences import WORDS, Sentences


class Seen(NamedTuple):
    """What a head computes at "bank" in each sentence.

    Shapes: answers [B]; right [B] bool; rows [B, T] the weights of the row of "bank";
    context [B] the weight in it of the context word
    """

    answers: torch.Tensor
    right: torch.Tensor
    rows: torch.Tensor
    context: torch.Tensor


@torch.no_grad()
def look(head: Head, sentences: Sentences, allowed: torch.Tensor | None = None) -> Seen:
    """What the head computes at "bank" in each sentence."""
    each = torch.arange(len(sentences.tokens))
    output, weights = read(head, sentences.tokens, allowed)
    assert weights is not None  # asked for
    return _seen(output[each, sentences.at, 0], weights[each, sentences.at], sentences)


@torch.no_grad()
def with_even_map(head: Head, sentences: Sentences) -> Seen:
    """The same where "bank" reads every word alike; the values stay."""
    values = project(embed(head, sentences.tokens), head[3])[..., 0]  # [B, T]
    rows = torch.full_like(values, 1 / values.shape[-1])
    return _seen((rows * values).sum(-1), rows, sentences)


@torch.no_grad()
def with_unknown_context(head: Head, sentences: Sentences) -> Seen:
    """The same where the context word is one that the head never met: a row of zeros."""
    words, *rest = head
    unknown = len(WORDS)  # the number of the row that is added
    tokens = sentences.tokens.scatter(-1, sentences.context[:, None], unknown)
    wider = [torch.cat([words, torch.zeros(1, words.shape[-1])]), *rest]
    return look(wider, sentences._replace(tokens=tokens))


def map_kind(head: Head, sentences: Sentences) -> Literal["all", "one meaning", "between"]:
    """Where "bank" reads the context word most: in all sentences, in those of one meaning, or else.

    "one meaning": in all sentences of one meaning and in none of the other.
    """
    reads_context = look(head, sentences).rows.argmax(-1) == sentences.context
    river = reads_context[sentences.meaning > 0]
    money = reads_context[sentences.meaning < 0]
    if reads_context.all():
        return "all"
    one = (river.all() and not money.any()) or (money.all() and not river.any())
    return "one meaning" if one else "between"


def _seen(answers: torch.Tensor, rows: torch.Tensor, sentences: Sentences) -> Seen:
    right = answers * sentences.meaning > 0
    return Seen(answers, right, rows, rows.gather(-1, sentences.context[:, None])[:, 0])
