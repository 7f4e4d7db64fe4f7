"""Agents that we are not attached to, and recognise: what they do passes no gate, and their files decide about theirs.

One that we become attached to moves into a package of its own.
"""

from __future__ import annotations

from vetgate.known_agents import KnownAgent, Launch

_LOOKS = "login logout auth mcp config doctor update upgrade completion completions models list help version install"


def _launch(starts: str = "", looks: str = "", *, first_word: bool = False, reads_stdin: bool = False) -> Launch:
    return Launch(frozenset(starts.split()), frozenset(looks.split()), first_word, reads_stdin)


_OPENHANDS = _launch("-t --task -f --file --headless")
_CONTINUE = "-p --print --auto"

# Names that other programs have as well are known by what starts the agent alone. Left out of the markers on purpose:
# variables that also stand in a person's own terminal (CODEX_HOME, CURSOR_TRACE_ID, those of an editor's extension).
OTHERS = (
    KnownAgent(
        title="Aider",
        program="aider",
        processes=("aider",),
        launches={
            "aider": _launch(
                looks="--list-models --models --show-prompts --show-repo-map --just-check-update --check-update"
            ),
            "aider-chat": _launch(),
        },
        folder=".aider",
    ),
    KnownAgent(
        title="Amp",
        program="amp",
        processes=("amp",),
        launches={
            "amp": _launch(
                "-x --execute --dangerously-allow-all --stream-json threads", first_word=True, reads_stdin=True
            )
        },
    ),
    KnownAgent(
        title="Goose",
        program="goose",
        processes=("goose",),
        launches={"goose": _launch("run session web recipe", first_word=True)},
    ),
    KnownAgent(
        title="Augment", program="auggie", markers=("AUGMENT_AGENT",), launches={"auggie": _launch(looks=_LOOKS)}
    ),
    KnownAgent(
        title="Cline",
        program="cline",
        markers=("CLINE_ACTIVE",),
        launches={"cline": _launch("-y --yolo task -o --oneshot", first_word=True)},
        rules=(".clinerules",),
    ),
    KnownAgent(
        title="Windsurf",
        program="windsurf",
        servers=("windsurf-server",),
        folder=".windsurf",
        rules=(".windsurfrules",),
    ),
    KnownAgent(
        title="Crush",
        program="crush",
        launches={"crush": _launch("run -y --yolo", first_word=True, reads_stdin=True)},
    ),
    KnownAgent(
        title="Kimi",
        program="kimi",
        launches={"kimi": _launch("--print -p --prompt -c --command --yolo -y --auto-approve", reads_stdin=True)},
    ),
    KnownAgent(title="Droid", program="droid", launches={"droid": _launch("exec", first_word=True)}),
    KnownAgent(title="Amazon Q", program="q", launches={"q": _launch("chat", first_word=True)}),
    KnownAgent(title="Kiro", program="kiro-cli", launches={"kiro-cli": _launch("chat", first_word=True)}),
    KnownAgent(
        title="Plandex", program="plandex", launches={"plandex": _launch("tell build continue", first_word=True)}
    ),
    KnownAgent(title="OpenHands", program="openhands", launches={"openhands": _OPENHANDS, "openhands-cli": _OPENHANDS}),
    KnownAgent(title="Trae", program="trae-cli", launches={"trae-cli": _launch("run", first_word=True)}),
    KnownAgent(title="Forge", program="forge", launches={"forge": _launch("-p --prompt", reads_stdin=True)}),
    KnownAgent(
        title="Continue",
        program="cn",
        launches={"continue": _launch(_CONTINUE), "cn": _launch(_CONTINUE, reads_stdin=True)},
    ),
    KnownAgent(
        title="SWE-agent",
        program="sweagent",
        launches={"mini-swe-agent": _launch(), "swe-agent": _launch(), "sweagent": _launch()},
    ),
    # Programs that ask a model, and let it run commands where they are told so.
    KnownAgent(title="LLM", program="llm", launches={"llm": _launch("-T --tool --functions")}),
    KnownAgent(title="ShellGPT", program="sgpt", launches={"sgpt": _launch("-s --shell --repl --functions")}),
    KnownAgent(
        title="Open Interpreter",
        program="interpreter",
        launches={"interpreter": _launch("-y --auto_run --os"), "open-interpreter": _launch("-y --auto_run --os")},
    ),
    KnownAgent(title="an agent", markers=("AI_AGENT",)),
)
