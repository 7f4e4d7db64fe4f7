"""C#: what brings input, what passes it on, what tests it."""

from __future__ import annotations

import re
from functools import partial

from vetgate.checks.security import guard_patterns as kind
from vetgate.checks.security.facts import LanguageFacts, below, either_way, words
from vetgate.checks.security.guard_patterns import MARK, VALIDATING
from vetgate.expression import expression

_MEMBERS = """
    Query Form Headers Cookies Path PathBase QueryString RouteValues Body BodyReader RawUrl Url UserAgent UrlReferrer
    Params InputStream Files ServerVariables Unvalidated Host ReadFormAsync() ReadFromJsonAsync() GetDisplayUrl()
    GetEncodedUrl() GetTypedHeaders() PathInfo FilePath
"""
_OWNERS = """
    Request HttpContext.Request HttpContext().Request HttpRequest() HttpRequestBase() HttpContext.Current.Request
    HttpRequestData() HttpContextAccessor().HttpContext.Request IHttpContextAccessor().HttpContext.Request
    Context.Request ControllerContext.HttpContext.Request HttpListenerRequest() HttpListenerContext().Request
"""
_OTHERS = """
    Request[] RouteData.Values HttpContext.GetRouteValue() IFormFile().FileName IFormFile().OpenReadStream()
    IFormFile().ContentType HttpPostedFile().FileName HttpPostedFileBase().FileName IFormCollection() IQueryCollection()
    FormCollection() APIGatewayProxyRequest().Body APIGatewayProxyRequest().QueryStringParameters
    APIGatewayProxyRequest().PathParameters
"""

ROUTES = words("MapGet MapPost MapPut MapDelete MapPatch MapMethods Map")
# What frameworks hand to an action beside what was sent.
NOT_INPUT = expression(
    r"^(?:I[A-Z]\w*(?<!FormFile)(?<!FormCollection)\b|CancellationToken|HttpContext|HttpRequest\b|HttpResponse|ClaimsPrincipal|\w*(?:DbContext|Service|Repository"
    r"|Manager|Factory|Client|Logger|Options|Sender|Context)\b)"
)

_ELEMENT = rf"(?:{MARK}|\w+(?:\.\w+)*\({MARK}\)|{MARK}(?:!?\??\.(?!Scheme\b|Length\b|Count\b)\w+(?:\(\))?)+)"
_WITHIN = (
    rf"(?<!\bFile)(?<!\bDirectory)\.(?:Contains|ContainsKey|Any|TryGetValue|Exists)\({_ELEMENT}[,)]"
    rf"|Enum\.TryParse\b[^()]*\({_ELEMENT}"
)
_EQUAL = (
    rf"{_ELEMENT}\s*==\s*(?!null\b|\"\"|string\.Empty)[\"\w]|{_ELEMENT}\.Equals\((?!\"\")|{_ELEMENT} is (?:not )?\""
)
_EQUAL += rf"|[sS]tring\.Equals\({_ELEMENT},"
_UNEQUAL = rf"{_ELEMENT}\s*!=\s*(?!null\b|\"\"|string\.Empty)[\"\w]|{_ELEMENT} is not \""
_MATCHES = rf"\.IsMatch\((?:{_ELEMENT}\)|{_ELEMENT},)|{_ELEMENT}\.All\(char\.Is|{_ELEMENT}\.All\(Char\.Is"
_CHECKED = rf"\b{VALIDATING}\w*\([^()]*{_ELEMENT}[^()]*\)"
_UNDER = rf"{MARK}\.StartsWith\((?!\"/\"|\"\.\.|\"//|'/')"
_CLIMBS = rf"{_ELEMENT}\.(?:Contains|StartsWith|IndexOf)\(\"\.\."
_HOST = rf"{MARK}(?:\.\w+)*\.(?:Host|DnsSafeHost|Authority)\b"
_NEAR = rf"(?:{MARK}\.StartsWith\(\"[a-z]+://[^\"/]+/|\.Contains\({_HOST}|Equals\({_HOST}|{_HOST}\s*==|{_HOST}\.Equals|{_HOST}\.EndsWith\(\"\.)"
_LOCAL = rf"IsLocalUrl\({_ELEMENT}\)|{MARK}\.StartsWith\(\"(?://|/\\\\)|{MARK}\[1\]|{MARK}\.IsAbsoluteUri|{_HOST}"
_OWNED = r"[\w.()\[\]{}<>\"', ]*?"
_either = partial(either_way, before=_OWNED)

FACTS = LanguageFacts(
    typed=True,
    remote=(*below(_OWNERS, _MEMBERS), *_OTHERS.split()),
    local=("args", "Console.ReadLine()", "Environment.GetCommandLineArgs()"),
    propagates=words(
        """
        ToString Trim TrimStart TrimEnd ToLower ToUpper ToLowerInvariant ToUpperInvariant Substring Concat
        Replace Remove Insert PadLeft PadRight Split Join Format First FirstOrDefault Single SingleOrDefault
        Last LastOrDefault ToArray ToList Select Where ElementAt Get GetValue GetValueOrDefault GetString
        GetBytes FromBase64String ToBase64String UrlDecode HtmlDecode UnescapeDataString EscapeDataString
        ReadToEnd ReadToEndAsync ReadLine ReadLineAsync ReadFromJsonAsync DeserializeObject Deserialize
        DeserializeAsync Combine GetFullPath Uri UriBuilder StreamReader MemoryStream StringReader Path
        ReadAllText FileInfo DirectoryInfo Append AsSpan ToCharArray ConfigureAwait Result FileStream
        CopyToAsync OpenReadStream GetDirectoryName ToDictionary Keys Values Cast OfType AsEnumerable
        Normalize StringContent HttpRequestMessage ReadFormAsync SelectToken Value ReadAsStringAsync
        XmlTextReader JoinUri GetComponents Raw HtmlString Coalesce ToHexString ToHexStringLower
        """
    ),
    keyed=words("Get GetValue GetValueOrDefault GetString SelectToken Value"),
    kept_paths=frozenset(),
    narrows=words(
        """
        Parse TryParse ToInt32 ToInt64 ToBoolean ToDouble ToDecimal Equals Contains StartsWith EndsWith
        IndexOf Compare GetHashCode GetType Count Any All Length NewGuid IsMatch IsNullOrEmpty
        IsNullOrWhiteSpace GetFileName
        """
    ),
    each=words("Select Where SelectMany ForEach Any All"),
    still_text=words("ToString Trim ToLower ToUpper ToLowerInvariant ToUpperInvariant AsSpan"),
    makes=("Encoding.*.GetBytes", "*Encoding().GetBytes", "Convert.{FromBase64String,FromHexString}"),
    grows=words("Append AppendLine AppendFormat Add Insert AddRange"),
    fills=words("GetBytes Fill NextBytes Read ReadExactly CopyTo BlockCopy GetNonZeroBytes"),
    brings=expression(
        r"\b(?:Request|HttpContext|Controller\w*|From(?:Query|Body|Route|Form|Header)|Map(?:Get|Post|Put|Delete)|IFormFile)\b"
    ),
    narrow_types=expression(
        r"^(?:int|long|short|byte|double|float|decimal|bool|char|uint|ulong|Guid|DateTime|DateOnly|DateTimeOffset|TimeSpan"
        r"|Int32|Int64|CancellationToken|List<(?:int|long|Guid)>|(?:int|long|Guid)\[\])\??$"
    ),
    filled=expression(r"\[From(?:Query|Body|Route|Form|Header|Uri)\b"),
    fields=expression(
        r"(?:^[ \t]+(?:(?:public|private|internal|protected|required|readonly|static)\s+)+|[(,]\s*)"
        r"(?P<type>[A-Za-z][\w<>\[\]?]*)\s+(?P<name>[A-Z]\w*)[ \t]*(?=[;={,)])",
        re.MULTILINE,
    ),
    numbers=words("Length Count LongLength HasValue IsHttps Method Scheme ContentLength"),
    alone=True,
    tests={
        kind.MEMBER: (rf"(?<!!)(?:{_WITHIN}|{_EQUAL})", rf"!\s*{_OWNED}(?:{_WITHIN}|{_EQUAL})|{_UNEQUAL}"),
        kind.PATTERN: _either(_MATCHES),
        kind.BELOW: _either(_UNDER),
        kind.PREFIX: _either(_UNDER),
        kind.INSIDE: (rf"!\s*(?:{_CLIMBS})", rf"(?<!!){_CLIMBS}"),
        kind.HOST: (rf"(?<!!)(?:{_NEAR})", rf"!\s*{_OWNED}(?:{_NEAR})|{_HOST}\s*!="),
        kind.RELATIVE: (_LOCAL, _LOCAL),
        kind.VALID: _either(rf"(?:\w+\.)*{_CHECKED}"),
    },
    derives=expression(
        rf"(?:new Uri|GetFullPath|Path\.Combine|Uri\.TryCreate|Uri\.Create|Dns\.GetHost\w+)\([^;]*{MARK}"
        rf"|^{MARK}\.(?:Host|Authority|Trim|ToLower\w*|ToUpper\w*)"
    ),
    resolves=expression(r"GetFullPath\(|GetFileName\("),
    leaves=expression(r"(?:Environment\.Exit|context\.Fail)"),
    cases=frozenset({"switch_section", "switch_expression_arm"}),
    loops=frozenset({"foreach_statement"}),
)
