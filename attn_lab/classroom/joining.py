"""The join code, and the one string that learners paste: address#code."""

import hmac
import re
import secrets

CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # 30 characters that are not mixed up
CODE_LENGTH = 8  # 6.6e11 codes: even unlimited guessing for three hours has a chance of 1 in 25,000


def new_code() -> str:
    """Returns a fresh code in the form in which it is read out: two groups of four."""
    code = "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))
    return f"{code[:4]}-{code[4:]}"


def plain(code: str) -> str:
    """Returns the code without what people add when they type it.

    >>> plain(" kx7q 2mwd")
    'KX7Q2MWD'
    """
    return re.sub(r"[\s\-–]", "", code).upper()


def same_code(one: str, other: str) -> bool:
    """Returns whether two codes are the same; the time it takes does not tell where they part."""
    return hmac.compare_digest(plain(one).encode(), plain(other).encode())


def class_string(address: str, code: str) -> str:
    """Returns what learners paste.

    >>> class_string("http://192.168.1.20:8765", "KX7Q-2MWD")
    'http://192.168.1.20:8765#KX7Q-2MWD'
    """
    return f"{address.rstrip('/')}#{code}"
