"""What comes out of a call, by its last name: still what somebody sent, or a number, a truth value, a name of ours.

These are the names of JavaScript and Python; other languages have their own with their other facts.
"""

from __future__ import annotations

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
