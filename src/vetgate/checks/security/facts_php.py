"""PHP: what brings input, what passes it on, what tests it."""

from __future__ import annotations

from vetgate.checks.security import guard_patterns as kind
from vetgate.checks.security.facts import LanguageFacts, below, words
from vetgate.checks.security.guard_patterns import MARK
from vetgate.expression import expression

_HEADERS = """
    HTTP_HOST HTTP_REFERER HTTP_USER_AGENT HTTP_COOKIE HTTP_ORIGIN HTTP_ACCEPT HTTP_ACCEPT_LANGUAGE
    HTTP_X_FORWARDED_FOR HTTP_X_FORWARDED_HOST HTTP_X_REAL_IP HTTP_X_REQUESTED_WITH HTTP_X_API_KEY HTTP_CLIENT_IP
    HTTP_AUTHORIZATION HTTP_IF_NONE_MATCH QUERY_STRING REQUEST_URI PATH_INFO PHP_SELF ORIG_PATH_INFO argv
"""
# Methods of the requests of Laravel, Symfony, PSR-7, WordPress, CodeIgniter, Yii and CakePHP.
_METHODS = """
    input() query() post() get() all() only() except() cookie() header() headers() json() string() str() file()
    allFiles() validated() safe() collect() fullUrl() url() path() getContent() getQueryString() getRequestUri()
    getPathInfo() getUri() getHost() getClientOriginalName() userAgent() ip() bearerToken() segments() server()
    segment() toArray() getPayload() getQueryParams() getParsedBody() getCookieParams() getUploadedFiles()
    getServerParams() getBody() getHeader() getHeaderLine() getHeaders() getParam() getParams() get_param()
    get_params() get_body() get_json_params() get_query_params() get_body_params() get_url_params() get_file_params()
    get_header() getVar() getGet() getPost() getGetPost() getJSON() getRawInput() getCookie() getFile() getData()
    getQuery() getBodyParam() getQueryParam() data() isXmlHttpRequest
"""
_FACADES = """
    Illuminate.Support.Facades.Request Illuminate.Support.Facades.Input Request Input Illuminate.Http.Request
    request() Symfony.Component.HttpFoundation.Request.createFromGlobals() Illuminate.Http.Request.capture()
    Yii.app.request $this.request $this.getRequest() $this.requestStack.getCurrentRequest() Request()
"""
_INPUTS = """
    $_GET $_POST $_REQUEST $_COOKIE $_FILES $HTTP_RAW_POST_DATA php://input request() getallheaders()
    apache_request_headers() filter_input() filter_input_array() get_query_var()
    Illuminate.Support.Facades.Cookie.get()
"""

_VALUE = rf"(?:{MARK}|\(\s*string\s*\)\s*{MARK}|\\?\w+\({MARK}\))"
_IN = (
    rf"\\?in_array\(\s*{_VALUE}\s*,|array_key_exists\(\s*{_VALUE}\s*,|isset\([^()\[\]]+\[{_VALUE}\]\)|\bhas\({_VALUE}\)"
)
_EQUAL = rf"{_VALUE}\s*===?\s*['\"\d]|['\"][^'\"]*['\"]\s*===?\s*{_VALUE}"
_UNEQUAL = rf"{_VALUE}\s*!==?\s*['\"\d]|['\"][^'\"]*['\"]\s*!==?\s*{_VALUE}"
_MATCH = (
    rf"preg_match\(\s*['\"](.)(?:\^|\\A)[^'\"]*(?:\$|\\z)\1?[^'\"]*['\"]\s*,\s*{_VALUE}"
    rf"|ctype_(?:alnum|alpha|digit|xdigit|lower|upper)\(\s*{_VALUE}"
)
_NUMERIC = (
    rf"is_(?:numeric|int|integer|float|bool)\(\s*{_VALUE}"
    rf"|filter_var\(\s*{_VALUE}\s*,\s*\\?FILTER_VALIDATE_(?:INT|FLOAT|BOOL\w*|IP)"
)
_UNDER = rf"str_starts_with\(\s*{_VALUE}\s*,\s*(?!['\"]/?['\"])|Str::startsWith\(\s*{_VALUE}|strn?cmp\(\s*{_VALUE}"
_AT_START = rf"str(?:i?pos|ncmp)\(\s*{_VALUE}\s*,[^()]*(?:\([^()]*\)[^()]*)?\)"
_UP = r"['\"]\.\.(?:/)?['\"]"
_CLIMBS = rf"str(?:i?pos|_contains|str)\(\s*{_VALUE}\s*,\s*{_UP}\s*\)"
_SECOND = rf"(?:str_starts_with|str(?:i?pos|n?cmp))\(\s*{_VALUE}\s*,\s*['\"](?://|/\\\\)"
_HOST_IS = rf"(?:parse_url\(\s*{_VALUE}\s*,\s*PHP_URL_HOST\s*\)|{MARK}\[['\"]host['\"]\])"
_HOSTED = rf"in_array\(\s*{_HOST_IS}(?:\s*\?\?\s*(?:''|null|\"\"))?\s*,"
_CHECKED = (
    rf"(?:\w+(?:->|::))*(?i:is_?(?:valid|safe|allowed|trusted|local)|validate|check|assert|ensure|verify|wp_http_validate_url)"
    rf"\w*\([^()]*{_VALUE}"
)


def _either(holds: str) -> tuple[str, str]:
    return rf"(?<!!)(?:{holds})", rf"!\s*\\?(?:{holds})|(?:{holds})[^&|]*(?:===?\s*(?:false|0)\b|!==?\s*(?:true|1)\b)"


FACTS = LanguageFacts(
    typed=True,
    remote=(
        *_INPUTS.split(),
        *below("$_SERVER", _HEADERS),
        *below(_FACADES, _METHODS),
        "$this.input.post()",
        "$this.input.get()",
    ),
    local=("$argv", "readline()", "getopt()", "STDIN"),
    sent=expression(
        r"(?:Request\(\)|Request\.createFromGlobals\(\)|\$this\.requestStack\.getCurrentRequest\(\))\.(?!session\b|user\b|route\b|attributes\b|container\b|app\b)\w+(?:$|[.\[])"
    ),
    propagates=words(
        """
        storage_path base_path public_path app_path resource_path database_path config_path trim ltrim rtrim chop
        strtolower strtoupper ucfirst ucwords lcfirst str_replace str_ireplace substr mb_substr mb_strtolower
        mb_strtoupper implode explode join urldecode rawurldecode base64_decode base64_encode json_decode json_encode
        stripslashes stripcslashes nl2br strrev str_pad str_repeat array_map array_filter array_merge array_values
        array_keys array_pop array_shift array_slice array_unique array_reverse array_combine reset current end next
        html_entity_decode htmlspecialchars_decode wp_unslash strip_tags preg_replace preg_split iconv
        mb_convert_encoding mb_convert_case utf8_encode utf8_decode http_build_query parse_url pathinfo dirname
        realpath basename substr_replace chunk_split wordwrap collect strval strstr strrchr quotemeta hex2bin
        urlencode rawurlencode addslashes escapeshellcmd htmlspecialchars htmlentities escapeshellarg esc_html
        esc_attr esc_url sanitize_text_field sanitize_file_name file_get_contents unserialize gzuncompress gzinflate
        str_rot13 nl2br lower upper title slug of append prepend finish start toString __toString get first last all
        only except input query post value getContents getClientOriginalName getClientFilename
        getClientOriginalExtension getRealPath getPathname toArray pluck values keys map filter merge implode Url
        htmlString add_query_arg untrailingslashit trailingslashit path_join DOMDocument SimpleXMLElement
        simplexml_load_string maybe_unserialize vsprintf sprintf
        """
    ),
    keyed=words("get input query post value"),
    kept_paths=frozenset(),
    narrows=words(
        """
        intval floatval boolval absint count strlen mb_strlen sizeof is_numeric in_array md5 sha1 hash crc32 strpos
        stripos str_contains str_starts_with str_ends_with preg_match preg_match_all array_key_exists isset empty time
        strtotime uniqid random_int rand mt_rand abs round floor ceil password_hash password_verify hash_hmac filesize
        file_exists is_file is_dir array_sum hash_equals strcmp bin2hex dechex hexdec integer boolean float exists
        count
        """
    ),
    brings=expression(
        r"\$_(?:GET|POST|REQUEST|COOKIE|FILES|SERVER)|Request\b|\brequest\(|php://input|->input->|->request"
    ),
    narrow_types=expression(r"^\??(?:int|float|bool|\\?DateTime\w*|\\?Carbon\w*)$"),
    numbers=frozenset({"size", "error"}),  # of an upload
    each=words("map each filter array_map array_filter array_walk flatMap reject first transform pluck usort"),
    tests={
        kind.MEMBER: (rf"(?<!!)(?:{_IN})|{_EQUAL}", rf"!\s*(?:{_IN})|{_UNEQUAL}"),
        kind.PATTERN: _either(_MATCH),
        kind.TYPE: _either(_NUMERIC),
        kind.STRING: _either(rf"is_string\(\s*{_VALUE}"),
        kind.PREFIX: (rf"(?<!!)(?:{_UNDER})|{_AT_START}\s*===\s*0", rf"!\s*(?:{_UNDER})|{_AT_START}\s*!==?\s*0"),
        kind.BELOW: (rf"(?<!!)(?:{_UNDER})|{_AT_START}\s*===\s*0", rf"!\s*(?:{_UNDER})|{_AT_START}\s*!==?\s*0"),
        kind.INSIDE: (rf"!\s*{_CLIMBS}|{_CLIMBS}\s*===\s*false", rf"(?<!!){_CLIMBS}(?!\s*===\s*false)"),
        kind.HOST: (rf"(?<!!){_HOSTED}|{_HOST_IS}\s*===?", rf"!\s*{_HOSTED}|{_HOST_IS}\s*!==?"),
        kind.RELATIVE: (_SECOND, _SECOND),
        kind.VALID: _either(_CHECKED),
    },
    derives=expression(
        rf"(?:realpath|parse_url|strtolower|trim|strval|basename|pathinfo)\([^;]*{MARK}|^{MARK}\[['\"]host['\"]\]"
    ),
    resolves=expression(r"realpath\(|basename\("),
    leaves=expression(
        r"(?:throw|exit|die|return)\b|abort(?:_if|_unless)?\(|wp_die\(|wp_send_json_error\(|wp_safe_redirect"
    ),
    cases=frozenset({"case_statement", "match_conditional_expression"}),
    loops=frozenset({"foreach_statement"}),
)
