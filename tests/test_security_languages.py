"""A language is plugged in by tables of node kinds: a kind that its grammar does not have would never be met."""

from __future__ import annotations

import pytest

from vetgate.checks.security.findings import found
from vetgate.checks.security.rule import FAMILIES, rules
from vetgate.checks.security.scan import lowering, visitor_of
from vetgate.source.clock import Deadline
from vetgate.source.language import grammar, language_of
from vetgate.source.syntax import Source, Syntax, parse
from vetgate.source.walk import walk

TABLES = ("places", "functions", "exits", "calls", "blocks", "ifs", "binds", "passing", "constants", "lowerings")
PLUGGED = sorted(language for language, family in FAMILIES.items() if lowering(family).places)


def findings_in(path: str, code: str) -> list[tuple[int, str, str]]:
    syntax = parse(Source(path, code, language_of(path)))
    assert isinstance(syntax, Syntax)
    state = walk(syntax, [visitor_of(syntax.language)], Deadline.never()).states[0]
    return [(each.span.line, each.rule, each.severity.name) for each in found(state, path)]


@pytest.mark.parametrize("language", PLUGGED)
@pytest.mark.parametrize("table", TABLES)
def test_the_grammar_has_every_kind_of_a_table(language: str, table: str) -> None:
    kinds = set(getattr(lowering(FAMILIES[language]), table))
    known = {grammar(language).node_kind_for_id(number) for number in range(grammar(language).node_kind_count)}
    assert kinds <= known


GO = """package a
import ("net/http"; "os/exec"; "database/sql")
type app struct{ db *sql.DB }
func (a *app) view(w http.ResponseWriter, r *http.Request) { a.run(r.FormValue("x")) }
func (a *app) run(given string) {
%s
}
"""
JAVA = """class A extends HttpServlet {
  private Statement statement;
  void doGet(HttpServletRequest request) throws Exception { run(request.getParameter("x")); }
  private void run(String given) throws Exception {
%s
  }
}
"""
CSHARP = """class A : Controller {
  private IDbConnection connection;
  public IActionResult Get(string x) { Run(x); return Ok(); }
  private void Run(string given) {
%s
  }
}
"""


@pytest.mark.parametrize(
    ("path", "frame", "body", "expected"),
    [
        pytest.param("a.go", GO, 'exec.Command("sh", "-c", given)', [6], id="Go: through a method"),
        pytest.param("a.go", GO, 'if given != "ls" { return }\nexec.Command("sh", "-c", given)', [], id="Go: a test"),
        pytest.param("a.go", GO, 'q := "SELECT a FROM b ORDER BY "\nq += given\na.db.Query(q)', [8], id="Go: +="),
        pytest.param("A.java", JAVA, 'statement.execute("DELETE FROM a WHERE b = " + given);', [5], id="Java: +"),
        pytest.param(
            "A.java",
            JAVA,
            'switch (given) {\ncase "b": statement.execute("DELETE FROM a WHERE " + given + " = 1"); }',
            [],
            id="Java: a case",
        ),
        pytest.param("A.cs", CSHARP, 'connection.Execute($"DELETE FROM a WHERE b = {given}");', [5], id="C#: $"),
        pytest.param(
            "A.cs",
            CSHARP,
            'if (given != "b") throw new E();\nconnection.Execute($"DELETE FROM a WHERE {given} = 1");',
            [],
            id="C#: a test",
        ),
    ],
)
def test_what_a_caller_hands_over_is_followed(path: str, frame: str, body: str, expected: list[int]) -> None:
    assert [line for line, _, severity in findings_in(path, frame % body) if severity == "CRITICAL"] == expected


@pytest.mark.parametrize(
    ("path", "frame", "body"),
    [
        pytest.param("a.go", GO, "x0 := given\n%s\na.db.Query(x200)", id="Go"),
        pytest.param("A.java", JAVA, "String x0 = given;\n%s\nstatement.execute(x200);", id="Java"),
        pytest.param("A.cs", CSHARP, "var x0 = given;\n%s\nconnection.Execute(x200);", id="C#"),
    ],
)
def test_a_text_that_is_doubled_two_hundred_times_ends(path: str, frame: str, body: str) -> None:
    sign, end = (":=", "") if path.endswith(".go") else ("=", ";")
    lines = "\n".join(f"x{each + 1} {sign} x{each} + x{each}{end}" for each in range(200))
    assert len(findings_in(path, frame % (body % lines))) <= 1


def test_what_is_wrong_in_a_language_is_put_right_in_its_own_words() -> None:
    """The rule's own advice is written for Python and JavaScript."""
    others = set(FAMILIES) - {"python", "javascript", "typescript", "tsx"}
    assert [rule.id for rule in rules() for each in rule.find if others & set(each.languages) and not each.fix] == []
