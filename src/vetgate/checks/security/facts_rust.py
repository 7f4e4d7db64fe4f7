"""Rust: what brings input, what passes it on, what tests it."""

from __future__ import annotations

import re
from functools import partial

from vetgate.checks.security import guard_patterns as kind
from vetgate.checks.security.facts import LanguageFacts, below, either_way, words
from vetgate.checks.security.guard_patterns import MARK
from vetgate.expression import expression

SENT = "@sent"
_REQUEST = """
    query_string() match_info() uri() headers() cookie() cookies() path() body() into_body() host() query() param()
    body_string() body_json() url() header()
"""
_NUMBER = r"(?:[iu](?:8|16|32|64|128|size)|f32|f64|bool|char)"
_PLAIN = rf"(?:{_NUMBER}|(?:\w+::)*(?:Uuid|NaiveDate|NaiveDateTime|DateTime<\w+>|IpAddr|Decimal|ObjectId|Duration))"
_EXTRACTED = r"(?:\w+::)*(?:Query|Path|Json|Form|JsonBody|TypedHeader|LenientForm)"
EXTRACTOR = expression(
    rf"^(?:Option<|Result<)?{_EXTRACTED}<|^(?:\w+::)*(?:Bytes|Payload|HeaderMap|Multipart|RawQuery|RawForm|CookieJar)\b"
)
WEB = ("actix_web", "axum", "axum_extra", "rocket", "warp", "poem", "tide", "salvo", "hyper", "actix_multipart", "ntex")
_NARROW_EXTRACTOR = rf"(?:Option<)?{_EXTRACTED}<\s*\(?\s*(?:{_PLAIN}\s*,?\s*)+\)?\s*>"
NARROW = expression(rf"^&?(?:'\w+ )?(?:mut )?(?:(?:Option<|Vec<)?\s*{_PLAIN}\s*>?$|{_NARROW_EXTRACTOR})")


_VALUE = rf"&*(?:{MARK}|{MARK}(?:\.(?:as_str|as_ref|to_string|trim|to_lowercase|clone|as_deref|to_owned)\(\))+)"
_IN = rf"\.(?:contains|contains_key)\(\s*{_VALUE}\s*\)"
_ONE_OF = rf"matches!\(\s*{_VALUE}\s*,"
_EQUAL = rf"{_VALUE}\s*==\s*(?:\"|[A-Z])"
_UNEQUAL = rf"{_VALUE}\s*!=\s*(?:\"|[A-Z])"
_MATCH = rf"\.is_match\(\s*{_VALUE}\s*\)|{MARK}(?:\.\w+\(\))*\.(?:chars|bytes)\(\)\.all\("
_UNDER = rf"{MARK}(?:\.\w+\(\))*\.starts_with\((?!\"/?\")"
_UP = r"(?:\"\.\.(?:/)?\"|std::path::Component::ParentDir|Component::ParentDir|'\.\.')"
_CLIMBS = rf"{MARK}(?:\.\w+\(\))*\.(?:contains|starts_with)\(\s*{_UP}"
_COMPONENTS = rf"{MARK}(?:\.\w+\(\))*\.components\(\)\.any\("
_SECOND = rf"{MARK}(?:\.\w+\(\))*\.starts_with\(\s*\"(?://|/\\\\)"
_HOST_OF = rf"{MARK}\.host(?:_str)?\(\)"
_CHECKED = (
    rf"(?:\w+(?:::|\.))*"
    rf"(?:is_(?:valid|safe|allowed|trusted|local|within)|validate|check|ensure|verify)\w*\([^()]*{_VALUE}"
)
_either = partial(either_way, before=r"[\w:.\[\]\"', &]*")

FACTS = LanguageFacts(
    typed=True,
    remote=(f"{SENT}()", *below("Request()", _REQUEST)),
    local=("std.env.args()", "env.args()", "std.io.stdin()", "io.stdin()", "std.env.args", "clap.Parser"),
    propagates=words(
        """
        escape_debug to_string to_owned clone into as_str as_ref as_bytes as_deref as_mut trim trim_start trim_end
        trim_matches unwrap expect unwrap_or unwrap_or_default unwrap_or_else ok ok_or ok_or_else into_inner get first
        last to_lowercase to_uppercase to_ascii_lowercase to_ascii_uppercase replace replacen split splitn rsplit
        split_once rsplit_once split_whitespace join collect map and_then iter into_iter next nth concat from from_str
        from_utf8 from_utf8_lossy to_vec cloned copied inner query_string decode to_str into_string into_owned
        strip_prefix strip_suffix file_name to_path_buf with_extension canonicalize push remove or or_else filter find
        peek take read_to_string to_bytes text bytes json values keys get_one get_all path uri query headers parse
        percent_decode_str decode_utf8 decode_utf8_lossy url_decode into_bytes into_boxed_str borrow deref display
        to_string_lossy lines chars rev skip flatten flat_map unwrap_unchecked map_err context with_context inspect_err
        """
    ),
    keyed=words("get get_one get_all remove"),
    kept_paths=frozenset(
        """
        std.path.Path.new Path.new std.path.PathBuf.from PathBuf.from Box.new std.sync.Arc.new Arc.new std.rc.Rc.new
        Rc.new url.Url.parse Url.parse String.from std.borrow.Cow.Borrowed std.ffi.OsStr.new std.ffi.CString.new
        CString.new std.str.from_utf8 serde_json.from_str serde_json.from_slice serde_urlencoded.from_str
        """.split()
    ),
    narrows=words(
        """
        len count is_empty contains contains_key starts_with ends_with is_some is_none is_ok is_err is_match eq ne cmp
        as_u64 as_i64 as_f64 as_bool exists is_file is_dir hash finalize parse_from_str
        """
    ),
    brings=expression(r"\b(?:actix_web|axum|rocket|warp|tide|poem|hyper|salvo|HttpRequest|Query|Json|Form|Path)\b"),
    grows=words("push_str push"),
    fills=words("write! writeln!"),
    narrow_types=NARROW,
    fields=expression(
        r"(?:^|[{,(])\s*(?:#\[[^\]]*\]\s*)?(?:pub(?:\([^)]*\))?\s+)?(?P<name>[a-z_]\w*)\s*:\s*"
        rf"(?P<type>(?:{_NUMBER}|(?:\w+::)*[A-Z]\w*)(?:<(?:[^<>;{{}}()\n]|<[^<>\n]*>)*>)?)\s*(?=[,}}\n)])",
        re.MULTILINE,
    ),
    numbers=frozenset(),
    each=words(
        "map and_then for_each filter filter_map flat_map find any all inspect map_or map_or_else is_some_and then"
    ),
    returns=frozenset({"return_expression"}),
    tests={
        kind.MEMBER: (rf"(?<!!)(?:{_IN}|{_ONE_OF})|{_EQUAL}", rf"!\s*[\w:.\[\]\"', &]*(?:{_IN}|{_ONE_OF})|{_UNEQUAL}"),
        kind.PATTERN: _either(_MATCH),
        kind.TYPE: _either(rf"{MARK}\.parse::<{_NUMBER}>\(\)\.is_ok"),
        kind.PREFIX: _either(_UNDER),
        kind.BELOW: _either(_UNDER),
        kind.INSIDE: (rf"!\s*(?:{_CLIMBS}|{_COMPONENTS})", rf"(?<!!)(?:{_CLIMBS}|{_COMPONENTS})"),
        kind.HOST: (
            rf"{_HOST_OF}\s*==|\.contains\(\s*&?{_HOST_OF}",
            rf"{_HOST_OF}\s*!=|!\s*[\w:.]*\.contains\(\s*&?{_HOST_OF}",
        ),
        kind.RELATIVE: (_SECOND, _SECOND),
        kind.VALID: _either(_CHECKED),
    },
    derives=expression(
        rf"(?:Url::parse|canonicalize|Path::new|PathBuf::from)\([^;]*{MARK}|^{MARK}\.(?:host_str|host|canonicalize|as_str|trim|file_name)\("
    ),
    resolves=expression(r"canonicalize\(|file_name\("),
    leaves=expression(
        r"(?:return|panic!|bail!|continue|break|std::process::exit|unreachable!|anyhow::bail!|ensure!|Err\()"
    ),
    cases=frozenset({"match_arm"}),
    loops=frozenset({"for_expression"}),
)
