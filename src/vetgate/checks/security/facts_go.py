"""Go: what brings input, what passes it on, what tests it."""

from __future__ import annotations

import re
from functools import partial

from vetgate.checks.security import guard_patterns as kind
from vetgate.checks.security.facts import LanguageFacts, below, either_way, words
from vetgate.checks.security.guard_patterns import MARK, VALIDATING
from vetgate.expression import expression

_REQUEST = """
    FormValue() PostFormValue() URL Form PostForm MultipartForm Header Body Cookies() Cookie() Referer() UserAgent()
    Host RequestURI PathValue() FormFile() MultipartReader() GetBody BasicAuth()
"""
_GIN = """
    Query() DefaultQuery() PostForm() DefaultPostForm() Param() Params GetHeader() Cookie() GetRawData() FormFile()
    QueryArray() QueryMap() PostFormArray() PostFormMap() GetQuery() GetPostForm() GetQueryArray() MultipartForm()
    FullPath() BindJSON() ShouldBindJSON() Bind() ShouldBind() BindQuery() ShouldBindQuery() BindUri() ShouldBindUri()
    BindHeader() ShouldBindHeader() ShouldBindWith() ShouldBindBodyWith() MustBindWith()
"""
_ECHO = """
    QueryParam() QueryParams() QueryString() FormValue() FormParams() Param() ParamValues() Cookie() Cookies()
    FormFile() MultipartForm() Bind()
"""
_FIBER = """
    Query() Queries() Params() AllParams() FormValue() Body() BodyRaw() Get() Cookies() OriginalURL() FormFile()
    MultipartForm() BodyParser() QueryParser() ParamsParser() Path() Hostname() GetReqHeaders()
"""
_BEEGO = "GetString() GetStrings() Input() GetFile()"
_REQUESTS = """
    net/http.Request() github.com/gin-gonic/gin.Context().Request github.com/labstack/echo.Context().Request()
"""
_FUNCTIONS = """
    github.com/gorilla/mux.Vars() github.com/go-chi/chi.URLParam() github.com/go-chi/chi.URLParamFromCtx()
    github.com/julienschmidt/httprouter.Params().ByName() github.com/gorilla/websocket.Conn().ReadMessage()
    github.com/gorilla/websocket.Conn().ReadJSON() github.com/aws/aws-lambda-go/events.APIGatewayProxyRequest()
    github.com/aws/aws-lambda-go/events.APIGatewayV2HTTPRequest()
"""

_ELEMENT = rf"(?:{MARK}|(?<![\w.])(?!len\(|cap\()\w+(?:\.\w+)*\({MARK}\)|{MARK}(?:\.(?!Scheme\b)\w+(?:\(\))?)+)"
_HOST = rf"(?:{MARK}(?:\.URL)?\.(?:Host|Hostname\(\)))"
_UP = r'"\.\.(?:/)?"'
_VALUE = r'(?!nil\b|true\b|false\b|"")["`\w]'
_CONTAINS = rf"\b(?:[cC]ontains|ContainsFunc|Has|IsMember|InSlice|includes)\w*\((?!{MARK}[^.])[^()]*,\s*{_ELEMENT}\)"
_HELD = r"(?:Has|Contains|(?<![fF]ile)(?<![dD]ir)(?<![pP]ath)Exists)"  # that a file is there says nothing of where
_LOOKED_UP = rf"\w*[\]\w]\[{_ELEMENT}\]"
_MEMBER = (
    rf"(?<!!)(?<!! )(?:{_CONTAINS}|\.{_HELD}\({_ELEMENT}\)|{_LOOKED_UP}|{_ELEMENT} == {_VALUE})",
    rf"!\s*(?:\w+\.)*(?:{_CONTAINS}|\w*\.?{_HELD}\({_ELEMENT}\)|{_LOOKED_UP})|{_ELEMENT} != {_VALUE}",
)
_MATCHES = rf"\.?MatchString\((?:[^()]*,\s*)?{_ELEMENT}\)|\.Match\(\[\]byte\({_ELEMENT}\)\)"
_UNDER = rf"HasPrefix\({_ELEMENT},\s*(?!\"/\"|\"//\"|{_UP})"
_CLIMBS = rf"(?:Contains|HasPrefix|Index)\({_ELEMENT},\s*{_UP}"
_CHECKED = rf"\b{VALIDATING}\w*\([^()]*{_ELEMENT}[^()]*\)|filepath\.IsLocal\({_ELEMENT}\)"
_TWO_SLASHES = rf"HasPrefix\({_ELEMENT},\s*\"(?://|/\\\\)|{MARK}\[1\]|{MARK}\.(?:IsAbs\(\)|Host\b)"
_either = partial(either_way, before=r"[\w.]*")

FACTS = LanguageFacts(
    typed=True,
    remote=(
        *below(_REQUESTS, _REQUEST),
        *below("github.com/gin-gonic/gin.Context()", _GIN),
        *below("github.com/labstack/echo.Context()", _ECHO),
        *below("github.com/gofiber/fiber.Ctx()", _FIBER),
        *below("github.com/astaxie/beego.Controller() github.com/beego/beego/server/web.Controller()", _BEEGO),
        *_FUNCTIONS.split(),
    ),
    local=("os.Args", "os.Stdin", "flag.Args()", "flag.Arg()"),
    propagates=words(
        """
        Sprint Sprintf Sprintln Errorf Join TrimSpace Trim TrimLeft TrimRight TrimPrefix TrimSuffix TrimFunc
        ToLower ToUpper Title ToTitle Replace ReplaceAll Split SplitN SplitAfter Fields Repeat Map Clone Cut
        CutPrefix CutSuffix Get Values Value Query Encode DecodeString EncodeToString QueryUnescape
        PathUnescape QueryEscape PathEscape ReadAll ReadFile NewReader NewScanner NewBuffer NewBufferString
        NewDecoder Decode Unmarshal UnmarshalExtJSON Text Bytes String ReadString ReadBytes ReadLine Clean Abs FromSlash
        ToSlash Dir EvalSymlinks JoinPath Parse ParseRequestURI ParseQuery append Quote ByName Next NextPart
        FileName FormName Filename Open ResolveReference RequestURI EscapedPath Hostname Unquote New
        NewReplacer WithContext ReplaceAllString FindString FindStringSubmatch UnescapeString copy Read
        ReadFull HTML JS URL CSS HTMLAttr JSStr Srcset NopCloser LimitReader TeeReader MaxBytesReader
        """
    ),
    keyed=words("Get Values Value ByName"),
    kept_paths=frozenset(),
    narrows=words(
        """
        len cap Atoi ParseInt ParseUint ParseFloat ParseBool Contains HasPrefix HasSuffix Index LastIndex
        Count EqualFold Compare Match MatchString int int32 int64 uint uint64 float64 ParseDuration Unix
        ParseAddr MustParse
        """
    ),
    fills=words(
        """
        Decode Unmarshal UnmarshalExtJSON UnmarshalStrict BindJSON ShouldBindJSON Bind ShouldBind BindQuery
        ShouldBindQuery BindUri ShouldBindUri BindHeader ShouldBindHeader ShouldBindWith ShouldBindBodyWith MustBindWith
        BodyParser QueryParser ParamsParser ReadJSON Read ReadFull ReadAtLeast copy Fprintf Fprint Fprintln
        """
    ),
    brings=expression(
        r"\b(?:http\.Request|gin\.Context|echo\.Context|fiber\.Ctx|mux\.Vars|Controller|websocket|events\.)"
    ),
    still_text=words("String Bytes"),
    makes=("encoding/hex.DecodeString", "encoding/base64.*.DecodeString", "bytes.Repeat"),
    grows=words("WriteString WriteByte WriteRune"),
    narrow_types=expression(
        r"^\*?(?:u?int\d*|float\d+|bool|byte|rune|error|time\.\w+|uuid\.UUID|context\.Context)(?:\s*`.*)?$"
        r"|^\*?string\s*`[^`]*\b(?:binding|validate):\"[^\"]*\b(?:oneof=|uuid|numeric|number|alphanum|boolean|hexadecimal)"
    ),
    fields=expression(
        r"^[ \t]+(?P<name>[A-Z]\w*)[ \t]+(?P<type>[*\[\]\w.]+(?:[ \t]*`[^`\n]*`)?)[ \t]*(?://|$)", re.MULTILINE
    ),
    numbers=words("ContentLength Size"),
    receiver="receiver",
    alone=True,
    tests={
        kind.MEMBER: _MEMBER,
        kind.PATTERN: _either(rf"(?:{_MATCHES})"),
        kind.BELOW: _either(rf"(?:\w+\.)?(?:{_UNDER})"),
        kind.INSIDE: (rf"!\s*(?:strings\.)?{_CLIMBS}", rf"(?<!!)(?:strings\.)?{_CLIMBS}"),
        kind.PREFIX: _either(rf"(?:\w+\.)?(?:{_UNDER})"),
        kind.HOST: (
            rf"{_HOST} == |\w+\[{_HOST}\]|[cC]ontains\w*\([^()]*,\s*{_HOST}|HasSuffix\({_HOST},\s*\"\.",
            rf"{_HOST} != |!\s*[\w.]*(?:\w+\[{_HOST}\]|[cC]ontains\w*\([^()]*,\s*{_HOST}|HasSuffix\({_HOST},\s*\"\.)",
        ),
        kind.RELATIVE: (_TWO_SLASHES, _TWO_SLASHES),
        kind.VALID: _either(rf"(?:\w+\.)*(?:{_CHECKED})"),
    },
    derives=expression(
        rf"(?:url\.Parse|ParseRequestURI|filepath\.(?:Clean|Abs|Rel|Base|EvalSymlinks|Join)|path\.(?:Clean|Base|Join)"
        rf"|strings\.(?:ToLower|TrimSpace|TrimPrefix|TrimSuffix)|validate\w*|check\w*)\([^;]*{MARK}|^{MARK}\.(?:Host|Hostname|URL)|^\w+\[{MARK}\]$"
    ),
    resolves=expression(r"filepath\.(?:Join|Clean|Abs|Rel|EvalSymlinks|Base)\(|path\.(?:Join|Clean|Base)\("),
    leaves=expression(r"(?:log\.(?:Fatal|Panic)|os\.Exit|panic\(|t\.(?:Fatal|Skip)|c\.Abort)"),
    cases=frozenset({"expression_case"}),
    loops=frozenset({"range_clause"}),
)
