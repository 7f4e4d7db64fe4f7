"""The comments of a pull request: GitHub's threads, reviews and conversation, or GitLab's discussions, all pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from vetgate.model import UserError
from vetgate.service.coderabbit_sections import sections
from vetgate.service.forge_transport import HttpTransport, address, program, require_known, token
from vetgate.service.reconcile_items import Item, ItemSource, ReconcileListing, distinct, item_id, quoted
from vetgate.source.git_process import ask

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from vetgate.service.forge_transport import Transport

_PAGE = 100
_MOST_PAGES = 200
_SHORT = 600
_COMMIT = re.compile(r"[0-9a-f]{40,64}")
_SCP = re.compile(r"(?:[^@/\s]+@)?([\w.-]+):(?!//)(.+)")
_GITHUB, _GITLAB = "github.com", "gitlab.com"
_NO_ACCESS = "install `gh` and sign in, or put a token into GITHUB_TOKEN (GITLAB_TOKEN for GitLab)"

_THREADS = """
query($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    author { login }
    reviewThreads(first: 100, after: $after) {
      totalCount
      pageInfo { hasNextPage endCursor }
      nodes { id isResolved isOutdated path line originalLine
        comments(first: 100) {
          pageInfo { hasNextPage endCursor }
          nodes { body url author { login } originalCommit { oid } }
        }
      }
    }
  } }
}
"""
_REPLIES = """
query($id: ID!, $after: String) {
  node(id: $id) { ... on PullRequestReviewThread {
    comments(first: 100, after: $after) { pageInfo { hasNextPage endCursor } nodes { body url author { login } } }
  } }
}
"""
_NUMBER = """
query($owner: String!, $name: String!, $branch: String!) {
  repository(owner: $owner, name: $name) {
    pullRequests(headRefName: $branch, states: OPEN, first: 2) { nodes { number } }
  }
}
"""


@dataclass(frozen=True, slots=True)
class Remote:
    """A repository at a service, by its host and its path there."""

    host: str
    path: str
    is_gitlab: bool = False


def remote_of(top: Path, api: str) -> Remote:
    """From the address of `origin`."""
    url = ask(("config", "--get", "remote.origin.url"), top).out.decode("utf-8", "replace").strip()
    host, path = _parted(url)
    if not host and api:  # a folder: its last two names, as a server of one's own would have them
        host, path = urlsplit(api).hostname or "", "/".join(path.split("/")[-2:])
    if "/" not in path or not host:
        raise UserError("`origin` is not a repository at GitHub or GitLab", hint="git remote -v; or --source local")
    is_gitlab = api.endswith("/api/v4") if api else "gitlab" in host
    return Remote(host, path, is_gitlab)


def _parted(url: str) -> tuple[str, str]:
    """Host and path of an address; no host for a folder."""
    host, path = "", url
    if "://" in url:
        host, path = urlsplit(url).hostname or "", urlsplit(url).path
    elif scp := _SCP.fullmatch(url):
        host, path = scp[1], scp[2]
    return host, path.strip("/").removesuffix(".git")


def transport_to(remote: Remote, api: str) -> Transport:
    if not api and (found := program("glab" if remote.is_gitlab else "gh", remote.host)):
        return found
    names = ("GITLAB_TOKEN", "CI_JOB_TOKEN") if remote.is_gitlab else ("GITHUB_TOKEN", "GH_TOKEN")
    secret = token(*names)
    if not api and remote.host not in {_GITHUB, _GITLAB}:
        raise UserError(
            f"vetgate asks {remote.host} only if you name it", hint="--api https://HOST/api/v3, or /api/v4 for GitLab"
        )
    if not secret:
        raise UserError(f"vetgate has no way to ask {remote.host} for comments", hint=_NO_ACCESS)
    if remote.is_gitlab:
        url = address(api or f"https://{_GITLAB}/api/v4")
        require_known(url, frozenset({_GITLAB}))
        return HttpTransport(url, "", {"Authorization": f"Bearer {secret}"})
    url = address(api or f"https://api.{_GITHUB}")
    require_known(url, frozenset({f"api.{_GITHUB}"}))
    # An enterprise server has its REST interface below /api/v3 and GraphQL beside it.
    graphql = f"{url.removesuffix('/v3')}/graphql"
    return HttpTransport(url, graphql, {"Authorization": f"Bearer {secret}"})


def read_comments(remote: Remote, transport: Transport, number: int | None, branch: str) -> ReconcileListing:
    found = number or (_gitlab_number if remote.is_gitlab else _github_number)(remote, transport, branch)
    where = f"{remote.host}/{remote.path} {'!' if remote.is_gitlab else '#'}{found}"
    read = _gitlab if remote.is_gitlab else _github
    return read(remote, transport, found, where)


def _github_number(remote: Remote, transport: Transport, branch: str) -> int:
    owner, _, name = remote.path.partition("/")
    answer = _data(transport.graphql(_NUMBER, {"owner": owner, "name": name, "branch": branch}))
    return _only(_list(_in(answer, "repository", "pullRequests", "nodes")), "number", branch)


def _gitlab_number(remote: Remote, transport: Transport, branch: str) -> int:
    path = f"projects/{quote(remote.path, safe='')}/merge_requests?state=opened&source_branch={quote(branch, safe='')}"
    return _only(_list(transport.get(path)), "iid", branch)


def _only(found: list[Any], key: str, branch: str) -> int:
    numbers = [each[key] for each in found if isinstance(each, dict) and isinstance(each.get(key), int)]
    if len(numbers) != 1:
        what = "no open pull request" if not numbers else "more than one open pull request"
        raise UserError(f"there is {what} of the branch {branch!r}", hint="name it: --pr N")
    return int(numbers[0])


def _github(remote: Remote, transport: Transport, number: int, where: str) -> ReconcileListing:
    threads, opened_by, counted = _threads(remote, transport, number)
    items = [_thread(transport, each, where) for each in threads if not each.get("isResolved")]
    resolved = len(threads) - len(items)
    notes: list[str] = []
    base = f"repos/{quote(remote.path)}"
    for review in _pages(transport, f"{base}/pulls/{number}/reviews"):
        found, said, more = _review(review, where, opened_by)
        items += found
        notes += said
        counted += more
    for comment in _pages(transport, f"{base}/issues/{number}/comments"):
        if comment.get("body") and _is_person(comment) and _login(comment, "user") != opened_by:
            items.append(_remark(comment, where, "comment"))
            counted += 1
    return ReconcileListing(
        source=ItemSource.PR, where=where, items=distinct(items), counted=counted, resolved=resolved, notes=tuple(notes)
    )


def _threads(remote: Remote, transport: Transport, number: int) -> tuple[list[Mapping[str, Any]], str, int]:
    """All of them, who opened the pull request, and how many threads the service says it has."""
    owner, _, name = remote.path.partition("/")
    asked: dict[str, Any] = {"owner": owner, "name": name, "number": number, "after": None}
    found: list[Mapping[str, Any]] = []
    for _ in range(_MOST_PAGES):
        request = _in(_data(transport.graphql(_THREADS, asked)), "repository", "pullRequest")
        if not isinstance(request, dict):
            raise UserError(
                f"there is no pull request {number} in {remote.path}", hint="check --pr and the remote `origin`"
            )
        threads = _in(request, "reviewThreads")
        found += [each for each in _list(_in(threads, "nodes")) if isinstance(each, dict)]
        if not _in(threads, "pageInfo", "hasNextPage"):
            return found, _login(request), _whole(_in(threads, "totalCount"))
        asked["after"] = _in(threads, "pageInfo", "endCursor")
    raise UserError(f"there are more than {_MOST_PAGES} pages of threads", hint="vetgate cannot reconcile that many")


def _thread(transport: Transport, thread: Mapping[str, Any], where: str) -> Item:
    comments = _list(_in(thread, "comments", "nodes"))
    page = _in(thread, "comments", "pageInfo")
    for _ in range(_MOST_PAGES):
        if not _in(page, "hasNextPage"):
            break
        asked = {"id": thread.get("id"), "after": _in(page, "endCursor")}
        more = _in(_data(transport.graphql(_REPLIES, asked)), "node", "comments")
        comments += _list(_in(more, "nodes"))
        page = _in(more, "pageInfo")
    first = comments[0] if comments else {}
    return Item(
        id=item_id(where, "thread", str(thread.get("id"))),
        source=ItemSource.PR,
        kind="thread",
        text=quoted(first.get("body")),
        path=quoted(thread.get("path"), _SHORT),
        line=_whole(thread.get("line")) or _whole(thread.get("originalLine")),
        author=quoted(_login(first), _SHORT),
        url=quoted(first.get("url"), _SHORT),
        replies=tuple(f"{quoted(_login(each), _SHORT)}: {quoted(each.get('body'), _SHORT)}" for each in comments[1:]),
        outdated=bool(thread.get("isOutdated")),
        head=_commit_id(_in(first, "originalCommit", "oid")),
    )


def _review(review: Mapping[str, Any], where: str, opened_by: str) -> tuple[list[Item], list[str], int]:
    """Remarks without a thread, and what a person wrote above their threads."""
    body = review.get("body") if isinstance(review.get("body"), str) else ""
    items: list[Item] = []
    notes: list[str] = []
    counted = 0
    for section in sections(str(body)):
        counted += section.count
        items += [
            Item(
                id=item_id(where, section.kind, each.path, " ".join(each.text.split())),
                source=ItemSource.PR,
                kind=section.kind,
                text=quoted(each.text),
                path=quoted(each.path, _SHORT),
                line=each.line,
                author=quoted(_login(review, "user"), _SHORT),
                url=quoted(review.get("html_url"), _SHORT),
                head=_commit_id(review.get("commit_id")),
            )
            for each in section.remarks
        ]
        if section.count != len(section.remarks):
            notes.append(
                f"{len(section.remarks)} of {section.count} {section.kind} comments could be read; see "
                f"{quoted(review.get('html_url'), _SHORT)}"
            )
    if body and not items and not notes and _is_person(review) and _login(review, "user") != opened_by:
        items, counted = [_remark(review, where, "review")], 1
    return items, notes, counted


def _remark(comment: Mapping[str, Any], where: str, kind: str) -> Item:
    return Item(
        id=item_id(where, kind, str(comment.get("id"))),
        source=ItemSource.PR,
        kind=kind,
        text=quoted(comment.get("body")),
        author=quoted(_login(comment, "user"), _SHORT),
        url=quoted(comment.get("html_url"), _SHORT),
        head=_commit_id(comment.get("commit_id")),
    )


def _gitlab(remote: Remote, transport: Transport, number: int, where: str) -> ReconcileListing:
    base = f"projects/{quote(remote.path, safe='')}/merge_requests/{number}"
    opened_by = _in(transport.get(base), "author", "username")
    items: list[Item] = []
    resolved = counted = 0
    for discussion in _pages(transport, f"{base}/discussions"):
        notes = [each for each in _list(discussion.get("notes")) if isinstance(each, dict) and not each.get("system")]
        is_thread = any(each.get("resolvable") for each in notes)
        if not notes or (not is_thread and _in(notes[0], "author", "username") == opened_by):
            continue
        counted += 1
        if is_thread and all(each.get("resolved") for each in notes if each.get("resolvable")):
            resolved += 1
        else:
            items.append(_discussion(discussion, notes, where, is_thread=is_thread))
    return ReconcileListing(
        source=ItemSource.PR, where=where, items=distinct(items), counted=counted, resolved=resolved
    )


def _discussion(
    discussion: Mapping[str, Any], notes: Sequence[Mapping[str, Any]], where: str, *, is_thread: bool
) -> Item:
    position = notes[0].get("position")
    placed: Mapping[str, Any] = position if isinstance(position, dict) else {}
    said = [(quoted(_in(each, "author", "username"), _SHORT), each.get("body")) for each in notes]
    return Item(
        id=item_id(where, "thread", str(discussion.get("id"))),
        source=ItemSource.PR,
        kind="thread" if is_thread else "comment",
        text=quoted(said[0][1]),
        path=quoted(placed.get("new_path") or placed.get("old_path"), _SHORT),
        line=_whole(placed.get("new_line")) or _whole(placed.get("old_line")),
        author=said[0][0],
        replies=tuple(f"{who}: {quoted(text, _SHORT)}" for who, text in said[1:]),
        head=_commit_id(placed.get("head_sha")),
    )


def _pages(transport: Transport, path: str) -> Iterator[Mapping[str, Any]]:
    """Until an empty one: a server may give fewer than it was asked for."""
    for number in range(1, _MOST_PAGES + 1):
        page = _list(transport.get(f"{path}?per_page={_PAGE}&page={number}"))
        if not page:
            return
        yield from (each for each in page if isinstance(each, dict))
    raise UserError(f"there are more than {_MOST_PAGES} pages of comments", hint="vetgate cannot reconcile that many")


def _data(answer: Any) -> Any:
    errors = _in(answer, "errors")
    if errors:
        said = quoted(_in(_list(errors)[0], "message"), _SHORT) if _list(errors) else ""
        raise UserError(f"GitHub did not answer the question: {said}", hint="check --pr, and what the token may read")
    return _in(answer, "data")


def _in(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else []


def _login(value: Mapping[str, Any], key: str = "author") -> str:
    found = _in(value, key, "login")
    return found if isinstance(found, str) else ""


def _is_person(value: Mapping[str, Any]) -> bool:
    return _in(value, "user", "type") != "Bot" and not _login(value, "user").endswith("[bot]")


def _commit_id(value: Any) -> str:
    """What it is about: a commit that was there then fixes nothing."""
    return value if isinstance(value, str) and _COMMIT.fullmatch(value) else ""


def _whole(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
