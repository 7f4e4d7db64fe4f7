"""Rules of a project's own: what they find, what is said of broken ones, and who has to agree."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import replace
from hashlib import sha256

import pytest

from vetgate.app import App
from vetgate.checks import all_checks, known_names, troubles
from vetgate.checks.security.rule import FAMILIES
from vetgate.checks.security.user import structure, text_findings, user_rules
from vetgate.checks.security.user.check import extended
from vetgate.checks.security.user.structure import possible
from vetgate.config.load import defaults, loaded, with_pages
from vetgate.config.pages import MOST_BYTES, MOST_PAGES, Page, read_pages
from vetgate.config.plain import digest, show, text
from vetgate.config.schema import LineRule, Security
from vetgate.config.trust import effective, project_file
from vetgate.engine.analysis import run_check
from vetgate.model import RULES_FOLDER as FOLDER
from vetgate.model import UserError
from vetgate.project import Project
from vetgate.severity import Severity
from vetgate.source.clock import Deadline
from vetgate.source.language import LANGUAGES, language_of
from vetgate.source.syntax import Source

KNOWN = known_names()
SQL = """
from flask import request
import acme

def view():
    acme.rows("SELECT * FROM t WHERE id = " + request.args["id"])
"""
ACME = """# acme-rows: input in rows

```rule
severity: error
message: "`{source}` reaches `{sink}`."
find:
  - languages: [python]
    call: ["acme.rows"]
    argument: 0
    tainted: true
```
"""
needs_ast_grep = pytest.mark.skipif(importlib.util.find_spec("ast_grep_py") is None, reason="needs vetgate[rules]")


@pytest.fixture(autouse=True)
def _compiled_anew():
    """What is installed does not change while vetgate runs, but here."""
    for cached in (text_findings._linear, user_rules, extended):
        cached.cache_clear()


def page(name: str, content: str) -> Page:
    return Page(f"{FOLDER}/{name}.md", content)


def line(pattern: str, **more) -> LineRule:
    return LineRule("mine", pattern, "Found `{code}`.", **({"severity": Severity.ERROR} | more))


def under(*pages: Page, custom=(), sinks=()):
    config = replace(defaults(), security=Security(custom=tuple(custom), sinks=tuple(sinks), pages=pages))
    return replace(config, digest=digest(config))


def report(code: str, config, path: str = "a.py", deadline: Deadline | None = None):
    source = Source(path, code, language_of(path))
    return run_check(all_checks()["security"], source, config, deadline or Deadline.never())


def found(code: str, config, path: str = "a.py"):
    return [(finding.span.line, finding.rule) for finding in report(code, config, path).findings]


def ast_grep(**keys) -> str:
    content = {"language": "Python", "message": "No $A.", "rule": {"pattern": "launch($A)"}} | keys
    return f"# Page\n\n```ast-grep\n{json.dumps(content)}\n```\n"


def rule(find: str, **keys: str) -> str:
    more = "".join(f"{key}: {value}\n" for key, value in keys.items())
    return f'# Page\n\n```rule\nmessage: "m"\n{more}find:\n  - {find}\n```\n'


# What they find


def test_a_page_is_one_more_rule():
    assert found(SQL, defaults()) == []
    (finding,) = report(SQL, under(page("acme-rows", ACME))).findings
    assert (finding.id, finding.severity, finding.span.line, finding.symbol) == (
        "security/acme-rows",
        Severity.ERROR,
        6,
        "view",
    )
    assert finding.message == '`request.args["id"]` reaches `acme.rows`.'
    assert [step.line for step in finding.steps] == [6, 6]


def test_rules_of_a_project_take_nothing_away():
    code = "from os import system as rows\nfrom flask import request\nrows(request.args['x'])\n"
    own = found(code, defaults())
    assert own == [(3, "shell-command")]
    pages = (page("acme-rows", ACME), page("star", rule('{languages: [python], call: ["*"]}')))
    assert set(own) <= set(found(code, under(*pages)))


def test_a_star_at_the_end_stands_for_every_name():
    config = under(page("legacy", rule('{languages: [python, javascript], call: ["legacy.*"]}')))
    assert found("import legacy\nlegacy.never_heard_of()\nother.never_heard_of()\n", config) == [(2, "legacy")]
    assert found('import * as legacy from "legacy";\nlegacy.unheard();\n', config, "a.ts") == [(2, "legacy")]


@pytest.mark.parametrize(
    ("path", "languages", "hit"),
    [
        ("a.py", ("python",), True),
        ("a.ts", ("javascript",), True),
        ("a.go", ("go",), True),
        ("a.rb", (), True),
        ("a.py", ("go",), False),
        ("a.go", ("python",), False),
    ],
    ids=[
        "in Python",
        "JavaScript is TypeScript, too",
        "in a language without rules of vetgate",
        "in every language",
        "not in Python",
        "not in Go",
    ],
)
def test_a_line_is_found_in_its_languages(path, languages, hit):
    config = under(custom=[line("s3cr.t", languages=languages, fix="Do.", cwe=(798,))])
    result = report("x\nlet s3cret\n", config, path)
    assert bool(result.findings) is hit
    for finding in result.findings:
        assert (finding.span.line, finding.span.column, finding.span.end_column) == (2, 5, 11)
        assert (finding.message, finding.fix, finding.cwe) == ("Found `s3cret`.", "Do.", (798,))


def test_a_line_knows_its_function_and_is_told_once():
    code = "# \u00e9\ndef outer():\n    def inner():\n        return 'bad bad'\n"
    (finding,) = report(code, under(custom=[line("bad")])).findings
    assert (finding.symbol, finding.evidence, finding.span.line) == ("outer.inner", "return 'bad bad'", 4)


def test_only_the_beginning_of_a_line_is_looked_at():
    config = under(custom=[line("bad")])
    assert found(f"x = '{'a' * 1990}bad'\n", config) == [(1, "mine")]
    assert found(f"x = '{'a' * 2000}bad'\n", config) == []


def test_a_line_of_a_page_goes_by_the_page():
    config = under(page("verify-off", rule('{languages: [python], line: ["VERIFY_NONE"]}', severity="critical")))
    (finding,) = report("mode = VERIFY_NONE\r\n", config).findings
    assert (finding.id, finding.severity) == ("security/verify-off", Severity.CRITICAL)


def test_a_call_of_the_project_is_one_more_sink():
    assert found(SQL, under(sinks=[("sql-concatenation", ("acme.rows",))])) == [(6, "sql-concatenation")]
    safe = SQL.replace('+ request.args["id"]', "").replace("= ", "= %s")
    assert found(safe, under(sinks=[("sql-concatenation", ("acme.rows",))])) == []


def test_a_sink_that_vetgate_knows_already_is_told_once():
    code = 'from flask import request\nimport os\nos.system("ls " + request.args["x"])\n'
    assert found(code, under(sinks=[("shell-command", ("os.system",))])) == found(code, defaults())


@needs_ast_grep
def test_a_page_can_speak_ast_grep():
    content = ast_grep(
        constraints={"A": {"regex": "^s"}}, severity="error", note="Ask.", fix="land($A)", metadata={"cwe": [79]}
    )
    (finding,) = report("def f():\n    launch(secret)\n    launch(other)\n", under(page("launch", content))).findings
    assert (finding.id, finding.severity, finding.span.line, finding.span.column) == (
        "security/launch",
        Severity.ERROR,
        2,
        5,
    )
    assert (finding.message, finding.fix, finding.cwe) == ("No secret.", "Ask. Write: land(secret)", (79,))
    assert finding.symbol == "f"


@needs_ast_grep
def test_one_page_of_ast_grep_speaks_of_several_languages():
    both = ast_grep() + ast_grep(language="go").removeprefix("# Page\n")
    config = under(page("launch", both))
    assert found("launch(1)\n", config) == [(1, "launch")]
    assert found("package a\nfunc f() { launch(1) }\n", config, "a.go") == [(2, "launch")]
    assert found("launch(1)\n", config, "a.js") == []


@pytest.mark.parametrize(
    ("wanted", "text", "expected"),
    [
        ({"pattern": "launch($A)"}, "nothing", False),
        ({"pattern": "launch($A)"}, "x.launch()", True),
        ({"any": [{"pattern": "one()"}, {"pattern": "two()"}]}, "two", True),
        ({"any": [{"pattern": "one()"}, {"kind": "call"}]}, "", True),
        ({"all": [{"pattern": "one()"}, {"pattern": "two()"}]}, "two", False),
        ({"kind": "call", "inside": {"pattern": "outer($$$)"}}, "call()", False),
        ({"not": {"pattern": "one()"}, "kind": "call"}, "", True),
        ({"pattern": {"context": "x = one()", "selector": "call"}}, "", True),
        ({"regex": "one"}, "", True),
    ],
    ids=[
        "its word is missing",
        "its word is there",
        "one of several is there",
        "one of several has no word",
        "of all one is missing",
        "what must be around is missing",
        "what must not be says nothing",
        "a pattern in a context says nothing",
        "an expression says nothing",
    ],
)
def test_a_rule_of_ast_grep_is_run_only_where_its_words_are(wanted, text, expected):
    assert possible(wanted)(text) is expected


# Broken ones


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("# Page\n", "1: the page has no block marked `rule` or `ast-grep`"),
        ("# Page\n\n```rule\na: [\n```\n", "5:"),
        ("# Page\n\n```rule\n- a\n```\n", "4: the block is not a mapping"),
        (rule("{languages: [python], call: [x]}", severty="error"), "5: unknown key `severty`"),
        (rule("{languages: [python], call: [x]}", severity="bad"), "5: severity: severity must be one of note"),
        (rule("{languages: [python], call: [x]}", id="other"), "5: the rule is called like its page, mine"),
        (rule("{languages: [python], call: 5}"), "6: Expected `array`, got `int` - at `find[0].call`"),
        (rule("{languages: [python]}"), "6: find[0]: needs exactly one place"),
        (rule("{languages: [python], call: [x], line: [y]}"), "6: find[0]: needs exactly one place"),
        (rule("{languages: [pyton], call: [x]}"), "6: find[0].languages: languages must be one of"),
        (rule("{languages: [go], line: ['(']}"), "6: find[0].line[0]: is not a regular expression"),
        (rule("{languages: [python], call: [x], nearby: '('}"), "6: find[0].nearby: is not a regular expression"),
        (rule("{languages: [python], call: [x], nearby: '(a+)+$'}"), "6: find[0].nearby: this regular expression can"),
        (rule("{languages: [python], call: [x], text: odd}"), "6: find[0].text: text must be one of"),
        (rule("{languages: [python], call: [x], all: [{regex: '['}]}"), "6: find[0].all[0].regex: is not a regular"),
        (rule("{languages: [go], line: [x]}") + rule("{languages: [go], line: [x]}"), "10: a page holds one"),
        (ast_grep(language="klingon"), "4: language must be one of python, javascript"),
        (ast_grep(id="other"), "4: the rule is called like its page, mine, not other"),
        (ast_grep(files=["x"]), "4: unknown key `files`"),
    ],
    ids=[
        "without a block",
        "not YAML",
        "not a mapping",
        "an unknown key",
        "an unknown severity",
        "another name",
        "a value of the wrong kind",
        "no place",
        "two places",
        "an unknown language",
        "a line that is no expression",
        "a condition that is no expression",
        "an expression that may never end",
        "an unknown text",
        "a condition further down",
        "two rules",
        "ast-grep in an unknown language",
        "ast-grep under another name",
        "a key of ast-grep that means nothing here",
    ],
)
def test_a_broken_page_is_named_with_its_line_and_the_others_run(content, told):
    config = under(page("acme-rows", ACME), page("mine", content))
    (trouble,) = troubles(config)
    assert trouble.startswith(f"{FOLDER}/mine.md:{told}")
    assert found(SQL, config) == [(6, "acme-rows")]


@needs_ast_grep
@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ({"patern": "x"}, "unknown field `patern`"),
        ({"kind": "nosuch"}, "Kind `nosuch` is invalid."),
        ({"matches": "missing"}, "Rule `missing` is not defined."),
        ({"regex": "("}, "unclosed group"),
    ],
    ids=["an unknown key", "an unknown kind", "an unknown utility", "a broken expression"],
)
def test_what_ast_grep_says_of_a_rule_is_passed_on(wanted, told):
    (trouble,) = troubles(under(page("mine", ast_grep(rule=wanted))))
    assert trouble.startswith(f"{FOLDER}/mine.md:4: ast-grep: ")
    assert told in trouble
    assert "backtrace" not in trouble


def test_without_ast_grep_its_pages_wait_and_nothing_else_breaks(monkeypatch):
    monkeypatch.setattr(structure, "installed", lambda: False)
    config = under(page("acme-rows", ACME), page("launch", ast_grep()))
    assert troubles(config) == (
        f'{FOLDER}/launch.md:4: an ast-grep rule needs vetgate[rules]: pip install "vetgate[rules]"',
    )
    assert found(SQL + "launch(1)\n", config) == [(6, "acme-rows")]


class Panic(BaseException):
    """As what ast-grep raises when it panics."""


@needs_ast_grep
def test_a_rule_that_fails_leaves_the_file_unchecked_by_it_alone(monkeypatch):
    def panic(*_):
        raise Panic("at the disco")

    config = under(page("acme-rows", ACME), page("launch", ast_grep()))
    assert troubles(config) == ()
    monkeypatch.setattr("ast_grep_py.SgRoot", panic)
    result = report(SQL + "launch(1)\n", config)
    assert [finding.rule for finding in result.findings] == ["acme-rows"]
    assert [each.reason for each in result.unchecked] == [
        "security/launch of this project failed (RuntimeError: at the disco)"
    ]


def test_time_that_runs_out_is_said():
    result = report("bad\n" * 3000, under(custom=[line("bad")]), deadline=Deadline.after(-1))
    assert "the time for security/mine of this project ran out" in [each.reason for each in result.unchecked]


@pytest.mark.parametrize(
    ("config", "told"),
    [
        (under(page("weak-hash", ACME)), f"{FOLDER}/weak-hash.md:1: vetgate itself has a rule of this name"),
        (under(page("Bad_Name", ACME)), f"{FOLDER}/Bad_Name.md:1: a page is called like its rule"),
        (under(page("mine", ACME), custom=[line("x")]), f"{FOLDER}/mine.md:1: vetgate.yaml has a rule of this name"),
        (
            under(custom=[replace(line("x"), id="weak-hash")]),
            "vetgate.yaml: security.custom.weak-hash: vetgate itself has a rule of this name",
        ),
        (under(custom=[line("(a+)+$")]), "vetgate.yaml: security.custom.mine: this regular expression can take"),
        (
            under(sinks=[("weak-hash", ("x",))]),
            "vetgate.yaml: security.sinks.weak-hash: security/weak-hash does not follow input",
        ),
        (under(sinks=[("mine", ("x",))]), "vetgate.yaml: security.sinks.mine: only rules of vetgate itself"),
    ],
    ids=[
        "a page with a name of vetgate's",
        "a page with an odd name",
        "a page with a name of the configuration's",
        "a line with a name of vetgate's",
        "a line that may never end",
        "a sink of a rule without any",
        "a sink of nothing",
    ],
)
def test_what_cannot_stand_beside_the_others_is_left_out(config, told, monkeypatch):
    monkeypatch.setattr(text_findings, "_re2", lambda: None)
    (trouble,) = troubles(config)
    assert trouble.startswith(told)


def test_a_rule_of_the_configuration_that_is_left_out_is_named_with_its_line():
    text = "version: 1\nsecurity:\n  custom:\n    weak-hash: {pattern: x, message: m}\n  sinks:\n    weak-hash: [x]\n"
    config = loaded(text.encode(), KNOWN, None).config
    assert [trouble.partition(": v")[0].partition(": security/")[0] for trouble in troubles(config)] == [
        "vetgate.yaml:4:5: security.custom.weak-hash",
        "vetgate.yaml:6:5: security.sinks.weak-hash",
    ]
    moved = loaded(f"# a comment\n{text}".encode(), KNOWN, None).config
    assert moved.digest == config.digest
    assert [trouble.split(":")[1] for trouble in troubles(moved)] == ["5", "7"]


def test_an_expression_that_may_never_end_is_welcome_where_time_is_linear():
    pytest.importorskip("re2")
    config = under(custom=[line("(a+)+$")])
    assert troubles(config) == ()
    assert found("x = 'aaaa'\naaaa\n", config) == [(2, "mine")]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("security: {custom: {mine: {pattern: '(', message: m}}}", "2:37: security.custom.mine.pattern: is not a"),
        ("security: {custom: {mine: {message: m}}}", "2:27: security.custom.mine.pattern: is missing"),
        ("security: {custom: {mine: {pattern: x, message: m, cve: [1]}}}", "security.custom.mine.cve: unknown key"),
        ("security: {custom: {Mine: {pattern: x, message: m}}}", "security.custom.Mine: the name must be a rule's"),
        ("security: {sinks: {weak-hsh: [x]}}", 'unknown rule "security/weak-hsh"; did you mean "security/weak-hash"'),
        ("security: {sinks: {weak-hash: x}}", "security.sinks.weak-hash: must be a list"),
        ("rules: {security/nobody: error}", "unknown rule"),
    ],
    ids=["no expression", "a key is missing", "an unknown key", "an odd name", "an unknown rule", "no list", "no rule"],
)
def test_a_slip_in_the_configuration_is_named_with_its_place(content, told):
    with pytest.raises(UserError) as caught:
        loaded(f"version: 1\n{content}\n".encode(), KNOWN, None)
    assert told in caught.value.message


def test_the_configuration_names_the_languages_that_are_read():
    assert set(FAMILIES) == LANGUAGES


# Pages on disk


@pytest.fixture
def root(tmp_path):
    (tmp_path / FOLDER).mkdir(parents=True)
    return tmp_path


def lay(root, name, content):
    (root / FOLDER / name).write_bytes(content.encode() if isinstance(content, str) else content)


def test_pages_that_cannot_be_read_are_named_and_take_no_other_along(root):
    lay(root, "acme-rows.md", ACME)
    lay(root, "latin.md", b"# caf\xe9\n")
    lay(root, "large.md", "x" * (MOST_BYTES + 1))
    lay(root, "README.md", "for people")
    (root / FOLDER / "folder.md").mkdir()
    (root / FOLDER / "lost.md").symlink_to("nowhere")
    config = with_pages(defaults(), root)
    assert [trouble.removeprefix(f"{FOLDER}/") for trouble in troubles(config)] == [
        "folder.md:1: is not a regular file",
        f"large.md:1: is larger than {MOST_BYTES} bytes",
        "latin.md:1: is not UTF-8",
        "lost.md:1: cannot be read: No such file or directory",
    ]
    assert found(SQL, config) == [(6, "acme-rows")]


def test_there_is_an_end_to_pages(root):
    for number in range(MOST_PAGES + 5):
        lay(root, f"p{number:03}.md", ACME)
    pages = [each.page for each in read_pages(root)]
    assert len(pages) == MOST_PAGES + 1
    assert pages[-1].problem.startswith(f"more than {MOST_PAGES} pages")


def test_rules_of_the_project_can_be_named_like_any_other(root):
    lay(root, "acme-rows.md", ACME)
    content = (
        "version: 1\nrules: {security/acme-rows: warning, security/mine: off}\n"
        "security: {custom: {mine: {pattern: x, message: m}}}\ngates: {code: {checks: [security/acme-rows]}}\n"
    )
    config = loaded(content.encode(), KNOWN, root).config
    assert config.rules == {"security/acme-rows": Severity.WARNING, "security/mine": None}


# Who has to agree


def accepted(root):
    file = project_file(root, KNOWN)
    return file.sha256, text(file.config)


@pytest.fixture
def project(root):
    (root / "vetgate.yaml").write_text("version: 1\n")
    lay(root, "acme-rows.md", ACME)
    return root


def in_force(root, trusted=None, last_good=None):
    return effective(root, trusted, last_good, KNOWN)


def test_acceptance_covers_the_pages(project):
    names = ("vetgate.yaml", f"{FOLDER}/acme-rows.md")
    lines = "".join(f"{sha256((project / name).read_bytes()).hexdigest()}  {name}\n" for name in names)
    assert accepted(project)[0] == sha256(lines.encode()).hexdigest()
    here = in_force(project, accepted(project))
    assert (found(SQL, here.config), here.notes, here.extends) == ([(6, "acme-rows")], (), False)


def test_a_page_that_nobody_accepted_waits(project):
    here = in_force(project)
    assert found(SQL, here.config) == []
    assert here.ignored == (f"{FOLDER}/acme-rows.md is new",)
    assert "not in force" in here.notes[0]


@pytest.mark.parametrize(
    ("content", "told"),
    [(ACME.replace("acme.rows", "nothing"), "has changed"), (None, "is gone")],
    ids=["changed", "deleted"],
)
def test_an_accepted_page_stays_as_it_was_until_a_person_says_otherwise(project, content, told):
    trusted = accepted(project)
    (project / FOLDER / "acme-rows.md").unlink()
    if content:
        lay(project, "acme-rows.md", content)
    here = in_force(project, trusted)
    assert found(SQL, here.config) == [(6, "acme-rows")]
    assert here.ignored == (f"{FOLDER}/acme-rows.md {told}",)


def test_lines_and_sinks_wait_too(project):
    trusted = accepted(project)
    (project / "vetgate.yaml").write_text(
        "version: 1\nsecurity: {custom: {mine: {pattern: x, message: m}}, sinks: {sql-concatenation: [acme.rows]}}\n"
        "rules: {security/mine: error}\n"
    )
    here = in_force(project, trusted)
    assert here.ignored == ("security.custom.mine is new", "security.sinks.sql-concatenation is new")
    assert found(SQL, here.config) == [(6, "acme-rows")]
    trusted = accepted(project)
    (project / "vetgate.yaml").write_text("version: 1\n")
    here = in_force(project, trusted)
    assert here.ignored == (
        "security.custom.mine is gone",
        "security.sinks.sql-concatenation is gone",
        "rules.security/mine was error",
    )
    assert {rule for _, rule in found(SQL + "x\n", here.config)} == {"acme-rows", "mine", "sql-concatenation"}


def test_without_the_file_or_with_a_broken_one_accepted_pages_stay(project):
    (project / "vetgate.yaml").write_text("version: 1\nrules: {security/acme-rows: critical}\n")
    trusted = accepted(project)
    (project / FOLDER / "acme-rows.md").unlink()
    (project / "vetgate.yaml").write_text("version: 2\n")
    assert found(SQL, in_force(project, trusted).config) == [(6, "acme-rows")]
    assert found(SQL, in_force(project, trusted, last_good=trusted[1]).config) == [(6, "acme-rows")]
    (project / "vetgate.yaml").unlink()
    here = in_force(project, trusted)
    assert found(SQL, here.config) == [(6, "acme-rows")]
    assert here.notes


def test_pages_without_a_file_wait_and_it_is_said(project):
    (project / "vetgate.yaml").unlink()
    here = in_force(project)
    assert here.config == defaults()
    assert FOLDER in here.notes[0]


def test_a_page_is_read_again_when_it_changes(project, tmp_path):
    here = Project(project, tmp_path / "state")
    here.store.set_trusted(*accepted(project))
    first = here.effective()
    assert here.effective() is first
    lay(project, "bad.md", "# nothing\n")
    here.store.set_trusted(*accepted(project))
    (note,) = here.effective().notes
    assert (
        note
        == f"a rule of this project is left out: {FOLDER}/bad.md:1: the page has no block marked `rule` or `ast-grep`"
    )
    assert found(SQL, here.effective().config) == [(6, "acme-rows")]
    assert here.effective().config.digest != first.config.digest


def hook(app, root, kind, **more):
    payload = {"hook_event_name": kind, "session_id": "s", "cwd": str(root)} | more
    return app.answer("claude-code", json.dumps(payload).encode(), str(root))


def test_the_gate_holds_an_edit_to_accepted_pages_and_the_session_hears_of_broken_ones(project, tmp_path):
    lay(project, "bad.md", "# nothing\n")
    app = App(tmp_path / "state")
    edit = {"tool_name": "Write", "tool_input": {"file_path": str(project / "a.py"), "content": SQL}}
    assert hook(app, project, "PreToolUse", **edit).status == 0
    app.project(project).store.set_trusted(*accepted(project))
    assert f"{FOLDER}/bad.md:1" in hook(app, project, "SessionStart", source="startup").stdout.decode()
    reply = hook(app, project, "PreToolUse", **edit)
    assert reply.status == 2
    assert "security/acme-rows" in reply.stdout.decode()


def test_an_agent_that_writes_a_page_is_told_that_it_waits(project, tmp_path):
    app = App(tmp_path / "state")
    edit = {"file_path": str(project / FOLDER / "more.md"), "content": ACME}
    reply = hook(app, project, "PreToolUse", tool_name="Write", tool_input=edit)
    assert reply.status == 0
    assert "vetgate trust" in reply.stdout.decode()


def test_pages_that_lay_there_when_the_file_was_written_still_wait(project):
    """As `vetgate init` accepts the file that it wrote itself."""
    own = project_file(project, KNOWN).without_pages()
    here = in_force(project, (own.sha256, text(own.config)))
    assert own.sha256 == sha256(b"version: 1\n").hexdigest()
    assert here.ignored == (f"{FOLDER}/acme-rows.md is new",)


def test_rules_of_the_configuration_can_be_shown():
    custom = "{mine: {pattern: 'a: b', message: m, cwe: [79, 80]}}"
    content = f"version: 1\nsecurity: {{custom: {custom}, sinks: {{weak-hash: [x]}}}}\n"
    file = loaded(content.encode(), KNOWN, None)
    lines = show(file.config, file.tree).splitlines()
    assert loaded("\n".join(lines).encode(), KNOWN, None).config.security == file.config.security
    assert any(line.strip().startswith("cwe: [79, 80]") and line.endswith("# vetgate.yaml:2") for line in lines)
