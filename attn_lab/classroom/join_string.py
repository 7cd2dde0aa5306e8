"""The one string that names a class, address#code, as it comes out of a chat.

A chat makes dashes long, puts invisible characters in and breaks lines; a learner types in lower
case. All of these spell the same code, and the same code has to give the same pseudonym.
"""

import re
import unicodedata
from urllib.parse import urlsplit

CODE_LENGTH = 8
_INVISIBLE_OR_DASH = ("Cf", "Pd", "Zs")  # Unicode's categories
_ADDRESS = re.compile(r"https?://(\[[0-9a-f:.]+\]|[\w.-]+)(:\d+)?/?", re.ASCII | re.IGNORECASE)
_LONGEST_QUOTED = 80


def plain(code: str) -> str:
    """The code without what people and chats add to it.

    >>> plain(" kx7q 2mwd"), plain("KX7Q–2MWD")
    ('KX7Q2MWD', 'KX7Q2MWD')
    """
    wide = unicodedata.normalize("NFKC", code)  # full-width letters are letters
    kept = [each for each in wide if unicodedata.category(each) not in _INVISIBLE_OR_DASH]
    return re.sub(r"[\s−]", "", "".join(kept)).upper()


def read_string(text: str) -> tuple[str, str]:
    """Address and code of the string that the instructor gave, the code in one form.

    Raises: ValueError for anything else.

    >>> read_string("http://192.168.1.20:8765#kx7q–2mwd")
    ('http://192.168.1.20:8765', 'KX7Q-2MWD')
    """
    visible = "".join(each for each in str(text) if unicodedata.category(each) != "Cf")
    address, _, rest = visible.strip().partition("#")
    code = plain(rest)
    wrong = [each for each in code if not re.fullmatch("[A-Z0-9]", each)]
    if not _is_address(address) or wrong or len(code) != CODE_LENGTH:
        given = text if len(str(text)) <= _LONGEST_QUOTED else str(text)[:_LONGEST_QUOTED] + "…"
        odd = f", where {wrong[0]!r} is no letter or digit of a code" if wrong else ""
        raise ValueError(
            "class: expected the whole string that the instructor shows, such as "
            f"http://192.168.1.20:8765#KX7Q-2MWD; got {given!r}{odd}. Copy it again, with its end."
        )
    return address.rstrip("/"), f"{code[:4]}-{code[4:]}"


def _is_address(text: str) -> bool:
    if not _ADDRESS.fullmatch(text):
        return False
    try:
        return urlsplit(text).port != 0
    except ValueError:  # brackets around what is no address, or a port that no machine has
        return False
