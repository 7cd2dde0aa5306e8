def my_split_heads(x, n_heads):
    return x.unflatten(-1, (n_heads, -1)).transpose(-3, -2)


def my_merge_heads(heads):
    return heads.transpose(-3, -2).flatten(-2)
