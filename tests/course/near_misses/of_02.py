"""The near misses of notebook 02: shapes and dependences by the rule that gives them."""

import numpy as np

T, D_MODEL, D_K, D_V = 5, 8, 3, 4
X, W_Q, W_V = np.ones((T, D_MODEL)), np.ones((D_MODEL, D_K)), np.ones((D_MODEL, D_V))
Q = K = X @ W_Q
V = X @ W_V
A = Q @ K.T / (Q @ K.T).sum(axis=1, keepdims=True)


def shapes(scores=A, output=None):
    return [list(scores.shape), list((A @ V if output is None else output).shape)]


def noticed(alone, attention):
    """Column 1: who notices a new word 3 in a layer that treats each alone; column 2: attention."""
    return np.stack([alone, attention], axis=1).astype(int)


def fails(*demands):
    """Which of the changes a to d break a calculation that makes these demands on its sizes."""
    changes = {  # widths of q, k and v, positions expected and given, queries and keys
        "a": {"q": 3, "k": 3, "v": 7, "made for": 5, "given": 5, "queries": 5, "keys": 5},
        "b": {"q": 3, "k": 2, "v": 4, "made for": 5, "given": 5, "queries": 5, "keys": 5},
        "c": {"q": 3, "k": 3, "v": 4, "made for": 5, "given": 6, "queries": 6, "keys": 6},
        "d": {"q": 3, "k": 3, "v": 4, "made for": 5, "given": 5, "queries": 5, "keys": 9},
    }
    return [[int(any(demand(size) for demand in demands)) for size in changes.values()]]


def dots_break(size):
    return size["q"] != size["k"]


def cell(row, column):
    """S with one cell marked; rows and columns count from 1, as in the question."""
    return (np.arange(T)[:, None] == row - 1) & (np.arange(T) == column - 1)


THIRD, EVERY, NOBODY = np.arange(T) == 2, np.ones(T, bool), np.zeros(T, bool)

TABLE = {"river": np.array([1, 1]), "bank": np.array([0, 1])}
BY_KEY, BY_VALUE = np.array([[1, -1], [0, 1]]), np.array([[10, -20], [0, 20]])
SCORE, VALUE = {"dog": 1.0, "bites": 0.0, "man": 0.0}, {"dog": 8.0, "bites": 0.0, "man": 4.0}
ASKS = {"dog": 1.4, "bites": 0.7, "man": -0.7}


def changed(whose, added):
    """Which words get another output when dog and man change places, by this rule for `whose`."""

    def outputs(text):
        words = text.split()
        at_3 = {word: VALUE[word] + added * (place == 2) for place, word in enumerate(words)}
        return [whose(word, words, at_3) for word in VALUE]

    before, after = outputs("dog bites man"), outputs("man bites dog")
    return [int(not np.isclose(a, b)) for a, b in zip(before, after, strict=True)]


def read(word, words, values):
    """What attention gives to a word."""
    parts = {other: np.exp(ASKS[word] * SCORE[other]) for other in words}
    return sum(parts[other] * values[other] for other in words) / sum(parts.values())


def in_both_ways(rule):
    return [changed(rule, 0.0), changed(rule, 4.0)]


RIGHT = {
    "02/key-of-river": lambda: TABLE["river"] @ BY_KEY,
    "02/order": lambda: in_both_ways(read),
    "02/who-can-notice": lambda: noticed(THIRD, EVERY),
    "02/shapes": shapes,
    "02/where-is-it": lambda: cell(4, 2).astype(int),
    "02/which-breaks": lambda: fails(dots_break),
}
NEAR_MISSES = {
    "02/key-of-river": {
        "the first row of W_K": lambda: BY_KEY[0],
        "matrix on the left": lambda: BY_KEY @ TABLE["river"],
        "the word's own row": lambda: TABLE["river"],
        "the value": lambda: TABLE["river"] @ BY_VALUE,
    },
    "02/order": {
        "attention reads in order": lambda: in_both_ways(
            lambda word, words, values: float(words[0] == "dog")
        ),
        "those that moved": lambda: in_both_ways(lambda word, words, values: words.index(word)),
        "order never counts": lambda: [changed(read, 0.0), changed(read, 0.0)],
        "only those at place 3": lambda: in_both_ways(lambda word, words, values: values[word]),
    },
    "02/who-can-notice": {
        "both layers mix": lambda: noticed(EVERY, EVERY),
        "neither layer mixes": lambda: noticed(THIRD, THIRD),
        "from word 3 on": lambda: noticed(THIRD, np.arange(T) >= 2),
        "all but itself": lambda: noticed(THIRD, ~THIRD),
    },
    "02/shapes": {
        "features against features": lambda: shapes(scores=Q.T @ K),
        "scores as wide as a key": lambda: shapes(scores=Q),
        "model width squared": lambda: shapes(scores=X.T @ X),
        "output as wide as a key": lambda: shapes(output=A @ K),
        "output as wide as the input": lambda: shapes(output=A @ X),
        "output taken for weights": lambda: shapes(output=A),
    },
    "02/where-is-it": {
        "row 2, column 4": lambda: cell(4, 2).T.astype(int),
        "both cells": lambda: (cell(4, 2) | cell(4, 2).T).astype(int),
    },
    "02/which-breaks": {
        "values must match keys": lambda: fails(dots_break, lambda size: size["v"] > 4),
        "the length is built in": lambda: fails(
            dots_break, lambda size: size["given"] != size["made for"]
        ),
        "scores must be square": lambda: fails(
            dots_break, lambda size: size["queries"] != size["keys"]
        ),
        "every change breaks it": lambda: fails(lambda size: True),
        "nothing breaks it": lambda: fails(),
    },
}
