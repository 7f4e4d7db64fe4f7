"""Where input comes from: by path, and what each framework hands to a function."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.facts import below, words
from vetgate.checks.security.values import iterated_value
from vetgate.expression import expression

if TYPE_CHECKING:
    from tree_sitter import Node

    from vetgate.checks.security.expression import Expression
    from vetgate.checks.security.scope import AskedNames, Module


_REQUEST = """
    query body params param() headers header() cookies signedCookies url originalUrl path hostname host subdomains get()
    json() text() formData() files file rawBody nextUrl rawHeaders queryStringParameters raw.url
"""
_CONTEXT = """
    query querystring params path url href host hostname headers header get() cookies body request.query req.query
    request.querystring request.body request.params request.headers request.header request.url request.path request.href
    request.rawBody request.files request.get() req.url req.headers req.body req.cookies req.param() searchParams
"""
_LAMBDA = """
    body queryStringParameters pathParameters headers multiValueQueryStringParameters rawQueryString Records
"""
_LOCATION = "search hash href pathname"
_BROWSER = """
    document.location document.URL document.documentURI document.baseURI document.referrer document.cookie window.name
    @message.data next/router.useRouter().query next/navigation.useSearchParams() next/navigation.useParams()
    react-router-dom.useSearchParams() react-router-dom.useParams() react-router-dom.useLocation()
    react-router.useSearchParams() react-router.useParams() react-router.useLocation()
    vue-router.useRoute().query vue-router.useRoute().params vue-router.useRoute().hash
    this.$route.query this.$route.params this.$route.hash
    this.route.snapshot this.activatedRoute.snapshot this._route.snapshot
    next/headers.headers() next/headers.cookies()
"""
_FLASK = """
    args form values json data files headers cookies get_json() get_data() query_string full_path path url base_url host
    referrer user_agent stream view_args environ
"""
_DJANGO_AND_OTHERS = """
    GET POST body META COOKIES FILES headers data query_params path_params path_info path get_full_path() get_host()
    build_absolute_uri() json() form() body() stream() cookies url query match_info rel_url post() text() read()
    multipart() arguments query_arguments body_arguments uri query_string args values json files raw_path params
"""
_TORNADO = """
    get_argument get_arguments get_query_argument get_query_arguments get_body_argument get_body_arguments get_cookie
"""
_PYTHON = """
    bottle.request.query bottle.request.forms bottle.request.params bottle.request.json sanic.request.args
    cherrypy.request.params quart.request.args quart.request.form self.kwargs
"""


REMOTE_SOURCES: dict[str, tuple[str, ...]] = {
    "ecmascript": (
        *below("@req", _REQUEST),
        *below("@ctx", _CONTEXT),
        *below("@event", _LAMBDA),
        "@body",
        "@sent",
        *below("location window.location document.location self.location globalThis.location", _LOCATION),
        *_BROWSER.split(),
    ),
    "python": (
        *below("flask.request", _FLASK),
        *below("@request self.request", _DJANGO_AND_OTHERS),
        *below("@event", _LAMBDA),
        "@body",
        *(f"self.{name}()" for name in _TORNADO.split()),
        *_PYTHON.split(),
    ),
}

# The person who runs the program gives these: worth a word, not a block.
LOCAL_SOURCES: dict[str, tuple[str, ...]] = {
    "ecmascript": ("process.argv", "process.stdin"),
    "python": ("sys.argv", "input()", "sys.stdin", "argparse.ArgumentParser().parse_args()", "click.prompt()"),
}


def starts(path: str, prefixes: tuple[str, ...]) -> bool:
    if not path.startswith(prefixes):
        return False
    return any(path.startswith(each) and path[len(each) : len(each) + 1] in {"", ".", "[", "("} for each in prefixes)


REMOTE, LOCAL = "remote", "local"

_VERBS = frozenset(
    {"get", "post", "put", "patch", "delete", "head", "options", "all", "use", "route", "param", "register"}
)
_REQUESTS = frozenset({"req", "request", "_req", "_request"})
_ANSWERS = frozenset({"res", "response", "reply", "resp", "_res", "rep"})
_ANSWER_TYPES = expression(r"^(?:express\.)?(?:\w*Response|FastifyReply)\b")
_RESPONSES = frozenset({"res", "response", "reply", "resp", "_res", "rep", "h", "next"})
_REQUEST_TYPES = expression(r"\b(?:\w*Request|IncomingMessage)\b")
_FRAMEWORK_REQUEST = expression(
    r"(?:Annotated\[|Optional\[|['\"])?(?:\w+\.)*"
    r"(?:Request|HttpRequest|HTTPConnection|ASGIRequest|WSGIRequest|HTTPServerRequest|AuthenticatedHttpRequest|DRFRequest)\b"
)
_MODELS = expression(r"\b(?:BaseModel|SQLModel|RootModel|GenericModel|Struct|Schema|TypedDict|\w*Base)\b")
_CONTEXT_TYPES = expression(r"\b(?:Koa\.)?(?:\w*Context)\b")
_EVENTS_WITH_DATA = frozenset({"message", "data"})
_NEST_INPUT = expression(r"@(?:Query|Body|Param|Headers|Cookies|UploadedFile|RawBody)\b")
_NEST_MEMBER = expression(r"@(?:Body|Query)\((?:['\"](\w+)['\"])?")
_ANY_OBJECT = expression(r"^(?:$|any\b|object\b|unknown\b|Record<|Partial<|\{|dict\b|Dict\b|Mapping\b|Any\b)")
_NEST_REQUEST = expression(r"@Req(?:uest)?\(")
_EACH = frozenset({"forEach", "map", "filter", "flatMap", "some", "every", "find", "reduce"})
_CONTEXTS = frozenset({"ctx", "context", "c"})
_NARROW = expression(
    r"^(?:number|boolean|bigint|int|float|bool|Decimal|UUID|uuid\.UUID|date|datetime|Enum|Literal\b.*)\b"
)
_ENUMERATION = expression(
    r"^\s*(?:class (\w+)\([^)]*Enum\b|(?:(?:export|pub|public|internal|private|protected|static|const) )*enum (\w+))",
    re.MULTILINE,
)
_NARROWING_PIPES = expression(r"Parse(?:Int|Float|Bool|UUID|Enum)Pipe")
_ROUTES = frozenset({"route", "get", "post", "put", "patch", "delete", "websocket", "api_route", "head", "options"})
_HANDLER_CLASSES = expression(r"\b(?:RequestHandler|MethodView|Resource)\b")
_CHANNELS = ("electron", "socket.io", "ws")
_LIFECYCLE = words("connection connect disconnect error close ready exit end open listening")
_NOT_INPUT = expression(
    r"(?:\bRequest|\bHttpRequest|Response|Session|BackgroundTasks|WebSocket|Depends|Security|User|Engine|Settings|Service|Client)\b"
)
_FROM_OURS = "message of our own"
_OWN_THREAD = expression(r"worker|port", re.IGNORECASE)  # what they send, the program itself made
_CHECKED = expression(r"\b(?:pattern|regexp?)\s*=\s*r?['\"]\^|\bRegularExpression\(@?\"\^")
_CONVERTED = expression(r"<(?:int|float|uuid):(\w+)>")


class Frameworks:
    """Questions about the parameters of one module's functions."""

    def __init__(self, module: Module, family: str) -> None:
        self._module = module
        self._family = family
        self._paths: dict[int, tuple[dict[int, str], frozenset[int], AskedNames]] = {}
        self._facts = module.language.facts
        self._remote = REMOTE_SOURCES.get(family, self._facts.remote)
        self._local = LOCAL_SOURCES.get(family, self._facts.local)

    def parameter_path(self, parameter: Expression) -> str:
        return self._about(parameter)[0].get(int(parameter.name), "")

    def is_input(self, parameter: Expression) -> bool:
        """The framework fills this parameter with the user's data."""
        return int(parameter.name) in self._about(parameter)[1]

    def is_narrow(self, parameter: Expression) -> bool:
        """Its type says that it is a number, a truth value or one of a few texts."""
        parameters = list(self._module.language.parameters(parameter.value))
        kind, written = parameters[int(parameter.name)][1:] if int(parameter.name) < len(parameters) else ("", "")
        narrow = self._facts.narrow_types
        if not kind or _is_checked(kind, written):
            return bool(kind)
        return bool(narrow.match(kind) if narrow else _is_narrow(kind) or self._is_enumeration(kind))

    def is_request(self, parameter: Expression) -> bool:
        """The request itself is not the data; its members are."""
        path = self.parameter_path(parameter)
        return bool(path) and (not self._facts.typed or any(each.startswith(f"{path}.") for each in self._remote))

    def is_number(self, member: str) -> bool:
        """Members that are no text: by their name, or because every field of the file that is called so is none."""
        if member in self._facts.numbers:
            return True
        fields, narrow = self._facts.fields, self._facts.narrow_types
        if fields is None or narrow is None:
            return False
        return self._module.about_text(f"narrow field {member}", partial(_is_narrow_field, fields, narrow, member))

    def _is_enumeration(self, kind: str) -> bool:
        """A class of this file that is an enumeration."""
        return self._module.about_text(f"enumeration {kind}", partial(_names_enumeration, kind))

    def element_of(self, parameter: Expression) -> Node | Expression | None:
        """What is gone through, when the function is called once for each element of it."""
        if self._facts.each:
            return iterated_value(self._module, parameter)
        receiver, name = self._receiver(parameter.value)
        first = 1 if name == "reduce" else 0
        return receiver if name in _EACH and int(parameter.name) == first else None

    def is_index(self, parameter: Expression) -> bool:
        """`names.map((name, index) => …)`: a number that we count."""
        _, name = self._receiver(parameter.value)
        return name in _EACH and int(parameter.name) == (2 if name == "reduce" else 1)

    def accumulates(self, parameter: Expression) -> bool:
        """`keys.reduce((node, key) => node[key], root)`: what was reached so far."""
        if int(parameter.name) != 0 or self._receiver(parameter.value)[1] != "reduce":
            return False
        text = self._module.language.text
        step = re.compile(rf"\(*{re.escape(text(parameter.node))}(?:\?\.)?\[")
        return any(step.match(text(each)) for each in self._module.scope(parameter.value).returns)

    def event_of(self, parameter: Expression) -> str:
        """`archive.on("entry", (entry) => …)` gives `@entry`."""
        if self._family != "ecmascript" or int(parameter.name) != 0:
            return ""
        caller, event = self._caller(parameter.value)
        return f"@{event}" if caller == "on" and event else ""

    def _receiver(self, function: Node) -> tuple[Node | None, str]:
        holder = function.parent
        call = holder.parent if holder is not None and holder.type == "arguments" else None
        callee = call.child_by_field_name("function") if call is not None else None
        if callee is None or callee.type != "member_expression":
            return None, ""
        name = callee.child_by_field_name("property")
        return callee.child_by_field_name("object"), self._module.language.text(name) if name is not None else ""

    def source_kind(self, path: str) -> str:
        if starts(path, self._remote) or (self._facts.sent is not None and self._facts.sent.match(path)):
            return REMOTE
        if self._remote is REMOTE_SOURCES.get(self._family) and hangs_on_request(path):
            return REMOTE
        return LOCAL if starts(path, self._local) else ""

    def _about(self, parameter: Expression) -> tuple[dict[int, str], frozenset[int]]:
        function: Node = parameter.value
        if function.id not in self._paths:
            own = {"python": self._python, "ecmascript": self._ecmascript}.get(self._family, self._declared)
            (paths, given), asked = self._module.asking(partial(own, function))
            self._paths[function.id] = paths, frozenset(given), asked
        paths, of_caller, asked = self._paths[function.id]
        self._module.asked |= asked
        return paths, of_caller

    def _declared(self, function: Node) -> tuple[dict[int, str], set[int]]:
        """Languages that say by types and annotations what a parameter is."""
        language = self._module.language
        told = [(kind, written) for _, kind, written in language.parameters(function)]
        paths = {at: f"{language.type_path(kind, self._module.imports)}()" for at, (kind, _) in enumerate(told) if kind}
        narrow = self._facts.narrow_types
        given = {
            at
            for at in language.filled_parameters(function)
            if not (narrow is not None and narrow.match(told[at][0]))
            and not self._is_enumeration(told[at][0])
            and not _is_checked("", told[at][1])
        }
        return paths if self._facts.typed else {}, given

    # JavaScript and TypeScript.

    def _ecmascript(self, function: Node) -> tuple[dict[int, str], set[int]]:
        parameters = list(self._module.language.parameters(function))
        names = [self._module.language.text(pattern) for pattern, _, _ in parameters]
        caller, event = self._caller(function)
        is_page = self._is_page(function)
        paths: dict[int, str] = {}
        for position, (pattern, kind, decorators) in enumerate(parameters):
            before = names[: position + 1]
            if path := _nest_path(kind, decorators):
                paths[position] = path
            elif self._is_request(position, names, kind, caller) or _NEST_REQUEST.search(decorators):
                paths[position] = "@req"
            elif self._is_answer(position, names, kind, paths):
                paths[position] = "@res"
            elif is_page or (names[position] in _CONTEXTS and (caller in _VERBS or _CONTEXT_TYPES.search(kind))):
                paths[position] = "@ctx"
            elif pattern.type == "object_pattern" and caller in _VERBS:
                paths[position] = "@req"
            elif path := self._event_path(function, before, caller, event):
                paths[position] = path
        return paths, set()

    def _event_path(self, function: Node, names: list[str], caller: str, event: str) -> str:
        """What the last of these parameters is, when somebody else calls the function with an event."""
        if names == ["event"] and self._is_lambda(function):
            return "@event"
        if len(names) == 1 and event == _FROM_OURS:
            return "@ours"
        if len(names) == 1 and event in _EVENTS_WITH_DATA and caller in {"addEventListener", "onmessage"}:
            return "@message"
        return self._channel_path(len(names) - 1, function) if self._is_channel(caller, event) else ""

    def _channel_path(self, position: int, function: Node) -> str:
        """What arrives on a channel; Electron puts its own event before it."""
        call = function.parent.parent if function.parent is not None else None
        if call is not None and self._module.language.text(call).startswith("ipc"):
            return "@body" if position else ""
        return "@body" if self._has_channels("socket.io") else "@sent"

    def _is_request(self, position: int, names: list[str], kind: str, caller: str) -> bool:
        if _REQUEST_TYPES.search(kind):
            return True
        if names[position] not in _REQUESTS:
            return False
        after = names[position + 1] if position + 1 < len(names) else ""
        return after in _RESPONSES or caller in _VERBS or len(names) == 1 or position == 0

    def _is_answer(self, position: int, names: list[str], kind: str, paths: dict[int, str]) -> bool:
        """What the view answers with: it stands behind the request, or has a type that says so."""
        return _ANSWER_TYPES.match(kind) is not None or (names[position] in _ANSWERS and "@req" in paths.values())

    def _caller(self, function: Node) -> tuple[str, str]:
        """The last name of the call this function is handed to, and the text that call begins with."""
        holder = function.parent
        if holder is not None and holder.type == "assignment_expression":
            left = holder.child_by_field_name("left")
            owner, _, name = self._module.language.text(left).rpartition(".") if left is not None else ("", "", "")
            sender = _FROM_OURS if _OWN_THREAD.search(owner) else "message"
            return name, sender if name == "onmessage" else ""
        call = holder.parent if holder is not None and holder.type == "arguments" else None
        if call is None or call.type != "call_expression":
            return "", ""
        expression = self._module.lower(call)
        callee = self._module.lower(expression.items[0])
        first = self._module.lower(expression.items[1]) if len(expression.items) > 1 else None
        said = first.value if first is not None and first.kind == ex.LITERAL and isinstance(first.value, str) else ""
        return callee.name, said

    def _is_channel(self, caller: str, event: str) -> bool:
        """`socket.on("name", (data) => …)`, `ipcMain.handle("name", (event, data) => …)`."""
        is_data = bool(event) and event not in _LIFECYCLE
        return caller in {"on", "handle"} and is_data and self._has_channels(*_CHANNELS)

    def _has_channels(self, *among: str) -> bool:
        return any(
            path == each or path.startswith(f"{each}.")
            for path in (*self._module.imports.values(), *self._module.required)
            for each in among
        )

    def _is_lambda(self, function: Node) -> bool:
        return self._module.language.name_of(function) in {"handler", "lambdaHandler", "main", "lambda_handler"} or (
            function.parent is not None and "handler" in self._module.language.text(function.parent)[:40]
        )

    def _is_page(self, function: Node) -> bool:
        return self._module.language.name_of(function) in {"getServerSideProps", "getInitialProps", "loader", "action"}

    # Python.

    def _python(self, function: Node) -> tuple[dict[int, str], set[int]]:
        text = self._module.language.text
        parameters = list(self._module.language.parameters(function))
        names = [text(name) for name, _, _ in parameters]
        own = 1 if names[:1] in (["self"], ["cls"]) else 0
        paths: dict[int, str] = {}
        route = self._route(function)
        for position, (name, (_, kind, default)) in enumerate(zip(names, parameters, strict=True)):
            if _is_framework_request(kind) or (not kind and name in {"request", "req"} and position in {own, 0}):
                paths[position] = "@request"
            elif names[:1] == ["event"] and position == 0 and "context" in names:
                paths[position] = "@event"
            elif route is not None and _is_body(kind, default):
                paths[position] = "@body"
        if route is None:
            return paths, set() if paths else self._url_parts(function, names)
        narrowed = set(_CONVERTED.findall(route))
        given = {
            position
            for position, (name, (_, kind, default)) in enumerate(zip(names, parameters, strict=True))
            if position >= own and position not in paths and name not in narrowed and self._is_sent(kind, default)
        }
        return paths, given

    def _is_sent(self, kind: str, default: str) -> bool:
        """A parameter of a route that holds any text or a body."""
        is_open = _is_open(kind, default) or (self._is_model(kind) and not _is_injected(default))
        return is_open and not (kind and self._is_enumeration(kind))

    def _is_model(self, kind: str) -> bool:
        """A class of this file that says which fields a body has, whatever it is called."""
        body = self._module.class_named(kind.removeprefix("Optional[").partition("]")[0].partition(" ")[0])
        holder = body.parent if body is not None else None
        bases = holder.child_by_field_name("superclasses") if holder is not None else None
        return bases is not None and _MODELS.search(self._module.language.text(bases)) is not None

    def _url_parts(self, function: Node, names: list[str]) -> set[int]:
        """Parameters of a method such as `get` of a handler class: parts of the address."""
        holder = function.parent.parent if function.parent is not None else None
        bases = holder.child_by_field_name("superclasses") if holder is not None else None
        if bases is None or self._module.language.name_of(function) not in _ROUTES:
            return set()
        is_handler = names[:1] == ["self"] and _HANDLER_CLASSES.search(self._module.language.text(bases))
        numbers = ("id", "pk")
        return {at for at, name in enumerate(names) if at and not name.endswith(numbers)} if is_handler else set()

    def _route(self, function: Node) -> str | None:
        """The decorator that makes this function a handler, as written."""
        holder = function.parent
        if holder is None or holder.type != "decorated_definition":
            return None
        for decorator in holder.named_children:
            if decorator.type != "decorator":
                continue
            written = self._module.language.text(decorator)
            called = written.lstrip("@").partition("(")[0]
            if "." in called and called.rpartition(".")[2] in _ROUTES and "(" in written:
                return written
        return None


def _is_body(kind: str, default: str) -> bool:
    """`payload: dict = Body(...)`, `payload: dict`: an object of any shape."""
    kind = kind.removeprefix("Annotated[").removeprefix("Optional[")
    return bool(kind) and _ANY_OBJECT.match(kind) is not None and not default.startswith(("Depends(", "Security("))


def _nest_path(kind: str, decorators: str) -> str:
    """`@Body() body: any` is an object of any shape; a class as its type says which fields it has."""
    member = _NEST_MEMBER.search(decorators)
    if not _is_nest_input(kind, decorators):
        return ""
    if member is None:
        return "@sent"
    return f"@body.{member[1]}" if member[1] else "@body" if _ANY_OBJECT.match(kind) else "@sent"


def _is_nest_input(kind: str, decorators: str) -> bool:
    narrowed = _NARROW.match(kind) or _NARROWING_PIPES.search(decorators)
    return _NEST_INPUT.search(decorators) is not None and not narrowed


def _is_narrow(kind: str) -> bool:
    return _NARROW.match(kind.removeprefix("Optional[").removeprefix("Annotated[").strip()) is not None


def _is_checked(kind: str, default: str) -> bool:
    """The framework refuses what a pattern does not match: `Query(pattern="^(up|down)$")`."""
    return _CHECKED.search(f"{kind} {default}") is not None


def _is_open(kind: str, default: str) -> bool:
    """Whether a parameter with this annotation can hold any text."""
    if _is_narrow(kind) or _is_checked(kind, default):
        return False
    return not _NOT_INPUT.search(kind) and not _is_injected(default)


def _is_injected(default: str) -> bool:
    return default.startswith(("Depends(", "Security("))


def _is_framework_request(kind: str) -> bool:
    """`Request`, `web.Request`, `HttpRequest | None`; `FetchRequest` is a body."""
    return _FRAMEWORK_REQUEST.match(kind) is not None


def _is_narrow_field(fields: re.Pattern[str], narrow: re.Pattern[str], member: str, text: str) -> bool:
    """Asked of one field: that another one is new changes nothing for it."""
    return member in _narrow_fields(fields, narrow, text)


@lru_cache(maxsize=2)
def _narrow_fields(fields: re.Pattern[str], narrow: re.Pattern[str], text: str) -> frozenset[str]:
    enumerations = _enumerations(text)
    kinds: dict[str, bool] = {}
    for each in fields.finditer(text):
        is_narrow = narrow.match(each["type"]) is not None or _is_among(enumerations, each["type"])
        kinds[each["name"]] = kinds.get(each["name"], True) and is_narrow
    return frozenset(name for name, is_narrow in kinds.items() if is_narrow)


def _names_enumeration(kind: str, text: str) -> bool:
    return _is_among(_enumerations(text), kind)


@lru_cache(maxsize=2)
def _enumerations(text: str) -> frozenset[str]:
    return frozenset(name for pair in _ENUMERATION.findall(text) for name in pair)


def _is_among(enumerations: frozenset[str], kind: str) -> bool:
    return kind.partition(" ")[0].removeprefix("Option<").rstrip("?>") in enumerations


_MEMBER = expression(r"(?:@req|@request|self\.request|flask\.request|@ctx\.req|@ctx\.request)\.(\w+)")
_PUT_THERE = frozenset(
    """
    user session app method auth state locals log logger id ip ips socket connection client remote_addr remote
    protocol scheme secure xhr is_xhr is_ajax is_secure is_json fresh stale httpVersion httpVersionMajor
    httpVersionMinor route routerPath routeOptions baseUrl res response next context ctx scope site tenant registry
    dbsession db prisma models services container server config settings account accounts currentUser current_user
    userId user_id identity principal permissions role roles admin organization org team workspace isAuthenticated
    isUnauthenticated login logout logIn logOut csrfToken csrf_token accepts acceptsLanguages acceptsEncodings
    acceptsCharsets is range flash on once off pipe unpipe emit setTimeout destroy resume pause setEncoding i18n t
    __ locale language requestId request_id reqId traceId trace_id span startTime start_time elapsed signal mode
    credentials cache redis io redirect integrity destination bodyUsed clone blob arrayBuffer duplex cookieJar
    complete aborted closed readable trailers urlconf encoding content_length max_content_length endpoint blueprint
    blueprints url_rule url_for route_url route_path loop transport task protocol_version version accepted_renderer
    accepted_media_type authenticators parsers negotiator csp_nonce limiter geo cf nonce rateLimit store
    payload_limit has_perm is_disconnected send_push_promise receive get_signed_cookie repo service exception
    routing_exception matched_route tracer metrics db_session conn pool orm em di injector feature_flags flags
    toggles device useragent raw handler getRouteSchema server_name
    """.split()
)


def hangs_on_request(path: str) -> bool:
    found = _MEMBER.match(path)
    return found is not None and found[1] not in _PUT_THERE
