"""Code that runs or deletes what nobody can work out: every text at hand that could be it is judged instead.

A language has endless ways to build a text. What goes into it stands in the command: literals of the code, what the
code is given as arguments, variables or input. So those are judged, joined and turned as code would.
"""

from __future__ import annotations

import re
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.source.shell.decode import from_base64, from_hex
from vetgate.source.shell.placeholders import UNKNOWN, is_known
from vetgate.source.shell.runs import Inner, program
from vetgate.source.shell.words import unescaped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_RUNS = expression(
    r"\b(?:system\w*|exec\w+|(?<!\.)exec|spawn\w*|popen\w*|Popen|subprocess|getoutput|eval|breakpoint|qx|open[23]|readpipe"
    r"|run_path|debug_src|interact|runsource|webbrowser\.get|remote_open|passthru|shell_exec|proc_open|loadstring|child_process|runIn\w+|Function|do\s*[\"'$<(])"
    r"|(?<![.\w])(?:load\s*[\"'(]|require\s*[\"'$<])|`|%x"
)
_RUNS_OF_AWK = expression(r"\bsystem\s*\(|\bgetline\b|\bprintf?\b[^;}\n]*\|")
_EVALUATES = expression(
    r"\b(?:eval|exec|execfile|loadstring|load|require|runIn\w+|Function|breakpoint|do"
    r"|run_path|debug_src|interact)\b"
)
# A text that is changed where it stands.
_CHANGES = expression(r"\bg?sub\s*\(|=~\s*(?:s|tr|y)\b")
_DELETES = expression(r"\b(?:unlink\w*|_?rmtree|remove_tree|rm_rf?|rmSync|removedirs|rmdir)\b|\.name\s*=.*cleanup")
# What readers note besides programs that the code starts.
_DEEDS = frozenset("cat tee rm curl echo mv cp chmod truncate kill psql sqlite3".split())
_SHELLS = frozenset("sh bash dash zsh ksh ash fish".split())
_LITERAL = expression(
    r"""'(?P<single>(?:\\.|[^'\\])*)'|"(?P<double>(?:\\.|[^"\\])*)"|`(?P<back>(?:\\.|[^`\\])*)`|<(?P<glob>[~/$][^<>\n]*)>
      |\bs(?P<by>[/|\#,!])(?P<old>(?:\\.|(?!(?P=by)).)*)(?P=by)(?P<new>(?:\\.|(?!(?P=by)).)*)(?P=by)
      |(?:\bq[qwx]?|%[wWqQx]?)\s*(?:\{(?P<brace>[^}]*)\}|\((?P<round>[^)]*)\)|\[(?P<square>[^\]]*)\])
      |/(?P<pattern>(?:\\.|[^/\n\\])*)/""",
    re.VERBOSE | re.DOTALL,
)
_HOME = expression(
    r"\$ENV\{['\"]?HOME['\"]?\}|#\{(?:Dir\.home|ENV\[.HOME.\])\}|\$\{(?:process\.env\.HOME|os\.homedir\(\))\}"
)
_NUMBER = expression(r"\b\d{2,3}\b")
_BETWEEN = expression(r"[\s;,|:]+")
_FORCED = expression(r"-[a-z]{0,2}(?:rf|fr)[a-z]{0,2}", re.IGNORECASE)
_HEXADECIMAL = expression(r"(?:[0-9a-fA-F]{2}){6,}")
_BASE64 = expression(r"[A-Za-z0-9+/]{12,}={0,2}")
_NAMES_HOME = expression(r"Dir\.home|\bHOME\b|homedir|expanduser|Path\.home|user_home|USERPROFILE")
_NAME = expression(r"\w[\w.-]*(?:/[\w.-]+)*")
_MOST_TEXT, _MOST_TEXTS, _MOST_LITERALS = 4_000, 96, 40


def may_guess(language: str, code: str) -> bool:
    return _runs(language, code) or _DELETES.search(code) is not None


def _runs(language: str, code: str) -> bool:
    return (_RUNS_OF_AWK if language == "awk" else _RUNS).search(code) is not None


def guessed(language: str, code: str, inners: Sequence[Inner], beside: Sequence[str], home: str) -> list[Inner]:
    """What the code may run or delete beside what its reader found."""
    found: list[Inner] = []
    literals = [_HOME.sub(lambda _: home, each) for each in _literals(code)]
    if _runs(language, code) and _is_open(language, inners, changes=_CHANGES.search(code) is not None):
        texts = _texts(code, literals, beside)
        found += [Inner(script=text, stdin="") for text in texts]
        if _EVALUATES.search(code):
            found += [
                Inner(script=text, language=language) for text in texts if "(" in text or '"' in text or "'" in text
            ]
    if _DELETES.search(code):
        roots = ("~", home) if any(each.argv[:1] == ("rm",) for each in inners) else ("~", "/")
        paths = [each for each in literals if each.startswith(roots) and " " not in each and len(each) > 1]
        is_known_path = any(each.argv[:1] == ("rm",) and is_known(" ".join(each.argv)) for each in inners)
        if _NAMES_HOME.search(code) and not is_known_path:
            paths += [f"{home}/{each}" for each in literals if _NAME.fullmatch(each)]
        found += [Inner(("rm", "-rf", home + each[1:] if each.startswith("~") else each)) for each in paths]
    return found


def is_open_script(text: str) -> bool:
    """Whether only the run tells which program such a script starts."""
    return any(line.lstrip().startswith(UNKNOWN) for line in text.split("\n"))


def at_hand(texts: Iterable[str]) -> list[str]:
    """What such a script may be: what stands beside it, whole, joined, and the literals in it."""
    known = [text for each in texts if is_known(each) and (text := each.strip().lstrip("+"))]
    literals = [f"{each}*" if each.endswith("/") else each for text in known for each in _literals(text)]
    whole = [each for each in known if _LITERAL.fullmatch(each) is None]
    return _texts("", literals, [*whole, " ".join(whole)])


def _is_open(language: str, inners: Sequence[Inner], *, changes: bool) -> bool:
    """Whether some text that is run is not known; or none was found, though the code can run one."""
    runs = [each for each in inners if each.script is not None or (each.argv[:1] and each.argv[0] not in _DEEDS)]
    return not runs or changes or any(map(_is_unknown, runs)) or (language == "awk" and any(map(_is_fed, runs)))


def _is_unknown(inner: Inner) -> bool:
    words = (inner.script or "").split() if inner.script is not None else inner.argv
    if not words or UNKNOWN in words[0]:
        return True
    return _is_fed(inner) and (not inner.stdin or not is_known(inner.stdin))


def _is_fed(inner: Inner) -> bool:
    """A shell that takes its commands from whoever started it."""
    words = (inner.script or "").split() if inner.script is not None else inner.argv
    return len(words) == 1 and program(words[0]) in _SHELLS


def _literals(code: str) -> list[str]:
    found: list[str] = []
    for match in _LITERAL.finditer(code):
        found += [
            unescaped(text.replace("\\/", "/")) for name, text in match.groupdict().items() if text and name != "by"
        ]
        if len(found) >= _MOST_LITERALS:
            break
    return found


def _texts(code: str, literals: Sequence[str], beside: Sequence[str]) -> list[str]:
    """Without those that a shell would only take for a name."""
    every = [*beside, *literals, "".join(literals), " ".join(literals)]
    every += [whole.replace(old, new) for old, new in pairwise(literals) if old for whole in literals if old in whole]
    every += [*_from_numbers(code, literals), *_decoded(literals)]
    every += [each.lower() for each in every if each != each.lower()]
    every += [each[::-1] for each in literals]
    every += [*_deletions(every)]
    usable = (each.strip() for each in every if is_known(each) and len(each) <= _MOST_TEXT)
    return [each for each in dict.fromkeys(usable) if " " in each][:_MOST_TEXTS]


def _from_numbers(code: str, literals: Sequence[str]) -> Iterator[str]:
    """`printf "%c%c", 114, 109`."""
    signs = [chr(number) for number in map(int, _NUMBER.findall(code)) if 32 <= number < 127]
    for text in literals:
        pieces = text.split("%c")
        yield "".join(map("".join, zip_longest(pieces, signs[: len(pieces) - 1], fillvalue="")))
    yield "".join(signs)


def _decoded(literals: Sequence[str]) -> Iterator[str]:
    for text in literals:
        if _HEXADECIMAL.fullmatch(text):
            yield from_hex(text)
        elif _BASE64.fullmatch(text):
            yield from_base64(text)


def _deletions(texts: Sequence[str]) -> Iterator[str]:
    """Whatever the program is called: `-rf` with a path is a deletion."""
    for text in texts:
        words = _BETWEEN.split(text)
        if any(map(_FORCED.fullmatch, words)):
            yield " ".join(("rm -rf", *(each for each in words if "/" in each or each in ("~", ".", ".."))))
