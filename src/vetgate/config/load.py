"""vetgate.yaml and what it extends, over the defaults -> Config, or a UserError naming file, line and key."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from vetgate.config.gates import built_gate, built_loops, built_sequences, event_problems, gate_problems, loop_problems
from vetgate.config.glob import PathFilter
from vetgate.config.layers import GROUND, ConfigPart, Layers, layers, merge, preset, read_file
from vetgate.config.models import Budget, built_model, model_problems
from vetgate.config.node import ConfigNode, Problem, did_you_mean, failure, shown
from vetgate.config.options import read_options
from vetgate.config.pages import Page, pages_from, read_pages
from vetgate.config.plain import digest, without_pages
from vetgate.config.schema import Config, GateSequence, LineRule, Output, Retries, Security, Ship
from vetgate.judgement import Consensus
from vetgate.model import CONFIG_NAME, EventKind, UserError
from vetgate.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from vetgate.config.looser import ConfigFiles
    from vetgate.config.node import Position


def name_problems(tree: ConfigNode, known_checks: Collection[str] | None) -> Iterator[Problem]:
    gates = tree.at("gates").entries
    yield from gate_problems(gates)
    for name, gate in gates.items():
        for number, check in enumerate(gate.at("checks").items):
            yield from _check_problems(check, str(check.value), f"gates.{name}.checks[{number}]", known_checks)
    for rule, node in tree.at("rules").entries.items():
        yield from _check_problems(ConfigNode(rule, node.key or node.place), rule, f"rules.{rule}", known_checks)
    for rule, node in tree.at("security", "sinks").entries.items():
        key = f"security.sinks.{rule}"
        yield from _check_problems(ConfigNode(rule, node.key or node.place), f"security/{rule}", key, known_checks)
    yield from event_problems(tree.at("on"), gates)
    yield from loop_problems(tree, gates)
    yield from model_problems(tree)


def own_rules(tree: ConfigNode, pages: tuple[Page, ...]) -> set[str]:
    """What the project itself calls a rule, and may therefore name elsewhere."""
    names = (*tree.at("security", "custom").entries, *(page.rule for page in pages))
    return {f"security/{name}" for name in names}


def _check_problems(node: ConfigNode, name: str, key: str, known: Collection[str] | None) -> Iterator[Problem]:
    if known is None or name in known:
        return
    kind = "rule" if "/" in name else "check"
    yield Problem(node.place, key, f"unknown {kind} {shown(name)}{_meant(name, known)}")


def _meant(name: str, known: Collection[str]) -> str:
    """A rule is often called by its last name alone."""
    whole = [each for each in sorted(known) if each.endswith(f"/{name}")]
    return f'; did you mean "{whole[0]}"?' if whole else did_you_mean(name, sorted(known))


def build(tree: ConfigNode, path: Path | None, pages: tuple[Page, ...] = ()) -> Config:
    """The configuration of a tree without problems."""
    values: Any = tree.plain
    sequences = built_sequences(values["on"])
    loops = built_loops(values["review"])
    if loops:
        sequences[EventKind.REVIEW] = GateSequence(tuple(step for loop in loops for step in loop.steps))
    config = Config(
        enabled=values["enabled"],
        log_level=values["log_level"],
        daemon=values["daemon"],
        paths=PathFilter(**{name: tuple(globs) for name, globs in values["paths"].items()}),
        gates={name: built_gate(name, keys) for name, keys in values["gates"].items()},
        on={event: sequence.names for event, sequence in sequences.items()},
        sequences=sequences,
        options=read_options(values),
        security=_security(values["security"], pages, tuple(_places(tree))),
        retries=Retries(**values["retries"]),
        rules={name: None if word == "off" else Severity[word.upper()] for name, word in values["rules"].items()},
        output=Output(**values["output"]),
        on_failure=values["on_failure"],
        models={name: built_model(name, keys) for name, keys in values["models"].items()},
        consensus=Consensus(**values["consensus"]),
        budget=Budget(**values["budget"]),
        review=loops,
        ship=Ship(tuple(values["ship"]["branches"]), values["ship"]["people"]),
        path=path,
    )
    return replace(config, digest=digest(config))


def _places(tree: ConfigNode) -> Iterator[tuple[str, Position]]:
    """Where rules of the project's own stand: what is wrong with them comes to light when they are compiled."""
    for part in ("custom", "sinks"):
        for name, node in tree.at("security", part).entries.items():
            yield f"security.{part}.{name}", node.key or node.place


def _security(keys: dict[str, Any], pages: tuple[Page, ...], places: tuple[tuple[str, Position], ...]) -> Security:
    return Security(
        custom=tuple(_line_rule(name, rule) for name, rule in keys["custom"].items()),
        sinks=tuple((rule, tuple(globs)) for rule, globs in keys["sinks"].items()),
        pages=pages,
        places=places,
    )


def _line_rule(name: str, keys: dict[str, Any]) -> LineRule:
    return LineRule(
        id=name,
        pattern=keys["pattern"],
        message=keys["message"],
        severity=Severity[keys.get("severity", "warning").upper()],
        fix=keys.get("fix", ""),
        cwe=tuple(keys.get("cwe", ())),
        languages=tuple(keys.get("languages", ())),
    )


class LoadedConfig(NamedTuple):
    """A configuration with the tree it was built from: every value of it knows its place."""

    config: Config
    tree: ConfigNode
    parts: tuple[ConfigPart, ...]
    pages: tuple[ConfigPart, ...] = ()

    @property
    def sha256(self) -> str:
        return content_digest((*self.parts, *self.pages))

    def without_pages(self) -> LoadedConfig:
        return LoadedConfig(_paged(self.config, ()), self.tree, self.parts)


@lru_cache(maxsize=1)
def defaults() -> Config:
    """What holds where there is no file."""
    return build(preset(GROUND), None)


def find(root: Path) -> Path | None:
    """The project's configuration file. Only one name is read, so that two files can never compete."""
    path = root / CONFIG_NAME
    if os.path.lexists(path):
        return path
    other = root / "vetgate.yml"
    if os.path.lexists(other):
        raise UserError(
            f"{other.name} is not read; the file is called {CONFIG_NAME}", hint=f"mv {other.name} {CONFIG_NAME}"
        )
    return None


def load(path: Path, known_checks: Collection[str] | None = None, root: Path | None = None) -> Config:
    """Read a file. `known_checks` holds the ids of checks and rules; None takes any. `root` bounds `extends`."""
    root = root or path.parent
    return loaded(read_file(path, path.name), known_checks, root, name=path.name, path=path).config


def loaded(
    data: bytes,
    known_checks: Collection[str] | None,
    root: Path | None,
    name: str = CONFIG_NAME,
    *,
    path: Path | None = None,
    files: ConfigFiles | None = None,
) -> LoadedConfig:
    """With the pages of the root; what it extends, and they, come from `files` where that is not the disk."""
    stack = layers(data, name, root, files.data if files else None)
    found = pages_from(files.data, files.pages()) if files else read_pages(root) if root else ()
    pages = tuple(each.page for each in found)
    tree = checked(stack, known_checks, pages)
    return LoadedConfig(build(tree, path, pages), tree, stack.parts, tuple(each.part for each in found))


def restored_config(text: str, known_checks: Collection[str] | None) -> Config:
    """A configuration from what `plain.text` made of it, pages and all."""
    content, pages = without_pages(text)
    tree = checked(layers(content, "the last good version", None), known_checks, pages)
    return build(tree, None, pages)


def with_pages(config: Config, root: Path) -> Config:
    """The same with the pages that lie there now."""
    return _paged(config, tuple(each.page for each in read_pages(root)))


def _paged(config: Config, pages: tuple[Page, ...]) -> Config:
    if pages == config.security.pages:
        return config
    changed = replace(config, security=replace(config.security, pages=pages))
    return replace(changed, digest=digest(changed))


def checked(stack: Layers, known_checks: Collection[str] | None, pages: tuple[Page, ...] = ()) -> ConfigNode:
    """The merged tree; names are looked up even in a file with other problems, but no slip is told twice."""
    tree = merge(stack.trees)
    problems = list(stack.problems)
    told = tuple(problems)
    known = known_checks if known_checks is None else {*known_checks, *own_rules(tree, pages)}
    problems += [each for each in name_problems(tree, known) if not _is_reported(each, told)]
    if problems:
        raise failure(problems)
    return tree


def _is_reported(problem: Problem, told: tuple[Problem, ...]) -> bool:
    """Whether something was said of this value, of one around it or one in it; a key and its value are two things."""
    key = problem.key
    return any(
        problem.place == other.place
        or key.startswith((f"{other.key}.", f"{other.key}["))
        or other.key.startswith(f"{key}.")
        for other in told
        if other.key
    )


def content_digest(parts: tuple[ConfigPart, ...]) -> str:
    """What a person accepts: `sha256sum vetgate.yaml`; with more files, `sha256sum FILES... | sha256sum`."""
    digests = [sha256(part.data).hexdigest() for part in parts]
    if len(digests) == 1:
        return digests[0]
    lines = "".join(f"{digest}  {part.name}\n" for digest, part in zip(digests, parts, strict=True))
    return sha256(lines.encode()).hexdigest()
