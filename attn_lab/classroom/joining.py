"""The join code, and the one string that learners paste: address#code."""

import hmac
import secrets

from attn_lab.record.class_string import CODE_LENGTH, plain

# 30 characters that are not mixed up. Eight of them make 6.6e11 codes: even unlimited guessing for
# three hours has a chance of 1 in 25,000.
CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"


def new_code() -> str:
    """Returns a fresh code in the form in which it is read out: two groups of four."""
    code = "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))
    return f"{code[:4]}-{code[4:]}"


def same_code(one: str, other: str) -> bool:
    """Returns whether two codes are the same; the time it takes does not tell where they part."""
    return hmac.compare_digest(plain(one).encode(), plain(other).encode())


def class_string(address: str, code: str) -> str:
    """Returns what learners paste.

    >>> class_string("http://192.168.1.20:8765", "KX7Q-2MWD")
    'http://192.168.1.20:8765#KX7Q-2MWD'
    """
    return f"{address.rstrip('/')}#{code}"
