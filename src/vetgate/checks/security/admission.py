"""What a test that admits a value looks like, as text: for each kind, when it holds and when its opposite holds."""

from __future__ import annotations

import re
from functools import lru_cache

MEMBER, PATTERN, PREFIX, TYPE, VALID = "member", "pattern", "prefix", "type", "valid"
HOST = "host"  # the host of an address is one of ours
RELATIVE = "relative"  # an address that stays on this host: one slash at its beginning, not two
SIGNED = "signed"  # whoever sent it knows the key
STRING = "string"  # it is a text and not an object: enough for a rule that says so
ALWAYS = frozenset({MEMBER, PATTERN, TYPE, VALID})

Tests = dict[str, tuple[str, str]]

VALIDATORS = (
    r"(?:[\w.]*\b(?:is_?(?i:safe|valid|allowed|trusted|local|internal|whitelisted|alnum|alphanumeric|numeric|digit|int|integer|uuid"
    r"|identifier|email|mongoId|slug|within|inside|sub_?path|contained|below|under|public)\w*|(?:validate|check(?!_output|_call)|assert|ensure|verify)\w*|url_has_allowed_host_and_scheme))"
)
_REFUSERS = (
    r"\b(?:is_?(?i:private|internal|local|blocked|forbidden|unsafe|invalid|loopback"
    r"|reserved|malicious|denied|outside)\w*)"
)
SIGNS = re.compile(r"(?:compare_digest|timingSafeEqual|verify_signature|verifySignature)\(")
_NOT = r"(?:!|not )\s*[^&|]*?"
_UP = r"['\"]\.\.(?:[/\\]+)?['\"]"
_VALUE = r"(?!not\b|None\b|null\b|undefined\b|true\b|false\b|''|\"\")['\"\w]"
_OF_HOST = r"\.(?:hostname|host|origin|netloc|is_private|is_loopback|is_global)\b"
_LOOSE_END = r"(?!\.(?:ends|starts|includes)\w*\(['\"][^.])"  # `.endsWith("x.org")` admits evilx.org


@lru_cache(maxsize=1024)
def tests_of(name: str) -> Tests:
    """`name` is a value as written, escaped for a regular expression."""
    edge = rf"(?<![\w.$]){name}(?![\w$])"
    # Which scheme an address has says nothing of where it leads.
    element = rf"(?:{edge}|(?:String|str|\w+)\({edge}\)|{edge}(?:\.(?!protocol\b|scheme\b)\w+(?:\(\))?)+)"
    return {
        MEMBER: _member(name, element),
        PATTERN: _pattern(element),
        PREFIX: _prefix(edge),
        HOST: _host(edge),
        RELATIVE: _relative(edge),
        TYPE: _type(element),
        STRING: _string(element),
        VALID: _valid(element),
        SIGNED: _opposed(SIGNS.pattern),
    }


def _opposed(holds: str) -> tuple[str, str]:
    return holds, rf"{_NOT}(?:{holds})"


def _member(name: str, element: str) -> tuple[str, str]:
    within = rf"(?:includes|has|hasOwnProperty|contains|get)\({element}[,)]"
    member = rf"{element} in (?!{name})|\.{within}|(?:hasOwn|contains)\([^()]*,\s*{element}\)"
    equal = rf"(?<!typeof ){element}\s*(?:===?|is)\s*{_VALUE}|['\"][^'\"]+['\"]\s*===?\s*{element}"
    unequal = rf"(?<!typeof ){element}\s*(?:!==?|is not)\s*{_VALUE}"
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
    prefix = (
        rf"{edge}(?:\.\w+)*\.(?:startsWith|startswith|is_relative_to|relative_to)\((?!{_UP})|commonpath\("
        rf"|{edge}(?:\.\w+)*\.(?:hostname|host|origin|netloc|protocol|scheme)\b\s*(?:===?|in\b)"
        rf"|(?:includes|has)\({edge}(?:\.\w+)+\)"
    )
    inside = rf"(?:!|not )\s*{edge}\.(?:includes|startsWith|startswith)\({_UP}|{_UP} not in {edge}| in {edge}\.parents"
    outside = (
        rf"{edge}\.(?:includes|startsWith|startswith)\({_UP}|{_UP} in {edge}| not in {edge}\.parents"
        rf"|commonp\w+\([^)]*{edge}[^)]*\)\s*!="
    )
    return rf"{prefix}|{inside}", rf"{_NOT}(?:{prefix})|{outside}|{edge}(?:\.\w+)*\s*(?:!==?|not in)"


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
