"""Ruby: what brings input, what passes it on, what tests it."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from vetgate.checks.security import guard_patterns as kind
from vetgate.checks.security.facts import LanguageFacts, below, either_way, words
from vetgate.checks.security.guard_patterns import MARK
from vetgate.expression import expression

_REQUEST = """
    params() query_string() headers() env() body() raw_post() url() original_url() fullpath() path() referer()
    referrer() user_agent() host() query_parameters() request_parameters() cookies() GET() POST() path_info()
    path_parameters() env host_with_port() domain() subdomain() remote_ip() original_fullpath() get_header()
    media_type()
"""
_VALUE = rf"(?:{MARK}|{MARK}(?:&?\.(?:to_s|to_sym|downcase|upcase|strip|to_str|presence|downcase\.strip))+)"
_IN = rf"\.(?:include|key|has_key|member|cover)\?[ (]\s*{_VALUE}|{_VALUE}\.in\?[ (]"
_EQUAL = rf"{_VALUE}\s*==\s*['\":\d]|['\"][^'\"]*['\"]\s*==\s*{_VALUE}"
_UNEQUAL = rf"{_VALUE}\s*!=\s*['\":\d]|['\"][^'\"]*['\"]\s*!=\s*{_VALUE}"
# In Ruby `^` and `$` match at every line: only \A and \z hold the whole text.
_WHOLE = r"(?:/\\A[^\n]*\\[zZ]/\w*|[A-Z][A-Z_:\w]*)"
_MATCH = (
    rf"{_VALUE}\.match\??\(?\s*{_WHOLE}|{_WHOLE}\.match\??\(?\s*{_VALUE}|{_VALUE}\s*=~\s*{_WHOLE}"
    rf"|{_WHOLE}\s*=~\s*{_VALUE}|{_WHOLE}\s*===\s*{_VALUE}"
)
_UNDER = rf"{MARK}(?:\.\w+)*\.(?:start_with\?|starts_with\?)[ (](?!['\"]/?['\"])"
_UP = r"['\"]\.\.(?:/)?['\"]"
_CLIMBS = rf"{MARK}(?:\.\w+)*\.(?:include|start_with)\?[ (]\s*{_UP}"
_SECOND = rf"{MARK}\.(?:start_with\?|starts_with\?)[ (]\s*['\"](?://|/\\\\)"
_HOST_OF = rf"(?:(?:URI(?:\.parse)?|Addressable::URI\.parse)\({MARK}\)|{MARK})&?\.host\b"
_CHECKED = (
    rf"(?:\w+\.)*(?:valid|safe|allowed|trusted|local|validate|check|ensure|verify)\w*[?!]?[ (][^()]*{_VALUE}"
    rf"|{MARK}\.(?:valid|safe)\?"
)
_KIND = rf"{MARK}\.(?:is_a|kind_of)\?\(?\s*(?:Integer|Numeric|Float)|{MARK}\.match\?\(/\\A\\d+\\z/\)"
_either = partial(either_way, before=r"[\w:@.]*", sign="(?:!|not )")

FACTS = LanguageFacts(
    bare=True,
    typed=True,
    remote=("params", "cookies", *below("request", _REQUEST), "request.env", "@request.params()"),
    local=("ARGV", "gets()", "gets", "STDIN", "$stdin"),
    propagates=words(
        """
        host hostname request_uri to_s to_str to_sym strip lstrip rstrip chomp chop downcase upcase capitalize
        swapcase gsub sub tr delete squeeze squish split join first last fetch dig values slice permit require
        to_unsafe_h to_unsafe_hash to_h to_hash merge map collect flatten compact reverse concat dup clone freeze
        presence force_encoding encode unpack unpack1 decode64 strict_decode64 urlsafe_decode64 unescape
        decode_www_form_component decode parse read gets expand_path realpath cleanpath basename original_filename
        with_indifferent_access symbolize_keys deep_symbolize_keys stringify_keys then tap try itself truncate
        html_safe raw titleize humanize camelize classify underscore tableize singularize pluralize constantize_name
        values_at fetch_values select reject filter sort uniq lines chars center ljust rjust insert prepend replace
        scrub unicode_normalize to_json to_query to_param string rewind escape_once b permit! except only inflate
        delete_prefix delete_suffix each_with_index sum zip
        """
    ),
    keyed=words("fetch dig require"),
    kept_paths=frozenset(
        {"File.join", "Pathname.new", "URI", "URI.parse", "URI.join", "JSON.parse", "StringIO.new", "String"}
    ),
    narrows=words(
        """
        to_i to_f to_d to_r to_c to_time to_date length size count bytesize hash include? present? blank? nil? any?
        empty? all? none? Integer Float Rational zero? positive? match? start_with?
        end_with? starts_with? ends_with? is_a? kind_of? key? has_key? index rindex ord parameterize valid? exists?
        exist? file?
        """
    ),
    brings=expression(r"\b(?:params|request|cookies)\b"),
    returns=frozenset({"return"}),
    each=words(
        "each map collect select reject filter flat_map find detect each_with_index then tap each_pair each_value sum"
    ),
    tests={
        kind.MEMBER: (
            rf"(?<!!)(?:{_IN})|{_EQUAL}",
            rf"!\s*[\w:@.\[\]'\" ]*(?:{_IN})|{_UNEQUAL}|\.exclude\?[ (]\s*{_VALUE}",
        ),
        kind.PATTERN: (rf"(?<!!)(?:{_MATCH})", rf"!\s*(?:{_MATCH})|{_VALUE}\s*!~\s*{_WHOLE}"),
        kind.TYPE: _either(_KIND),
        kind.PREFIX: _either(_UNDER),
        kind.BELOW: _either(_UNDER),
        kind.INSIDE: (rf"!\s*{_CLIMBS}", rf"(?<!!){_CLIMBS}"),
        kind.HOST: (
            rf"{_HOST_OF}\s*==|\.include\?\(?\s*{_HOST_OF}|{_HOST_OF}\.in\?|{_HOST_OF}&?\.end_with\?[ (]['\"]\.",
            rf"{_HOST_OF}\s*!=|!\s*[\w:.]*(?:\.include\?\(?\s*{_HOST_OF}|{_HOST_OF}\.in\?)|exclude\?\(?\s*{_HOST_OF}",
        ),
        kind.RELATIVE: (_SECOND, _SECOND),
        kind.VALID: _either(_CHECKED),
    },
    derives=expression(
        rf"(?:URI(?:\.parse)?|expand_path|realpath|cleanpath|basename|join)\(?[^;]*{MARK}|^{MARK}\.(?:host|to_s|to_sym|cleanpath|realpath)"
    ),
    resolves=expression(r"expand_path|realpath|cleanpath|basename"),
    leaves=expression(
        r"(?:return|raise|halt|next|break|abort|fail|exit|throw|not_found!?|forbidden!?)\b|[^\n]*\band return\b"
    ),
    cases=frozenset({"when"}),
    loops=frozenset({"for"}),
    numbers=frozenset({"length", "size"}),
)

# `params` is a request's only where there are requests. Words are looked for first: most files have none of them.
_ASKING = (b"params", b"request", b"cookies")
_WEB = (b"Controller", b"inatra", b"Grape", b"Roda", b"Hanami", b"Rack", b"_action", b"request.")
_ROUTES = expression(rb"^[ \t]*(?:(?:get|post|put|patch|delete)[ \t]+['\"/]|module \w+Helper\b)", re.MULTILINE)
_WITHOUT_REQUESTS = replace(FACTS, remote=())


def facts_of(data: bytes) -> LanguageFacts:
    if not any(word in data for word in _ASKING):
        return _WITHOUT_REQUESTS
    return FACTS if any(word in data for word in _WEB) or _ROUTES.search(data) else _WITHOUT_REQUESTS
