"""A pseudonym is steady in one class, different in the next, and does not give its owner away."""

from attn_lab.classroom.pseudonyms import is_secret, new_salt, pseudonym

SECRET = "0123456789abcdef" * 2


def test_the_same_secret_is_the_same_learner_in_one_class_only():
    one, other = new_salt(), new_salt()
    assert pseudonym(one, SECRET) == pseudonym(one, SECRET)
    assert pseudonym(one, SECRET) != pseudonym(other, SECRET)
    assert pseudonym(one, SECRET) != pseudonym(one, SECRET[::-1])


def test_the_secret_is_no_part_of_the_pseudonym():
    assert SECRET not in pseudonym(new_salt(), SECRET)


def test_only_what_is_hard_to_guess_is_a_secret():
    assert is_secret(SECRET)
    for bad in ("", "ann", SECRET[:-1], SECRET.upper(), SECRET + "\n", "0" * 65):
        assert not is_secret(bad), bad
