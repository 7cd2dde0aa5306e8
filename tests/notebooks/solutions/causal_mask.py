import torch


def my_causal_mask(T_q, T_k):
    return torch.arange(T_k) <= torch.arange(T_q)[:, None]
