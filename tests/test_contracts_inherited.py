"""What a class has from its ancestors: called by `self`, `this` and `super`, and by the name of the class itself."""

from __future__ import annotations

import pytest

from contract_cases import findings_of

BASE = """class Base:
    def __init__(self, name):
        self.name = name

    def save(self, where):
        return where

    @classmethod
    def make(cls, text):
        return cls(text)

    @staticmethod
    def count(items):
        return len(items)
"""
MORE = {
    "a method": ("save(self, where)", "save(self, where, mode)"),
    "a constructor": ("__init__(self, name)", "__init__(self, name, age)"),
    "a class method": ("make(cls, text)", "make(cls, text, more)"),
    "a static method": ("count(items)", "count(items, step)"),
}
IMPORTS = "from base import Base\n\n\n"
CHILD = f"{IMPORTS}class Heir(Base):\n"
CALLS = {
    "self": ("a method", CHILD + "    def run(self):\n        return self.save(1)\n"),
    "super": ("a method", CHILD + "    def save(self, where):\n        return super().save(where)\n"),
    "super of another": ("a method", CHILD + "    def run(self):\n        return super().save(1)\n"),
    "super in the older way": ("a method", CHILD + "    def run(self):\n        return super(Heir, self).save(1)\n"),
    "the class with an object": (
        "a method",
        CHILD + "    def save(self, where):\n        return Base.save(self, where)\n",
    ),
    "a module": ("a method", "import base\n\n\nclass Heir(base.Base):\n    def run(self):\n        self.save(1)\n"),
    "another name": (
        "a method",
        "from base import Base as B\n\n\nclass Heir(B):\n    def run(self):\n        self.save(1)\n",
    ),
    "further down": ("a method", CHILD + "    pass\n\n\nclass Last(Heir):\n    def run(self):\n        self.save(1)\n"),
    "beside a mixin": (
        "a method",
        (
            f"{IMPORTS}class Mixin:\n    def log(self):\n        return 1\n\n\nclass Heir(Mixin, Base):\n"
            "    def run(self):\n        return self.save(1)\n"
        ),
    ),
    "below an ancestor from elsewhere": (
        "a method",
        (
            "from base import Base\nfrom odd import Odd\n\n\nclass Mid(Base):\n    pass\n\n\n"
            "class Heir(Mid):\n    x: Odd\n\n    def run(self):\n        return self.save(1)\n"
        ),
    ),
    "a function inside": (
        "a method",
        CHILD + "    def run(self):\n        def f():\n            return self.save(1)\n        return f\n",
    ),
    "a constructor by super": ("a constructor", CHILD + "    def __init__(self):\n        super().__init__('a')\n"),
    "a constructor by name": ("a constructor", CHILD + "    def __init__(self):\n        Base.__init__(self, 'a')\n"),
    "a constructor further up": (
        "a constructor",
        CHILD + "    pass\n\n\nclass Last(Heir):\n    def __init__(self):\n        super().__init__('a')\n",
    ),
    "a class method by name": ("a class method", f"{IMPORTS}Base.make('a')\n"),
    "a class method of a subclass": ("a class method", CHILD + "    pass\n\n\nHeir.make('a')\n"),
    "a class method by cls": (
        "a class method",
        CHILD + "    @classmethod\n    def two(cls):\n        return cls.make('a')\n",
    ),
    "a class method by super": (
        "a class method",
        CHILD + "    @classmethod\n    def make(cls, text):\n        return super().make(text)\n",
    ),
    "a static method": ("a static method", f"{IMPORTS}Base.count([1])\n"),
    "a static method by self": ("a static method", CHILD + "    def run(self):\n        return self.count([1])\n"),
}


def _called(text: str) -> int:
    """The line of the last call: nothing else is in brackets there but what is defined."""
    lines = enumerate(text.split("\n"), 1)
    return max(number for number, each in lines if "(" in each and "def " not in each and "class" not in each)


@pytest.mark.parametrize(("what", "text"), CALLS.values(), ids=CALLS)
def test_a_signature_changes(tmp_path, what, text):
    found = findings_of(tmp_path, {"base.py": BASE, "use.py": text}, {"base.py": BASE.replace(*MORE[what])})
    assert found == [f"required-parameter: use.py:{_called(text)}"]


@pytest.mark.parametrize(("what", "text"), CALLS.values(), ids=CALLS)
def test_a_call_is_new(tmp_path, what, text):
    base = BASE.replace(*MORE[what])
    assert findings_of(tmp_path, {"base.py": base, "use.py": IMPORTS}, {"use.py": text}) == ["wrong-arity: "]
    assert findings_of(tmp_path / "fits", {"base.py": BASE, "use.py": IMPORTS}, {"use.py": text}) == []


NAMES = {"a method": "save", "a class method": "make", "a static method": "count"}
GONE = {name: each for name, each in CALLS.items() if each[0] in NAMES}


@pytest.mark.parametrize(("what", "text"), GONE.values(), ids=GONE)
def test_a_method_has_another_name(tmp_path, what, text):
    base = BASE.replace(f"def {NAMES[what]}", "def other")
    found = findings_of(tmp_path, {"base.py": BASE, "use.py": text}, {"base.py": base})
    assert found == [f"renamed: use.py:{_called(text)}"]


SCRIPT = """export class Base {
  constructor(public name: string) {}

  save(where: string) {
    return where;
  }

  static of(text: string) {
    return text;
  }
}
"""
SCRIPT_MORE = {
    "a method": ("save(where: string)", "save(where: string, mode: number)"),
    "a constructor": ("public name: string", "public name: string, public age: number"),
    "a static method": ("of(text: string)", "of(text: string, more: number)"),
}
SCRIPT_IMPORTS = 'import { Base } from "./base";\n\n'
SCRIPT_CHILD = f"{SCRIPT_IMPORTS}export class Heir extends Base {{\n"
SCRIPT_CALLS = {
    "this": ("a method", SCRIPT_CHILD + "  run() {\n    return this.save('a');\n  }\n}\n"),
    "this in an arrow": ("a method", SCRIPT_CHILD + "  run() {\n    return () => this.save('a');\n  }\n}\n"),
    "super": ("a method", SCRIPT_CHILD + "  override save(where: string) {\n    return super.save(where);\n  }\n}\n"),
    "further down": (
        "a method",
        SCRIPT_CHILD + "}\n\nclass Last extends Heir {\n  run() {\n    return this.save('a');\n  }\n}\n",
    ),
    "a constructor": ("a constructor", SCRIPT_CHILD + "  constructor() {\n    super('a');\n  }\n}\n"),
    "a constructor further up": (
        "a constructor",
        SCRIPT_CHILD + "}\n\nclass Last extends Heir {\n  constructor() {\n    super('a');\n  }\n}\n",
    ),
    "a static method": ("a static method", f"{SCRIPT_IMPORTS}Base.of('a');\n"),
    "a static method of a subclass": ("a static method", SCRIPT_CHILD + "}\n\nHeir.of('a');\n"),
    "a static method by this": (
        "a static method",
        SCRIPT_CHILD + "  static two() {\n    return this.of('a');\n  }\n}\n",
    ),
}


def _line(text: str) -> int:
    """Of the one call with something passed."""
    return next(number for number, each in enumerate(text.split("\n"), 1) if "('a')" in each or "super.save(" in each)


@pytest.mark.parametrize(("what", "text"), SCRIPT_CALLS.values(), ids=SCRIPT_CALLS)
def test_a_signature_changes_in_a_script(tmp_path, what, text):
    found = findings_of(tmp_path, {"base.ts": SCRIPT, "use.ts": text}, {"base.ts": SCRIPT.replace(*SCRIPT_MORE[what])})
    assert found == [f"required-parameter: use.ts:{_line(text)}"]


@pytest.mark.parametrize(("what", "text"), SCRIPT_CALLS.values(), ids=SCRIPT_CALLS)
def test_a_call_is_new_in_a_script(tmp_path, what, text):
    files = {"base.ts": SCRIPT.replace(*SCRIPT_MORE[what]), "use.ts": SCRIPT_IMPORTS}
    assert findings_of(tmp_path, files, {"use.ts": text}) == ["wrong-arity: "]
    files = {"base.ts": SCRIPT, "use.ts": SCRIPT_IMPORTS}
    assert findings_of(tmp_path / "fits", files, {"use.ts": text}) == []


SCRIPT_NAMES = {"a method": "save", "a static method": "of"}
SCRIPT_GONE = {name: each for name, each in SCRIPT_CALLS.items() if each[0] in SCRIPT_NAMES}


@pytest.mark.parametrize(("what", "text"), SCRIPT_GONE.values(), ids=SCRIPT_GONE)
@pytest.mark.parametrize("suffix", ["ts", "js"])
def test_a_method_has_another_name_in_a_script(tmp_path, what, text, suffix):
    name = SCRIPT_NAMES[what]
    base = SCRIPT.replace(f"  {name}(", "  other(").replace(f" {name}(", " other(")
    files = {f"base.{suffix}": SCRIPT, f"use.{suffix}": text}
    if suffix == "js":
        plain = {
            path: each.replace(": string", "").replace("public ", "").replace("override ", "")
            for path, each in files.items()
        }
        files, base = plain, base.replace(": string", "").replace("public ", "")
    found = findings_of(tmp_path, files, {f"base.{suffix}": base})
    assert found == [f"renamed: use.{suffix}:{_line(text)}"]


RUN = "    def run(self):\n        return self.save(1)\n"
LOUD = "class Loud:\n    def save(self, where):\n        return where\n\n\n"
OTHERS = {
    "the subclass has a field of the name": CHILD + "    save = print\n\n" + RUN,
    "an object of the subclass gets one": CHILD + "    def __init__(self):\n        self.save = print\n\n" + RUN,
    "a subclass of it takes it": f"{CHILD}{RUN}\n\nclass Last(Heir):\n    def save(self, where):\n        return 1\n",
    "an ancestor from elsewhere": f"from odd import Odd\n{IMPORTS}class Heir(Base, Odd):\n{RUN}",
    "two ancestors have it": f"{IMPORTS}{LOUD}class Heir(Loud, Base):\n{RUN}",
    "a subclass has it from another ancestor": f"{CHILD}{RUN}\n\n{LOUD}class Last(Loud, Heir):\n    pass\n",
    "a subclass may have it from elsewhere": f"from odd import Odd\n{CHILD}{RUN}\n\nclass Last(Odd, Heir):\n    pass\n",
    "a class that is made another way": f"{IMPORTS}class Heir(make(Base)):\n{RUN}",
    "super of another class": CHILD + "    def run(self):\n        return super(Other, self).save(1)\n",
    "super between two": (
        f"{CHILD}    def run(self):\n        return super().save(1)\n\n\nclass Mid(Base):\n    def save(self, where):\n"
        "        return 1\n\n\nclass Last(Heir, Mid):\n    pass\n"
    ),
    "a self of its own": CHILD
    + "    def run(self):\n        def f(self):\n            return self.save(1)\n        return f\n",
    "a stranger's self": f"{IMPORTS}def run(self):\n    return self.save(1)\n",
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_what_may_be_another_method(tmp_path, text):
    more = BASE.replace(*MORE["a method"])
    found = findings_of(tmp_path, {"base.py": BASE, "use.py": text}, {"base.py": more})
    assert [each for each in found if "by name" not in each] == []
    assert findings_of(tmp_path / "new", {"base.py": more, "use.py": IMPORTS}, {"use.py": text}) == []


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_what_may_still_be_there(tmp_path, text):
    found = findings_of(tmp_path, {"base.py": BASE, "use.py": text}, {"base.py": BASE.replace("save", "store")})
    assert [each for each in found if "by name" not in each] == []


def test_any_name_may_be_answered(tmp_path):
    text = CHILD + "    def __getattr__(self, name):\n        return print\n\n" + RUN
    found = findings_of(tmp_path, {"base.py": BASE, "use.py": text}, {"base.py": BASE.replace("save", "store")})
    assert found == []


SCRIPT_OTHERS = {
    "a field of the subclass": SCRIPT_CHILD
    + "  save = (a: string) => a;\n\n  run() {\n    return this.save('a');\n  }\n}\n",
    "a subclass takes it": (
        SCRIPT_CHILD + "  run() {\n    return this.save('a');\n  }\n}\n\n"
        "class Last extends Heir {\n  save(where: string) {\n    return where;\n  }\n}\n"
    ),
    "another this": SCRIPT_CHILD + "  run() {\n    return function () {\n      this.save('a');\n    };\n  }\n}\n",
    "an object of its own": (
        SCRIPT_CHILD + "  run() {\n    return {\n      go() {\n        this.save('a');\n      },\n    };\n  }\n}\n"
    ),
    "a class that is made": (
        f"{SCRIPT_IMPORTS}class Heir extends mixed(Base) {{\n  run() {{\n    return this.save('a');\n  }}\n}}\n"
    ),
    "an interface of the name": (
        f"{SCRIPT_IMPORTS}interface Heir {{\n  save(where: string): string;\n}}\nclass Heir extends Base {{\n"
        "  run() {\n    return this.save('a');\n  }\n}\n"
    ),
}


@pytest.mark.parametrize("text", SCRIPT_OTHERS.values(), ids=SCRIPT_OTHERS)
def test_what_may_be_another_method_of_a_script(tmp_path, text):
    more, other = SCRIPT.replace(*SCRIPT_MORE["a method"]), SCRIPT.replace("  save(", "  store(")
    assert findings_of(tmp_path, {"base.ts": SCRIPT, "use.ts": text}, {"base.ts": more}) == []
    assert findings_of(tmp_path / "new", {"base.ts": more, "use.ts": SCRIPT_IMPORTS}, {"use.ts": text}) == []
    found = findings_of(tmp_path / "gone", {"base.ts": SCRIPT, "use.ts": text}, {"base.ts": other})
    assert [each for each in found if "by name" not in each] == []


def test_a_constructor_that_is_gone(tmp_path):
    text = CHILD + "    def __init__(self):\n        super().__init__('a')\n"
    base = "class Base:\n    def save(self):\n        return 1\n"
    old = base + "\n    def __init__(self, name):\n        self.name = name\n"
    assert findings_of(tmp_path, {"base.py": old, "use.py": text}, {"base.py": base}) == ["removed-parameter: use.py:6"]


def test_a_constructor_that_is_made_of_fields(tmp_path):
    base = "from dataclasses import dataclass\n\n\n@dataclass\nclass Base:\n    name: str\n"
    text = CHILD + "    def __init__(self):\n        super().__init__('a')\n"
    found = findings_of(tmp_path, {"base.py": base, "use.py": text}, {"base.py": f"{base}    age: int\n"})
    assert found == ["required-parameter: use.py:6"]


def test_a_class_is_made_by_its_own_word(tmp_path):
    base = "class Base:\n    def __new__(cls, name):\n        return object.__new__(cls)\n"
    text = (
        CHILD
        + "    def __new__(cls, name, age):\n        return super().__new__(cls, name)\n\n\nBase.__new__(Base, 1)\n"
    )
    assert findings_of(tmp_path, {"base.py": base, "use.py": IMPORTS}, {"use.py": text}) == []
    wrong = text.replace("__new__(cls, name)\n", "__new__(cls)\n")
    assert findings_of(tmp_path / "wrong", {"base.py": base, "use.py": IMPORTS}, {"use.py": wrong}) == ["wrong-arity: "]


def test_a_method_of_the_class_that_calls_it(tmp_path):
    """Another class that has such a method is no reason to be silent any more."""
    text = f"{LOUD}class Quiet:\n    def save(self):\n        return 1\n\n{RUN}"
    assert findings_of(tmp_path, {"use.py": LOUD}, {"use.py": text}) == ["wrong-arity: "]


def test_a_subclass_gives_a_name_another_meaning(tmp_path):
    own = "\n    def run(self):\n        return self.save(1)\n"
    child = "from base import Base\n\n\nclass Heir(Base):\n    save = staticmethod(print)\n"
    files = {"base.py": BASE + own, "use.py": child}
    assert findings_of(tmp_path, files, {"base.py": files["base.py"].replace("save(1)", "save(1, 2)")}) == []


NO_SELF = {
    "a loop": "    def run(self, all):\n        for cls in all:\n            cls.make(1, 2)\n",
    "a variable": "    def run(self, other):\n        self = other\n        self.save(1, 2)\n",
    "asked what it is": "    def run(self):\n        if isinstance(self, Loud):\n            self.save(1, 2)\n",
    "a metaclass": "    def run(cls):\n        cls.look(1)\n\n    def look(cls, a):\n        return a\n",
}


@pytest.mark.parametrize("body", NO_SELF.values(), ids=NO_SELF)
def test_what_is_called_self_and_may_be_another(tmp_path, body):
    assert findings_of(tmp_path, {"base.py": BASE, "use.py": IMPORTS}, {"use.py": CHILD + body}) == []


def test_a_metaclass_by_its_name(tmp_path):
    base = "class Base(type):\n    def look(cls, name):\n        return name\n"
    text = f"{IMPORTS}Base.look(int, 1)\n"
    assert findings_of(tmp_path, {"base.py": base, "use.py": IMPORTS}, {"use.py": text}) == []


def test_a_constructor_that_subclasses_have_from_elsewhere(tmp_path):
    base = "class Base:\n    def save(self):\n        return 1\n"
    text = f"from odd import Odd\n{CHILD}    def __init__(self):\n        super().__init__(1)\n"
    joined = "\n\nclass Other(Odd):\n    pass\n\n\nclass Last(Heir, Other):\n    pass\n"
    assert findings_of(tmp_path, {"base.py": base, "use.py": IMPORTS}, {"use.py": text + joined}) == []
    assert findings_of(tmp_path / "alone", {"base.py": base, "use.py": IMPORTS}, {"use.py": text}) == ["wrong-arity: "]


def test_a_method_whose_parameters_are_looked_at_first(tmp_path):
    body = "    def run(self):\n        if len(signature(self.save).parameters) == 2:\n            self.save(1, 2)\n"
    assert findings_of(tmp_path, {"base.py": BASE, "use.py": IMPORTS}, {"use.py": CHILD + body}) == []


STATICS = {
    "python": (
        {"base.py": BASE, "use.py": f"{IMPORTS}Base.count([1])\n"},
        ("    @staticmethod\n    def count(items)", "    def count(self, items)"),
        "use.py:4",
    ),
    "a class method": (
        {"base.py": BASE, "use.py": f"{IMPORTS}Base.make('a')\n"},
        ("    @classmethod\n    def make(cls, text)", "    def make(self, text)"),
        "use.py:4",
    ),
    "typescript": (
        {"base.ts": SCRIPT, "use.ts": f"{SCRIPT_IMPORTS}Base.of('a');\n"},
        ("static of(", "of("),
        "use.ts:3",
    ),
}


@pytest.mark.parametrize(("files", "edit", "where"), STATICS.values(), ids=STATICS)
def test_what_needs_an_object_now(tmp_path, files, edit, where):
    path, text = next(iter(files.items()))
    assert findings_of(tmp_path, files, {path: text.replace(*edit)}) == [f"required-parameter: {where}"]


def test_who_hands_over_the_object_needs_no_other(tmp_path):
    base = "class Base:\n    @staticmethod\n    def show(base):\n        return base\n"
    files = {"base.py": base, "use.py": f"{IMPORTS}Base.show(Base())\n"}
    after = "class Base:\n    def show(base):\n        return base\n"
    assert findings_of(tmp_path, files, {"base.py": after}) == []


SCRIPT_KINDS = {
    "of the class, asked by objects": "  static save(a: string, b: string) {}\n  run() {\n    this.save('');\n  }\n",
    "of objects, asked by the class": "  save(a: string, b: string) {}\n  static run() {\n    this.save('');\n  }\n",
    "above, in a method of the class": "  static run() {\n    super.save('a', 'b');\n  }\n",
}


@pytest.mark.parametrize("body", SCRIPT_KINDS.values(), ids=SCRIPT_KINDS)
def test_a_class_and_its_objects_have_methods_of_their_own(tmp_path, body):
    text = f"{SCRIPT_CHILD}{body}}}\n"
    assert findings_of(tmp_path, {"base.ts": SCRIPT, "use.ts": SCRIPT_IMPORTS}, {"use.ts": text}) == []


def test_what_is_written_counts_in_a_script(tmp_path):
    """An object that takes less than its interface says is a good one."""
    log = (
        "export interface Log {\n  info(text: string): void;\n}\n\nclass Silent implements Log {\n  info() {}\n}\n\n"
        "export const log: Log = new Silent();\n"
    )
    text = 'import { log } from "./log";\n\nlog.info("a");\n'
    assert findings_of(tmp_path, {"log.ts": log, "use.ts": "export {};\n"}, {"use.ts": text}) == []


GONE_BUT = {
    "an ancestor gives it": {
        "root.py": "def _load(self):\n    return 1\n\n\nclass Root:\n    load = _load\n",
        "one.py": "from root import Root\n\n\nclass One(Root):\n    def load(self):\n        return 1\n",
        "use.py": (
            "from one import One\n\n\nclass C(One):\n    def run(self):\n        return self.load() + One.load(self)\n"
        ),
    },
    "another ancestor gives it": {
        "one.py": "class One:\n    def load(self):\n        return 1\n",
        "two.py": "class Two:\n    def __init__(self, load):\n        self.load = load\n",
        "use.py": (
            "from one import One\nfrom two import Two\n\n\nclass C(One, Two):\n"
            "    def run(self):\n        self.load()\n"
        ),
    },
    "a subclass in a function has it": {
        "one.py": (
            "class One:\n    def run(self):\n        return self.load()\n\n    def load(self):\n        return 1\n"
        ),
        "use.py": (
            "from one import One\n\n\ndef make():\n    class Two(One):\n"
            "        def load(self):\n            return 2\n\n    return Two()\n"
        ),
    },
    "a subclass answers to any name": {
        "one.py": (
            "class One:\n    def run(self):\n        return self.load()\n\n    def load(self):\n        return 1\n"
        ),
        "use.py": "from one import One\n\n\nclass Two(One):\n    def __getattr__(self, name):\n        return print\n",
    },
    "a subclass far down has a field": {
        "one.py": (
            "class One:\n    def run(self):\n        return self.load()\n\n    def load(self):\n        return 1\n\n\n"
            "class B(One):\n    pass\n\n\nclass C(B):\n    pass\n\n\nclass D(C):\n    pass\n"
        ),
        "use.py": "from one import D\n\n\nclass E(D):\n    def __init__(self, it):\n        self.load: object = it\n",
    },
    "a class is registered for it": {
        "one.py": "from abc import ABC\n\n\nclass One(ABC):\n    def load(self):\n        return 1\n",
        "use.py": (
            "from one import One\n\n\nclass Two:\n    def load(self):\n        return 2\n\n\nOne.register(Two)\n\n\n"
            "def f(it: One):\n    return it.load()\n"
        ),
    },
    "a decorator may do anything": {
        "one.py": "@changed\nclass One:\n    def load(self):\n        return 1\n",
        "use.py": "from one import One\n\n\nclass Two(One):\n    def run(self):\n        return self.load()\n",
    },
}


@pytest.mark.parametrize("files", GONE_BUT.values(), ids=GONE_BUT)
def test_what_others_bring_is_not_gone(tmp_path, files):
    after = files["one.py"].replace("    def load(self):\n        return 1\n", "    size = 1\n")
    found = findings_of(tmp_path, files, {"one.py": after})
    assert [each for each in found if "by name" not in each] == []


def test_what_a_package_passes_on(tmp_path):
    files = {
        "p/__init__.py": "from .heir import Heir\nfrom .app import queue\n",
        "p/base.py": BASE,
        "p/heir.py": "from .base import Base\n\n\nclass Heir(Base):\n    pass\n",
        "p/app.py": "from .base import Base\n\nqueue = Base('a')\n",
        "use.py": (
            "from p import Heir, queue\n\n\nclass Last(Heir):\n    def run(self):\n        self.save(1)\n\n\n"
            "queue.save(1)\n"
        ),
    }
    found = findings_of(tmp_path, files, {"p/base.py": BASE.replace("def save", "def store")})
    assert found == ["renamed: use.py:6, use.py:9"]


def test_a_method_that_is_left_to_subclasses(tmp_path):
    base = (
        "class Base:\n    def run(self):\n        return self.step(1)\n\n    def step(self, a):\n"
        "        raise NotImplementedError\n"
    )
    child = "from base import Base\n\n\nclass Heir(Base):\n    def step(self, a):\n        return a\n"
    after = base.replace("step(self, a)", "step(self, a, b)")
    assert findings_of(tmp_path, {"base.py": base, "heir.py": child}, {"base.py": after}) == []
    assert findings_of(tmp_path / "alone", {"base.py": base}, {"base.py": after}) == ["required-parameter: base.py:3"]


LONG = {
    "values to choose from": "x = " + " or ".join(["A()"] * 2000) + "\nx.load(1)\n",
    "functions that give the next": "x0 = A()\n" + "".join(f"x{n + 1} = x{n}.next()\n" for n in range(400)),
    "a class of its own kind": "class B(B, B, B, B):\n    def run(self):\n        return self.load(1)\n",
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_what_goes_on_and_on(tmp_path, text):
    class_ = "class A:\n    def next(self) -> 'A':\n        return self\n\n\n"
    assert findings_of(tmp_path, {"a.py": "y = 1\n"}, {"a.py": class_ + text}) == []


def test_many_ancestors_are_each_asked_once(tmp_path):
    levels = [
        f"class C{level}{each}({', '.join(f'C{level - 1}{above}' for above in range(4)) if level else ''}):\n"
        f"    def run(self):\n        return self.load(1)\n"
        for level in range(9)
        for each in range(4)
    ]
    assert findings_of(tmp_path, {"a.py": "y = 1\n"}, {"a.py": "\n\n".join(levels)}) == []
