"""Codes are long enough, easy to type, and compared without telling where they part."""

from attn_lab.classroom.joining import CODE_ALPHABET, class_string, new_code, same_code


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
