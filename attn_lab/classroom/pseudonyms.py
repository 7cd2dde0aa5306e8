"""A learner is known by what only their own program knows; the database keeps no way back."""

import hashlib
import hmac
import re
import secrets

_SECRET = re.compile(r"[0-9a-f]{32,64}")


def new_salt() -> str:
    """Returns what makes the pseudonyms of this class unlike those of any other."""
    return secrets.token_hex(32)


def is_secret(text: str) -> bool:
    """Returns whether a text has the form of a secret that a learner's program makes."""
    return _SECRET.fullmatch(text) is not None


def pseudonym(salt: str, secret: str) -> str:
    """Returns the name under which the owner of this secret, or of this account, is kept."""
    return hmac.new(salt.encode(), secret.encode(), hashlib.sha256).hexdigest()[:32]
