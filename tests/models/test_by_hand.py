"""The rows that notebooks 01 and 02 work by hand from words on, in plain Python too."""

from fractions import Fraction
from math import exp, log

import pytest
import torch

from attn_lab import attention, project

TABLE = {"river": [1, 1], "bank": [0, 1], "savings": [1, 0]}
W_Q, W_K, W_V = [[0, 1], [1, 0]], [[1, -1], [0, 1]], [[10, -20], [0, 20]]


def times(x, w):
    return [sum(a * row[j] for a, row in zip(x, w, strict=True)) for j in range(len(w[0]))]


def by_hand(text, word):
    """Weights and output of one word's row."""
    q = times(TABLE[word], W_Q)
    shares = [
        exp(sum(a * b for a, b in zip(q, times(TABLE[other], W_K), strict=True)) / 2**0.5)
        for other in text.split()
    ]
    weights = [share / sum(shares) for share in shares]
    values = [times(TABLE[other], W_V) for other in text.split()]
    return weights, [sum(w * v[j] for w, v in zip(weights, values, strict=True)) for j in (0, 1)]


@pytest.mark.parametrize(
    ("text", "word", "weights", "output"),
    [
        ("river bank", "bank", [0.670, 0.330], [6.70, 6.60]),
        ("river bank", "river", [0.5, 0.5], [5, 10]),
        ("savings bank", "bank", [0.670, 0.330], [6.70, -6.79]),
        ("bank river", "bank", [0.330, 0.670], [6.70, 6.60]),
    ],
)
def test_a_row_out_of_words(text, word, weights, output):
    hand = by_hand(text, word)
    assert [round(w, 3) for w in hand[0]] == weights
    assert [round(x, 2) for x in hand[1]] == output
    x = torch.tensor([TABLE[other] for other in text.split()], dtype=torch.float64)
    q, k, v = (project(x, torch.tensor(w, dtype=torch.float64)) for w in (W_Q, W_K, W_V))
    computed = attention(q, k, v)
    at = text.split().index(word)
    assert computed.weights[at].tolist() == pytest.approx(hand[0])
    assert computed.output[at].tolist() == pytest.approx(hand[1])


def test_the_three_matrices_give_the_rows_of_the_first_notebook():
    assert times(TABLE["bank"], W_Q) == [1, 0]
    assert [times(TABLE[word], W_K) for word in ("river", "bank")] == [[1, 0], [0, 1]]
    assert [times(TABLE[word], W_V) for word in ("river", "bank")] == [[10, 0], [0, 20]]
    assert times(TABLE["savings"], W_K) == [1, -1]
    assert times(TABLE["savings"], W_V) == [10, -20]


KEY, VALUE = {"dog": 1, "bites": 0, "man": 0}, {"dog": 8, "bites": 0, "man": 4}


@pytest.mark.parametrize(
    ("text", "in_place_3", "output"),
    [
        ("dog bites man", 0, 5),
        ("man bites dog", 0, 5),
        ("dog bites man", 4, 6),
        ("man bites dog", 4, 7),
    ],
)
def test_order_changes_a_row_only_where_places_count(text, in_place_3, output):
    words = text.split()
    values = [VALUE[word] + in_place_3 * (place == 3) for place, word in enumerate(words, 1)]
    shares = [2 ** KEY[word] for word in words]  # the query of "bites" is ln 2
    weights = [Fraction(share, sum(shares)) for share in shares]
    assert sum(w * v for w, v in zip(weights, values, strict=True)) == output
    q = torch.tensor([[log(2)]], dtype=torch.float64)
    k = torch.tensor([[KEY[word]] for word in words], dtype=torch.float64)
    v = torch.tensor(values, dtype=torch.float64)[:, None]
    assert float(attention(q, k, v).output) == pytest.approx(output)
