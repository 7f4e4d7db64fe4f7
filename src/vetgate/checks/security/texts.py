"""Questions about a value that is partly known: is it SQL, markup, a log line, any key, an address of a fixed host?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.security import expression as ex
from vetgate.checks.security.addresses import is_own
from vetgate.checks.security.frameworks import REMOTE
from vetgate.checks.security.hardcoded import fallback, is_hardcoded
from vetgate.checks.security.options import option, stays_in_file
from vetgate.checks.security.qualified_names import matches
from vetgate.checks.security.records import RECORDS, held, is_whole
from vetgate.checks.security.regexes import exponential
from vetgate.checks.security.scope import PARAM
from vetgate.checks.security.values import arguments_of_all_calls, function_called, resolve_value
from vetgate.expression import expression

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tree_sitter import Node

    from vetgate.checks.security.expression import Expression
    from vetgate.checks.security.flow import Flow
    from vetgate.checks.security.match import Matcher
    from vetgate.checks.security.scope import Module

    Parts = list[str | Expression]
    Asked = Callable[[Matcher, Parts, Flow], bool]

_RAW = expression(
    r"\{\{-?\s*(?:locals\.)?([A-Za-z_]\w*)[\w.\[\]'\"]*\s*\|[^}]*?\bsafe\b"  # Jinja, Nunjucks
    r"|\{\{\{\s*([A-Za-z_]\w*)|\{\{&\s*([A-Za-z_]\w*)"  # Mustache, Handlebars
    r"|<%-\s*(?:locals\.)?([A-Za-z_]\w*)"  # EJS
    r"|!\{\s*([A-Za-z_]\w*)|^\s*[\w.#-]*!=\s*([A-Za-z_]\w*)",  # Pug
    re.MULTILINE,
)
_V_HTML = expression(r"\bv-html=[\"']([A-Za-z_]\w*)")


def raw_in_template(matcher: Matcher, parts: list[str | Expression], flow: Flow) -> bool:
    """A call that renders a constant template with something sent in a place that is not escaped."""
    call = next((part for part in parts if not isinstance(part, str)), None)
    if call is None or call.kind != ex.CALL:
        return False
    template, given = _rendered(matcher, call)
    names = {name for found in _RAW.finditer(template) for name in found.groups() if name}
    return _any_sent(flow, (value for name in names for value in _values(matcher, call, given, name)))


def raw_in_component(matcher: Matcher, parts: list[str | Expression], flow: Flow) -> bool:
    """`createApp({ template: '<p v-html="name">', setup() { … return { name } } })` with a name that was sent."""
    call = next((part for part in parts if not isinstance(part, str)), None)
    given = call.items[1:] if call is not None and call.kind == ex.CALL else ()
    template = option(matcher.module, "template", given)
    text = matcher.constant(template) if template is not None else None
    names = _V_HTML.findall(text) if isinstance(text, str) else []
    return _any_sent(flow, (value for name in names for value in _passed_to_template(matcher, given, name)))


def _passed_to_template(
    matcher: Matcher, given: tuple[Node | Expression, ...], name: str
) -> Iterator[Node | Expression]:
    """What `setup` or `data` of a component gives to its template under this name."""
    makers = (option(matcher.module, maker, given) for maker in ("setup", "data"))
    functions = (matcher.module.lower(maker) for maker in makers if maker is not None)
    for function in functions:
        returns = matcher.module.scope(function.node).returns if function.kind == ex.FUNCTION else []
        values = (option(matcher.module, name, (returned,)) for returned in returns)
        yield from (value for value in values if value is not None)


def _any_sent(flow: Flow, values: Iterable[Node | Expression]) -> bool:
    taints = (flow.taint(value) for value in values)
    return any(taint is not None and taint.kind == REMOTE for taint in taints)


def _rendered(matcher: Matcher, call: Expression) -> tuple[str, tuple[Node | Expression, ...]]:
    """The template and what it is filled with: `render(template, values)`, `compile(template)(values)`."""
    callee = matcher.module.lower(call.items[0])
    compiled = callee
    for _ in range(3):
        if compiled.kind == ex.ATTR:
            compiled = matcher.module.lower(compiled.items[0])
        elif compiled.kind == ex.NAME:
            values = matcher.module.reaching(compiled.name, compiled.node)
            compiled = matcher.module.lower(values[0]) if len(values) == 1 else compiled
        if compiled.kind == ex.PASS:
            compiled = matcher.module.lower(compiled.items[0])
    for each, given in ((call, call.items[2:]), (compiled, call.items[1:])):
        text = matcher.constant(each.items[1]) if each.kind == ex.CALL and len(each.items) > 1 else None
        if isinstance(text, str):
            return text, given
    return "", ()


def _values(
    matcher: Matcher, call: Expression, given: tuple[Node | Expression, ...], name: str
) -> Iterator[Node | Expression]:
    yield from (item for item, key in zip(call.items[1:], call.keys, strict=False) if key == name)
    found = option(matcher.module, name, given)
    if found is not None:
        yield found


RAW_MARKUP: dict[str, Asked] = {"raw-in-template": raw_in_template, "raw-in-component": raw_in_component}


_SETS_KEY = expression(r"([\w.]*\w)\[\w+\]\s*(?:\?\?|\|\|)?=(?!=)")
_DANGEROUS = expression(r"__proto__|['\"`]prototype['\"`]")
_WORD = expression(r"[A-Za-z_$][\w$]*")
_LONGEST = 8000


def unguarded_copy(matcher: Matcher, parts: list[str | Expression], _flow: Flow) -> bool:
    """A call of a function in this file that sets keys it does not look at."""
    call = parts[-1] if parts else ""
    if isinstance(call, str) or call.kind != ex.CALL:
        return False
    function = function_called(matcher.module, matcher.module.lower(call.items[0]))
    if function is None:
        return False
    return _SETS_KEY.search(_text(matcher.module, function)) is not None and not _refuses(matcher.module, function)


def guarded_keys(matcher: Matcher, parts: list[str | Expression], _flow: Flow) -> bool:
    """The key is none, or the function around refuses dangerous ones, or those that the target does not have."""
    if any(isinstance(part, str) and part for part in parts):
        return True  # with a prefix or a suffix of ours it is no dangerous key
    first = next((part for part in parts if not isinstance(part, str)), None)
    function = matcher.module.function_around(first.node) if first is not None else None
    while function is not None:
        if _refuses(matcher.module, function):
            return True
        function = matcher.module.function_around(function)
    return False


def _refuses(module: Module, function: Node) -> bool:
    text = _text(module, function)
    if _DANGEROUS.search(text) or "Object.create(null)" in text:
        return True
    targets = {found[1] for found in _SETS_KEY.finditer(text)}
    own = "|".join(re.escape(target) for target in sorted(targets))
    if own and re.search(rf"hasOwn\w*(?:\.call)?\(\s*(?:{own})\s*,|\b(?:{own})\.hasOwnProperty\(", text):
        return True
    words = set(_WORD.findall(text))
    return any(word in words for word in _refusing(module))


def _refusing(module: Module) -> Iterator[str]:
    """Names of lists, patterns and functions of the file that speak of dangerous keys."""
    for name, definitions in module.top_names():
        if any(_DANGEROUS.search(_text(module, each.value.node)) for each in definitions):
            yield name
    for name, function in module.all_functions():
        if _DANGEROUS.search(_text(module, function)):
            yield name


def _text(module: Module, node: Node) -> str:
    return module.language.text(node)[:_LONGEST]


PROTOTYPES: dict[str, Asked] = {"unguarded-copy": unguarded_copy, "guarded-keys": guarded_keys}


_DEEPEST = 10
_CONSTANT_NAME = expression(r"[A-Z][A-Z0-9_]*")
_PLAIN_RESULTS = frozenset(
    """
    int float bool len Number parseInt parseFloat BigInt UUID uuid4 randomUUID hexdigest toISOString
    isoformat strftime toFixed getTime now today replace replaceAll escape quote hash format_date
    """.split()
)


def is_open(matcher: Matcher, part: Expression, flow: Flow, depth: int = 0) -> bool:
    """Nobody can tell which of many values this is."""
    if depth > _DEEPEST or flow.cleans(part) or _is_settled(matcher, part, flow):
        return False
    if part.kind == ex.CALL:
        return matcher.module.lower(part.items[0]).name not in _PLAIN_RESULTS
    if part.kind in {ex.EITHER, ex.PASS}:
        return any(is_open(matcher, matcher.module.lower(item), flow, depth + 1) for item in part.items)
    if part.kind == ex.INDEX and len(part.items) == 1:
        return _of_unknown_list(matcher, part)
    if part.kind == ex.NAME:
        values = matcher.module.reaching(part.name, part.node)
        return not values or any(is_open(matcher, value, flow, depth + 1) for value in values if value is not part)
    if part.kind == PARAM:
        return not matcher.frameworks.is_narrow(part) and _is_open_parameter(matcher, part, flow, depth)
    return part.kind not in {ex.LITERAL, ex.OTHER}


def _is_settled(matcher: Matcher, part: Expression, flow: Flow) -> bool:
    """Called like a constant or a number, or let through by a test."""
    if part.kind not in {ex.NAME, ex.ATTR}:
        return False
    if part.kind == ex.ATTR and matcher.frameworks.is_number(part.name):
        return True
    return _CONSTANT_NAME.fullmatch(part.name) is not None or flow.admits(part)


def _is_open_parameter(matcher: Matcher, parameter: Expression, flow: Flow, depth: int) -> bool:
    """What a method for our own use is handed is what its callers say, when all of them are here."""
    given = [matcher.module.lower(item) for item in arguments_of_all_calls(matcher.module, parameter)]
    return not given or any(is_open(matcher, item, flow, depth + 1) for item in given)


def _of_unknown_list(matcher: Matcher, part: Expression) -> bool:
    """An element of a list that is not written out."""
    known = matcher.constant(part.items[0])
    return not isinstance(known, list) or not all(isinstance(each, str | int) for each in known)


_OPENS = ("open", "io.open", "codecs.open", "*.open", "fs.createWriteStream", "*.createWriteStream")
_PLAIN = expression(r"\b(?:simple|printf|cli|prettyPrint)\(")
_OBJECTS = expression(r"@(?:req|ctx|request)(?:\.(?:req|request))?\.(?:body|query|params|headers|cookies|files)")
_LOG = expression(r"\blog|log\b|audit|journal|access|trace", re.IGNORECASE)


def line(matcher: Matcher, parts: Parts, flow: Flow) -> bool:
    """A text, put together or sent as it is."""
    if len(parts) != 1:
        return bool(parts)
    part = parts[0]
    if isinstance(part, str) or held(matcher, part) is not None:
        return False
    if part.kind in {ex.DICT, ex.LIST, ex.FUNCTION} or _OBJECTS.fullmatch(matcher.paths.of(part)):
        return False
    return not is_whole(matcher, part, flow)


def log_file(matcher: Matcher, parts: Parts, _flow: Flow) -> bool:
    """A file that was opened under the name of a log."""
    part = parts[0] if len(parts) == 1 else ""
    opened = None if isinstance(part, str) else resolve_value(matcher.module, part)
    if opened is None or opened.kind != ex.CALL or len(opened.items) < 2:
        return False
    name = matcher.parts(opened.items[1])
    known = "".join(each for each in name if isinstance(each, str))
    if matches(matcher.paths.of(opened.items[0]), _OPENS):
        callee = matcher.module.lower(opened.items[0])
        known += matcher.module.language.text(callee.node)
        return _LOG.search(known) is not None
    return False


def plain_logger(matcher: Matcher, parts: Parts, _flow: Flow) -> bool:
    """A logger that was made to write plain lines, not JSON."""
    part = parts[0] if len(parts) == 1 else ""
    made = None if isinstance(part, str) else resolve_value(matcher.module, part)
    return made is not None and _PLAIN.search(matcher.module.language.text(made.node)) is not None


LINES: dict[str, Asked] = {"line": line, "log-file": log_file, "plain-logger": plain_logger}


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
