"""What the engine has to know of a language beside its syntax: one table for each; and what comes out of a call.

A language is plugged in by a lowering (see lowering.py) that names its facts, and by a line in rule.FAMILIES and in
scan.py. JavaScript and Python have facts of their own in frameworks.py, guards.py and below.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

# Text in, text out: what comes out of these is still what somebody sent.
PROPAGATES = frozenset(
    """
    str repr format join strip lstrip rstrip lower upper title capitalize replace split rsplit splitlines
    partition rpartition encode decode removeprefix removesuffix zfill translate swapcase casefold bytes
    bytearray list tuple set dict sorted reversed iter next enumerate zip filter map copy deepcopy items
    values keys get pop setdefault getlist getall get_all popitem first group groups loads load parse_qs
    parse_qsl urlparse urlsplit unquote unquote_plus b64decode b64encode urljoin Path PurePath joinpath
    abspath normpath expanduser expandvars realpath resolve absolute as_posix fspath StringIO BytesIO
    ContentFile String toString trim trimStart trimEnd toLowerCase toUpperCase slice substring substr concat
    repeat padStart padEnd at charAt replaceAll normalize valueOf raw Buffer from URL URLSearchParams
    decodeURIComponent decodeURI unescape atob btoa parse stringify assign create fromEntries entries Array of
    flat flatMap reduce find shift splice reverse sort dirname json text formData getAll all then
    read readline readlines getvalue decompress fromhex unhexlify urlsafe_b64decode a2b_base64 TarFile ZipFile
    substitute safe_substitute
    """.split()
)
# What is looked up is what comes out, not what it is looked up by.
KEYED = frozenset({"get", "pop", "setdefault", "getlist", "getall", "get_all", "getAll"})
KEPT_PATHS = frozenset(
    """
    tarfile.open io.open_code vue.ref vue.shallowRef vue.reactive react.useState react.useRef
    react.useDeferredValue @angular/core.signal
    """.split()
)

# What comes out of these is a number, a truth value or a name of ours.
NARROWS = frozenset(
    """
    int float bool len hash id ord round abs min max sum isinstance Number parseInt parseFloat Boolean BigInt
    isNaN isInteger UUID Decimal ObjectId date datetime strptime fromisoformat index count indexOf lastIndexOf
    search test includes has startsWith endsWith startswith endswith isdigit isalnum isalpha isnumeric match
    fullmatch exists is_file getTime getFullYear toFixed charCodeAt codePointAt compare compareSync verify
    """.split()
)


@dataclass(frozen=True, slots=True, eq=False)
class LanguageFacts:
    """Paths as in paths.py: `net/http.Request().URL` is a member of something whose type is `Request`.

    `typed`: the path of a parameter or a variable is its declared type with `()` behind it.
    """

    remote: tuple[str, ...] = ()  # what starts with one of these paths was sent by somebody else
    sent: re.Pattern[str] | None = None  # and so was what such a path begins
    local: tuple[str, ...] = ()  # and these are given by the person who runs the program
    propagates: frozenset[str] = PROPAGATES  # last names of calls: what goes in, comes out
    kept_paths: frozenset[str] = KEPT_PATHS  # the same, where only the whole path says so
    keyed: frozenset[str] = KEYED  # looked up by the first argument, which does not come out
    narrows: frozenset[str] = NARROWS  # what comes out is a number, a truth value or a name of ours
    getters: re.Pattern[str] | None = None  # calls without arguments that give a part of their object
    still_text: frozenset[str] = frozenset()  # methods of a text that leave it as it is, or nearly so
    makes: tuple[str, ...] = ()  # paths of calls whose result is as constant as their arguments
    grows: frozenset[str] = frozenset()  # methods that add what they are given to their object
    fills: frozenset[str] = frozenset()  # calls that write what they read into an argument; see Lowering.filled
    brings: re.Pattern[str] | None = None  # a file without this has no input; calls in it need not be followed
    bare: bool = False  # a name alone calls the function of that name
    typed: bool = False
    narrow_types: re.Pattern[str] | None = None  # no text has such a type
    filled: re.Pattern[str] | None = None  # an annotation of a parameter that is filled with what was sent
    fields: re.Pattern[str] | None = None  # a declared field: its name as group `name`, its type as group `type`
    each: frozenset[str] = frozenset()  # calls that hand every element to a function; JavaScript has its own
    receiver: str = ""  # the role under which a method names its own object
    tests: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # as in admission.py, beside those there
    alone: bool = False  # those of admission.py are for other languages
    derives: re.Pattern[str] | None = None  # `\1` in it is the value: testing what is made so tests the value
    resolves: re.Pattern[str] | None = None  # takes `..` out of a path
    leaves: re.Pattern[str] | None = None  # a statement that never gets to what follows
    returns: frozenset[str] = frozenset({"return_statement"})
    cases: frozenset[str] = frozenset()  # branches that are entered when a value is one of a few
    loops: frozenset[str] = frozenset({"for_statement", "for_in_statement"})
    numbers: frozenset[str] = frozenset({"length", "size", "byteLength"})  # members that are no text


def below(owners: str, members: str) -> tuple[str, ...]:
    """Every member of every owner, both separated by spaces."""
    return tuple(f"{owner}.{member}" for owner in owners.split() for member in members.split())


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def either_way(holds: str, before: str, sign: str = "!") -> tuple[str, str]:
    """How a test reads when it holds and when it does not; `before` is what may stand behind the sign that turns it."""
    return rf"(?<!!)(?:{holds})", rf"{sign}\s*{before}(?:{holds})"
