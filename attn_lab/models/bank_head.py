"""One attention head that learns which bank is meant, in front of the learner: the page to read.

A head is a list of four tables of numbers: one row for each word, then W_Q, W_K and W_V; with
positions a fifth, one row for each place. Its value is a single number, so that the output at
"bank" is the answer itself: above 0 means the river's bank, below 0 the money's.
"""

import torch
from torch.nn.functional import softplus

from attn_lab.core.attention import AttentionResult, attention
from attn_lab.core.heads import project
from attn_lab.models.bank_sentences import WORDS, Sentences

Head = list[torch.Tensor]
SHAPES = [(len(WORDS), 8), (8, 2), (8, 2), (8, 1)]  # words, W_Q, W_K, W_V: 184 numbers


def new_head(seed: int, n_places: int = 0) -> Head:
    """A head that knows nothing: every number drawn at random.

    >>> [tuple(numbers.shape) for numbers in new_head(seed=0)]
    [(18, 8), (8, 2), (8, 2), (8, 1)]
    """
    random = torch.Generator().manual_seed(seed)
    shapes = [*SHAPES, (n_places, 8)] if n_places else SHAPES
    return [(0.3 * torch.randn(shape, generator=random)).requires_grad_() for shape in shapes]


def embed(head: Head, tokens: torch.Tensor) -> torch.Tensor:
    """The row of each word, with positions the row of its place added.

    Shapes: tokens [..., T] -> [..., T, 8]
    """
    words, _, _, _, *places = head
    return sum(places, words[tokens])


def read(head: Head, tokens: torch.Tensor, allowed: torch.Tensor | None = None) -> AttentionResult:
    """What each word of a sentence reads: one output for each word, and the weights.

    Shapes: tokens [..., T] -> output [..., T, 1], weights [..., T, T]
    """
    x = embed(head, tokens)
    _, W_Q, W_K, W_V, *_ = head
    return attention(project(x, W_Q), project(x, W_K), project(x, W_V), allowed=allowed)


def train(
    head: Head,
    sentences: Sentences,
    steps: int,
    *,
    rate: float = 3.0,
    allowed: torch.Tensor | None = None,
) -> None:
    """Change the head's numbers in as many steps, each a little downhill."""
    each = torch.arange(len(sentences.tokens))
    for _ in range(steps):
        output, _ = read(head, sentences.tokens, allowed)
        answers = output[each, sentences.at, 0]
        loss = softplus(-answers * sentences.meaning).mean()  # small where the signs agree
        slopes = torch.autograd.grad(loss, head)  # for each number: which way is up?
        with torch.no_grad():
            for numbers, slope in zip(head, slopes, strict=True):
                numbers -= rate * slope  # one step down
