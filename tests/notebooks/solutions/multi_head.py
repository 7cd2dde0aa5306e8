from attn_lab import attention, merge_heads, split_heads


def my_multi_head(x, w_q, w_k, w_v, w_o, n_heads, allowed):
    q, k, v = (split_heads(x @ w, n_heads) for w in (w_q, w_k, w_v))
    output, weights = attention(q, k, v, allowed=allowed)
    return merge_heads(output) @ w_o, weights
