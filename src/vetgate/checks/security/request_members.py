"""What hangs on a request came with it, unless the program or the framework put it there."""

from __future__ import annotations

from vetgate.expression import expression

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
