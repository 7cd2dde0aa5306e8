def my_attention(q, k, v):
    scores = q @ k.transpose(-2, -1) / k.shape[-1] ** 0.5
    weights = scores.softmax(dim=-1)
    return weights @ v, weights
