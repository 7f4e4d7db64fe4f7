"""What to write in a secret's place: the language's own way to ask the environment for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.source.language import language_of

if TYPE_CHECKING:
    from vetgate.checks.secrets.match import SecretMatch

_SCRIPT = "process.env.{}"
_ASKS = {
    "python": 'os.environ["{}"]',
    "javascript": _SCRIPT,
    "typescript": _SCRIPT,
    "tsx": _SCRIPT,
    "go": 'os.Getenv("{}")',
    "java": 'System.getenv("{}")',
    "csharp": 'Environment.GetEnvironmentVariable("{}")',
    "php": "getenv('{}')",
    "ruby": 'ENV.fetch("{}")',
    "rust": 'std::env::var("{}")',
}
_HUMP = expression(r"(?<=[a-z0-9])(?=[A-Z])")
_OTHER = expression(r"[^A-Za-z0-9]+")
_LONGEST = 40


def instead(match: SecretMatch, path: str) -> str:
    """By the name that it stands under, else by what it is; nothing where the file is no program, or it has no name."""
    form = _ASKS.get(language_of(path) or "")
    name = match.name.rpartition(".")[2] or (match.kind.id if match.kind is not None else "")
    if not name and match.rule == "database-url":
        name = "DATABASE_URL"
    variable = _OTHER.sub("_", _HUMP.sub("_", name)).strip("_").upper()
    return form.format(variable) if form and variable[:1].isalpha() and len(variable) <= _LONGEST else ""
