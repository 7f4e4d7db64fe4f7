"""Questions about a text that is only partly known: is it SQL, is the host of the address fixed?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.addresses import is_own
from vetgate.checks.security.frameworks import REMOTE
from vetgate.checks.security.hardcoded import fallback, is_hardcoded
from vetgate.checks.security.log_lines import LINES
from vetgate.checks.security.openness import is_open
from vetgate.checks.security.options import stays_in_file
from vetgate.checks.security.prototypes import PROTOTYPES
from vetgate.checks.security.raw_markup import RAW_MARKUP
from vetgate.checks.security.records import RECORDS, held
from vetgate.checks.security.regexes import exponential
from vetgate.checks.security.values import resolve_value
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Callable

    from vetgate.checks.security.expression import Expression
    from vetgate.checks.security.flow import Flow
    from vetgate.checks.security.match import Matcher

    Parts = list[str | Expression]
    Asked = Callable[[Matcher, Parts, Flow], bool]

_SQL = expression(
    r"^\s*(?:\(?\s*select\b.*?\bfrom\b|insert\s+(?:or\s+\w+\s+)?into\b|update\b.*?\bset\b|delete\s+from\b|replace\s+into\b|drop\s+\w+"
    r"|create\s+(?:table|user|database)|alter\s+\w+|with\b.*?\bselect\b|exec(?:ute)?\s|call\s|merge\s+into|truncate\s|grant\s|where\b|and\b|or\b)",
    re.IGNORECASE | re.DOTALL,
)
_DATA = expression(r"\s*(?:\(?\s*select|insert|update|delete|replace|with|where|and|or)\b", re.IGNORECASE)
_QUOTED = expression(r"(?:(')|(?:=|\blike|\bin ?\(|\bvalues ?\()\s*(\"))%?$", re.IGNORECASE)
_COMPARES = expression(r"[\w\")\]]\s*(?:=|<|>|\b(?:i?like|in|is|between)\b)", re.IGNORECASE)
_SHELL = expression(r"(?:^|/)(?:sh|bash|zsh|dash|cmd(?:\.exe)?|powershell|pwsh)$")
_SHELL_FLAG = expression(r"-\w*c|/c|-Command", re.IGNORECASE)
_DIRECTORY = expression(r"\(\s*(?:[&|!]|[\w.;-]+\s*[~<>]?=)|^\s*(?:uid|cn|dn|ou|mail)=", re.IGNORECASE)
_GRAPH = expression(r"\s*(?:(?:OPTIONAL )?MATCH\s*\(|MERGE\s*\(|CREATE\s*\(|UNWIND\b|FOR \w+ IN \w)", re.IGNORECASE)
_XPATH = expression(r"^\s*(?:\.?//?[\w*@]|descendant::|child::)|\[\s*@?\w+\s*=|\w+\(\)\s*=")
_MOST_ADDED = 20
_TAG = expression(r"<[a-zA-Z!/][^<]*")


def sql(_matcher: Matcher, parts: Parts, _flow: Flow) -> bool:
    """Reads like SQL, with something put into it that is not constant."""
    known = " ".join(part for part in parts if isinstance(part, str))
    return len(parts) > 1 and any(not isinstance(part, str) for part in parts) and bool(_SQL.match(known))


def sql_condition(_matcher: Matcher, parts: Parts, _flow: Flow) -> bool:
    """Reads like a condition of a query, with something put into it that is not constant."""
    known = "".join(part for part in parts if isinstance(part, str))
    return any(not isinstance(part, str) for part in parts) and _COMPARES.search(known) is not None


def quoted_sql(matcher: Matcher, parts: Parts, flow: Flow) -> bool:
    """SQL in which a value that is not constant stands between quotes: never right, wherever it comes from."""
    if not sql(matcher, parts, flow) or not _DATA.match(next((part for part in parts if isinstance(part, str)), "")):
        return False
    for before, part, after in zip(parts, parts[1:], [*parts[2:], ""], strict=False):
        if isinstance(part, str) or not isinstance(before, str) or not isinstance(after, str):
            continue
        opened = _QUOTED.search(before)
        if opened and after.lstrip("%")[:1] == (opened[1] or opened[2]) and is_open(matcher, part, flow):
            return True
    return False


def graph_query(_matcher: Matcher, parts: Parts, _flow: Flow) -> bool:
    """Reads like Cypher or AQL, with something put into it that is not constant."""
    known = " ".join(part for part in parts if isinstance(part, str))
    return any(not isinstance(part, str) for part in parts) and _GRAPH.match(known) is not None


def ldap(_matcher: Matcher, parts: Parts, _flow: Flow) -> bool:
    """A filter or a name of a directory, with something put into it that is not constant."""
    known = "\0".join(part for part in parts if isinstance(part, str))
    return any(not isinstance(part, str) for part in parts) and _DIRECTORY.search(known) is not None


def xpath(_matcher: Matcher, parts: Parts, _flow: Flow) -> bool:
    """A path into a document, with something put into it that is not constant."""
    known = "".join(part for part in parts if isinstance(part, str))
    return any(not isinstance(part, str) for part in parts) and _XPATH.search(known) is not None


def html(matcher: Matcher, parts: Parts, flow: Flow) -> bool:
    """Markup, with something put into it that is not constant and was not escaped."""
    known = "".join(part for part in parts if isinstance(part, str))
    return _TAG.search(known) is not None and any(
        not isinstance(part, str) and is_open(matcher, part, flow) for part in parts
    )


def open_scheme(_matcher: Matcher, parts: Parts, flow: Flow) -> bool:
    """What was sent begins the address, so it may be `javascript:`."""
    first = next((part for part in parts if part != ""), "")
    taint = None if isinstance(first, str) else flow.taint(first)
    return taint is not None and not is_own(taint.path)


def exponential_regex(matcher: Matcher, parts: Parts, _flow: Flow) -> bool:
    """A regular expression, as a literal, a text or compiled, that can take exponential time."""
    part = parts[0] if len(parts) == 1 else ""
    if isinstance(part, str):
        return exponential(part)
    compiled = resolve_value(matcher.module, part)
    if compiled is None:
        return False
    whole = _asks_for_all(matcher, part)
    if compiled.kind == ex.CALL and len(compiled.items) > 1:
        known = matcher.constant(compiled.items[1])
        return isinstance(known, str) and exponential(known, whole=whole)
    return compiled.kind == ex.REGEX and exponential(compiled.value, whole=whole)


def _asks_for_all(matcher: Matcher, part: Expression) -> bool:
    """`pattern.fullmatch(text)`: the text has to end where the expression does."""
    holder = part.node.parent
    return holder is not None and matcher.module.language.text(holder)[-10:] == ".fullmatch"


def from_input(_matcher: Matcher, parts: Parts, flow: Flow) -> bool:
    """Something that was sent is in it; what is merely handed to a function is not enough."""
    return any(_is_sent(part, flow) for part in parts)


def _is_sent(part: str | Expression, flow: Flow) -> bool:
    taint = None if isinstance(part, str) else flow.taint(part)
    return taint is not None and taint.kind == REMOTE


def shell_script(matcher: Matcher, parts: Parts, flow: Flow) -> bool:
    """`["-c", script]` with a script that is not constant: a program that is a shell gets it to run."""
    listed = _listed(matcher, parts)
    flags = [at for at, item in enumerate(listed) if _SHELL_FLAG.fullmatch(str(matcher.constant(item)))]
    return any(flow.taint(item) is not None for at in flags for item in listed[at + 1 : at + 2])


def chosen_program(matcher: Matcher, parts: Parts, flow: Flow) -> bool:
    """The program itself, and not only one of its arguments, is what was sent; so is a script for a shell."""
    listed = _listed(matcher, parts)
    first = listed[0] if listed else parts[0] if parts else ""
    if isinstance(first, str) or not (listed or len(parts) == 1):
        return not listed and from_input(matcher, parts[:1], flow)
    program = matcher.constant(first)
    if isinstance(program, str):
        return _SHELL.search(program) is not None and shell_script(matcher, parts, flow)
    return flow.taint(first) is not None


def _listed(matcher: Matcher, parts: Parts) -> list[Expression]:
    part = parts[0] if len(parts) == 1 else ""
    found = None if isinstance(part, str) else held(matcher, part)
    return _flat(matcher, found) if found is not None and found.kind == ex.LIST else []


def _flat(matcher: Matcher, found: Expression, depth: int = 0) -> list[Expression]:
    """`args.add(a); args.add(b)`: what was in the list before, and what was added to it."""
    items = [matcher.module.lower(item) for item in found.items]
    if not items or not matcher.module.language.facts.grows or found.node.type not in matcher.module.language.calls:
        return items
    before = resolve_value(matcher.module, items[0])
    if before is None or depth > _MOST_ADDED:
        return items
    if before.kind == ex.CALL and before.name == "new":
        return items[1:]
    return [*_flat(matcher, before, depth + 1), *items[1:]] if before.kind == ex.LIST else items


def composed(matcher: Matcher, parts: Parts, flow: Flow) -> bool:
    """Put together from pieces, at least one of which is not constant and did not come out of a sanitizer."""
    return len(parts) > 1 and any(not isinstance(part, str) and is_open(matcher, part, flow) for part in parts)


TEXTS: dict[str, Asked] = {
    "fixed": is_hardcoded,
    "fallback": fallback,
    "kept-here": stays_in_file,
    "sql": sql,
    "sql-condition": sql_condition,
    "quoted-sql": quoted_sql,
    "html": html,
    "graph-query": graph_query,
    "ldap": ldap,
    "xpath": xpath,
    "open-scheme": open_scheme,
    "exponential-regex": exponential_regex,
    "composed": composed,
    "input": from_input,
    "shell-script": shell_script,
    "chosen-program": chosen_program,
    **RECORDS,
    **PROTOTYPES,
    **LINES,
    **RAW_MARKUP,
}
