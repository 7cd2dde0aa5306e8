import math


def my_softmax_row(scores):
    highest = max(scores)
    parts = [math.exp(score - highest) for score in scores]
    return [part / sum(parts) for part in parts]
