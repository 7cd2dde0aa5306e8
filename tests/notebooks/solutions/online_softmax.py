import math


def my_online_softmax(tiles):
    highest, total, mixed = -math.inf, 0.0, 0.0
    for scores, values in tiles:
        new = max(highest, scores.max().item())
        if new == -math.inf:
            continue
        parts, kept = (scores - new).exp(), math.exp(highest - new)
        total, mixed, highest = total * kept + parts.sum(), mixed * kept + parts @ values, new
    return mixed / total
