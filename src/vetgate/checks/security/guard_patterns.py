"""What a test that admits a value looks like, as text: for each kind, when it holds and when its opposite holds."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from vetgate.expression import expression

MEMBER, PATTERN, PREFIX, TYPE, VALID = "member", "pattern", "prefix", "type", "valid"
BELOW = "below"  # a path below a folder; worth something only after `..` in it was resolved
INSIDE = "inside"  # a path without `..`
HOST = "host"  # the host of an address is one of ours
RELATIVE = "relative"  # an address that stays on this host: one slash at its beginning, not two
SIGNED = "signed"  # whoever sent it knows the key
STRING = "string"  # it is a text and not an object: enough for a rule that says so
ALWAYS = frozenset({MEMBER, PATTERN, TYPE, VALID})

MARK = "\1"  # stands for the value that a condition may speak of

VALIDATORS = (
    r"(?:[\w.]*\b(?:is_?(?i:safe|valid|allowed|trusted|local|internal|whitelisted|alnum|alphanumeric|numeric|digit|int|integer|uuid"
    r"|identifier|email|mongoId|slug|within|inside|sub_?path|contained|below|under|public)\w*|(?:validate|check(?!_output|_call)|assert|ensure|verify"
    r"|require_?(?i:inside|within|below|safe|valid|allowed|local|known))\w*|url_has_allowed_host_and_scheme))"
)
# The same for languages with tests of their own.
VALIDATING = (
    r"(?i:is_?(?:safe|valid|allowed|trusted|local|internal|al(?:num|pha)|numeric|digit|int|uuid|identifier|email|slug|within"
    r"|inside|sub|contained|below|under|public|known|permitted|supported|whitelisted|hex|ascii|letter)|valid|check|ensure|verify|allowed"
    r"|try_?parse|require_?(?:inside|within|below|safe|valid|allowed|local|known))"
)
_REFUSERS = (
    r"\b(?:is_?(?i:private|internal|local|blocked|forbidden|unsafe|invalid|loopback"
    r"|reserved|malicious|denied|outside)\w*)"
)
SIGNS = expression(r"(?:compare_digest|timingSafeEqual|verify_signature|verifySignature)\(")
_NOT = r"(?:!|not )\s*[^&|]*?"
_GIVEN = r"(?:[^()]|\([^()]*\))*"  # arguments, with calls among them
_UP = r"['\"]\.\.(?:[/\\]+)?['\"]"
_VALUE = r"(?!not\b|None\b|null\b|undefined\b|true\b|false\b|''|\"\")['\"\w]"
_OF_HOST = r"\.(?:hostname|host|origin|netloc|is_private|is_loopback|is_global)\b"
_LOOSE_END = r"(?!\.(?:ends|starts|includes)\w*\(['\"][^.])"  # `.endsWith("x.org")` admits evilx.org


def marked(condition: str, name: str) -> str:
    """The condition with a mark wherever it speaks of the value: so each test is compiled once, not once for a name."""
    return _as_word(name).sub(MARK, condition) if name in condition else condition


@lru_cache(maxsize=1024)
def _as_word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.$]){re.escape(name)}(?![\w$])")


@cache
def test_of(kind: str, *, negated: bool) -> re.Pattern[str] | None:
    """What a condition that admits the marked value looks like when it holds, or when it had to fail."""
    written = _TESTS.get(kind)
    return None if written is None else re.compile(written[1 if negated else 0])


def _opposed(holds: str) -> tuple[str, str]:
    return holds, rf"{_NOT}(?:{holds})"


def _member(name: str, element: str) -> tuple[str, str]:
    within = rf"(?:includes|has|hasOwnProperty|contains|get)\({element}[,)]"
    member = rf"{element} in (?!{name})|\.{within}|(?:hasOwn|contains)\([^()]*,\s*{element}\)"
    equal = rf"(?<!typeof ){element}\s*(?:===?|\bis\b)\s*{_VALUE}|['\"][^'\"]+['\"]\s*===?\s*{element}"
    unequal = rf"(?<!typeof ){element}\s*(?:!==?|\bis not\b)\s*{_VALUE}"
    absent = (
        rf"{element} not in |not {element} in |!\s*[\w.$\[\]]*(?:\[[^\]]*\])?\.?{within}|!\([^()]*{element} in "
        rf"|indexOf\({element}\)\s*(?:===?\s*-1|<\s*0)|!Object\.hasOwn\([^()]*,\s*{element}\)|!\w+\[{element}\]"
    )
    present = rf"indexOf\({element}\)\s*(?:!==?\s*-1|>=?\s*0|>\s*-1)"
    return rf"(?<!not )(?<!!)(?:{member}|{equal}|{present})", rf"{absent}|{unequal}"


def _valid(element: str) -> tuple[str, str]:
    valid = rf"{VALIDATORS}\([^()]*{element}"
    refused = rf"{_REFUSERS}\([^()]*{element}"
    return rf"{valid}|(?:!|not )\s*{refused}", rf"{_NOT}(?:{valid})|(?<!not )(?<!!){refused}"


def _pattern(element: str) -> tuple[str, str]:
    return _opposed(
        rf"(?:\.test|\.match|\.fullmatch|\bfullmatch|\bmatch|\.search)\([^()]*{element}\s*\)"
        rf"|{element}\.(?:match|isdigit|isalnum|isnumeric|isidentifier|isdecimal)\("
    )


def _prefix(edge: str) -> tuple[str, str]:
    """A path below a folder, an address of a scheme or a host."""
    (below, not_below), (inside, outside) = _below(edge), _inside(edge)
    return rf"{below}|{inside}", rf"{not_below}|{outside}"


def _below(edge: str) -> tuple[str, str]:
    prefix = (
        rf"{edge}(?:\.\w+)*\.(?:startsWith|startswith|is_relative_to|relative_to)\((?!{_UP})|commonpath\("
        rf"|{edge}(?:\.\w+)*\.(?:hostname|host|origin|netloc|protocol|scheme)\b\s*(?:===?|in\b)"
        rf"|(?:includes|has)\({edge}(?:\.\w+)+\)"
    )
    outside = rf" not in {edge}\.parents|commonp\w+\({_GIVEN}{edge}{_GIVEN}\)\s*!=|{edge}(?:\.\w+)*\s*(?:!==?|not in)"
    return rf"{prefix}| in {edge}\.parents", rf"{_NOT}(?:{prefix})|{outside}"


def _inside(edge: str) -> tuple[str, str]:
    up = rf"{edge}\.(?:includes|startsWith|startswith)\({_UP}"
    return rf"(?:!|not )\s*{up}|{_UP} not in {edge}", rf"{up}|{_UP} in {edge}"


def _host(edge: str) -> tuple[str, str]:
    parsed = rf"(?:{edge}|(?:urlparse|urlsplit|URL|url\.parse)\({edge}[^()]*\))"
    host = rf"{parsed}{_OF_HOST}{_LOOSE_END}"
    address = rf"{edge}\.starts[wW]ith\((?:['\"`][a-z+]+://[^'\"`/]+/|[A-Za-z_$(])"
    admitted = rf"{host}\s*(?:===?|in\b)|(?:not |!)\s*{host}|(?:has|includes)\((?:new )?{host}|{host}\.ends|{address}"
    return admitted, rf"{host}|{_NOT}(?:{address})"


def _relative(edge: str) -> tuple[str, str]:
    """Whoever looks for a second slash has thought of addresses without a scheme."""
    second = rf"{edge}\.starts[wW]ith\(\(?['\"](?://|/\\)|{edge}(?:\[1\]|\.charAt\(1\))"
    return second, second


def _type(element: str) -> tuple[str, str]:
    kind = (
        rf"isinstance\({element},\s*(?!str\b|\(str)|typeof {element} === ['\"](?:number|boolean)"
        rf"|Number\.is(?:Integer|SafeInteger|Finite)\({element}"
    )
    no_kind = rf"typeof {element} !==? ['\"](?:number|boolean)|isNaN\({element}"
    return kind, rf"{_NOT}(?:{kind})|{no_kind}"


def _string(element: str) -> tuple[str, str]:
    return (
        rf"typeof {element} === ['\"]string|_\.isString\({element}|isinstance\({element},\s*str\b",
        rf"typeof {element} !==? ['\"]string|!_\.isString\({element}|not isinstance\({element},\s*str\b",
    )


# Which scheme an address has says nothing of where it leads.
_ELEMENT = rf"(?:{MARK}|(?:String|str|\w+)\({MARK}\)|{MARK}(?:\.(?!protocol\b|scheme\b)\w+(?:\(\))?)+)"
_TESTS: dict[str, tuple[str, str]] = {
    MEMBER: _member(MARK, _ELEMENT),
    PATTERN: _pattern(_ELEMENT),
    PREFIX: _prefix(MARK),
    BELOW: _below(MARK),
    INSIDE: _inside(MARK),
    HOST: _host(MARK),
    RELATIVE: _relative(MARK),
    TYPE: _type(_ELEMENT),
    STRING: _string(_ELEMENT),
    VALID: _valid(_ELEMENT),
    SIGNED: _opposed(SIGNS.pattern),
}
