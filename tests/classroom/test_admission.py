"""A code is easy to type and hard to guess, a pseudonym tells nothing, a bucket refills."""

from attn_lab.classroom.server.admission import (
    CODE_ALPHABET,
    Limits,
    class_string,
    is_secret,
    new_code,
    new_salt,
    pseudonym,
    same_code,
)
from tests.helpers.class_server import SECRET


def test_a_code_has_eight_of_thirty_characters_and_is_new_each_time():
    codes = [new_code() for _ in range(200)]
    assert len(set(codes)) == 200
    assert all(len(code) == 9 and code[4] == "-" for code in codes)
    assert len(set(CODE_ALPHABET)) == 30
    assert set("".join(codes)) - {"-"} == set(CODE_ALPHABET)


def test_case_spaces_and_dashes_do_not_matter():
    assert same_code("KX7Q-2MWD", " kx7q2mwd ")
    assert same_code("KX7Q-2MWD", "kx7q – 2mwd")
    assert same_code("KX7Q-2MWD", "kx7q—\u200b2mwd")
    assert not same_code("KX7Q-2MWD", "KX7Q-2MWE")
    assert not same_code("KX7Q-2MWD", "")


def test_the_string_for_learners_holds_address_and_code():
    assert class_string("http://127.0.0.1:8765/", "KX7Q-2MWD") == "http://127.0.0.1:8765#KX7Q-2MWD"


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


def test_a_burst_passes_and_the_next_waits_for_its_token():
    now = [0.0]
    limits = Limits(2, 3, clock=lambda: now[0])
    assert [limits.allow("a") for _ in range(4)] == [True, True, True, False]
    now[0] = 0.5
    assert [limits.allow("a"), limits.allow("a")] == [True, False]
    now[0] = 100
    assert [limits.allow("a") for _ in range(4)] == [True, True, True, False]


def test_one_name_does_not_spend_the_tokens_of_another():
    limits = Limits(1, 1, clock=lambda: 0.0)
    assert limits.allow("a") and limits.allow("b") and not limits.allow("a")


def test_the_names_that_were_quiet_longest_are_forgotten():
    limits = Limits(1, 1, names=2, clock=lambda: 0.0)
    for name in "abc":
        limits.allow(name)
    assert not limits.allow("c")
    assert limits.allow("a")
