"""Languages, parsing and the one walk: what every check stands on."""

from __future__ import annotations

import threading

import pytest

from vetgate.model import Unchecked
from vetgate.source import syntax as syntax_module
from vetgate.source.clock import Deadline
from vetgate.source.language import LANGUAGES, grammar, language_of
from vetgate.source.syntax import MAX_BYTES, MAX_LINES, Source, first_line, last_line, parse
from vetgate.source.walk import Visitor, walk

PAST = Deadline(0.0)


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("deploy/app.wsgi", "python"),
        ("app.py ", "python"),
        ("src/a.ts", "typescript"),
        ("a.mts", "typescript"),
        ("a.d.cts", "typescript"),
        ("a.tsx", "tsx"),
        ("a.jsx", "javascript"),
        ("a.MJS", "javascript"),
        ("a.cjs", "javascript"),
        ("a.pyi", "python"),
        ("C:\\src\\a.go", "go"),
        ("A.java", "java"),
        ("lib.rs", "rust"),
        ("Program.cs", "csharp"),
        ("index.php", "php"),
        ("tasks/db.rake", "ruby"),
        ("Gemfile", "ruby"),
        ("README.md", None),
        ("Makefile", None),
        ("folder.py/data", None),
        (".py", None),
        ("", None),
    ],
)
def test_a_path_tells_its_language(path, language):
    assert language_of(path) == language


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_language_parses_an_empty_file(language):
    parsed = parse(Source("x", "", language))
    assert not isinstance(parsed, Unchecked)
    assert grammar(language).node_kind_count > 0


@pytest.mark.parametrize(
    ("text", "language", "says"),
    [
        ("x", None, "not supported"),
        ("a = 1\0", "python", "NUL"),
        ("x" * (MAX_BYTES + 1), "python", f"{MAX_BYTES + 1:,} bytes"),
        ("\n" * MAX_LINES, "python", f"{MAX_LINES + 1:,} lines"),
    ],
    ids=["an unknown language", "not source code", "too many bytes", "too many lines"],
)
def test_what_is_not_parsed_says_why(text, language, says):
    answer = parse(Source("a.x", text, language))
    assert isinstance(answer, Unchecked)
    assert answer.path == "a.x"
    assert says in answer.reason


def test_a_file_at_the_limits_is_parsed():
    assert not isinstance(parse(Source("a.py", "#" * MAX_BYTES, "python")), Unchecked)
    assert not isinstance(parse(Source("a.py", "\n" * (MAX_LINES - 1), "python")), Unchecked)


def test_the_same_content_is_parsed_once():
    one = parse(Source("a.py", "x = 'once'\n", "python"))
    assert parse(Source("elsewhere.py", "x = 'once'\n", "python")) is one
    assert parse(Source("a.py", "x = 'once'\n", "ruby")) is not one


def test_old_trees_make_room_for_new_ones():
    kept = syntax_module._TreeCache(100)
    trees = [parse(Source("a.py", f"x = {number}\n" + "#" * 60, "python")) for number in range(3)]
    for key, tree in enumerate(trees):
        kept.put(bytes([key]), "a.py", tree)
    assert [kept.get(bytes([key])) for key in range(3)] == [None, None, trees[2]]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("x = 1; name = 2\n", 1, 8),
        ("\ufeffx = 1; name = 2\n", 1, 8),
        ("'äöü😀'; name = 2\n", 1, 9),
        ("a\r\nb; name = 2\r\n", 2, 4),
        ("'\udcff\ud800'; name = 2\n", 1, 7),
        ("#\tä\n\tname = 2\n", 2, 2),
    ],
    ids=["ASCII", "a byte order mark", "wide characters", "CRLF", "lone surrogates", "tabs"],
)
def test_columns_count_characters(text, line, column):
    parsed = parse(Source("a.rb", text, "ruby"))
    nodes: list = []
    walk(parsed, [Visitor(lambda _: nodes, {"assignment": list.append})], Deadline.never())
    assert (first_line(nodes[-1]), parsed.column(nodes[-1])) == (line, column)


def _kinds(path):
    return [node.type for node in path]


def test_visitors_share_a_walk_and_see_ancestors_first():
    seen = []

    def note(what):
        return lambda walking, node: seen.append((what, node.type, _kinds(walking.path)[-1:]))

    one = Visitor(lambda walking: walking, {"call": note("one")}, {"call": note("left")})
    two = Visitor(lambda walking: walking, {"identifier": note("two"), "'('": note("token")})
    walk(parse(Source("a.py", "f(x)", "python")), [one, two], Deadline.never())
    assert seen == [
        ("one", "call", ["expression_statement"]),
        ("two", "identifier", ["call"]),
        ("token", "(", ["argument_list"]),
        ("two", "identifier", ["argument_list"]),
        ("left", "call", ["expression_statement"]),
    ]


def test_the_walk_stays_out_of_types_unless_asked():
    code = "let x: Array<typeof y> = z"
    names: list = []
    walk(
        parse(Source("a.ts", code, "typescript")),
        [Visitor(lambda _: names, {"identifier": list.append})],
        Deadline.never(),
    )
    assert [node.text for node in names] == [b"x", b"z"]
    types: list = []
    walk(
        parse(Source("a.ts", code, "typescript")),
        [Visitor(lambda _: types, {"type_annotation": list.append})],
        Deadline.never(),
    )
    assert len(types) == 1


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("javascript", "[" * 50_000),
        ("javascript", "x=" + "a+" * 50_000 + "a"),
        ("python", "x=" + "(" * 50_000 + ")" * 50_000),
        ("go", "package a\nfunc f() {" + "if a {" * 20_000 + "}" * 20_000 + "}"),
    ],
    ids=["open brackets", "a long sum", "parentheses", "nested blocks"],
)
def test_a_tree_may_be_very_deep(language, code):
    deepest = []

    def note(walking, _node):
        deepest[:] = [max([len(walking.path), *deepest])]

    kinds = dict.fromkeys(("identifier", "array", "if_statement", "parenthesized_expression"), note)
    walked = walk(parse(Source("a", code, language)), [Visitor(lambda walking: walking, kinds)], Deadline.never())
    assert walked.unvisited == ()


def test_what_time_did_not_suffice_for_is_told():
    parsed = parse(Source("a.py", "x = 1\n", "python"))
    seen: list = []
    walked = walk(parsed, [Visitor(lambda _: seen, {"identifier": list.append})], PAST)
    assert walked.unvisited == ((0, 5),)
    assert seen == []


def test_changed_lines_of_a_big_file_come_first():
    code = "".join(f"def f{n}():\n    return {n}\n\n" for n in range(1000))
    parsed = parse(Source("a.py", code, "python"))
    names: list = []

    def name(seen, node):
        seen.append(node.child_by_field_name("name").text)

    visitor = Visitor(lambda _: names, {"function_definition": name})
    walk(parsed, [visitor], Deadline.never(), [(1501, 1502), (2998, 2998)])
    assert names[:3] == [b"f500", b"f999", b"f0"]
    assert len(names) == 1000


def test_a_container_that_was_cut_is_entered_and_left_once():
    code = "class A:\n" + "".join(f"    def f{n}(self):\n        return {n}\n" for n in range(1100))
    seen: list = []
    visitor = Visitor(
        lambda _: seen,
        {"class_definition": lambda s, _: s.append("in")},
        {"class_definition": lambda s, _: s.append("out"), "function_definition": lambda s, _: s.append("f")},
    )
    walk(parse(Source("a.py", code, "python")), [visitor], Deadline.never(), [(50, 51)])
    assert (seen[0], seen[-1], seen.count("f"), len(seen)) == ("in", "out", 1100, 1102)


def test_containers_are_left_before_the_next_one_is_entered():
    one = "".join(f"    def f{n}(self):\n        return {n}\n" for n in range(30))
    seen: list = []
    visitor = Visitor(
        lambda _: seen,
        {"class_definition": lambda s, _: s.append("in")},
        {"class_definition": lambda s, _: s.append("out")},
    )
    walk(parse(Source("a.py", f"class A:\n{one}class B:\n{one}", "python")), [visitor], Deadline.never())
    assert seen == ["in", "out", "in", "out"]


def test_threads_share_the_trees():
    sources = [Source("a.py", f"def f{n % 3}():\n    return {n % 3}\n" * 50, "python") for n in range(30)]
    counts: list = []

    def work(source):
        nodes: list = []
        walk(parse(source), [Visitor(lambda _: nodes, {"integer": list.append})], Deadline.never())
        counts.append(sum(last_line(node) > 0 for node in nodes))

    threads = [threading.Thread(target=work, args=(source,)) for source in sources]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [50] * 30
