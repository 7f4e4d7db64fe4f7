"""A statement that is put together, with placeholders of its driver instead; and where in SQL a value may stand."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from vetgate.checks.security.fixes.spot import quoted, wrapped
from vetgate.expression import expression

if TYPE_CHECKING:
    from vetgate.checks.security.fixes.exact import Parts
    from vetgate.checks.security.fixes.spot import Spot

_ANY = "%"


class PlaceholderStyle(Enum):
    """How a driver marks the place of a value."""

    FORMAT = "%s"
    QUESTION = "?"
    NUMBERED = "$"


_PYTHON = (
    (("sqlite3", "aiosqlite", "duckdb", "pyodbc"), PlaceholderStyle.QUESTION),
    (("asyncpg",), PlaceholderStyle.NUMBERED),
    (
        ("psycopg", "psycopg2", "pymysql", "MySQLdb", "mysql", "mysql.connector", "aiomysql", "django"),
        PlaceholderStyle.FORMAT,
    ),
)
_ECMASCRIPT = (
    (("pg", "@vercel/postgres", "pg-promise", "@neondatabase/serverless"), PlaceholderStyle.NUMBERED),
    (("mysql", "mysql2", "mariadb", "sqlite3", "sqlite", "knex", "@planetscale/database"), PlaceholderStyle.QUESTION),
)
_METHODS = frozenset(
    {"execute", "query", "fetch", "fetchrow", "fetchval", "all", "get", "run", "each", "raw", "any", "one"}
)
# These mark values in ways of their own, whatever driver is below them.
_OTHERS_IN_PYTHON = ("sqlalchemy", "sqlmodel", "databases", "peewee", "oracledb", "cx_Oracle", "flask_sqlalchemy")
_OTHERS_IN_ECMASCRIPT = (
    *("sequelize", "typeorm", "drizzle-orm", "kysely", "@prisma/client", "mssql", "oracledb", "postgres", "slonik"),
    *("better-sqlite3", "@mikro-orm/core", "objection", "bookshelf"),
)
_MARKED = {
    PlaceholderStyle.FORMAT: expression(r"%s|%\("),
    PlaceholderStyle.QUESTION: expression(r"\?"),
    PlaceholderStyle.NUMBERED: expression(r"\$\d"),
}


def with_parameters(spot: Spot) -> str:
    style = _style(spot)
    if style is None or len(spot.arguments) != 1 or spot.callee.rpartition(".")[2] not in _METHODS:
        return ""
    name, statement = spot.arguments[0]
    parts = spot.parts(statement)
    if name or len(parts) < 2:
        return ""
    filled = _filled(parts, style, is_python=spot.is_python)
    if filled is None:
        return ""
    literal = quoted(filled.text, spot.written(statement), is_python=spot.is_python)
    return f"{spot.callee}({literal}, {_passed(filled.values, style, is_python=spot.is_python)})" if literal else ""


def _style(spot: Spot) -> PlaceholderStyle | None:
    """None where the file names no driver, or several: the wrong mark is worse than none."""
    if spot.family not in {"python", "ecmascript"} or spot.path.endswith("executescript"):
        return None
    known, others = (_PYTHON, _OTHERS_IN_PYTHON) if spot.is_python else (_ECMASCRIPT, _OTHERS_IN_ECMASCRIPT)
    found = [style for names, style in known if spot.imports(names)]
    return found[0] if len(found) == 1 and not spot.imports(others) else None


def _passed(values: list[str], style: PlaceholderStyle, *, is_python: bool) -> str:
    if style is PlaceholderStyle.NUMBERED and is_python:
        return ", ".join(values)
    if not is_python:
        return f"[{', '.join(values)}]"
    return f"({values[0]},)" if len(values) == 1 else f"({', '.join(values)})"


class _Statement:
    """A text that grows, with placeholders in it, and their values."""

    def __init__(self, style: PlaceholderStyle, *, is_python: bool) -> None:
        self._style = style
        self._is_python = is_python
        self._text = ""
        self._closing = ""
        self.values: list[str] = []

    @property
    def text(self) -> str:
        """On one line; nothing where that is not the same statement."""
        return " ".join(self._text.split()) if can_be_one_line(self._text) else ""

    def write(self, part: str) -> bool:
        """Whether no place of a value is in it already."""
        rest = part.removeprefix(self._closing)
        self._text += rest.replace(_ANY, "%%") if self._style is PlaceholderStyle.FORMAT else rest
        self._closing = ""
        return not _MARKED[self._style].search(part)

    def hand_over(self, code: str, after: str) -> bool:
        """Whether a value can be passed here at all."""
        opening, self._closing = _around(self._text, after)
        self._text = self._text.removesuffix(opening)
        value = wrapped(code, _inside(opening), _inside(self._closing), is_python=self._is_python)
        self.values.append(value)
        takes = takes_quoted(self._text, code) if opening else self._takes_bare(code, after)
        self._text += f"${len(self.values)}" if self._style is PlaceholderStyle.NUMBERED else self._style.value
        return bool(value) and takes

    def _takes_bare(self, code: str, after: str) -> bool:
        is_strict = self._style is PlaceholderStyle.NUMBERED and self._is_python  # asyncpg takes no text for a number
        return not is_strict and takes_bare(self._text, code, after)


def _filled(parts: Parts, style: PlaceholderStyle, *, is_python: bool) -> _Statement | None:
    """None where something else than a value is put in."""
    statement = _Statement(style, is_python=is_python)
    for part, after in zip(parts, (*parts[1:], ""), strict=True):
        if isinstance(part, str):
            if not statement.write(part):
                return None
        elif not statement.hand_over(part.text, after if isinstance(after, str) else ""):
            return None
    return statement if statement.text else None


def _inside(quotes: str) -> str:
    """What of the signs around a value belongs to it."""
    return _ANY if _ANY in quotes else ""


def _around(before: str, after: str) -> tuple[str, str]:
    """The quotes around a value, with the sign for anything that a search puts inside of them."""
    start = next((each for each in ("'%%", "'%", "'") if before.endswith(each)), "")
    end = next((each for each in ("%'", "'") if after.startswith(each)), "")
    return (start, end) if start and end else ("", "")


_VALUES = expression(r"\b(?:VALUES|IN|WHERE|SET|HAVING|BETWEEN|LIKE|ILIKE|AND|OR)\b", 2)
_NAMES = expression(r"\b(?:SELECT|FROM|ORDER\s+BY|GROUP\s+BY|INTO|TABLE|JOIN|UPDATE)\b", 2)
_BEFORE_QUOTED = expression(r"(?:[=<(,]|(?<!-)(?<!->)>|\b(?:LIKE|ILIKE|BETWEEN|AND))\s*$", 2)
_ALL_OF_A_LIST = expression(r"\bIN\s*\(\s*$", 2)
# Compared with a column, or one of several that are put in; a text beside a sum is not what a number was.
_BEFORE_BARE = expression(
    r"(?:(?:\b(?:WHERE|AND|OR|SET|HAVING|NOT)\b|[,(])\s*[\w.\"`]+\s*(?:=|<>|!=|<=?|>=?)"
    r"|\bBETWEEN(?:\s+(?:\?|%s|\$\d+)\s+AND)?|\bVALUES\s*\((?:[^()]*,)?)\s*$",
    2,
)
_AFTER_BARE = expression(r"\s*(?:$|[),;]|::|(?:AND|OR|ORDER|GROUP|LIMIT|OFFSET|WHERE|HAVING|RETURNING|UNION|ON)\b)", 2)
_ONLY_ONE = expression(r"\bVALUES\s*\(\s*$", 2)
_WORDS_OF_SQL = expression(r"[\"'](?:NULL|DEFAULT|TRUE|FALSE|CURRENT_\w+)[\"']|\bstringify\(", 2)
# Done for a text in which the value stands; a value that is passed would come out changed.
_MADE_FOR_A_TEXT = expression(r"escape|quote|mogrify|\brepr\(|\.replace(?:All)?\(|\bjoin\(", 2)


def takes_quoted(before: str, code: str) -> bool:
    return _takes(before, code) and _BEFORE_QUOTED.search(before) is not None and not _ALL_OF_A_LIST.search(before)


def takes_bare(before: str, code: str, after: str) -> bool:
    if not _takes(before, code) or not _BEFORE_BARE.search(before) or not _AFTER_BARE.match(after):
        return False
    is_all = _ONLY_ONE.search(before) and after.lstrip().startswith(")")
    return not is_all and not _WORDS_OF_SQL.search(code)


def can_be_one_line(text: str) -> bool:
    """Not with comments or several statements, nor with quoted texts that would come out changed or are not closed."""
    several = ";" in text.rstrip().removesuffix(";")
    if several or any(text.count(mark) % 2 for mark in "'\"") or "--" in text or "/*" in text:
        return False
    return not any("\n" in part or "  " in part for mark in "'\"" for part in text.split(mark)[1::2])


def _takes(before: str, code: str) -> bool:
    if any(before.count(mark) % 2 for mark in "'\"") or _MADE_FOR_A_TEXT.search(code):
        return False
    values = max((found.start() for found in _VALUES.finditer(before)), default=-1)
    return values > max((found.start() for found in _NAMES.finditer(before)), default=-1)
