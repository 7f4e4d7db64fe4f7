"""Java and C#: the constructor of an ancestor that is called without being written."""

from __future__ import annotations

import pytest

from contract_cases import findings_of

JAVA = "package shop;\npublic class Base {\n  public Base() {}\n}\n"
CSHARP = "namespace Shop;\npublic class Base\n{\n  public Base() { }\n}\n"
NEEDS_MORE = {"shop/Base.java": ("Base()", "Base(int size)"), "Shop/Base.cs": ("Base()", "Base(int size)")}


def java(text: str, *, package: str = "app") -> dict[str, str]:
    return {"app/Heir.java": f"package {package};\nimport shop.*;\n{text}\n"}


def csharp(text: str) -> dict[str, str]:
    return {"App/Heir.cs": f"using Shop;\nnamespace App;\n{text}\n"}


def bases(java_text: str = JAVA, csharp_text: str = CSHARP) -> dict[str, str]:
    return {"shop/Base.java": java_text, "Shop/Base.cs": csharp_text}


def narrower(folder, files: dict[str, str]) -> list[str]:
    """What is found when both ancestors need an argument."""
    path = "shop/Base.java" if "app/Heir.java" in files else "Shop/Base.cs"
    before = bases()[path]
    return findings_of(folder, bases() | files, {path: before.replace(*NEEDS_MORE[path])})


HANDING_UP = {
    "java: a class without a constructor": (java("class Heir extends Base {}"), 3),
    "java: a constructor that says nothing of it": (java("class Heir extends Base {\n  Heir(int a) {}\n}"), 4),
    "java: behind a comment": (java("class Heir extends Base {\n  Heir() { // super(1);\n  }\n}"), 4),
    "java: a constructor that says so": (java("class Heir extends Base {\n  Heir() {\n    super();\n  }\n}"), 5),
    "java: the second of two": (
        java("class Heir extends Base {\n  Heir() { this(1); }\n  Heir(int a) { run(); }\n}"),
        5,
    ),
    "java: a class in a class": (java("class Out {\n  static class Heir extends Base {}\n}"), 4),
    "java: a class in a method": (java("class Out {\n  void f() {\n    class Heir extends Base {}\n  }\n}"), 5),
    "java: with types": (java("class Heir<T> extends Base implements Runnable {\n  Heir(T a) {}\n}"), 4),
    "java: what lombok writes beside a constructor": (
        java("@lombok.Getter class Heir extends Base {\n  Heir(int a) {}\n}"),
        4,
    ),
    "c#: a class without a constructor": (csharp("class Heir : Base { }"), 3),
    "c#: a constructor that says nothing of it": (csharp("class Heir : Base\n{\n  Heir(int a) { }\n}"), 5),
    "c#: a constructor that says so": (csharp("class Heir : Base\n{\n  Heir()\n    : base() { }\n}"), 6),
    "c#: the second of two": (csharp("class Heir : Base {\n  Heir() : this(1) { }\n  Heir(int a) => Run();\n}"), 5),
    "c#: a primary constructor": (csharp("class Heir(int a) : Base, IDisposable { }"), 3),
    "c#: a constructor for the class itself beside none": (csharp("class Heir : Base { static Heir() { } }"), 3),
    "c#: a constructor of one part of a class": (csharp("partial class Heir : Base\n{\n  Heir(int a) { }\n}"), 5),
    "c#: a class in a class": (csharp("class Out\n{\n  class Heir : Base { }\n}"), 5),
}


@pytest.mark.parametrize(("subclass", "line"), HANDING_UP.values(), ids=HANDING_UP)
def test_who_calls_it_without_saying_so_is_told(tmp_path, subclass, line):
    assert narrower(tmp_path, subclass) == [f"required-parameter: {next(iter(subclass))}:{line}"]


@pytest.mark.parametrize("subclass", [subclass for subclass, _ in HANDING_UP.values()], ids=HANDING_UP)
def test_a_new_subclass_that_hands_up_nothing_is_told(tmp_path, subclass):
    needing = {path: text.replace(*NEEDS_MORE[path]) for path, text in bases().items()}
    assert findings_of(tmp_path, needing, subclass) == ["wrong-arity: "]


NOTHING_UNSAID = {
    "java: every constructor says what it hands up": java(
        "class Heir extends Base {\n  Heir() { this(1); }\n  Heir(int a) { super(a); }\n}"
    ),
    "java: a class of another package": java("import other.Base;\nclass Heir extends Base {}"),
    "java: an ancestor that nobody knows": java("class Heir extends Unknown {}"),
    "java: an interface of the name": java("interface Heir extends Base {}"),
    "java: a class that lombok writes a constructor into": java(
        "@lombok.experimental.SuperBuilder class Heir extends Base {}"
    ),
    "java: a class around has one of the name": java(
        "class Out {\n  static class Base {}\n  static class Heir extends Base {}\n}"
    ),
    "java: a class inside has the name": java("class Heir extends other.Base {\n  class Base {}\n}"),
    "java: a type parameter of the name": java("class Out<Base> {\n  class Heir extends Base {}\n}"),
    "java: a class without a name": java("class Out {\n  Object o = new Base(1) { int a; };\n}"),
    "java: a text that does not parse": java("class Heir extends Base {\n  Heir( {}\n}"),
    "c#: every constructor says what it hands up": csharp(
        "class Heir : Base {\n  Heir() : this(1) { }\n  Heir(int a) : base(a) { }\n}"
    ),
    "c#: a primary constructor that hands it up": csharp("class Heir(int a) : Base(a) { }"),
    "c#: an ancestor that nobody knows": csharp("class Heir : Unknown { }"),
    "c#: only the second of the list": csharp("class Heir : Unknown, Base { }"),
    "c#: another part may have the constructor": csharp("partial class Heir : Base { }"),
    "c#: a constructor in two parts": csharp("partial class Heir : Base { partial Heir(int a); }"),
    "c#: under a condition": csharp("class Heir : Base {\n#if NET\n  Heir() : base(1) { }\n#endif\n}"),
    "c#: an interface": csharp("interface Heir : Base { }"),
    "c#: a structure": csharp("struct Heir : Base { public Heir(int a) { } }"),
    "c#: a class of the name with types": csharp("class Heir : Base<int> { }"),
}


@pytest.mark.parametrize("subclass", NOTHING_UNSAID.values(), ids=NOTHING_UNSAID)
def test_of_who_hands_up_what_is_needed_or_nobody_can_tell_nothing_is_said(tmp_path, subclass):
    assert narrower(tmp_path, subclass) == []


JAVA_SUBCLASS = java("class Heir extends Base {\n  Heir(int a) {}\n}")
CSHARP_SUBCLASS = csharp("class Heir : Base\n{\n  Heir(int a) { }\n}")


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ("  private Base() {}\n", ["export-removed: app/Heir.java:4"]),
        ("  Base() {}\n", ["export-removed: app/Heir.java:4"]),
        ("  protected Base() {}\n", []),
        ("  public Base(int... all) {}\n", []),
        ("", []),
        ("  public Base() {}\n  public Base(int a) {}\n", []),
        ("  public Base(int a) {}\n  public Base(int a, int b) {}\n", ["removed: app/Heir.java:4"]),
    ],
    ids=["private", "for its package", "for heirs", "any number", "none at all", "one more", "two that need something"],
)
def test_what_a_constructor_of_java_becomes(tmp_path, now, expected):
    edit = {"shop/Base.java": JAVA.replace("  public Base() {}\n", now)}
    assert findings_of(tmp_path, bases() | JAVA_SUBCLASS, edit) == expected


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ("  private Base() { }\n", ["export-removed: App/Heir.cs:5"]),
        ("  protected Base() { }\n", []),
        ("  public Base(int a = 1) { }\n", []),
        ("  public Base(params int[] a) { }\n", []),
        ("", []),
        ("  public Base(int a) { }\n  public Base(int a, int b) { }\n", ["removed: App/Heir.cs:5"]),
    ],
    ids=["private", "for heirs", "with a default", "any number", "none at all", "two that need something"],
)
def test_what_a_constructor_of_csharp_becomes(tmp_path, now, expected):
    edit = {"Shop/Base.cs": CSHARP.replace("  public Base() { }\n", now)}
    assert findings_of(tmp_path, bases() | CSHARP_SUBCLASS, edit) == expected


def test_a_default_that_is_gone_is_missed(tmp_path):
    files = bases(csharp_text=CSHARP.replace("Base()", "Base(int a = 1)")) | CSHARP_SUBCLASS
    edit = {"Shop/Base.cs": CSHARP.replace("Base()", "Base(int a)")}
    assert findings_of(tmp_path, files, edit) == ["default-removed: App/Heir.cs:5"]


def test_any_number_that_is_gone_is_missed(tmp_path):
    files = bases(JAVA.replace("Base()", "Base(int... all)")) | JAVA_SUBCLASS
    edit = {"shop/Base.java": JAVA.replace("Base()", "Base(int all)")}
    assert findings_of(tmp_path, files, edit) == ["required-parameter: app/Heir.java:4"]


def test_a_first_constructor_takes_the_place_of_the_one_nobody_wrote(tmp_path):
    files = bases(JAVA.replace("  public Base() {}\n", "")) | java("class Heir extends Base {}")
    edit = {"shop/Base.java": JAVA.replace("Base()", "Base(int size)")}
    assert findings_of(tmp_path, files, edit) == ["required-parameter: app/Heir.java:3"]


def test_an_inner_subclass_may_use_what_is_private(tmp_path):
    files = bases(JAVA.replace("Base() {}\n", "Base() {}\n  static class Heir extends Base {}\n"))
    edit = {"shop/Base.java": files["shop/Base.java"].replace("public Base() {}", "private Base() {}")}
    assert findings_of(tmp_path, files, edit) == []


@pytest.mark.parametrize("head", ["Base", "Base : IDisposable"])
def test_a_class_that_becomes_an_interface_has_nothing_to_hand_up_to(tmp_path, head):
    edit = {"Shop/Base.cs": f"namespace Shop;\npublic interface {head}\n{{\n}}\n"}
    for number, subclass in enumerate((CSHARP_SUBCLASS, csharp("class Heir : Base { }"))):
        (tmp_path / str(number)).mkdir()
        assert findings_of(tmp_path / str(number), bases() | subclass, edit) == []


def test_a_name_that_means_another_class_inside_of_the_subclass_is_nobody_in_particular(tmp_path):
    """What a class inherits from is named outside of it, what it makes inside."""
    subclass = java("class Heir extends Base {\n  Heir(int a) {}\n  class Base {\n    Base(int a) {}\n  }\n}")
    assert findings_of(tmp_path, bases(), subclass) == []


def test_a_subclass_that_drops_what_it_handed_up_is_told(tmp_path):
    files = bases(JAVA.replace("Base()", "Base(int size)")) | java(
        "class Heir extends Base {\n  Heir() { super(1); }\n}"
    )
    assert findings_of(tmp_path, files, java("class Heir extends Base {\n  Heir() { }\n}")) == ["wrong-arity: "]


def test_a_constructor_more_beside_one_that_hands_up_nothing_is_fine(tmp_path):
    more = java("class Heir extends Base {\n  Heir(int a) {}\n  Heir(int a, int b) {}\n}")
    assert findings_of(tmp_path, bases() | JAVA_SUBCLASS, more) == []
