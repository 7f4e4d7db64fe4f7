"""Where input comes from, by path: what starts with one of these was sent by somebody else."""

from __future__ import annotations

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


def _below(owners: str, members: str) -> tuple[str, ...]:
    return tuple(f"{owner}.{member}" for owner in owners.split() for member in members.split())


REMOTE_SOURCES: dict[str, tuple[str, ...]] = {
    "ecmascript": (
        *_below("@req", _REQUEST),
        *_below("@ctx", _CONTEXT),
        *_below("@event", _LAMBDA),
        "@body",
        "@sent",
        *_below("location window.location document.location self.location globalThis.location", _LOCATION),
        *_BROWSER.split(),
    ),
    "python": (
        *_below("flask.request", _FLASK),
        *_below("@request self.request", _DJANGO_AND_OTHERS),
        *_below("@event", _LAMBDA),
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
