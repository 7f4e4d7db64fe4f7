"""What a call says of its arguments: which of them is a password or a key, though nothing is written beside it."""

from __future__ import annotations

import re

# The last words of what is called, the number of the argument, and what that argument is.
_POSITIONS = tuple(
    (re.compile(rf"(?i)(?:^|[^a-z0-9])(?:{called})$"), position, name)
    for called, position, name in (
        (
            r"(?:set_?)?(?:http)?basic_?auth(?:entication)?|login|networkcredential|passwordauthentication",
            1,
            "password",
        ),
        (r"usernamepassword\w{0,40}|passwordcredentials?", 1, "password"),
        (r"(?:drivermanager\W{1,2})?getconnection|mysqli?(?:_connect)?|(?:my)?pdo|real_connect", 2, "password"),
        (r"(?:pymysql|mysqldb)\W{1,2}connect", 2, "password"),
        (r"jwt\W{1,2}(?:sign|verify|encode|decode)", 1, "jwt_secret"),
        (r"signedstring|hmacshakeyfor", 0, "jwt_secret"),
        (r"createhmac", 1, "hmac_key"),
        (r"hmac\W{1,2}new", 0, "hmac_key"),
        (r"hash_hmac", 2, "hmac_key"),
        (r"cookie_?parser", 0, "cookie_secret"),
        (r"fernet", 0, "encryption_key"),
    )
)
_SETTER = re.compile(r"(?:[Ss]et|[Ww]ith|[Uu]se|[Aa]dd)(?=[A-Z_])_?")
_LAST = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,80}$")


def told_by_position(function: str, position: int) -> str:
    """`jwt.sign(claims, "...")`: the name of the argument at that place, "" where nothing is known of it."""
    return next((name for called, place, name in _POSITIONS if place == position and called.search(function)), "")


def told_by_setter(function: str) -> str:
    """`setPassword("...")`, `.apiKey("...")`: a call with one argument that is named for it."""
    found = _LAST.search(function)
    return _SETTER.sub("", found[0], count=1) if found else ""
