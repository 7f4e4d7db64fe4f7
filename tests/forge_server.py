"""The comments of GitHub (REST and GraphQL) and GitLab (REST) on loopback: small pages, a token."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

if TYPE_CHECKING:
    from typing import Self

TOKEN = "not-a-real-token"
PAGE = 2


def thread(
    number: int, path: str = "a.py", *, resolved: bool = False, replies: int = 0, body: str = "", head: str = ""
) -> dict[str, Any]:
    said: list[dict[str, Any]] = [
        {"body": body or f"Thread {number}", "url": f"https://x/{number}", "author": {"login": "ann"}}
    ]
    said[0]["originalCommit"] = {"oid": head} if head else None
    said += [{"body": f"reply {each}", "url": "", "author": {"login": "bob"}} for each in range(replies)]
    return {
        "id": f"T{number}",
        "isResolved": resolved,
        "isOutdated": False,
        "path": path,
        "line": number,
        "originalLine": number,
        "said": said,
    }


@dataclass
class Forge:
    """`claims` is added to what it says it has: a count that its pages do not hold."""

    threads: list[dict[str, Any]] = field(default_factory=list)
    reviews: list[dict[str, Any]] = field(default_factory=list)
    comments: list[dict[str, Any]] = field(default_factory=list)
    discussions: list[dict[str, Any]] = field(default_factory=list)
    claims: int = 0
    redirect: str = ""
    asked: list[str] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)

    def __enter__(self) -> Self:
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def graphql(self, query: str, variables: dict[str, Any]) -> dict[str, Any]:
        if "pullRequests(" in query:
            nodes = [{"number": 7}] if variables["branch"] == "work" else []
            return {"data": {"repository": {"pullRequests": {"nodes": nodes}}}}
        if "node(" in query:
            found = next(each for each in self.threads if each["id"] == variables["id"])
            return {"data": {"node": {"comments": _connection(found["said"], variables["after"])}}}
        if variables["number"] != 7:
            return {"data": {"repository": {"pullRequest": None}}, "errors": [{"message": "Could not resolve"}]}
        page = _connection(self.threads, variables["after"])
        page["nodes"] = [
            {
                **{key: value for key, value in each.items() if key != "said"},
                "comments": _connection(each["said"], None),
            }
            for each in page["nodes"]
        ]
        page["totalCount"] = len(self.threads) + self.claims
        return {"data": {"repository": {"pullRequest": {"author": {"login": "author"}, "reviewThreads": page}}}}

    def rest(self, path: str, page: int) -> Any:
        lists = {
            "/repos/acme/app/pulls/7/reviews": self.reviews,
            "/repos/acme/app/issues/7/comments": self.comments,
            "/api/v4/projects/group/sub/app/merge_requests/7/discussions": self.discussions,
        }
        if path == "/api/v4/projects/group/sub/app/merge_requests":
            return [{"iid": 7}]
        if path == "/api/v4/projects/group/sub/app/merge_requests/7":
            return {"author": {"username": "author"}}
        return lists[path][(page - 1) * PAGE : page * PAGE] if path in lists else None


def _connection(values: list[dict[str, Any]], after: str | None) -> dict[str, Any]:
    start = int(after or 0)
    end = start + PAGE
    return {"nodes": values[start:end], "pageInfo": {"hasNextPage": end < len(values), "endCursor": str(end)}}


def _handler(forge: Forge) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            self._give(lambda: forge.graphql(body["query"], body["variables"]))

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            page = int(parse_qs(parts.query).get("page", ["1"])[0])
            self._give(lambda: forge.rest(unquote(parts.path), page))

        def _give(self, answer: Any) -> None:
            forge.asked.append(self.path)
            forge.tokens.add(self.headers.get("authorization", ""))
            if forge.redirect:
                self.send_response(302)
                self.send_header("location", forge.redirect)
                self.end_headers()
                return
            known = self.headers.get("authorization") == f"Bearer {TOKEN}"
            found = answer() if known else {"message": "Bad credentials"}
            data = json.dumps(found).encode()
            self.send_response(401 if not known else 404 if found is None else 200)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    return Handler
