import torch


def my_padding_and_causal(lengths, T):
    index = torch.arange(T)
    real = index < torch.tensor(lengths)[:, None]
    return real[:, None, :] & (index <= index[:, None])
