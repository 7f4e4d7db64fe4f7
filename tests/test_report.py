"""Reports are values in, text out: verdicts are built here by hand."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from vetgate.cli.report import FORMATS, render
from vetgate.model import (
    Decision,
    Finding,
    Outcome,
    Span,
    Status,
    Step,
    Suppression,
    SuppressionKind,
    Unchecked,
    UncheckedKind,
    Verdict,
)
from vetgate.service.report.run import Run
from vetgate.severity import Severity

CODE = "import os\n\n\ndef tangled(a, b):\n\tif a and b:\n        return 1\n    return 2\n"

TANGLED = Finding(
    check="complexity",
    rule="cyclomatic",
    span=Span("src/app.py", 4, 5, 4, 12),
    message="tangled has a cyclomatic complexity of 12; 10 is allowed",
    severity=Severity.ERROR,
    symbol="tangled",
    value=12,
    limit=10,
    fix="Split it up.",
    steps=(Step(5, "+1 if"), Step(6, "+3 while, nested twice")),
)
OLD = replace(TANGLED, rule="nesting", severity=Severity.WARNING, new=False)
INJECTED = Finding(
    check="security",
    rule="sql-concatenation",
    span=Span("src/db.py", 2, 1),
    message="a query is put together from <user> input & more",
    severity=Severity.CRITICAL,
    confidence=0.8,
    cwe=(89,),
    owasp="A03:2021",
)


CATEGORIES = ("injection", "xss", "crypto", "auth", "dataExposure", "data", "files", "memory", "web")
NO_CATEGORIES = dict.fromkeys(CATEGORIES, 0)


def run_of(*findings: Finding, decision: Decision = Decision.BLOCK, **more: object) -> Run:
    outcome = Outcome("code", Status.FAILED, findings, (Unchecked("a.bin.py", UncheckedKind.NOT_CODE, "binary"),))
    values = {"files": 3, "elapsed_ms": 1234.56, "text": {"src/app.py": CODE}.get} | more
    return Run(Verdict(decision, (outcome,)), **values)  # type: ignore[arg-type]


class TestJson:
    def test_the_contract(self) -> None:
        report = json.loads(render(run_of(TANGLED), "json"))
        assert report == {
            "verdict": "block",
            "findings": [
                {
                    "check": "complexity",
                    "rule": "cyclomatic",
                    "severity": "error",
                    "confidence": 1.0,
                    "path": "src/app.py",
                    "line": 4,
                    "column": 5,
                    "end_line": 4,
                    "message": "tangled has a cyclomatic complexity of 12; 10 is allowed",
                    "fix": "Split it up.",
                    "cwe": [],
                    "owasp": "",
                    "fingerprint": TANGLED.fingerprint,
                    "new": True,
                    "advisory": False,
                    "excuse": "",
                    "steps": [{"line": 5, "text": "+1 if"}, {"line": 6, "text": "+3 while, nested twice"}],
                }
            ],
            "unchecked": [{"path": "a.bin.py", "reason": "binary"}],
            "elapsed_ms": 1234.6,
            "metrics": {
                "complexity": {
                    "cyclomaticComplexity": 0,
                    "cognitiveComplexity": 0,
                    "nestingDepth": 0,
                    "functionLength": 0,
                    "totalFunctions": 0,
                    "highComplexityFunctions": 0,
                },
                "security": {"criticalIssues": 0, "errorIssues": 0, "warningIssues": 0, "categories": NO_CATEGORIES},
                "semantic": {
                    "typeConsistencyScore": 100,
                    "typedValues": 0,
                    "mistypedValues": 0,
                    "namingConsistencyScore": 100,
                    "names": 0,
                    "oddNames": 0,
                    "duplicateCodeScore": 100,
                    "comparedFunctions": 0,
                    "copiedFunctions": 0,
                    "apiContractViolations": 0,
                },
                "performance": {"files": 3, "elapsed_ms": 1234.6, "slowest": None},
            },
        }

    def test_weakness_numbers_and_a_missing_end_line(self) -> None:
        (finding,) = json.loads(render(run_of(INJECTED), "json"))["findings"]
        assert (finding["cwe"], finding["owasp"], finding["end_line"]) == ([89], "A03:2021", 2)

    def test_bytes_that_are_not_utf8_are_written_out(self) -> None:
        name = b"caf\xe9.py".decode("utf-8", "surrogateescape")
        odd = replace(TANGLED, span=Span(name, 1), message="\ud800 in \udce9")
        (finding,) = json.loads(render(run_of(odd), "json").encode("utf-8"))["findings"]
        assert finding["path"] == "caf\\xe9.py"
        assert finding["message"] == "\\ud800 in \\udce9"


class TestWhichFindings:
    @pytest.mark.parametrize("form", FORMATS)
    def test_old_ones_only_when_asked_for(self, form: str) -> None:
        assert "complexity/nesting" not in loose(render(run_of(OLD), form))
        assert "nesting" in render(run_of(OLD, everything=True), form)

    def test_one_finding_of_two_gates_is_told_once(self) -> None:
        outcome = Outcome("code", Status.FAILED, (TANGLED,))
        run = Run(Verdict(Decision.BLOCK, (outcome, replace(outcome, gate="more"))))
        assert run.findings == (TANGLED,)

    def test_in_reading_order(self) -> None:
        later = replace(TANGLED, symbol="later", span=Span("src/app.py", 40))
        assert run_of(INJECTED, later, TANGLED).findings == (TANGLED, later, INJECTED)

    @pytest.mark.parametrize(
        ("decision", "blocked"),
        [
            pytest.param(Decision.ALLOW, False, id="nothing found passes"),
            pytest.param(Decision.WARN, False, id="warnings pass"),
            pytest.param(Decision.ASK, True, id="with nobody to ask, a question blocks"),
            pytest.param(Decision.BLOCK, True, id="a block blocks"),
            pytest.param(Decision.HALT, True, id="a halt blocks"),
        ],
    )
    def test_what_blocks(self, decision: Decision, blocked: bool) -> None:
        assert run_of(decision=decision).blocked is blocked


class TestText:
    def test_a_finding_with_its_code_its_steps_and_its_fix(self) -> None:
        assert render(run_of(TANGLED), "text") == (
            f"src/app.py:4:5  error  complexity/cyclomatic  {TANGLED.fingerprint}\n"
            "  tangled has a cyclomatic complexity of 12; 10 is allowed\n"
            "    3 |\n"
            "  > 4 | def tangled(a, b):\n"
            "      |     ^^^^^^^\n"
            "    5 |     if a and b:\n"
            "    line 6     +3 while, nested twice  return 1\n"
            "    line 5     +1 if                   if a and b:\n"
            "  fix: Split it up.\n"
            "\n"
            "not checked  a.bin.py: binary\n"
            "1 error; 3 files checked, 1 not checked (1.2 s): blocked\n"
        )

    def test_two_measures_of_one_function_show_its_code_once(self) -> None:
        text = render(run_of(TANGLED, replace(TANGLED, rule="cognitive")), "text")
        assert text.count("def tangled") == 1

    def test_only_the_biggest_steps_are_listed(self) -> None:
        steps = tuple(Step(line, f"+{line} if") for line in range(1, 13))
        text = render(run_of(replace(TANGLED, steps=steps), snippets=False), "text")
        assert re.findall(r"\+(\d+)", text) == ["12", "11", "10", "9", "8", "7", "6", "5"]
        assert "and 4 more" in text

    def test_steps_of_a_data_flow_keep_their_order(self) -> None:
        flow = replace(INJECTED, steps=(Step(9, "read here"), Step(3, "passed +7 on"), Step(12, "used here")))
        assert re.findall(r"line +(\d+)", render(run_of(flow), "text")) == ["9", "3", "12"]

    def test_a_data_flow_is_numbered_from_where_it_comes_to_where_it_ends(self) -> None:
        code = "def view(request):\n    name = request.args\n    run(name, 2)\n"
        flow = replace(
            INJECTED,
            span=Span("src/db.py", 3, 5, 3, 17),
            steps=(Step(2, "`request.args` comes from outside"), Step(2, "through `name`"), Step(3, "reaches `run`")),
        )
        assert "\n".join(render(run_of(flow, text={"src/db.py": code}.get), "text").splitlines()[2:9]) == (
            "    2 |     name = request.args\n"
            "  > 3 |     run(name, 2)\n"
            "      |     ^^^^^^^^^^^^\n"
            "    4 |\n"
            "    1. line 2  `request.args` comes from outside  name = request.args\n"
            "    2. line 2  through `name`                     name = request.args\n"
            "    3. line 3  reaches `run`"
        )

    def test_a_long_flow_is_shown_whole(self) -> None:
        steps = tuple(Step(line, f"through `v{line}`") for line in range(1, 13))
        text = render(run_of(replace(INJECTED, steps=steps)), "text")
        assert "12. line 12  through `v12`" in text
        assert "more" not in text.partition("12. line")[0].partition("1. line")[2]

    def test_colours_only_when_wanted(self) -> None:
        assert "\x1b[" not in render(run_of(TANGLED), "text")
        assert "\x1b[31m" in render(run_of(TANGLED), "text", colour=True)

    def test_what_people_wrote_cannot_command_the_terminal(self) -> None:
        evil = "x = '\x1b[2J\u202e'\n"
        finding = replace(TANGLED, span=Span("e\x1bvil\n.py", 1, 1), message="\x1b]0;title\x07", steps=())
        text = render(run_of(finding, text={"e\x1bvil\n.py": evil}.get), "text")
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert "e\\x1bvil\\n.py:1:1" in text

    def test_the_mark_stands_under_wide_characters_and_tabs(self) -> None:
        code = "\t表示 = eval(x)\n"
        finding = replace(INJECTED, span=Span("w.py", 1, 7, 1, 11))
        lines = render(run_of(finding, text={"w.py": code}.get), "text").splitlines()
        assert lines[2:4] == ["  > 1 |     表示 = eval(x)", "      |            ^^^^"]

    @pytest.mark.parametrize(
        "span",
        [
            pytest.param(Span("src/app.py", 99), id="a line beyond the end"),
            pytest.param(Span("src/app.py", 2, 50), id="a column beyond the end"),
            pytest.param(Span("src/app.py", 1, 300, 1, 900), id="far to the right"),
            pytest.param(Span("gone.py", 1), id="a file that is gone"),
        ],
    )
    def test_a_place_that_is_not_there_does_no_harm(self, span: Span) -> None:
        assert "error" in render(run_of(replace(TANGLED, span=span)), "text")

    def test_a_very_long_line_is_cut(self) -> None:
        text = render(run_of(INJECTED, text={"src/db.py": "a\n" + "y" * 5000}.get), "text")
        assert max(map(len, text.splitlines())) < 200

    def test_a_check_that_failed_is_said(self) -> None:
        broken = Outcome("code", Status.ERRORED, error="complexity: ValueError: oops", failed_checks=("complexity",))
        assert "a check failed  complexity: ValueError: oops" in render(
            Run(Verdict(Decision.WARN, (broken,)), files=1), "text"
        )

    @pytest.mark.parametrize(
        ("findings", "files", "summary"),
        [
            ((INJECTED, replace(INJECTED, symbol="b")), 2, "2 critical in 2 files (1.2 s): passed"),
            ((), 0, "nothing was checked: no files to check (1.2 s)"),
            ((), 1, "no findings in 1 file (1.2 s): passed"),
            ((TANGLED, INJECTED), 2, "1 critical, 1 error in 2 files (1.2 s): passed"),
            (
                (replace(OLD, new=True), replace(OLD, new=True, symbol="other")),
                9,
                "2 warnings in 9 files (1.2 s): passed",
            ),
            (
                (TANGLED, OLD, replace(TANGLED, symbol="b", advisory=True)),
                2,
                "1 error, 1 advisory, 1 from before in 2 files (1.2 s): passed",
            ),
            (
                (replace(OLD, suppression=Suppression(SuppressionKind.WAIVER, "ada: on purpose")), INJECTED),
                2,
                "1 critical, 1 waived in 2 files (1.2 s): passed",
            ),
        ],
    )
    def test_the_summary_counts(self, findings: tuple[Finding, ...], files: int, summary: str) -> None:
        outcome = Outcome("code", Status.FAILED, findings)
        run = Run(Verdict(Decision.WARN, (outcome,)), files, elapsed_ms=1234.56, everything=True)
        assert run.summary() == summary

    @pytest.mark.parametrize(
        ("findings", "files", "summary"),
        [
            ((), 3, "no findings; 3 files checked, 1 not checked (1.2 s): passed"),
            ((TANGLED,), 1, "1 error; 1 file checked, 1 not checked (1.2 s): passed"),
            ((), 0, "nothing was checked: 1 file not checked (1.2 s)"),
        ],
    )
    def test_the_summary_says_what_was_not_checked(
        self, findings: tuple[Finding, ...], files: int, summary: str
    ) -> None:
        assert run_of(*findings, decision=Decision.WARN, files=files).summary() == summary

    @pytest.mark.parametrize(
        ("form", "said"),
        [
            ("text", "src/app.py:4:5  advice  complexity/cyclomatic  "),
            ("github", "::notice file=src/app.py"),
            ("html", '<b class="advice">advice</b>'),
            ("json", '"advisory": true'),
            ("sarif", '"level": "note"'),
        ],
    )
    def test_what_blocks_nobody_is_advice(self, form: str, said: str) -> None:
        assert said in render(run_of(replace(TANGLED, advisory=True)), form)

    def test_a_file_that_does_not_parse_is_said(self) -> None:
        assert "does not parse  src/app.py:7: what parses was checked\n" in render(
            run_of(broken={"src/app.py": 7}), "text"
        )


class TestGithub:
    def test_annotations_with_the_worst_first(self) -> None:
        lines = render(run_of(TANGLED, INJECTED), "github").splitlines()
        assert lines == [
            (
                "::error file=src/db.py,line=2,endLine=2,col=1,title=security/sql-concatenation"
                "::a query is put together from <user> input & more"
            ),
            (
                "::error file=src/app.py,line=4,endLine=4,col=5,endColumn=12,title=complexity/cyclomatic"
                "::tangled has a cyclomatic complexity of 12; 10 is allowed%0ASplit it up."
            ),
            "::warning file=a.bin.py,title=not checked::binary",
            "vetgate: 1 critical, 1 error; 3 files checked, 1 not checked (1.2 s): blocked",
        ]

    def test_nothing_in_a_name_or_a_message_starts_a_command_of_its_own(self) -> None:
        odd = replace(INJECTED, span=Span("a,b:c\n::error ::x%.py", 1), message="100%\r\n::stop-commands::x")
        first, *_ = render(run_of(odd), "github").splitlines()
        assert first.startswith("::error file=a%2Cb%3Ac%0A%3A%3Aerror %3A%3Ax%25.py,line=1")
        assert first.endswith("::100%25%0D%0A::stop-commands::x")

    @pytest.mark.parametrize(
        ("severity", "command"),
        [
            (Severity.CRITICAL, "error"),
            (Severity.ERROR, "error"),
            (Severity.WARNING, "warning"),
            (Severity.NOTE, "notice"),
        ],
    )
    def test_levels(self, severity: Severity, command: str) -> None:
        assert render(run_of(TANGLED.at(severity)), "github").startswith(f"::{command} ")


class Outline(HTMLParser):
    """Collects tags and text, and notices tags that do not close in order."""

    VOID = frozenset({"meta", "br"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        assert not {name for name, _ in attrs} & {"src", "href", "onclick", "onload"}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


class TestHtml:
    def test_one_sound_page_without_scripts(self) -> None:
        outline = Outline()
        outline.feed(render(run_of(TANGLED, INJECTED, OLD, everything=True), "html"))
        assert outline.open == []
        assert "script" not in outline.tags
        assert "link" not in outline.tags
        text = " ".join("".join(outline.text).split())
        for said in (
            "a query is put together from <user> input & more",
            "def tangled(a, b):",
            "+3 while, nested twice",
            "Split it up.",
            "was there before",
            "a.bin.py: binary",
            "1 critical, 1 error, 1 from before; 3 files checked, 1 not checked (1.2 s): blocked",
        ):
            assert said in text

    def test_everything_that_people_wrote_is_escaped(self) -> None:
        tag = "<script>alert(1)</script>"
        finding = replace(TANGLED, span=Span(f"{tag}.py", 1), message=tag, fix=tag, steps=(Step(1, tag),), rule=tag)
        run = run_of(finding, text={f"{tag}.py": f"x = '{tag}'\n"}.get)
        assert "<script" not in render(run, "html")

    def test_it_can_be_written_as_utf8_whatever_the_source_holds(self) -> None:
        finding = replace(TANGLED, message="\udce9")
        assert render(run_of(finding, text=lambda _: "x = '\udce9'\n"), "html").encode("utf-8")


def loose(text: str) -> str:
    return text.replace("\\/", "/")
