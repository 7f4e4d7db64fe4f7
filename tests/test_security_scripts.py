"""Input followed through PHP, Ruby and Rust: what carries it, what stops it, and what a strange file may cost."""

from __future__ import annotations

import pytest

from vetgate.checks.security.findings import found
from vetgate.checks.security.scan import visitor_of
from vetgate.source.clock import Deadline
from vetgate.source.language import language_of
from vetgate.source.syntax import Source, Syntax, parse
from vetgate.source.walk import walk

SQL = "sql-concatenation"
BLOCKS = {"ERROR", "CRITICAL"}


def findings_in(path: str, code: str) -> list[tuple[int, str, str]]:
    syntax = parse(Source(path, code, language_of(path)))
    assert isinstance(syntax, Syntax)
    state = walk(syntax, [visitor_of(syntax.language)], Deadline.never()).states[0]
    return [(each.span.line, each.rule, each.severity.name) for each in found(state, path)]


def blocked(path: str, code: str) -> bool:
    return any(severity in BLOCKS for _, _, severity in findings_in(path, code))


PHP = "<?php\nfunction run($db) {\n%s\n}\n"
PHP_FLOWS = {
    "a default": "$x = $_GET['x'] ?? ''; $db->query('SELECT * FROM t WHERE a = ' . $x);",
    "a list": "[$x, $y] = explode(',', $_POST['x']); $db->query(\"SELECT * FROM t WHERE a = $y\");",
    "a loop": 'foreach ($_POST as $key => $value) { $db->exec("UPDATE t SET $key = 1"); }',
    "an array that grows": "$w = []; $w[] = 'a = ' . $_GET['a']; $db->query('DELETE FROM t WHERE ' . join($w));",
    "a match": "$x = match (true) { default => $_GET['x'] }; $db->query('SELECT * FROM t WHERE a = ' . $x);",
    "a format": "$db->query(sprintf('SELECT * FROM t WHERE a = %2$s', 1, $_GET['x']));",
    "a heredoc": '$s = <<<SQL\nSELECT * FROM t WHERE a = {$_GET["x"]}\nSQL;\n$db->query($s);',
    "a closure": "array_map(function ($x) use ($db) { $db->query('SELECT * FROM t WHERE a = ' . $x); }, $_GET['xs']);",
    "the body": "$x = json_decode(file_get_contents('php://input')); $db->query('DELETE FROM t WHERE a = ' . $x->id);",
}
PHP_STOPS = {
    "a cast": "$x = (int) $_GET['x']; $db->query('SELECT * FROM t WHERE a = ' . $x);",
    "a number in a format": "$db->query(sprintf('SELECT * FROM t WHERE a = %d', $_GET['x']));",
    "a list of allowed ones": "$x = $_GET['x']; if (!in_array($x, ['a'])) return; $db->query(\"SELECT $x FROM t\");",
    "a case": "$x = $_GET['x']; switch ($x) { case 'a': $db->query(\"SELECT $x FROM t\"); }",
    "a pattern": "$x = $_GET['x']; if (!preg_match('/^[a-z]+$/', $x)) { exit; } $db->query(\"SELECT $x FROM t\");",
    "a filter": "$x = filter_var($_GET['x'], FILTER_VALIDATE_INT); $db->query('SELECT * FROM t WHERE a = ' . $x);",
    "numbers of all": "$x = array_map('intval', $_GET['xs']); $db->query('SELECT ' . implode(',', $x) . ' FROM t');",
}

RUBY = "class TController < ApplicationController\n  def run\n%s\n  end\nend\n"
RUBY_FLOWS = {
    "a default": "x = params[:x] || 'a'\nT.where(\"a = #{x}\")",
    "a second name": 'a, b = params[:a], params[:b]\nT.where("a = #{b}")',
    "more text": "s = +'SELECT * FROM t WHERE a = '\ns << params[:a]\nT.find_by_sql(s)",
    "a block": 'params[:xs].each do |x|\n  T.where("a = #{x}")\nend',
    "a format": "T.where(format('a = %s', params[:a]))",
    "a percent sign": "T.where('a = %{a}' % { a: params[:a] })",
    "a heredoc": "s = <<~SQL\n  SELECT * FROM t WHERE a = #{params[:a]}\nSQL\nT.find_by_sql(s)",
    "a branch": "x = if params[:a] then params[:a] else 'b' end\nT.where(\"a = #{x}\")",
    "a chain": "T.active.where(\"a = '#{params.fetch(:a).strip}'\").first",
}
RUBY_STOPS = {
    "a number": 'T.where("a = #{params[:a].to_i}")',
    "numbers of all": "x = params[:xs].map(&:to_i)\nT.where(\"a IN (#{x.join(',')})\")",
    "a list of allowed ones": 'return unless %w[a b].include?(params[:a])\nT.order("#{params[:a]} DESC")',
    "a branch of allowed ones": 'if %w[a b].include?(params[:a])\n  T.order("#{params[:a]} DESC")\nend',
    "a case": "x = params[:a]\ncase x\nwhen 'a'\n  T.order(\"#{x} DESC\")\nend",
    "a whole pattern": "x = params[:a]\nraise 'no' unless x.match?(/\\A[a-z]+\\z/)\nT.order(\"#{x} DESC\")",
    "a value beside it": "T.where('a = ?', params[:a])",
}

RUST = "use actix_web::web;\nasync fn run(q: web::Query<Q>, conn: Connection) {\n%s\n}\n"
RUST_FLOWS = {
    "a name in braces": 'let a = &q.a; conn.execute(&format!("DELETE FROM t WHERE a = {a}"), []);',
    "a position": 'conn.execute(&format!("DELETE FROM t WHERE a = {1} AND b = {0}", 1, q.a), []);',
    "a sum": 'conn.execute(&("DELETE FROM t WHERE a = ".to_string() + &q.a), []);',
    "a text that grows": 'let mut s = String::from("DELETE FROM t "); s.push_str(&q.a); conn.prepare(&s);',
    "a writer": 'let mut s = String::from("DELETE FROM t WHERE "); write!(s, "a = {}", q.a); conn.execute(&s, []);',
    "if let": 'if let Some(a) = q.a.as_ref() { conn.execute(&format!("DELETE FROM t WHERE a = {}", a), []); }',
    "a match": 'match &q.a { Some(a) => conn.execute(&format!("DELETE FROM t WHERE a = {}", a), []), None => 0 };',
    "a pattern": 'let Q { a, .. } = q.into_inner(); conn.execute(&format!("DELETE FROM t WHERE a = {a}"), []);',
    "a call inside of a macro": 'println!("{:?}", conn.execute(&format!("DELETE FROM t WHERE a = {}", q.a), []));',
    "let else": 'let Some(a) = &q.a else { return; }; conn.execute(&format!("DELETE FROM t WHERE a = {a}"), []);',
}
RUST_STOPS = {
    "a parsed number": 'let a: i64 = q.a.parse().unwrap(); conn.execute(&format!("DELETE FROM t WHERE a = {a}"), []);',
    "a turbofish": 'let a = q.a.parse::<u32>().unwrap(); conn.execute(&format!("DELETE FROM t WHERE a = {a}"), []);',
    "a match of texts": 'let a = match q.a.as_str() { "x" => "x", _ => "y" }; conn.prepare(&format!("DROP T {a}"));',
    "a list of allowed ones": 'if !NAMES.contains(&q.a.as_str()) { return; } conn.prepare(&format!("DROP T {}", q.a));',
    "matches": 'let a = &q.a; if matches!(a.as_str(), "x" | "y") { conn.execute(&format!("DROP TABLE {}", a), []); }',
    "a value beside it": 'conn.execute("DELETE FROM t WHERE a = ?1", params![q.a]);',
}

FLOWS = [
    (path, frame, code, name)
    for path, frame, cases in (("a.php", PHP, PHP_FLOWS), ("a.rb", RUBY, RUBY_FLOWS), ("a.rs", RUST, RUST_FLOWS))
    for name, code in cases.items()
]
STOPS = [
    (path, frame, code, name)
    for path, frame, cases in (("a.php", PHP, PHP_STOPS), ("a.rb", RUBY, RUBY_STOPS), ("a.rs", RUST, RUST_STOPS))
    for name, code in cases.items()
]


def ids(cases: list[tuple[str, str, str, str]]) -> list[str]:
    return [f"{path[2:]}: {name}" for path, _, _, name in cases]


@pytest.mark.parametrize(("path", "frame", "code"), [each[:3] for each in FLOWS], ids=ids(FLOWS))
def test_input_is_followed_through(path: str, frame: str, code: str) -> None:
    assert (SQL, "CRITICAL") in {(rule, severity) for _, rule, severity in findings_in(path, frame % code)}


@pytest.mark.parametrize(("path", "frame", "code"), [each[:3] for each in STOPS], ids=ids(STOPS))
def test_input_is_stopped_by(path: str, frame: str, code: str) -> None:
    assert not blocked(path, frame % code)


def test_params_are_input_only_where_there_are_requests() -> None:
    code = "def run\n  system(params[:x])\nend\n"
    assert findings_in("a.rb", code) == []
    assert blocked("a.rb", f"class AController\n{code}end\n")


def test_a_field_that_is_a_number_is_none_of_the_input() -> None:
    code = "struct Q { id: Option<i64>, name: String }\n" + RUST % 'sqlx::query(&format!("DROP {}", q.FIELD));'
    assert not blocked("a.rs", code.replace("FIELD", "id"))
    assert blocked("a.rs", code.replace("FIELD", "name"))


def test_a_path_of_the_system_is_no_part_of_an_address() -> None:
    code = "use std::path::Path;\nfn read(path: &Path) -> Vec<u8> { std::fs::read(path).unwrap() }\n"
    assert findings_in("a.rs", code) == []


def test_a_variable_of_the_object_is_followed_from_one_method_to_another() -> None:
    code = "class AController\n  def load\n    @x = params[:x]\n  end\n  def run\n    system(@x)\n  end\nend\n"
    assert findings_in("a.rb", code) == [(6, "shell-command", "CRITICAL")]


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("a.php", "<?php $x = " + "(" * 3000 + "$_GET['x']" + ")" * 3000 + "; system($x);"),
        ("a.php", "<?php $x = 'a'" + " . $_GET['x']" * 3000 + "; system($x);"),
        ("a.rb", "x = params[:x]" + " + params[:x]" * 3000 + "\nsystem(x) # Controller"),
        ("a.rs", "fn f() { x!" + "(" * 3000 + ")" * 3000 + "; }"),
        ("a.rs", "use axum::A; fn f(q: Query<A>) { Command::new(format!(" + '"{}", ' * 2000 + "q)); }"),
        ("a.php", '<?php echo "\\8 \\9 $_GET[x]";'),
        ("a.php", "<?php foreach ($x as) { list( = ; echo ; new ; "),
        ("a.rb", "def a(; x = <<~SQL\n def b; `#{` ; end; unless"),
        ("a.rs", "fn f( { let = ; format!(; match x { => } if let Some( = y {"),
    ],
    ids=["deep PHP", "long PHP", "long Ruby", "deep Rust", "long Rust", "odd escapes", "no PHP", "no Ruby", "no Rust"],
)
def test_a_strange_file_is_read_to_its_end(path: str, code: str) -> None:
    assert isinstance(findings_in(path, code), list)
