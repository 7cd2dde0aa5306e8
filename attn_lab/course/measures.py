"""What we measure of an answer, and how far a state lies from every normal one."""

import torch

from attn_lab.course.recall_task import answers


def lead(logits: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    """Returns the right answer's logit minus the best other one; above 0 means answered right.

    Shapes: logits [B, 17], tokens [B, 10] -> [B]

    >>> lead(torch.eye(17)[[9]] * 3, torch.tensor([[0, 1, 9, 2, 10, 3, 11, 4, 12, 1]]))
    tensor([3.])
    """
    right = answers(tokens)[:, None]
    others = logits.scatter(-1, right, -torch.inf)
    return (logits.gather(-1, right) - others.max(-1, keepdim=True).values)[:, 0]


def accuracy(logits: torch.Tensor, tokens: torch.Tensor) -> float:
    """Returns the share of sequences whose largest logit is the right answer's."""
    return (logits.argmax(-1) == answers(tokens)).double().mean().item()


def share_present(logits: torch.Tensor, tokens: torch.Tensor) -> float:
    """Returns the share of answers that are one of the four values of their own sequence."""
    among = tokens[:, 2:-1:2] == logits.argmax(-1, keepdim=True)
    return among.any(-1).double().mean().item()


def distance(states: torch.Tensor, normal: torch.Tensor) -> torch.Tensor:
    """Returns how far each state lies from the nearest normal one.

    Shapes: states [B, 32], normal [N, 32] -> [B]

    >>> distance(torch.tensor([[3.0, 4.0]]), torch.tensor([[0.0, 0.0], [100.0, 0.0]]))
    tensor([5.])
    """
    return torch.cdist(states, normal, compute_mode="donot_use_mm_for_euclid_dist").min(-1).values
