"""Java: what brings input, what passes it on, what tests it."""

from __future__ import annotations

import re
from functools import partial

from vetgate.checks.security import guard_patterns as kind
from vetgate.checks.security.facts import LanguageFacts, below, either_way, words
from vetgate.checks.security.guard_patterns import MARK, VALIDATING
from vetgate.expression import expression

_SERVLET = """
    getParameter() getParameterValues() getParameterMap() getParameterNames() getHeader() getHeaders() getQueryString()
    getRequestURI() getRequestURL() getPathInfo() getCookies() getReader() getInputStream() getPart() getParts()
    getServletPath() getRemoteUser() getFile() getMultiFileMap()
"""
_REACTIVE = """
    getURI() getQueryParams() getHeaders() getCookies() getBody() queryParam() queryParams() pathVariable()
    pathVariables() bodyToMono() bodyToFlux() headers() cookies() formData() uri()
"""
_SMALL = """
    queryParam() queryParams() pathParam() formParam() formParams() body() bodyAsClass() header() headers() cookie()
    params() queryString() splat() uploadedFile() getParam() getHeader() getBody() getBodyAsString() getBodyAsJson()
    request() queryMap() getRequestURI() getRequestBody() getRequestHeaders() path() url()
"""
_OWNERS = """
    HttpServletRequest() ServletRequest() MultipartHttpServletRequest() HttpServletRequestWrapper() WebRequest()
    NativeWebRequest() ServletWebRequest()
"""
_OTHERS = """
    MultipartFile().getOriginalFilename() MultipartFile().getInputStream() MultipartFile().getBytes()
    MultipartFile().getContentType() Part().getSubmittedFileName() Part().getInputStream() Part().getHeader()
    FilePart().filename() FileItem().getName() FileItem().getString() UriInfo().getQueryParameters()
    UriInfo().getPathParameters() UriInfo().getPath() UriInfo().getRequestUri() HttpHeaders().getHeaderString()
    APIGatewayProxyRequestEvent().getBody() APIGatewayProxyRequestEvent().getQueryStringParameters()
    APIGatewayProxyRequestEvent().getPathParameters() TextMessage().getPayload()
"""

MAPPED = expression(r"@(?:Get|Post|Put|Patch|Delete|Request|Message)Mapping\b|@(?:GET|POST|PUT|DELETE|PATCH)\b")
# What frameworks hand to a method beside what was sent.
NOT_INPUT = expression(
    r"^(?:\w*(?:Request|Response|Session|Model|ModelMap|Principal|Authentication|Locale|Pageable|Errors|BindingResult"
    r"|RedirectAttributes|UriComponentsBuilder|HttpHeaders|HttpMethod|TimeZone|ZoneId|SecurityContext|UriInfo|Writer"
    r"|OutputStream|Exchange|SseEmitter|User|UserDetails|Jwt|OidcUser|SessionStatus|Service|Repository)\b)"
)

_ELEMENT = rf"(?:{MARK}|\w+(?:\.\w+)*\({MARK}\)|{MARK}(?:\.(?!getScheme\b|getProtocol\b|length\b|size\b)\w+(?:\(\))?)+)"
_WITHIN = rf"\.(?:contains|containsKey|has|includes|matchesAny|anyMatch)\({_ELEMENT}\)"
_EQUAL = rf"\"[^\"]+\"\.equals(?:IgnoreCase)?\({_ELEMENT}\)|\b[A-Z][\w.]*\.equals(?:IgnoreCase)?\({_ELEMENT}\)"
_EQUAL += rf"|{_ELEMENT}\.equals(?:IgnoreCase)?\((?!\"\")|Objects\.equals\({_ELEMENT},|{_ELEMENT} == (?!null\b)[\"\w]"
_MATCHES = rf"{_ELEMENT}\.matches\(|\.matcher\({_ELEMENT}\)\.(?:matches|find)\(|Pattern\.matches\([^()]*,\s*{_ELEMENT}"
_MATCHES += rf"|isNumeric\({_ELEMENT}|isAlphanumeric\({_ELEMENT}|isAlpha\({_ELEMENT}"
_CHECKED = rf"\b{VALIDATING}\w*\([^()]*{_ELEMENT}[^()]*\)"
_UNDER = rf"{MARK}(?:\.\w+\(\))*\.startsWith\((?!\"/\"\)|\"\.\.|\"//)"
_CLIMBS = rf"{_ELEMENT}\.(?:contains|startsWith|indexOf)\(\"\.\."
_HOST = rf"{MARK}(?:\.\w+\(\))*\.(?:getHost|getAuthority)\(\)"
_NEAR = rf"(?:{MARK}\.startsWith\(\"[a-z]+://[^\"/]+/|\.contains\({_HOST}|\.equals(?:IgnoreCase)?\({_HOST}|{_HOST}\.equals|{_HOST}\.endsWith\(\"\.)"
_TWO_SLASHES = rf"{MARK}\.startsWith\(\"(?://|/\\\\)|{MARK}\.charAt\(1\)|{MARK}\.isAbsolute\(\)|{_HOST}"
_OWNED = r"[\w.()\[\]{}<>\"', ]*?"
_either = partial(either_way, before=_OWNED)

FACTS = LanguageFacts(
    typed=True,
    remote=(
        *below(_OWNERS, _SERVLET),
        *below("ServerHttpRequest() ServerRequest()", _REACTIVE),
        *below("Context() Request() RoutingContext() HttpServerRequest() HttpExchange()", _SMALL),
        *_OTHERS.split(),
    ),
    local=("Scanner().nextLine()", "Scanner().next()", "System.in", "args"),
    propagates=words(
        """
        toString trim strip toLowerCase toUpperCase substring concat replace replaceAll replaceFirst split
        join format formatted get getOrDefault orElse orElseGet orElseThrow next nextLine readLine lines
        collect toArray asList of decode encode getBytes toCharArray getValue getFirst ofNullable ofEntries
        stream map resolve toPath normalize toFile getPath toUri toURL toURI create File URL URI Path Paths
        InputStreamReader BufferedReader StringReader ByteArrayInputStream Input XMLDecoder HessianInput Hessian2Input
        InputSource StreamSource
        BufferedInputStream ObjectInputStream DataInputStream Scanner readAllBytes readNBytes toAbsolutePath
        getAbsolutePath append read readValue fromJson readTree copyOf nextElement getName decodeBase64
        ArrayList List Set ZipInputStream GZIPInputStream block iterator HashMap LinkedHashMap
        resolveSibling toByteArray path getAsString asText textValue getString optString Optional
        UrlResource FileSystemResource fromUriString fromHttpUrl build toUriString expand InputStream
        newBuilder uri HttpGet HttpPost writeValueAsString escapeJava encodeToString formatHex encodeHexString
        encodeHex encodeBase64String printHexBinary printBase64Binary
        """
    ),
    keyed=words("get getOrDefault getString optString getHeader"),
    kept_paths=frozenset(),
    narrows=words(
        """
        length size isEmpty isBlank hashCode equals contains startsWith endsWith indexOf lastIndexOf
        compareTo parseInt parseLong parseDouble intValue longValue doubleValue booleanValue ordinal matches
        getClass getSize isPresent exists isFile isDirectory getStatus getPort count
        """
    ),
    getters=expression(r"[a-z]\w*"),
    each=words("forEach map filter flatMap anyMatch allMatch"),
    still_text=words("toString trim strip getBytes toCharArray intern toUpperCase toLowerCase"),
    makes=(
        "Base64.getDecoder().decode",
        "HexFormat.of().parseHex",
        "Hex.{decode,decodeHex}",
        "Arrays.copyOf",
        "DatatypeConverter.parse{HexBinary,Base64Binary}",
    ),
    grows=words("append add insert addAll put command"),
    fills=words("nextBytes read readFully arraycopy"),
    brings=expression(
        r"Request\b|@(?:RequestParam|PathVariable|RequestBody|\w*Param|\w*Mapping|GET|POST)|MultipartFile|Context\b|Exchange"
    ),
    narrow_types=expression(
        r"^(?:int|long|short|byte|double|float|boolean|char|Integer|Long|Short|Byte|Double|Float|Boolean|UUID|BigDecimal"
        r"|BigInteger|LocalDate|LocalDateTime|Instant|Duration|ZonedDateTime|OffsetDateTime|Date|Optional<(?:Integer|Long"
        r"|Boolean|UUID)>|List<(?:Integer|Long|UUID)>|Set<(?:Integer|Long|UUID)>)$"
    ),
    filled=expression(
        r"@(?:RequestParam|PathVariable|RequestBody|RequestHeader|CookieValue|ModelAttribute|RequestPart|MatrixVariable"
        r"|QueryParam|PathParam|FormParam|HeaderParam|CookieParam|BeanParam|QueryValue|RestQuery|RestPath|FormDataParam)\b"
    ),
    fields=expression(
        r"(?:^[ \t]+|[(,]\s*)(?:(?:private|public|protected|final|static)\s+)*(?P<type>[A-Za-z][\w<>\[\]]*)\s+"
        r"(?P<name>\w+)[ \t]*(?=[;=(),])",
        re.MULTILINE,
    ),
    numbers=words("length getId id"),
    alone=True,
    tests={
        kind.MEMBER: _either(rf"{_WITHIN}|{_EQUAL}"),
        kind.PATTERN: _either(_MATCHES),
        kind.BELOW: _either(_UNDER),
        kind.PREFIX: _either(_UNDER),
        kind.INSIDE: (rf"!\s*(?:{_CLIMBS})", rf"(?<!!){_CLIMBS}"),
        kind.HOST: _either(_NEAR),
        kind.RELATIVE: (_TWO_SLASHES, _TWO_SLASHES),
        kind.VALID: _either(rf"(?:\w+\.)*{_CHECKED}"),
    },
    derives=expression(
        rf"(?:URI\.create|new (?:URI|URL|File|UrlValidator)|Path\.of|Paths\.get|resolve|getCanonicalPath|normalize"
        rf"|toRealPath|getCanonicalFile|fromUriString|InetAddress\.getByName)\([^;]*{MARK}"
        rf"|^{MARK}\.(?:getHost|getCanonical\w+|normalize|toRealPath|toLowerCase|trim|getParent|toPath)"
    ),
    resolves=expression(r"normalize\(|getCanonical|toRealPath|getFileName\("),
    leaves=expression(r"(?:System\.exit|response\.sendError)"),
    cases=frozenset({"switch_block_statement_group", "switch_rule"}),
    loops=frozenset({"enhanced_for_statement"}),
)
