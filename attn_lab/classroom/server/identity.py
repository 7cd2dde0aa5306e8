"""Who a learner is to a class: whoever knows its join code, under a name that says nothing.

A learner is known by what only their own program knows; the database keeps no way back.
"""

import hashlib
import hmac
import re
import secrets

from attn_lab.record.class_string import CODE_LENGTH, plain

# 30 characters that are not mixed up. Eight of them make 6.6e11 codes: even unlimited guessing for
# three hours has a chance of 1 in 25,000.
CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
_SECRET = re.compile(r"[0-9a-f]{32,64}")


def new_code() -> str:
    """A fresh code in the form in which it is read out: two groups of four."""
    code = "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))
    return f"{code[:4]}-{code[4:]}"


def same_code(one: str, other: str) -> bool:
    """Whether two codes are the same; the time it takes does not tell where they part."""
    return hmac.compare_digest(plain(one).encode(), plain(other).encode())


def class_string(address: str, code: str) -> str:
    """What learners paste.

    >>> class_string("http://192.168.1.20:8765", "KX7Q-2MWD")
    'http://192.168.1.20:8765#KX7Q-2MWD'
    """
    return f"{address.rstrip('/')}#{code}"


def new_salt() -> str:
    """What makes the pseudonyms of this class unlike those of any other."""
    return secrets.token_hex(32)


def is_secret(text: str) -> bool:
    """Whether a text has the form of a secret that a learner's program makes."""
    return _SECRET.fullmatch(text) is not None


def pseudonym(salt: str, secret: str) -> str:
    """The name under which the owner of this secret, or of this account, is kept."""
    return hmac.new(salt.encode(), secret.encode(), hashlib.sha256).hexdigest()[:32]
