"""Questions about a text that is only partly known: is it SQL, is the host of the address fixed?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.fixed import fallback, fixed
from vetgate.checks.security.frameworks import REMOTE
from vetgate.checks.security.kept import kept_here
from vetgate.checks.security.openness import is_open
from vetgate.checks.security.regexes import exponential
from vetgate.checks.security.values import meant

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from vetgate.checks.security.expression import Expression
    from vetgate.checks.security.flow import Flow
    from vetgate.checks.security.match import Matcher

    Parts = list[str | Expression]
    Asked = Callable[[Matcher, Parts, Flow], bool]

_SQL = re.compile(
    r"^\s*(?:\(?\s*select\b.*?\bfrom\b|insert\s+(?:or\s+\w+\s+)?into\b|update\b.*?\bset\b|delete\s+from\b|replace\s+into\b|drop\s+\w+"
    r"|create\s+(?:table|user|database)|alter\s+\w+|with\b.*?\bselect\b|exec(?:ute)?\s|call\s|merge\s+into|truncate\s|grant\s|where\b|and\b|or\b)",
    re.IGNORECASE | re.DOTALL,
)
_DATA = re.compile(r"\s*(?:\(?\s*select|insert|update|delete|replace|with|where|and|or)\b", re.IGNORECASE)
_QUOTED = re.compile(r"(?:(')|(?:=|\blike|\bin ?\(|\bvalues ?\()\s*(\"))%?$", re.IGNORECASE)
_COMPARES = re.compile(r"[\w\")\]]\s*(?:=|<|>|\b(?:i?like|in|is|between)\b)", re.IGNORECASE)
_SHELL = re.compile(r"(?:^|/)(?:sh|bash|zsh|dash|cmd(?:\.exe)?|powershell|pwsh)$")
_SHELL_FLAG = re.compile(r"-\w*c|/c|-Command", re.IGNORECASE)
_DIRECTORY = re.compile(r"\(\s*[\w.;-]+\s*[~<>]?=|^\s*(?:uid|cn|dn|ou|mail)=", re.IGNORECASE)
_XPATH = re.compile(r"^\s*(?:\.?//?[\w*@]|descendant::|child::)|\[\s*@?\w+\s*=|\w+\(\)\s*=")
_WHOLE = re.compile(
    r"@(?:req|ctx|event)(?:\.(?:request|req))?\.(?:body|query|json\(\))|(?:flask|quart)\.request\.(?:json|get_json\(\)|form|args|values)"
    r"(?:\.to_dict\(\))?|(?:@request|self\.request)\.(?:data|POST|GET|json|json\(\)|form\(\)|query_params)(?:\.dict\(\))?|json\.loads\(\)"
)
_ACCOUNT = re.compile(r"user|account|profile|member|admin|customer|person", re.IGNORECASE)
_SETS_KEY = re.compile(r"\w\[\w+\]\s*=(?!=)")
_TAG = re.compile(r"<[a-zA-Z!/][^<]*")
_PARSED = re.compile(
    r"@(?:req|ctx)(?:\.(?:request|req))?\.(?:body|query|json\(\)|rawBody)(?:$|[.\[])"
    r"|(?:flask|quart)\.request\.(?:json|get_json\(\))|@request\.(?:data|json|json\(\))(?:$|[.\[])|json\.loads\(\)|JSON\.parse\(\)"
)
_LITERAL_OPERATOR = re.compile(
    r"\$(?!or$|and$|nor$|not$|elemMatch$)"
)  # they compare with what they are given, as it is
_ORM_KEYS = frozenset({"where", "data", "include"})
_MOST_VALUES = 60
_MOST_STEPS = 6


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
    return not isinstance(first, str) and flow.taint(first) is not None


def open_filter(matcher: Matcher, parts: Parts, flow: Flow) -> bool:
    """A filter, or a value in it, that may be an object because it comes out of parsed JSON or a nested query."""
    pending = [part for part in parts if not isinstance(part, str)]
    for _ in range(_MOST_VALUES):
        if not pending:
            break
        part = pending.pop()
        if part.kind == ex.DICT:
            if _ORM_KEYS.intersection(key for key in part.keys if key):
                return False
            pending.extend(
                matcher.module.lower(item)
                for item, key in zip(part.items, part.keys, strict=True)
                if key is None or not _LITERAL_OPERATOR.match(key)
            )
        elif part.kind == ex.LIST:
            pending.extend(matcher.module.lower(item) for item in part.items)
        elif _PARSED.match(matcher.paths.of(part)) and flow.taint(part) is not None:
            return True
        elif part.kind in {ex.NAME, ex.PASS} and (held := _held(matcher, part)) is not None:
            pending.append(held)
    return False


def _held(matcher: Matcher, part: Expression) -> Expression | None:
    """The object or list that a name certainly stands for."""
    for _ in range(_MOST_STEPS):
        if part.kind == ex.PASS:
            part = matcher.module.lower(part.items[0])
        elif part.kind == ex.NAME and len(values := matcher.module.reaching(part.name, part.node)) == 1:
            part = values[0]
        else:
            break
    return part if part.kind in {ex.DICT, ex.LIST} else None


def whole_body(matcher: Matcher, parts: Parts, _flow: Flow) -> bool:
    """Everything that was sent, as it is or spread into an object."""
    part = parts[0] if len(parts) == 1 else ""
    if isinstance(part, str):
        return False
    held = _held(matcher, part)
    if held is None or held.kind != ex.DICT:
        return _is_whole(matcher, part)
    spread = [item for item, key in zip(held.items, held.keys, strict=True) if key == "*"]
    return any(_is_whole(matcher, item) for item in spread)


def spread_body(matcher: Matcher, parts: Parts, flow: Flow) -> bool:
    """A call with `**` of everything that was sent."""
    call = parts[0] if len(parts) == 1 else ""
    if isinstance(call, str) or call.kind != ex.CALL:
        return False
    spread = [item for item, key in zip(call.items[1:], call.keys, strict=False) if key == "*"]
    return any(_is_whole(matcher, item) and flow.taint(item) is not None for item in spread)


def _is_whole(matcher: Matcher, item: Node | Expression) -> bool:
    return _WHOLE.fullmatch(matcher.paths.of(item)) is not None


def account(matcher: Matcher, parts: Parts, _flow: Flow) -> bool:
    """Called like a record of a person."""
    part = parts[0] if len(parts) == 1 else ""
    return not isinstance(part, str) and _ACCOUNT.search(matcher.module.language.text(part.node)[:40]) is not None


def unguarded_copy(matcher: Matcher, parts: Parts, _flow: Flow) -> bool:
    """A call of a function in this file that sets keys it does not look at."""
    call = parts[-1] if parts else ""
    if isinstance(call, str) or call.kind != ex.CALL:
        return False
    function = matcher.module.functions.get(matcher.module.lower(call.items[0]).name)
    text = matcher.module.language.text(function) if function is not None else ""
    return _SETS_KEY.search(text) is not None and "__proto__" not in text


def exponential_regex(matcher: Matcher, parts: Parts, _flow: Flow) -> bool:
    """A regular expression, as a literal, a text or compiled, that can take exponential time."""
    part = parts[0] if len(parts) == 1 else ""
    if isinstance(part, str):
        return exponential(part)
    compiled = meant(matcher.module, part)
    if compiled is None:
        return False
    if compiled.kind == ex.CALL and len(compiled.items) > 1:
        known = matcher.constant(compiled.items[1])
        return isinstance(known, str) and exponential(known)
    return compiled.kind == ex.REGEX and exponential(compiled.value)


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
    held = None if isinstance(part, str) else _held(matcher, part)
    return [matcher.module.lower(item) for item in held.items] if held is not None and held.kind == ex.LIST else []


def composed(matcher: Matcher, parts: Parts, flow: Flow) -> bool:
    """Put together from pieces, at least one of which is not constant and did not come out of a sanitizer."""
    return len(parts) > 1 and any(not isinstance(part, str) and is_open(matcher, part, flow) for part in parts)


TEXTS: dict[str, Asked] = {
    "fixed": fixed,
    "fallback": fallback,
    "kept-here": kept_here,
    "sql": sql,
    "sql-condition": sql_condition,
    "quoted-sql": quoted_sql,
    "html": html,
    "ldap": ldap,
    "xpath": xpath,
    "open-scheme": open_scheme,
    "open-filter": open_filter,
    "whole-body": whole_body,
    "spread-body": spread_body,
    "account": account,
    "unguarded-copy": unguarded_copy,
    "exponential-regex": exponential_regex,
    "composed": composed,
    "input": from_input,
    "shell-script": shell_script,
    "chosen-program": chosen_program,
}
