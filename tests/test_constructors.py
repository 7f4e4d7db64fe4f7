"""What making an object takes, by class, and who is broken when that changes."""

from __future__ import annotations

import pytest

from fixtures import IndexedTree
from test_callers import found
from vetgate.index.constructor import constructor
from vetgate.index.view import View

DATA = "from dataclasses import KW_ONLY, InitVar, dataclass, field\nfrom typing import ClassVar\n"
ATTRS = "import attr\nimport attrs\nfrom attrs import define, field, frozen\n"
TUPLE = "from typing import NamedTuple\nimport typing as t\n"
MODEL = "from pydantic import BaseModel, ConfigDict, Field\n"

SIGNATURES = {
    "a dataclass": (DATA + "@dataclass\nclass A:\n    x: int\n    y: str = ''\n", "x, y="),
    "its fields by name alone": (DATA + "@dataclass(frozen=True, kw_only=True)\nclass A:\n    x: int\n", "*x"),
    "some of them by name alone": (DATA + "@dataclass\nclass A:\n    x: int\n    _: KW_ONLY\n    y: int\n", "x, *y"),
    "fields that say more": (
        DATA + "@dataclass\nclass A:\n    x: list = field(default_factory=list)\n    y: int = field(init=False)\n"
        "    z: int = field(kw_only=True)\n    k: ClassVar[int] = 1\n    i: InitVar[int] = 2\n",
        "x=, *z, i=",
    ),
    "methods beside fields": (DATA + '@dataclass\nclass A:\n    """A."""\n\n    x: int\n\n    def f(self): ...\n', "x"),
    "dataclasses by their module": ("import dataclasses as d\n@d.dataclass\nclass A:\n    x: int\n", "x"),
    "a dataclass and its ancestor": (
        DATA
        + "@dataclass\nclass B:\n    x: int\n    y: int = 1\n@dataclass\nclass A(B):\n    y: int = 2\n    z: int = 3\n",
        "x, y=, z=",
    ),
    "one that inherits a dataclass": (DATA + "@dataclass\nclass B:\n    x: int\nclass A(B):\n    pass\n", "x"),
    "attrs": (
        ATTRS + "@define\nclass A:\n    _x: int\n    y: int = field(factory=int)\n    z: int = 0\n    w: int\n\n"
        "    @w.default\n    def _w(self):\n        return 1\n",
        "x, y=, z=, w=",
    ),
    "attrs of old": (ATTRS + "@attr.s(slots=True)\nclass A:\n    x = attr.ib()\n    y = attr.ib(default=1)\n", "x, y="),
    "attrs of old with types": (ATTRS + "@attr.s(auto_attribs=True)\nclass A:\n    x: int\n    y: int = 1\n", "x, y="),
    "a named tuple": (TUPLE + "class A(NamedTuple):\n    x: int\n    y: int = 1\n    def f(self): ...\n", "x, y="),
    "a named tuple by its module": (TUPLE + "class A(t.NamedTuple):\n    x: int\n", "x"),
    "a model": (
        MODEL + "class A(BaseModel):\n    x: int\n    y: int = Field(gt=1)\n    z: int = Field(3)\n    o: int | None\n",
        "*x, *y, *z=, *o=, **",
    ),
    "a model that forbids more": (
        MODEL + 'class A(BaseModel):\n    model_config = ConfigDict(extra="forbid")\n    x: int\n',
        "*x",
    ),
    "a constructor of its own": ("class A:\n    def __init__(self, x, y=1): ...\n", "x, y="),
    "one instead of the fields": (DATA + "@dataclass\nclass A:\n    x: int\n    def __init__(self, y): ...\n", "y"),
    "an ancestor's": ("class B:\n    def __init__(self, x): ...\nclass A(B):\n    def f(self): ...\n", "x"),
    "none at all": ("class A:\n    pass\n", ""),
}
NOT_REPORTED = {
    "another dataclass": "from elsewhere import dataclass\n@dataclass\nclass A:\n    x: int\n",
    "attrs of old over a constructor": (ATTRS + "@attr.s\nclass A:\n    x = attr.ib()\n    def __init__(self): ...\n"),
    "one that is not initialised": DATA + "@dataclass(init=False)\nclass A:\n    x: int\n",
    "options from elsewhere": DATA + "@dataclass(**OPTIONS)\nclass A:\n    x: int\n",
    "another decorator": DATA + "@stored\n@dataclass\nclass A:\n    x: int\n",
    "fields under a condition": DATA + "@dataclass\nclass A:\n    x: int\n    if MORE:\n        y: int\n",
    "a value for a field further down": DATA + "@dataclass\nclass A:\n    x: int\n    x = made()\n",
    "an ancestor from elsewhere": DATA + "from lib import B\n@dataclass\nclass A(B):\n    x: int\n",
    "an ancestor with a way of its own": (
        "class B:\n    def __new__(cls, *a): ...\nclass A(B):\n    def __init__(self, x): ...\n"
    ),
    "a metaclass": "class A(metaclass=M):\n    def __init__(self, x): ...\n",
    "two ancestors": "class B: ...\nclass C:\n    def __init__(self, x): ...\nclass A(B, C): ...\n",
    "a model under another name": MODEL + "class A(BaseModel):\n    x: int = Field(alias='y')\n",
    "a model that brings what is missing": (
        MODEL + "class A(BaseModel):\n    x: int\n    @model_validator(mode='before')\n    def f(cls, v): ...\n"
    ),
    "what a model's heir has more": MODEL + "class B(BaseModel):\n    x: int\nclass A(B):\n    y: int\n",
    "attrs that are not annotated": ATTRS + "@define\nclass A:\n    x = field()\n",
}


def signature(tmp_path, text, name="a.py"):
    tree = IndexedTree(tmp_path)
    tree.write({name: text})
    view = View(tree.built(), {})
    (definition,) = (each for each in view.facts(name).definitions if each.symbol == "A")
    parameters = constructor(view, name, definition)
    marks = {"k": "*", "**": "**"}
    return None if parameters is None else ", ".join(
        f"{marks.get(each.kind, '')}{each.name}{'=' if each.optional else ''}" for each in parameters
    )  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), SIGNATURES.values(), ids=SIGNATURES.keys())
def test_what_a_class_takes(tmp_path, text, expected):
    assert signature(tmp_path, text) == expected


@pytest.mark.parametrize("text", NOT_REPORTED.values(), ids=NOT_REPORTED.keys())
def test_where_nobody_can_tell_what_a_class_takes(tmp_path, text):
    assert signature(tmp_path, text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("class A { constructor(private x: number, y = 1) {} }\n", "x, y="),
        ("class B { constructor(x: number) {} }\nclass A extends B implements C {}\n", "x"),
        ("class A implements C {}\n", ""),
        ("class A extends made() {}\n", None),
        ("@decorated class A { constructor(x: number) {} }\n", None),
    ],
    ids=["its own", "an ancestor's", "none", "an ancestor that is made", "decorated"],
)
def test_what_a_class_of_typescript_takes(tmp_path, text, expected):
    assert signature(tmp_path, text, "a.ts") == expected


USER = DATA + "@dataclass\nclass User:\n    name: str\n    age: int = 0\n"
USE = 'from user import User\n\nann = User("ann", 3)\nbob = User(name="bob", age=2)\n'
CHANGED = {
    "a field that is needed": (
        USER.replace("age: int = 0", "mail: str\n    age: int = 0"),
        "required-parameter `User` now needs `mail`; it is used in 1 place: app.py:4.",
    ),
    "a field that is gone": (
        USER.replace("    age: int = 0\n", ""),
        "removed-parameter `User` no longer takes `age`; it is used in 2 places: app.py:3, app.py:4.",
    ),
    "a field by another name": (
        USER.replace("age", "years"),
        "removed-parameter `User` no longer takes `age`; it is used in 1 place: app.py:4.",
    ),
    "fields in another order": (
        DATA + "@dataclass\nclass User:\n    age: int\n    name: str\n",
        "reordered `User` takes `age`, `name` in another order; it is used in 1 place: app.py:3.",
    ),
    "fields by name alone": (
        USER.replace("@dataclass", "@dataclass(kw_only=True)"),
        "removed-parameter `User` no longer takes `name` by place; it is used in 1 place: app.py:3.",
    ),
    "a constructor of its own instead": (
        "class User:\n    def __init__(self, name):\n        self.name = name\n",
        "removed-parameter `User` no longer takes `age`; it is used in 2 places: app.py:3, app.py:4.",
    ),
}


@pytest.mark.parametrize(("text", "expected"), CHANGED.values(), ids=CHANGED.keys())
def test_who_makes_objects_of_a_class_that_changed(tmp_path, text, expected):
    assert found(tmp_path, {"user.py": USER, "app.py": USE}, {"user.py": text}) == {expected}


STAYS = {
    "a field with a default": USER.replace("age: int = 0", "age: int = 0\n    mail: str = ''"),
    "a field that is set later": USER + "    key: int = field(init=False)\n",
    "frozen": USER.replace("@dataclass", "@dataclass(frozen=True, slots=True)"),
    "the same constructor by hand": "class User:\n    def __init__(self, name, age=0): ...\n",
    "attrs instead": "from attrs import define\n@define\nclass User:\n    name: str\n    age: int = 0\n",
}


@pytest.mark.parametrize("text", STAYS.values(), ids=STAYS.keys())
def test_a_class_that_still_takes_what_it_is_given(tmp_path, text):
    assert found(tmp_path, {"user.py": USER, "app.py": USE}, {"user.py": text}) == set()


def test_a_class_that_gets_a_constructor(tmp_path):
    before = {"box.ts": "export class Box {}\n", "app.ts": 'import { Box } from "./box";\nnew Box();\n'}
    after = "export class Box {\n  constructor(private size: number) {}\n}\n"
    (message,) = found(tmp_path, before, {"box.ts": after})
    assert message == "required-parameter `Box` now needs `size`; it is used in 1 place: app.ts:2."


def test_subclasses_are_made_as_their_ancestor_is(tmp_path):
    before = {"user.py": USER, "app.py": "from user import User\n\nclass Guest(User):\n    pass\n\nGuest('a')\n"}
    after = {"user.py": USER.replace("age: int = 0", "mail: str\n    age: int = 0")}
    assert found(tmp_path, before, after) == {
        "required-parameter `Guest` now needs `mail`; it is used in 1 place: app.py:6."
    }
    own = before["app.py"].replace("pass", "def __init__(self, name): ...")
    assert found(tmp_path / "own", {**before, "app.py": own}, after) == set()


def test_a_new_call_that_does_not_fit_the_fields(tmp_path):
    use = 'from user import User\n\nUser("a", 1, 2)\nUser("a", mail="b")\nUser()\nUser("a", 1)\n'
    rules = {each.partition(" ")[0] for each in found(tmp_path, {"user.py": USER}, {"app.py": use})}
    assert rules == {"wrong-arity", "unknown-keyword"}
    assert len(found(tmp_path / "again", {"user.py": USER}, {"app.py": use})) == 3
