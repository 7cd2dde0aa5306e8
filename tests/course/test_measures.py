import torch

from attn_lab.course.measures import accuracy, distance, lead, share_present

TOKENS = torch.tensor([[0, 1, 9, 2, 10, 3, 11, 4, 12, 2]] * 3)  # the right answer is token 10


def logits(**values):
    row = torch.zeros(17)
    for token, value in values.items():
        row[int(token[1:])] = value
    return row


THREE = torch.stack([logits(t10=5.0, t9=2.0), logits(t10=1.0, t12=4.0), logits(t15=2.0)])


def test_the_lead_is_the_right_logit_minus_the_best_other_one():
    assert lead(THREE, TOKENS).tolist() == [3.0, -3.0, -2.0]


def test_accuracy_counts_the_leads_above_0():
    assert accuracy(THREE, TOKENS) == 1 / 3


def test_a_wrong_answer_may_still_be_one_of_the_four_values_present():
    assert share_present(THREE, TOKENS) == 2 / 3


def test_distance_is_to_the_nearest_normal_state_and_0_for_a_normal_one():
    normal = torch.tensor([[0.0, 0.0], [6.0, 8.0]])
    assert distance(torch.tensor([[6.0, 8.0], [3.0, 4.0], [6.0, 9.0]]), normal).tolist() == [
        0,
        5,
        1,
    ]
