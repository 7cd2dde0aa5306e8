"""The near misses of notebook 01: one row, with one step done otherwise."""

from attn_lab.core.attention import attention
from attn_lab.course.tensors import one_row

Q, K, V = one_row()


def weights(run=attention):
    return run(Q, K, V).weights[0]


def output(run=attention):
    return run(Q, K, V).output[0]


def first_score_and_rest():
    score = (Q[0] @ K[0]) / K.shape[-1] ** 0.5
    return [score, 1 - score]


RIGHT = {"01/two-weights": weights, "01/weighted-sum": output}
BANK = {"01/two-weights": weights, "01/weighted-sum": output}
NEAR_MISSES = {
    "01/two-weights": {
        "the first score and the rest": first_score_and_rest,
        "the other way round": lambda: weights().flip(0),
    },
    "01/weighted-sum": {
        "value 1 alone": lambda: V[weights().argmax()],
        "the plain mean": lambda: V.mean(dim=0),
    },
}
