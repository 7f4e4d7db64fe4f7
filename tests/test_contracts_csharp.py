"""C#: who is meant by a call, by namespaces, `using` and the classes around; and what is never said."""

from __future__ import annotations

import pytest

from contract_cases import findings_of

BOX = """using System;

namespace Shop;

public class Box
{
    private readonly string name;

    public Box(string name, int size = 1)
    {
        this.name = name;
    }

    public static Box Of(string name) => new Box(name);

    public int Weigh(int count, int unit = 1)
    {
        return Scale(count);
    }

    private int Scale(int count) => count * 2;

    public string Load(int size) => name;
}
"""
USE = """using Shop;
using Crate = Shop.Box;

namespace App
{
    class Use
    {
        private readonly Box held = Box.Of("a");
        public Box Other { get; set; }

        int Run(Box given, object any)
        {
            var made = new Box("b", size: 2);
            Box other = new("c");
            Crate crate = new Crate("d");
            if (any is Box found) found.Load(1);
            return made.Weigh(1) + given.Weigh(2, unit: 3) + held.Weigh(4) + this.held.Weigh(5) + Other?.Weigh(6);
        }
    }
}
"""
BASE = """namespace Shop
{
    public abstract class Base
    {
        protected Base(int size) { }
        protected int Grow(int by) => by;
        public static int Sum(int a, int b) => a + b;
    }
}
"""
SUBCLASS = """namespace Shop
{
    public class Heir : Base
    {
        public Heir() : base(1) { }
        int Twice() => Grow(1) + this.Grow(2) + base.Grow(3) + Base.Sum(1, 2);
    }

    public record Point(int X, int Y);

    public class Shape(string name, int sides)
    {
        public string Name => name;
    }

    public interface IDrawn
    {
        void Draw(Point where);
    }

    public class Store<T>
    {
        public void Put(T item) { }
    }
}
"""
DRAWING = """using Shop;
using static Shop.Tools;

namespace App.Inner
{
    class Square : Shape
    {
        Square() : base("square", 4) { }

        async Task Paint(IDrawn drawn, Store<Point> store)
        {
            var at = new Point(1, Y: 2);
            drawn.Draw(at);
            store.Put(at);
            Join("a", "b");
            Tools.Say("a", "b", "c");
        }
    }
}
"""
TOOLS = """namespace Shop;

public static class Tools
{
    public static string Join(string a, string b) => a + b;
    public static int Say(string first, params string[] rest) => 1;
    public static string Cut(this string text, int at) => text;
}
"""
PROJECT = {
    "shop/Box.cs": BOX,
    "app/Use.cs": USE,
    "shop/Base.cs": BASE,
    "shop/Heir.cs": SUBCLASS,
    "app/Drawing.cs": DRAWING,
    "shop/Tools.cs": TOOLS,
}


def changed(path: str, *pairs: tuple[str, str]) -> dict[str, str | None]:
    text = PROJECT[path]
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return {path: text}


LOAD = ("Load(int size)", "Load(int size, int more)")
BREAKING = {
    "a method takes more": (changed("shop/Box.cs", LOAD), ["required-parameter: app/Use.cs:16"]),
    "a method takes less, of variables, parameters, fields and properties": (
        changed("shop/Box.cs", ("Weigh(int count, int unit = 1)", "Weigh()"), ("Scale(count);", "Scale(1);")),
        ["removed-parameter: app/Use.cs:17"],
    ),
    "a parameter that is named has another name": (
        changed("shop/Box.cs", ("int unit = 1", "int measure = 1")),
        ["removed-parameter: app/Use.cs:17"],
    ),
    "a parameter has no default any more": (
        changed("shop/Box.cs", ("int unit = 1", "int unit")),
        ["default-removed: app/Use.cs:17"],
    ),
    "a static method takes more": (
        changed("shop/Box.cs", ("Of(string name)", "Of(string name, int size)")),
        ["required-parameter: app/Use.cs:8"],
    ),
    "a constructor takes more": (
        changed("shop/Box.cs", ("string name, int size = 1", "string name, int more, int size = 1")),
        ["required-parameter: shop/Box.cs:14, app/Use.cs:13, app/Use.cs:14, app/Use.cs:15"],
    ),
    "a method of the class itself takes more": (
        changed("shop/Box.cs", ("int Scale(int count)", "int Scale(int count, int by)")),
        ["required-parameter: shop/Box.cs:18"],
    ),
    "parameters change places": (
        changed("shop/Base.cs", ("Sum(int a, int b)", "Sum(int b, int a)")),
        ["reordered: shop/Heir.cs:6"],
    ),
    "a method returns another type": (
        changed("shop/Box.cs", ("public int Weigh", "public long Weigh")),
        ["return-changed: app/Use.cs:17"],
    ),
    "a method became async": (
        changed("shop/Box.cs", ("public string Load", "public async Task<string> Load")),
        ["async-changed: app/Use.cs:16"],
    ),
    "a method has another name": (changed("shop/Box.cs", ("Weigh(", "Measure(")), ["renamed: app/Use.cs:17"]),
    "a method is gone": (
        changed("shop/Box.cs", ("    public string Load(int size) => name;\n", "")),
        ["removed: app/Use.cs:16"],
    ),
    "a constructor that heirs call takes more": (
        changed("shop/Base.cs", ("Base(int size)", "Base(int size, int more)")),
        ["required-parameter: shop/Heir.cs:5"],
    ),
    "a method that heirs inherit takes more": (
        changed("shop/Base.cs", ("Grow(int by)", "Grow(int by, int more)")),
        ["required-parameter: shop/Heir.cs:6"],
    ),
    "a record has another component": (
        changed("shop/Heir.cs", ("Point(int X, int Y)", "Point(int X, int Y, int Z)")),
        ["required-parameter: app/Drawing.cs:12"],
    ),
    "a component of a record has another name": (
        changed("shop/Heir.cs", ("Point(int X, int Y)", "Point(int X, int Height)")),
        ["required-parameter: app/Drawing.cs:12"],
    ),
    "a primary constructor takes more": (
        changed("shop/Heir.cs", ("int sides)", "int sides, int more)")),
        ["required-parameter: app/Drawing.cs:8"],
    ),
    "a method of an interface takes more": (
        changed("shop/Heir.cs", ("Draw(Point where)", "Draw(Point where, int how)")),
        ["required-parameter: app/Drawing.cs:13"],
    ),
    "a method of a generic class takes more": (
        changed("shop/Heir.cs", ("Put(T item)", "Put(T item, int how)")),
        ["required-parameter: app/Drawing.cs:14"],
    ),
    "what using static has brought takes more": (
        changed("shop/Tools.cs", ("Join(string a, string b)", "Join(string a, string b, string c)")),
        ["required-parameter: app/Drawing.cs:15"],
    ),
    "any number no longer": (
        changed("shop/Tools.cs", ("params string[] rest", "string rest")),
        ["default-removed: app/Drawing.cs:16"],
    ),
    "a class is in another namespace": (
        changed("shop/Tools.cs", ("namespace Shop;", "namespace Other;")),
        ["renamed: app/Drawing.cs:16"],
    ),
}


@pytest.mark.parametrize(("edit", "expected"), BREAKING.values(), ids=BREAKING)
def test_who_is_broken_is_findings_of(tmp_path, edit, expected):
    assert findings_of(tmp_path, PROJECT, edit) == expected


def written(body: str, *, head: str = "using Shop;", bases: str = "", word: str = "") -> dict[str, str | None]:
    return {"app/New.cs": f"{head}\nnamespace App {{\n{word} class New {bases} {{\n{body}\n}}\n}}\n"}


WRONG = {
    "too many for a static method": written("int a = Tools.Join(1, 2, 3);"),
    "too few for a constructor": written("object a = new Box();"),
    "too few where the type is written before": written("Box a = new();"),
    "too few in full": written("object a = new Shop.Box();", head=""),
    "too many for a variable's method": written("void F(Box b) { b.Load(1, 2); }"),
    "too few for what may be nothing": written("void F(Box? b) { b?.Load(); }"),
    "none of two forms": written("void G(int a) {} void G(int a, int b) {} void F() { G(); }"),
    "too many for an own method": written("void G() {} void F() { G(1); }"),
    "too few for an own method around": written("static void G(int a) {} class In { void F() { G(); } }"),
    "too many for a class that has no constructor": written("class In {} object a = new In(1);"),
    "too few handed up": written("New() : base() { }", bases=": Base"),
    "too few for an alias": written("object a = new Crate();", head="using Crate = Shop.Box;"),
    "too few for a record": written("record R(int A, int B); object a = new R(1);"),
    "too few of what using static has brought": written("object a = Join(1);", head="using static Shop.Tools;"),
    "too few of a script": {"app/New.cs": "void Top(int a) { }\nTop();\n"},
    "too many for a generic class": written("void F(Store<int> s) { s.Put(1, 2); }"),
}


@pytest.mark.parametrize("edit", WRONG.values(), ids=WRONG)
def test_a_call_that_does_not_fit_is_findings_of(tmp_path, edit):
    assert findings_of(tmp_path, PROJECT, edit) == ["wrong-arity: "]


def test_a_name_that_no_parameter_has_is_findings_of(tmp_path):
    assert findings_of(tmp_path, PROJECT, written('object a = new Box("a", length: 2);')) == ["unknown-keyword: "]


FITTING = {
    "overloads": written("void G(int a) {} void G(int a, int b) {} void F() { G(1); G(1, 2); }"),
    "any number": written('void F() { Tools.Say("a"); Tools.Say("a", "b", "c"); Tools.Say("a", rest: null); }'),
    "names at their places": written('object a = new Box(name: "a", 2);'),
    "names in any order": written('object a = new Box(size: 2, name: "a");'),
    "a default": written("void G(int a, int b = 1) {} void F() { G(1); }"),
    "an ancestor of another project": written("void G(int a) {} void F() { G(); }", bases=": Other"),
    "an interface of the language": written("void G(int a) {} void F() { G(1); }", bases=": IDisposable"),
    "an ancestor's overload": written("New() : base(1) { } int Grow() => Grow(1) + Grow();", bases=": Base"),
    "part of a class": written("void G(int a) {} void F() { G(); new New(1); }", word="partial"),
    "a class of the same name nearby": written("class Box {} object a = new Box();"),
    "a type parameter of the same name": written("void F<Box>(Box b) { b.Load(); }"),
    "a class that takes types": written("void F(Store s, Box<int> b) { s.Put(); b.Load(); new Box<int>(); }"),
    "a variable of the name of a class": written("void F(Other Box) { Box.Of(); }"),
    "a property of the name of a class": written("Other Box { get; } void F() { Box.Of(); }"),
    "a local function": written("void G() {} void F() { void G(int a) {} G(1); }"),
    "a variable that is called": written("void G() {} void F(Action<int> G) { G(1); }"),
    "a property that is called": written("Action<int> G { get; } class In { void G() {} void F() { G(1); } }"),
    "a lambda's parameter": written("Box b; void F() { x.Each(b => b.Load()); }"),
    "a variable of each": written("Box b; void F() { foreach (var b in all) b.Load(); }"),
    "what a query binds": written("Box b; object F() => from b in all select b.Load();"),
    "a variable that is handed out": written("Box b; void F() { Get(out Other b); b.Load(); }"),
    "an extension": written("void F(Text t) { t.Cut(1); } class Text { void Cut() {} }"),
    "a struct without arguments": written("struct S { public S(int a) {} } object a = new S();"),
    "a second constructor of a record": written("record R(int A) { public R() : this(1) { } } object a = new R();"),
    "a static constructor": written("class In { static In() { } public In(int a) { } } object a = new In(1);"),
    "fields that are filled in": written("class In { public int A; } object a = new In { A = 1 };"),
    "an implementation of an interface alone": written(
        "interface I { void G(int a); } class In : I { void I.G(int a) {} void G() {} void F() { G(); } }"
    ),
    "what a condition leaves out": written("#if DEBUG\nvoid G(int a) {}\n#endif\nvoid F() { G(); }"),
    "two that a condition chooses between": written(
        "#if DEBUG\nvoid G(int a) {}\n#else\nvoid G() {}\n#endif\nvoid F() { G(); }"
    ),
    "what every object has": written("bool Equals(New a, New b) => Equals(a);"),
    "what is dynamic": written("void F(dynamic b) { b.Load(); }"),
    "an array": written("void F(Box[] b) { b.Load(); }"),
    "what a call returns": written('void F() { Box.Of("a").Load(); }'),
    "an alias of another project": written("object a = new Box();", head="using Shop;\nusing Box = Other.Box;"),
    "a static of another project as well": written(
        "object a = Join(1);", head="using static Shop.Tools;\nusing static Other.Tools;"
    ),
}


@pytest.mark.parametrize("edit", FITTING.values(), ids=FITTING)
def test_of_what_fits_or_nobody_can_tell_nothing_is_said(tmp_path, edit):
    assert findings_of(tmp_path, PROJECT, edit) == []


QUIET = {
    "a default more": changed("shop/Box.cs", ("Load(int size)", "Load(int size, int more = 1)")),
    "another overload beside": changed(
        "shop/Box.cs", ("public string Load", f"public int {LOAD[1]} => 1;\n    public string Load")
    ),
    "any number more": changed("shop/Box.cs", ("Load(int size)", "Load(int size, params int[] more)")),
    "another name of a parameter that nobody names": changed("shop/Box.cs", ("Load(int size)", "Load(int length)")),
    "what nobody calls": changed("shop/Tools.cs", ("Cut(this string text, int at)", "Cut(this string text)")),
    "what was void gives something": changed("shop/Heir.cs", ("void Draw", "int Draw")),
    "async without a word for it": changed("app/Drawing.cs", ("async Task Paint", "Task Paint")),
    "a class that becomes part of one": changed("shop/Box.cs", ("public class", "public partial class"), LOAD),
    "a class that moves to another file": {"shop/Tools.cs": None, "shop/More.cs": TOOLS},
    "all callers in the same change": {
        **changed("shop/Box.cs", LOAD),
        **changed("app/Use.cs", ("found.Load(1)", "found.Load(1, 2)")),
    },
}


@pytest.mark.parametrize("edit", QUIET.values(), ids=QUIET)
def test_of_a_change_that_breaks_nobody_nothing_is_said(tmp_path, edit):
    assert findings_of(tmp_path, PROJECT, edit) == []


def test_one_name_in_two_namespaces_is_told_apart(tmp_path):
    other = BOX.replace("namespace Shop;", "namespace Other;")
    edit = {"other/Box.cs": other.replace(*LOAD)}
    assert findings_of(tmp_path, {**PROJECT, "other/Box.cs": other}, edit) == []


def test_one_class_twice_in_a_project_is_nobody_in_particular(tmp_path):
    more = {f"second/{path}": text for path, text in PROJECT.items()}
    assert findings_of(tmp_path, PROJECT | more, changed("shop/Box.cs", LOAD)) == []


PARTS = {
    "shop/One.cs": "namespace Shop;\npublic partial class Whole\n{\n    public Whole(int a) { }\n"
    "    void Run() => Step(1);\n}\n",
    "shop/Two.cs": "namespace Shop { public partial class Whole { int Step(int a) => 1; } }\n",
    "app/Use.cs": "using Shop;\nclass Use\n{\n    object whole = new Whole(1);\n}\n",
}


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("shop/Two.cs", "Step(int a)", "Step(int a, int b)", ["required-parameter: shop/One.cs:5"]),
        ("shop/One.cs", "Whole(int a)", "Whole(int a, int b)", ["required-parameter: app/Use.cs:4"]),
        ("shop/Two.cs", "int Step(int a) => 1;", "", ["removed: shop/One.cs:5"]),
        ("shop/One.cs", "    public Whole(int a) { }\n", "", []),
        ("shop/Two.cs", "Step(int a)", "Step(int a, int b = 1)", []),
    ],
    ids=["a method", "a constructor", "a method that is gone", "a constructor that may stand elsewhere", "a default"],
)
def test_a_class_in_several_parts_is_one(tmp_path, path, old, new, expected):
    assert old in PARTS[path]
    assert findings_of(tmp_path, PARTS, {path: PARTS[path].replace(old, new)}) == expected


NEARER = {
    "A.cs": "namespace A { public class C { public C(int a) { } public int F(int a) => a; } }\n",
    "L.cs": "namespace L { public class C { } }\n",
    "N.cs": "public class D { public D(int a) { } }\nnamespace N { public class D { } }\n",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("namespace A.B { using L; class S { C c = new C(); } }\n", []),
        ("namespace N { class S { object d = new global::D(1); } }\n", []),
        ("namespace N { class S { object d = new D(); object c = new global::A.C(); } }\n", ["wrong-arity: "]),
        ("using System;\nnamespace A.B { class S { C c = new C(); } }\n", ["wrong-arity: "]),
        (
            "namespace A { static class M { extension(C c) { int F() => 1; } } class S { int K(C c) => c.F(); } }",
            [],
        ),
    ],
    ids=["a nearer using", "from the outermost on", "from the outermost on, and wrong", "a using", "an extension"],
)
def test_which_of_several_namespaces_is_meant(tmp_path, text, expected):
    assert findings_of(tmp_path, NEARER, {"S.cs": text}) == expected
