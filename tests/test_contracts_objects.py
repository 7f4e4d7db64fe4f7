"""Objects of Python: the class of what a method is called on, by what is written or made; and what is never said."""

from __future__ import annotations

import pytest

from contract_cases import findings_of

GREETER = """class Greeter:
    def __init__(self, name="x"):
        self.name = name

    def hello(self, name):
        return name

    def bye(self, name, *, loud=False):
        return name
"""
FIELD = "\n    def f(self):\n        return self.g.hello(1)\n"
KNOWN = {
    "made on the spot": "Greeter().hello(1)\n",
    "a variable of a function": "def f():\n    g = Greeter()\n    return g.hello(1)\n",
    "a variable of the file": "g = Greeter()\ng.hello(1)\n",
    "a variable of the file in a function": "g = Greeter()\n\n\ndef f():\n    return g.hello(1)\n",
    "a variable of the function around": "def f():\n    g = Greeter()\n    return lambda: g.hello(1)\n",
    "a parameter": "def f(g: Greeter):\n    return g.hello(1)\n",
    "a parameter by its name in quotes": 'def f(g: "Greeter"):\n    return g.hello(1)\n',
    "a parameter that may be missing": "def f(g: Greeter | None = None):\n    return g and g.hello(1)\n",
    "an optional parameter": "def f(g: Optional[Greeter] = None):\n    return g and g.hello(1)\n",
    "a variable with a type": "def f(make):\n    g: Greeter = make()\n    return g.hello(1)\n",
    "first nothing, then made": "def f():\n    g = None\n    g = Greeter()\n    return g.hello(1)\n",
    "made twice": "def f(a):\n    g = Greeter(1) if a else Greeter(2)\n    return g.hello(1)\n",
    "made unless it is given": "def f(g: Greeter | None = None):\n    g = g or Greeter()\n    return g.hello(1)\n",
    "a field that is made": f"class A:\n    def __init__(self):\n        self.g = Greeter()\n{FIELD}",
    "a field that is passed": f"class A:\n    def __init__(self, g: Greeter):\n        self.g = g\n{FIELD}",
    "a field with a type": f"class A:\n    g: Greeter\n{FIELD}",
    "a field that is used before it is seen": f"class A:{FIELD}\n    def set_up(self):\n        self.g = Greeter()\n",
    "another one that is compared": (
        "def f(g: Greeter, h):\n    match h:\n        case Loud():\n            g.hello(1)\n"
    ),
    "another type parameter": "def f[T](g: Greeter, t: T):\n    g.hello(1)\n",
    "another class inside of a class": "class A:\n    class Other:\n        pass\n\n    g: Greeter\n" + FIELD,
    "a subclass": "class Loud(Greeter):\n    pass\n\n\nLoud().hello(1)\n",
}
IMPORTS = "from typing import Optional\n\nfrom svc import Greeter\n\n"
UNKNOWN = {
    "another value": "def f(make):\n    g = Greeter()\n    g = make()\n    return g.hello(1)\n",
    "a parameter that is replaced": "def f(g: Greeter, make):\n    g = make(g)\n    return g.hello(1)\n",
    "a loop": "def f(all):\n    g = Greeter()\n    for g in all:\n        g.hello(1)\n",
    "a block": "def f(make):\n    g = Greeter()\n    with make() as g:\n        g.hello(1)\n",
    "what is caught": "def f():\n    g = Greeter()\n    try:\n        pass\n    except Odd as g:\n        g.hello(1)\n",
    "on the way": "def f(make):\n    g = Greeter()\n    if (g := make()):\n        g.hello(1)\n",
    "added to": "def f(other):\n    g = Greeter()\n    g += other\n    g.hello(1)\n",
    "a pattern": "def f(it):\n    g = Greeter()\n    match it:\n        case [g]:\n            g.hello(1)\n",
    "several at once": "def f(it):\n    g = Greeter()\n    g, h = it\n    g.hello(1)\n",
    "of a function inside": (
        "def f(it):\n    g = Greeter()\n\n    def h():\n        nonlocal g\n        g = it\n\n    h()\n    g.hello(1)\n"
    ),
    "of all functions": "g = Greeter()\n\n\ndef f(make):\n    global g\n    g = make()\n\n\ndef h():\n    g.hello(1)\n",
    "a parameter of the same name": "g = Greeter()\n\n\ndef f(g):\n    g.hello(1)\n",
    "a parameter of a lambda": "def f():\n    g = Greeter()\n    return lambda g: g.hello(1)\n",
    "in a list": "def f(all):\n    g = Greeter()\n    return [g.hello(1) for g in all]\n",
    "asked what it is": "def f(g: Greeter):\n    if isinstance(g, Loud):\n        g.hello(1)\n",
    "asked what it has": "def f(g: Greeter):\n    if hasattr(g, 'x'):\n        g.hello(1)\n",
    "one of two": "def f(g: Greeter | Loud):\n    g.hello(1)\n",
    "a list of them": "def f(g: list[Greeter]):\n    g.hello(1)\n",
    "any number": "def f(*g: Greeter):\n    g.hello(1)\n",
    "the class itself": "def f(g: type[Greeter]):\n    g.hello(1)\n",
    "a stand-in": "def f():\n    g = Mock(spec=Greeter)\n    g.hello(1)\n",
    "what a call gives": "def f():\n    g = Greeter.make()\n    g.hello(1)\n",
    "what is awaited": "async def f():\n    g = await Greeter()\n    g.hello(1)\n",
    "a field with another value": (
        "class A:\n    def __init__(self, make):\n        self.g = Greeter()\n        self.make = make\n\n"
        "    def f(self):\n        self.g = self.make()\n        self.g.hello(1)\n"
    ),
    "a field that is set with others": (
        f"class A:\n    def set_up(self, it):\n        self.g = Greeter()\n        self.g, self.h = it\n{FIELD}"
    ),
    "a descriptor": "class A:\n    g = Greeter()\n\n    def f(self):\n        self.g.hello(1)\n",
    "a property": (
        "class A:\n    def __init__(self):\n        self.g = Greeter()\n\n"
        "    @property\n    def g(self):\n        return 1\n\n    def f(self):\n        self.g.hello(1)\n"
    ),
    "a method that is replaced": "def f():\n    g = Greeter()\n    g.hello = print\n    g.hello(1)\n",
    "a method that is patched": 'def f(patch):\n    patch.setattr(Greeter, "hello", print)\n    Greeter().hello(1)\n',
    "a class of the same name": "class Greeter:\n    def hello(self, a=1):\n        return a\n\n\nGreeter().hello(1)\n",
    "a subclass of its own way": (
        "class Loud(Greeter):\n    def hello(self, a=1):\n        return a\n\n\ndef f(g: Greeter):\n    g.hello(1)\n"
    ),
    "a pattern for the whole file": "g = Greeter()\nmatch make():\n    case {'x': g}:\n        g.hello(1)\n",
    "one that another file may have": (
        "g = Greeter()\ntry:\n    from local import g\nexcept ImportError:\n    pass\ng.hello(1)\n"
    ),
    "a function of the same name": "g = Greeter()\n\n\ndef g():\n    pass\n\n\ng.hello(1)\n",
    "a class by that variable's name": "g = Greeter()\n\n\nclass g:\n    pass\n\n\ng.hello(1)\n",
    "compared with a pattern": "def f(g: Greeter):\n    match g:\n        case Loud():\n            g.hello(1)\n",
    "a field that is compared": (
        "class A:\n    g: Greeter\n\n    def f(self):\n        match self.g:\n            case Loud():\n"
        "                self.g.hello(1)\n"
    ),
    "a type parameter": "def f[Greeter](g: Greeter):\n    g.hello(1)\n",
    "a class inside of a class": (
        "class A:\n    class Greeter:\n        def hello(self, a=1):\n            return a\n\n"
        "    def __init__(self, g: Greeter):\n        self.g = g\n\n    def f(self):\n        self.g.hello(1)\n"
    ),
    "one that is made by its heir": (
        "class Loud(Greeter):\n    def hello(self, a=1):\n        return a\n\n\nLoud().hello(1)\n"
    ),
}
MORE = ("hello(self, name)", "hello(self, name, text)")
OTHER = ("def hello", "def greet")
GONE = ("    def hello(self, name):\n        return name\n\n", "")


def said(folder, text, edit, class_=GREETER):
    files = {"svc.py": class_, "use.py": IMPORTS + text}
    return findings_of(folder, files, {"svc.py": class_.replace(*edit)})


def line_of(text):
    return f"use.py:{(IMPORTS + text).partition('hello(1)')[0].count(chr(10)) + 1}"


@pytest.mark.parametrize("text", KNOWN.values(), ids=KNOWN)
@pytest.mark.parametrize(
    ("edit", "rule"),
    [(MORE, "required-parameter"), (OTHER, "renamed"), (GONE, "removed")],
    ids=["more", "other", "gone"],
)
def test_a_method_that_changes_is_missed_by_objects_of_its_class(tmp_path, text, edit, rule):
    assert said(tmp_path, text, edit) == [f"{rule}: {line_of(text)}"]


@pytest.mark.parametrize("text", UNKNOWN.values(), ids=UNKNOWN)
@pytest.mark.parametrize("edit", [MORE, OTHER, GONE], ids=["more", "other", "gone"])
def test_what_may_be_something_else_holds_nobody(tmp_path, text, edit):
    assert [each for each in said(tmp_path, text, edit) if "by name" not in each] == []


@pytest.mark.parametrize("text", KNOWN.values(), ids=KNOWN)
@pytest.mark.parametrize(
    ("call", "rule"), [("hello()", "wrong-arity"), ("hello(1, 2)", "wrong-arity"), ("bye(1, far=2)", "unknown-keyword")]
)
def test_a_new_call_that_does_not_fit(tmp_path, text, call, rule):
    new = IMPORTS + text.replace("hello(1)", call)
    assert findings_of(tmp_path, {"svc.py": GREETER}, {"use.py": new}) == [f"{rule}: "]


@pytest.mark.parametrize("text", UNKNOWN.values(), ids=UNKNOWN)
def test_a_new_call_of_what_may_be_something_else(tmp_path, text):
    new = IMPORTS + text.replace("hello(1)", "hello()")
    assert findings_of(tmp_path, {"svc.py": GREETER}, {"use.py": new}) == []


CLASSES = {
    "made by a metaclass": GREETER.replace("Greeter:", "Greeter(metaclass=Meta):"),
    "decorated": f"@registered\n{GREETER}",
    "that makes something else": f"{GREETER}\n    def __new__(cls, *args):\n        return Other()\n",
    "with a decorated method": GREETER.replace("    def hello", "    @wrapped\n    def hello"),
    "with two of them": f"{GREETER}\n    def hello(self, name, more):\n        return more\n",
    "with a method that is set": f"{GREETER}\n    hello = wrapped(hello)\n",
    "with a method that an object sets": GREETER.replace("self.name = name", "self.hello = name"),
}


@pytest.mark.parametrize("class_", CLASSES.values(), ids=CLASSES)
def test_a_class_that_may_have_another_method(tmp_path, class_):
    new = f"{IMPORTS}Greeter().hello()\n"
    assert findings_of(tmp_path, {"svc.py": class_}, {"use.py": new}) == []
    text = "Greeter().hello(1)\n"
    found = said(tmp_path / "edited", text, MORE, class_)
    assert [each for each in found if "by name" not in each] == []


ANSWERING = {
    "any name": f"{GREETER}\n    def __getattr__(self, name):\n        return print\n",
    "an ancestor from elsewhere": GREETER.replace("Greeter:", "Greeter(Base):"),
    "an ancestor that has it": (
        f"class Base:\n    def hello(self, name):\n        return 1\n\n\n{GREETER}".replace(
            "Greeter:", "Greeter(Base):"
        )
    ),
}


@pytest.mark.parametrize("class_", ANSWERING.values(), ids=ANSWERING)
def test_a_method_that_the_class_may_still_have(tmp_path, class_):
    head, _, tail = class_.rpartition(GONE[0])
    files = {"svc.py": class_, "use.py": f"{IMPORTS}Greeter().hello(1)\n"}
    found = findings_of(tmp_path, files, {"svc.py": head + tail})
    assert [each for each in found if "by name" not in each] == []


def test_a_field_may_hold_what_was_a_method(tmp_path):
    found = said(tmp_path, "Greeter().hello(1)\n", (GONE[0], "    hello: Callable[[str], str]\n\n"))
    assert [each for each in found if "by name" not in each] == []


def test_what_every_object_has_is_never_gone(tmp_path):
    said_by = "\n    def __str__(self):\n        return 'a'\n\n    def __call__(self):\n        return 1\n"
    files = {"svc.py": GREETER + said_by, "use.py": f"{IMPORTS}g = Greeter()\ng.__str__()\ng.__call__()\n"}
    assert findings_of(tmp_path, files, {"svc.py": GREETER}) == ["removed: use.py:7"]


def test_a_class_inside_of_a_class_is_made_another_way(tmp_path):
    files = {"svc.py": GREETER, "use.py": IMPORTS}
    body = "def __init__(self, a, b):\n            self.a = a\n\n    g = Greeter(1, 2)\n"
    inside = f"class A:\n    class Greeter:\n        {body}"
    assert findings_of(tmp_path, files, {"use.py": IMPORTS + inside}) == []
    beside = inside.replace("class Greeter", "class Other")
    assert findings_of(tmp_path / "beside", files, {"use.py": IMPORTS + beside}) == ["wrong-arity: "]


def test_a_constructor_is_no_other_name_of_a_method(tmp_path):
    class_ = "class Greeter:\n    def hello(self):\n        return 1\n"
    files = {"svc.py": class_, "use.py": f"{IMPORTS}Greeter().hello()\n"}
    found = findings_of(tmp_path, files, {"svc.py": class_.replace("hello", "__init__")})
    assert found == ["removed: use.py:5"]


def test_an_object_in_the_file_of_its_class(tmp_path):
    files = {"svc.py": f"{GREETER}\n\ndef f(g: Greeter):\n    return g.hello(1)\n"}
    found = findings_of(tmp_path, files, {"svc.py": files["svc.py"].replace(*GONE)})
    assert found == ["removed: svc.py:10"]


def test_callers_that_follow_are_not_told(tmp_path):
    files = {"svc.py": GREETER, "use.py": f"{IMPORTS}Greeter().hello(1)\n"}
    after = {"svc.py": GREETER.replace(*OTHER), "use.py": f"{IMPORTS}Greeter().greet(1)\n"}
    assert findings_of(tmp_path, files, after) == []


def test_a_method_that_another_class_has_as_well(tmp_path):
    other = GREETER.replace("Greeter", "Other").replace("hello(self, name)", "hello(self)")
    files = {"svc.py": GREETER, "other.py": other, "use.py": f"{IMPORTS}def f(g: Greeter):\n    return g.hello(1)\n"}
    assert findings_of(tmp_path, files, {"svc.py": GREETER.replace(*GONE)}) == ["removed: use.py:6"]


def test_a_module_that_a_function_imports_is_no_object(tmp_path):
    files = {"mail.py": "def send(a):\n    return a\n", "use.py": "def f():\n    import mail\n\n    mail.send(1)\n"}
    found = findings_of(tmp_path, files, {"mail.py": "def send(a, b):\n    return a, b\n"})
    assert found == ["required-parameter: use.py:4"]
