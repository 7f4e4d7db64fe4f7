"""Language models, how several of them are joined, what they may cost: keys, values, and what is wrong with them."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from vetgate.config.node import Problem, did_you_mean, shown
from vetgate.config.value_shapes import Choice, Key, ListOf, MapOf, MappingShape, Share, TextShape, Whole
from vetgate.expression import expression
from vetgate.judgement import Consensus, Model, Price

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from vetgate.config.node import ConfigNode
    from vetgate.config.schema import Config

ANTHROPIC, OPENAI, CLIENT = "anthropic", "openai", "claude-cli"
STRATEGIES = ("unanimous", "majority", "primary-weighted", "security-override", "best-of-n")
MODES = ("auto", "strict", "lazy")
ON_TIMEOUT = ("allow", "deny", "primary")
# Of an adjudicator that is no model.
HEURISTIC = "heuristic"
_MOST_USD = 100_000.0
_LOOPBACK = expression(r"http://(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?(/.*)?")

MODEL_NAME = TextShape("a model's name (letters, digits, ., - and _)", r"[A-Za-z][A-Za-z0-9._-]{0,63}")
JUDGE_NAME = TextShape("a judge (intent, reviewer)", r"[a-z][a-z0-9-]{0,49}")
_MODEL_ID = TextShape("what the service calls the model", r"[^\s\x00-\x1f]{1,200}")
_URL = TextShape("the base address of a service (https://...)", r"https?://[^\s\x00-\x1f@]{1,400}", may_be_secret=True)
_KEY = TextShape(
    "where the key is: $NAME for a variable whose name ends in _KEY or _TOKEN, or keyring:SERVICE/USER",
    r"\$[A-Za-z_][A-Za-z0-9_]{0,99}_(?:KEY|TOKEN)|keyring:[^\s\x00-\x1f/]{1,100}/[^\s\x00-\x1f]{1,100}",
    may_be_secret=True,
)
_SPECIALTY = TextShape("a category of findings (security)", r"[a-z][a-z0-9-]{0,49}")
_USD = Share(0.0, _MOST_USD)

CONSENSUS = MappingShape(
    {
        "strategy": Key(Choice(STRATEGIES), "How several models come to one decision; see docs/judges/consensus.md."),
        "timeout": Key(Whole(1, 600), "Seconds to wait for models."),
        "on_timeout": Key(
            Choice(ON_TIMEOUT), "When not all have answered by then: allow, deny, or the primary's answer."
        ),
        "adjudicator": Key(
            MODEL_NAME,
            "Who decides where models disagree or are unsure: a model's name, or heuristic for the better supported "
            "side.",
        ),
    }
)
MODELS = MapOf(
    MODEL_NAME,
    MappingShape(
        {
            "api": Key(
                Choice((ANTHROPIC, OPENAI, CLIENT)),
                "anthropic, openai for every service with that API, or claude-cli for your own installed client.",
                required=True,
            ),
            "model": Key(_MODEL_ID, "What the service calls the model.", required=True),
            "url": Key(_URL, "The base address, without /v1 for anthropic; plain http only to this machine."),
            "key": Key(_KEY, "Where its key is, never the key itself: $NAME or keyring:SERVICE/USER."),
            "weight": Key(Share(0.0, 100.0), "Its weight among the models."),
            "specialties": Key(ListOf(_SPECIALTY), "Categories of findings in which its answer counts twice."),
            "price": Key(
                MappingShape(
                    {
                        "input": Key(_USD, "US dollars for a million tokens that it reads.", required=True),
                        "output": Key(_USD, "US dollars for a million tokens that it writes.", required=True),
                    }
                ),
                "What it costs. A model without a price counts as the most expensive one that has a price.",
            ),
        }
    ),
)
BUDGET = MappingShape(
    {
        "usd_per_day": Key(_USD, "US dollars a day, for the judges of this project together; 0 for no limit."),
        "usd_per_session": Key(_USD, "US dollars in one session; 0 for no limit."),
    }
)


class Budget(NamedTuple):
    """US dollars; 0 is no limit."""

    usd_per_day: float = 0.0
    usd_per_session: float = 0.0


_PAGES = Path(__file__).parents[1] / "judges"
_EVENTS = expression(r"(?m)^events: \[([^\]]*)\]$")
_TIER = expression(r"(?m)^tier: (\w+)$")


@cache
def judge_names() -> frozenset[str]:
    """Each has a page; no configuration may import what stands beside it."""
    return frozenset(page.stem.replace("_", "-") for page in _PAGES.glob("*.md"))


@lru_cache(maxsize=64)
def judge_events(name: str) -> tuple[str, ...]:
    """Where it has something to say, as its page has it; nothing for a name that no page has."""
    found = _EVENTS.search(_page(name))
    return tuple(event.strip() for event in found[1].split(",")) if found else ()


def _page(judge: str) -> str:
    return (_PAGES / f"{judge.replace('-', '_')}.md").read_text(encoding="utf-8") if judge in judge_names() else ""


def model_problems(tree: ConfigNode) -> Iterator[Problem]:
    models = tree.at("models").entries
    for name, model in models.items():
        yield from _of_model(model, f"models.{name}")
    yield from _adjudicator_problems(tree.at("consensus"), "consensus", models)
    for name, gate in tree.at("gates").entries.items():
        yield from _of_judge(gate, f"gates.{name}", models)
        if gate.at("investigate").value is True:
            consensus = gate.at("consensus") if gate.at("consensus").entries else tree.at("consensus")
            yield from _of_investigation(gate, f"gates.{name}.investigate", models, consensus)


def _of_model(model: ConfigNode, key: str) -> Iterator[Problem]:
    api, url = model.at("api").value, model.at("url")
    if isinstance(url.value, str) and url.value.startswith("http://") and not _LOOPBACK.fullmatch(url.value):
        yield Problem(url.place, f"{key}.url", "plain http would show your key to the network; use https")
    if api == OPENAI and url.value is None:
        yield Problem(model.key or model.place, f"{key}.url", "is missing; add `url: https://.../v1`")
    for name in ("url", "key") if api == CLIENT else ():
        if name in model.entries:
            yield Problem(model.entries[name].place, f"{key}.{name}", "is set by the installed client; leave it out")


def _of_judge(gate: ConfigNode, key: str, models: Mapping[str, ConfigNode]) -> Iterator[Problem]:
    judge = gate.at("judge")
    if isinstance(judge.value, str) and judge.value not in judge_names():
        meant = did_you_mean(judge.value, sorted(judge_names()))
        yield Problem(judge.place, f"{key}.judge", f"unknown judge {shown(judge.value)}{meant}")
    for number, node in enumerate(gate.at("models").items):
        yield from _unknown_model(node, f"{key}.models[{number}]", models)
    yield from _adjudicator_problems(gate.at("consensus"), f"{key}.consensus", models)


def _of_investigation(
    gate: ConfigNode, key: str, models: Mapping[str, ConfigNode], consensus: ConfigNode
) -> Iterator[Problem]:
    """The installed client gets no tools, so it would answer without having looked."""
    tier = _TIER.search(_page(str(gate.at("judge").value)))
    asked = [str(each.value) for each in gate.at("models").items] or [tier[1] if tier else ""]
    for name in (*asked, str(consensus.at("adjudicator").value)):
        if name in models and models[name].at("api").value == CLIENT:
            yield Problem(
                gate.at("investigate").place,
                key,
                f"the model {shown(name)} has `api: {CLIENT}`, which cannot investigate",
            )


def _adjudicator_problems(consensus: ConfigNode, key: str, models: Mapping[str, ConfigNode]) -> Iterator[Problem]:
    node = consensus.at("adjudicator")
    if isinstance(node.value, str) and node.value != HEURISTIC:
        yield from _unknown_model(node, f"{key}.adjudicator", models)


def _unknown_model(node: ConfigNode, key: str, models: Mapping[str, ConfigNode]) -> Iterator[Problem]:
    if isinstance(node.value, str) and node.value not in models:
        meant = did_you_mean(node.value, sorted(models)) or "; define it under `models`"
        yield Problem(node.place, key, f"there is no model {shown(node.value)}{meant}")


def built_model(name: str, keys: dict[str, Any]) -> Model:
    price = keys.get("price")
    more = {key: keys[key] for key in ("url", "key", "weight") if key in keys}
    return Model(
        name,
        keys["api"],
        keys["model"],
        specialties=tuple(keys.get("specialties", ())),
        price=Price(float(price["input"]), float(price["output"])) if price else None,
        **more,
    )


def plain_models(config: Config) -> dict[str, Any]:
    """The sections that would make them again."""
    return {
        "models": {name: _plain_model(model) for name, model in config.models.items()},
        "consensus": plain_consensus(config.consensus),
        "budget": config.budget._asdict(),
    }


def plain_consensus(consensus: Consensus) -> dict[str, Any]:
    keys = {"strategy": consensus.strategy, "timeout": consensus.timeout, "on_timeout": consensus.on_timeout}
    return keys | ({"adjudicator": consensus.adjudicator} if consensus.adjudicator else {})


def _plain_model(model: Model) -> dict[str, Any]:
    keys: dict[str, Any] = {"api": model.api, "model": model.model}
    keys |= {name: value for name in ("url", "key") if (value := getattr(model, name))}
    keys |= {"weight": model.weight} if model.weight != 1.0 else {}
    keys |= {"specialties": list(model.specialties)} if model.specialties else {}
    return keys | ({"price": {"input": model.price.input, "output": model.price.output}} if model.price else {})


def waiting_models(base: Config, file: Config) -> tuple[list[str], list[str]]:
    """What of a file's models is looser than what a person accepted, and what is only new: neither is in force.

    A changed address or key could send a key of theirs elsewhere.
    """
    looser = [
        f"models.{name}.{key} has changed"
        for name, model in file.models.items()
        if name in base.models
        for key in ("api", "url", "key", "model", "price", "weight", "specialties")
        if getattr(model, key) != getattr(base.models[name], key)
    ]
    looser += [f"models.{name} is gone" for name in base.models if name not in file.models]
    if file.consensus != base.consensus:
        looser.append("consensus has changed")
    new = [f"models.{name} is new" for name in file.models if name not in base.models]
    # Without money judges are skipped: less of it is not stricter.
    return looser, [*new, *(["budget has changed"] if file.budget != base.budget else [])]
