"""Java: who is meant by a call, by packages, imports and the classes around; and what is never said."""

from __future__ import annotations

import pytest

from contract_cases import findings_of

BOX = """package shop;

import java.util.List;

public class Box {
    private final String name;

    public Box(String name, int size) {
        this.name = name;
    }

    public static Box of(String name) {
        return new Box(name, 1);
    }

    public int weigh(int count) {
        return scale(count);
    }

    private int scale(int count) {
        return count * 2;
    }

    public String label() {
        return name;
    }
}
"""
USE = """package app;

import shop.Box;

class Use {
    private final Box held = Box.of("a");

    int run(Box given) {
        Box made = new Box("b", 2);
        var other = new Box("c", 3);
        return made.weigh(1) + given.weigh(2) + held.weigh(3) + this.held.weigh(4) + other.weigh(5);
    }
}
"""
BASE = """package shop;

abstract class Base {
    Base(int size) {}

    protected int grow(int by) {
        return by;
    }

    static int sum(int a, int b) {
        return a + b;
    }
}
"""
SUBCLASS = """package shop;

class Heir extends Base {
    Heir() {
        super(1);
    }

    int twice() {
        return grow(1) + this.grow(2) + super.grow(3) + Base.sum(1, 2);
    }
}
"""
SHAPES = """package shop;

public class Shapes {
    public record Point(int x, int y) {}

    public enum Kind {
        ROUND(1), FLAT(2);

        Kind(int sides) {}
    }

    public interface Drawn {
        void draw(Point where);
    }
}
"""
DRAWING = """package app;

import static shop.Shapes.Kind;
import shop.Shapes;
import shop.Shapes.*;

class Drawing {
    void paint(Drawn drawn, Object any) {
        Point at = new Point(1, 2);
        drawn.draw(at);
        new Shapes.Point(3, 4);
        if (any instanceof Point found) {
            found.x();
        }
        for (Drawn each : all()) each.draw(at);
    }
}
"""
STATIC = """package app;

import static shop.Tools.*;
import static shop.Tools.join;

class Static {
    String run() {
        return join("a", "b") + cut("c");
    }
}
"""
TOOLS = """package shop;

public final class Tools {
    public static String join(String a, String b) { return a + b; }
    public static String cut(String a) { return a; }
}
"""
PROJECT = {
    "shop/Box.java": BOX,
    "app/Use.java": USE,
    "shop/Base.java": BASE,
    "shop/Heir.java": SUBCLASS,
    "shop/Shapes.java": SHAPES,
    "app/Drawing.java": DRAWING,
    "app/Static.java": STATIC,
    "shop/Tools.java": TOOLS,
}


def changed(path: str, *pairs: tuple[str, str]) -> dict[str, str | None]:
    text = PROJECT[path]
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return {path: text}


WEIGH = ("weigh(int count)", "weigh(int count, int unit)")
BREAKING = {
    "a method takes more, of variables, parameters, fields and what is inferred": (
        changed("shop/Box.java", WEIGH),
        ["required-parameter: app/Use.java:11"],
    ),
    "a method takes less": (
        changed("shop/Box.java", ("weigh(int count)", "weigh()")),
        ["removed-parameter: app/Use.java:11"],
    ),
    "a static method takes more": (
        changed("shop/Box.java", ("of(String name)", "of(String name, int size)")),
        ["required-parameter: app/Use.java:6"],
    ),
    "a constructor takes more": (
        changed("shop/Box.java", ("Box(String name, int size) {", "Box(String name, int size, int more) {")),
        ["required-parameter: shop/Box.java:13, app/Use.java:9, app/Use.java:10"],
    ),
    "a method of the class itself takes more": (
        changed("shop/Box.java", ("private int scale(int count)", "private int scale(int count, int by)")),
        ["required-parameter: shop/Box.java:17"],
    ),
    "parameters change places": (
        changed("shop/Box.java", ("Box(String name, int size) {", "Box(int size, String name) {")),
        ["reordered: app/Use.java:9, app/Use.java:10"],
    ),
    "a method returns another type": (
        changed("shop/Box.java", ("public int weigh", "public String weigh")),
        ["return-changed: app/Use.java:11"],
    ),
    "a method has another name": (
        changed("shop/Box.java", ("weigh(", "measure(")),
        ["renamed: app/Use.java:11"],
    ),
    "a static method is gone": (
        changed("shop/Tools.java", ("    public static String cut(String a) { return a; }\n", "")),
        ["removed: app/Static.java:8"],
    ),
    "a file is gone": (
        {"shop/Tools.java": None},
        ["removed: app/Static.java:4"],
    ),
    "a class is in another package": (
        changed("shop/Box.java", ("package shop;", "package store;")),
        ["renamed: app/Use.java:6, app/Use.java:9, app/Use.java:10, app/Use.java:11, app/Use.java:3"],
    ),
    "a constructor that heirs call takes more": (
        changed("shop/Base.java", ("Base(int size)", "Base(int size, int more)")),
        ["required-parameter: shop/Heir.java:5"],
    ),
    "a method that heirs inherit takes more": (
        changed("shop/Base.java", ("grow(int by)", "grow(int by, int more)")),
        ["required-parameter: shop/Heir.java:9"],
    ),
    "a static method of the same package takes less": (
        changed("shop/Base.java", ("sum(int a, int b)", "sum(int a)")),
        ["removed-parameter: shop/Heir.java:9"],
    ),
    "a record has another component": (
        changed("shop/Shapes.java", ("Point(int x, int y)", "Point(int x, int y, int z)")),
        ["required-parameter: app/Drawing.java:9, app/Drawing.java:11"],
    ),
    "a component of a record is gone": (
        changed("shop/Shapes.java", ("Point(int x, int y)", "Point(int a, int y)")),
        ["renamed: app/Drawing.java:13"],
    ),
    "an enumeration takes more": (
        changed("shop/Shapes.java", ("Kind(int sides)", "Kind(int sides, int more)")),
        ["required-parameter: shop/Shapes.java:7"],
    ),
    "a method of an interface takes more": (
        changed("shop/Shapes.java", ("draw(Point where)", "draw(Point where, int how)")),
        ["required-parameter: app/Drawing.java:10, app/Drawing.java:15"],
    ),
    "what is imported by name takes more": (
        changed("shop/Tools.java", ("join(String a, String b)", "join(String a, String b, String c)")),
        ["required-parameter: app/Static.java:8"],
    ),
}


@pytest.mark.parametrize(("edit", "expected"), BREAKING.values(), ids=BREAKING)
def test_who_is_broken_is_findings_of(tmp_path, edit, expected):
    assert findings_of(tmp_path, PROJECT, edit) == expected


def written(body: str, *, head: str = "", package: str = "app", extends: str = "") -> dict[str, str | None]:
    return {f"{package}/New.java": f"package {package};\n{head}\nclass New {extends} {{\n{body}\n}}\n"}


WRONG = {
    "too many for a static method": written("int a = shop.Tools.cut(1, 2);"),
    "too few for a constructor": written("Object a = new shop.Box();"),
    "too few for a class of the same package": written("Object a = new Box(1);", package="shop"),
    "too many for a variable's method": written("void f(Box b) { b.label(1); }", head="import shop.Box;"),
    "none of two forms": written("void g(int a) {} void g(int a, int b) {} void f() { g(); }"),
    "too many for an own method": written("void g() {} void f() { g(1); }"),
    "too few for an own method around": written("void g(int a) {} class In { void f() { g(); } }"),
    "too many for a class that has no constructor": written("class In {} Object a = new In(1);"),
    "too few by way of a wildcard": written("Object a = new Box(1);", head="import shop.*;"),
    "too few handed up": written("New() { super(); }", package="shop", extends="extends Base"),
    "too few in its own other constructor": written("New(int a, int b) {} static Object o = new New(1);"),
    "too few for an inferred variable": written("void f() { var b = shop.Box.of(); }"),
    "too many for the component of a record": written("record R(int a) {} int f(R r) { return r.a(1); }"),
}


@pytest.mark.parametrize("edit", WRONG.values(), ids=WRONG)
def test_a_call_that_does_not_fit_is_findings_of(tmp_path, edit):
    assert findings_of(tmp_path, PROJECT, edit) == ["wrong-arity: "]


FITTING = {
    "overloads": written("void g(int a) {} void g(int a, int b) {} void f() { g(1); g(1, 2); }"),
    "any number": written("void g(int a, String... b) {} void f() { g(1); g(1, null, null); }"),
    "an ancestor of another project": written("void g(int a) {} void f() { g(); }", extends="extends Other"),
    "an ancestor's overload": written(
        "New() { super(1); } int grow() { return grow(1) + grow(); }", package="shop", extends="extends Base"
    ),
    "a class of the same name elsewhere": written("Object a = new Box();", head="import other.Box;"),
    "a nested class of the same name": written("class Box {} Object a = new Box();", head="import shop.Box;"),
    "a type parameter of the same name": written("<Box> void f(Box b) { b.label(1); }", head="import shop.Box;"),
    "a class in a method": written("Object f() { class Box {} return new Box(); }", head="import shop.*;"),
    "a variable of the name of a class": written("void f(Other Box) { Box.of(); }", head="import shop.Box;"),
    "a variable of another type further in": written(
        "Box b; void f() { x.each(b -> b.label(1)); for (Other b : all) b.label(2); }", head="import shop.Box;"
    ),
    "a variable that is out of scope": written(
        "Other b; void f() { { Box b = null; } b.label(1); }", head="import shop.Box;"
    ),
    "a pattern that is over": written(
        "Other b; void f(Object o) { if (o instanceof Box b) {} b.label(1); }", head="import shop.Box;"
    ),
    "an array": written("void f(Box[] b) { b.label(1); }", head="import shop.Box;"),
    "what a call returns": written("void f() { shop.Box.of(1).label(1); }"),
    "a class without a name may inherit it": written("void g() {} Object o = new Other() { void f() { g(1); } };"),
    "a body of its own": written(
        "void f() { var b = new Box(1, 2) { void more(int a) {} }; b.more(1); }", head="import shop.Box;"
    ),
    "the constructor of an interface": written(
        "Object o = new Drawn() { public void draw(Object p) {} };", head="import shop.Shapes.Drawn;"
    ),
    "what every object has": written("boolean equals(New a, New b) { return equals(a); }"),
    "what every enumeration has": written('enum E { A; static E valueOf(int a) { return valueOf("A"); } }'),
    "a record's own accessor": written("record R(int a) { int a(int b) { return a() + a(b); } }"),
    "a record's second constructor": written("record R(int a) { R() { this(1); } } Object o = new R();"),
    "a compact constructor": written("record R(int a) { R { } } Object o = new R(1);"),
    "what lombok writes": written(
        "@AllArgsConstructor class R { int a; } Object o = new R(1);", head="import lombok.AllArgsConstructor;"
    ),
    "a static import of another project": written("int a = join(1);", head="import static other.Tools.join;"),
    "two static imports of one name": written(
        "int a = join(1);", head="import static shop.Tools.join;\nimport static other.Tools.join;"
    ),
    "an inner class of an object": written("class In { In(int a) {} } Object f(New n) { return n.new In(1); }"),
    "a default method of an interface": written("interface I { default void m(int a) { m(a); } }"),
}


@pytest.mark.parametrize("edit", FITTING.values(), ids=FITTING)
def test_of_what_fits_or_nobody_can_tell_nothing_is_said(tmp_path, edit):
    assert findings_of(tmp_path, PROJECT, edit) == []


QUIET = {
    "another overload beside": changed(
        "shop/Box.java", (WEIGH[0], f"{WEIGH[1]} {{ return 1; }}\n    public int {WEIGH[0]}")
    ),
    "any number more": changed("shop/Box.java", ("weigh(int count)", "weigh(int count, int... more)")),
    "a constructor beside": changed(
        "shop/Box.java", ("public Box(", "public Box() { this(null, 1); }\n    public Box(")
    ),
    "another name of a parameter": changed(
        "shop/Box.java", ("weigh(int count)", "weigh(int number)"), ("scale(count)", "scale(number)")
    ),
    "what nobody calls": changed("shop/Box.java", ("label()", "label(int size)")),
    "what was void gives something": changed("shop/Shapes.java", ("void draw", "int draw")),
    "a method that moves up to an ancestor": {
        **changed("shop/Heir.java", ("        return grow(1)", "        return grow(1)")),
        **changed("shop/Base.java", ("grow(int by)", "grow(int more)"), ("return by", "return more")),
    },
    "a class that moves to another file of its package": {
        "shop/Tools.java": None,
        "shop/More.java": TOOLS.replace("public final", "final"),
    },
    "all callers in the same change": {
        **changed("shop/Tools.java", ("cut(String a)", "cut(String a, int b)")),
        **changed("app/Static.java", ('cut("c")', 'cut("c", 1)')),
    },
    "a text that does not parse": changed("shop/Box.java", ("public int weigh(int count) {", "public int (")),
}


@pytest.mark.parametrize("edit", QUIET.values(), ids=QUIET)
def test_of_a_change_that_breaks_nobody_nothing_is_said(tmp_path, edit):
    assert findings_of(tmp_path, PROJECT, edit) == []


def test_one_name_in_two_packages_is_told_apart(tmp_path):
    other = BOX.replace("package shop;", "package other;")
    edit = {"other/Box.java": other.replace(*WEIGH)}
    assert findings_of(tmp_path, {**PROJECT, "other/Box.java": other}, edit) == []


def test_one_class_twice_in_a_project_is_nobody_in_particular(tmp_path):
    more = {f"second/{path}": text for path, text in PROJECT.items()}
    assert findings_of(tmp_path, PROJECT | more, changed("shop/Box.java", WEIGH)) == []


def test_what_has_no_written_type_is_only_guessed_by_its_name(tmp_path):
    use = {"app/Guess.java": "package app;\nclass Guess {\n  int f() {\n    return all().first().weigh(1);\n  }\n}\n"}
    found = findings_of(tmp_path, {"shop/Box.java": BOX, **use}, changed("shop/Box.java", WEIGH))
    assert found == ["required-parameter by name: app/Guess.java:4"]


FORMS = {
    "shop/Log.java": "package shop;\npublic class Log {\n  public Log() {}\n  public Log(int a) {}\n"
    "  public void say(String a) {}\n  public void say(String a, int b) {}\n}\n",
    "app/Talk.java": "package app;\nimport shop.Log;\nclass Talk {\n  void f(Log log) {\n    log.say(null);\n"
    "    log.say(null, 1);\n    new Log();\n    new Log(1);\n  }\n}\n",
}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("  public void say(String a) {}\n", "", ["removed: app/Talk.java:5"]),
        ("say(String a, int b)", "say(String a, int b, int c)", ["removed: app/Talk.java:6"]),
        ("  public Log() {}\n", "", ["removed: app/Talk.java:7"]),
        ("say(", "tell(", ["removed: app/Talk.java:5, app/Talk.java:6"]),
        ("say(String a, int b)", "say(String a, int... all)", []),
        ("say(String a) {}", "say(String a) {}\n  public void say() {}", []),
    ],
    ids=[
        "a form is gone",
        "a form takes more",
        "a constructor is gone",
        "all forms are gone",
        "a form takes any number more",
        "a form more",
    ],
)
def test_a_form_that_is_gone_is_missed_by_who_called_it(tmp_path, old, new, expected):
    text = FORMS["shop/Log.java"]
    assert old in text
    assert findings_of(tmp_path, FORMS, {"shop/Log.java": text.replace(old, new)}) == expected


REFERRED = {
    "a/M.java": "package a;\npublic class M {\n  public static String up(String s) { return s; }\n}\n",
    "b/S.java": "package b;\nimport a.M;\nclass S {\n  Object g(Some s) {\n    return s.map(M::up);\n  }\n}\n",
}


@pytest.mark.parametrize(
    ("new", "expected"),
    [("upper(String s)", ["renamed: b/S.java:5"]), ("up(String s, int... more)", [])],
    ids=["it is gone", "it takes more"],
)
def test_a_method_that_is_referred_to_is_missed(tmp_path, new, expected):
    text = REFERRED["a/M.java"].replace("up(String s)", new)
    assert findings_of(tmp_path, REFERRED, {"a/M.java": text}) == expected


def test_a_class_that_is_written_in_kotlin_now_is_not_missed(tmp_path):
    assert findings_of(tmp_path, REFERRED, {"a/M.java": None, "a/M.kt": "package a\nobject M\n"}) == []
    (tmp_path / "again").mkdir()
    assert findings_of(tmp_path / "again", REFERRED, {"a/M.java": None}) == ["removed: b/S.java:5, b/S.java:2"]
