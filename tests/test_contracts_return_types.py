"""Objects that a function gives by the type it is written to return, and those that another module holds."""

from __future__ import annotations

import pytest

from contract_cases import findings_of

QUEUE = """class Queue:
    def push(self, item):
        return item

    @classmethod
    def load(cls) -> Self:
        return cls()
"""
MORE, OTHER = ("push(self, item)", "push(self, item, rank)"), ("def push", "def put")
IMPORT = "from queues import Queue\n\n"
MAKE = f"{IMPORT}\ndef make() -> Queue:\n    return Queue()\n"
FOUND = {
    "a function": (MAKE, "from app import make\n\nq = make()\nq.push(1)\n"),
    "on the spot": (MAKE, "from app import make\n\nmake().push(1)\n"),
    "in a function": (MAKE, "from app import make\n\n\ndef f():\n    q = make()\n    return q.push(1)\n"),
    "by way of its module": (MAKE, "import app\n\nq = app.make()\nq.push(1)\n"),
    "one that may be missing": (
        MAKE.replace("Queue:", "Queue | None:"),
        "from app import make\n\nq = make()\nif q:\n    q.push(1)\n",
    ),
    "one that is waited for": (
        MAKE.replace("def make", "async def make"),
        "from app import make\n\n\nasync def f():\n    q = await make()\n    q.push(1)\n",
    ),
    "a field": (
        MAKE,
        (
            "from app import make\n\n\nclass A:\n    def __init__(self):\n        self.q = make()\n\n"
            "    def f(self):\n        self.q.push(1)\n"
        ),
    ),
    "a class method": (MAKE, f"{IMPORT}q = Queue.load()\nq.push(1)\n"),
    "a variable of another module": (f"{IMPORT}queue = Queue()\n", "from app import queue\n\nqueue.push(1)\n"),
    "a variable with a type": (
        f"{IMPORT}queue: Queue = registry['q']\n",
        "from app import queue as q\n\n\ndef f():\n    q.push(1)\n",
    ),
    "a variable by way of its module": (f"{IMPORT}queue = Queue()\n", "import app\n\napp.queue.push(1)\n"),
    "a variable that a function fills": (
        f"{MAKE}\n\nqueue = make()\n",
        "from app import queue\n\nqueue.push(1)\n",
    ),
}


@pytest.mark.parametrize(("app", "use"), FOUND.values(), ids=FOUND)
def test_what_a_function_or_a_module_gives(tmp_path, app, use):
    line = next(number for number, each in enumerate(use.split("\n"), 1) if ".push(" in each)
    files = {"queues.py": QUEUE, "app.py": app, "use.py": use}
    found = findings_of(tmp_path, files, {"queues.py": QUEUE.replace(*MORE)})
    assert found == [f"required-parameter: use.py:{line}"]
    assert findings_of(tmp_path / "gone", files, {"queues.py": QUEUE.replace(*OTHER)}) == [f"renamed: use.py:{line}"]
    new = {**files, "queues.py": QUEUE.replace(*MORE), "use.py": "x = 1\n"}
    assert findings_of(tmp_path / "new", new, {"use.py": use}) == ["wrong-arity: "]


LEFT = {
    "no type": (MAKE.replace(" -> Queue", ""), "from app import make\n\nq = make()\nq.push(1)\n"),
    "a decorator": (MAKE.replace("def make", "@wrapped\ndef make"), "from app import make\n\nmake().push(1)\n"),
    "not waited for": (MAKE.replace("def make", "async def make"), "from app import make\n\nq = make()\nq.push(1)\n"),
    "waited for": (MAKE, "from app import make\n\n\nasync def f():\n    q = await make()\n    q.push(1)\n"),
    "a list of them": (MAKE.replace("-> Queue", "-> list[Queue]"), "from app import make\n\nq = make()\nq.push(1)\n"),
    "one of two": (MAKE.replace("-> Queue", "-> Queue | Other"), "from app import make\n\nq = make()\nq.push(1)\n"),
    "another value": (MAKE, "from app import make\n\n\ndef f(x):\n    q = make()\n    q = x\n    q.push(1)\n"),
    "a variable that is filled again": (
        f"{IMPORT}queue = Queue()\n\n\ndef f(x):\n    global queue\n    queue = x\n",
        "from app import queue\n\nqueue.push(1)\n",
    ),
    "a variable that others fill": (
        f"{IMPORT}queue = Queue()\n",
        "import app\n\napp.queue = Fake()\napp.queue.push(1)\n",
    ),
    "a variable that another file fills": (
        f"{IMPORT}queue = Queue()\n",
        "from app import queue\n\nqueue.push(1)\n",
    ),
    "round and round": ("a = b.make()\nb = a.make()\n", "from app import a\n\na.push(1)\n"),
}


@pytest.mark.parametrize(("app", "use"), LEFT.values(), ids=LEFT)
def test_what_may_be_anything(tmp_path, app, use):
    files = {"queues.py": QUEUE, "app.py": app, "use.py": use}
    files |= {"late.py": "import app\n\napp.queue = app.other\n"}
    for number, change in enumerate((MORE, OTHER)):
        found = findings_of(tmp_path / str(number), files, {"queues.py": QUEUE.replace(*change)})
        assert [each for each in found if "by name" not in each] == []
    new = {**files, "queues.py": QUEUE.replace(*MORE), "use.py": "x = 1\n"}
    assert findings_of(tmp_path / "new", new, {"use.py": use}) == []


def test_a_call_of_what_nobody_knows_is_still_told_by_its_name(tmp_path):
    files = {"queues.py": QUEUE, "use.py": f"{IMPORT}def f(make):\n    q = make(Queue)\n    q.push(1)\n"}
    found = findings_of(tmp_path, files, {"queues.py": QUEUE.replace(*MORE)})
    assert found == ["required-parameter by name: use.py:5"]


SCRIPT = "export class Api {\n  get(path: string) {\n    return path;\n  }\n}\n"
SCRIPT_IMPORT = 'import { Api } from "./api";\n\n'
SCRIPTS = {
    "a variable": (
        f"{SCRIPT_IMPORT}export const api = new Api();\n",
        'import { api } from "./app";\n\napi.get("a");\n',
    ),
    "a variable with a type": (
        f"{SCRIPT_IMPORT}export const api: Api = made();\n",
        'import { api as it } from "./app";\n\nexport const f = () => it.get("a");\n',
    ),
    "by way of its module": (
        f"{SCRIPT_IMPORT}export const api = new Api();\n",
        'import * as app from "./app";\n\napp.api.get("a");\n',
    ),
    "a function": (
        f"{SCRIPT_IMPORT}export function useApi(): Api {{\n  return made();\n}}\n",
        'import { useApi } from "./app";\n\nfunction f() {\n  const api = useApi();\n  return api.get("a");\n}\n',
    ),
    "an arrow": (
        f"{SCRIPT_IMPORT}export const useApi = (): Api => made();\n",
        'import { useApi } from "./app";\n\nuseApi().get("a");\n',
    ),
    "one that is promised": (
        f"{SCRIPT_IMPORT}export async function open(): Promise<Api> {{\n  return made();\n}}\n",
        'import { open } from "./app";\n\nasync function f() {\n  const api = await open();\n  api.get("a");\n}\n',
    ),
}


@pytest.mark.parametrize(("app", "use"), SCRIPTS.values(), ids=SCRIPTS)
def test_what_a_function_or_a_module_of_a_script_gives(tmp_path, app, use):
    line = next(number for number, each in enumerate(use.split("\n"), 1) if ".get(" in each)
    files = {"api.ts": SCRIPT, "app.ts": app, "use.ts": use}
    more = SCRIPT.replace("path: string", "path: string, by: string")
    found = findings_of(tmp_path, files, {"api.ts": more})
    assert found == [f"required-parameter: use.ts:{line}"]
    gone = findings_of(tmp_path / "gone", files, {"api.ts": SCRIPT.replace("get(", "fetch(")})
    assert gone == [f"renamed: use.ts:{line}"]
    new = {**files, "api.ts": more, "use.ts": "export const x = 1;\n"}
    assert findings_of(tmp_path / "new", new, {"use.ts": use}) == ["wrong-arity: "]


def test_a_promise_is_no_object(tmp_path):
    app, use = SCRIPTS["one that is promised"]
    files = {"api.ts": SCRIPT, "app.ts": app, "use.ts": use.replace("await ", "")}
    more = SCRIPT.replace("path: string", "path: string, by: string")
    found = findings_of(tmp_path, files, {"api.ts": more})
    assert [each for each in found if "by name" not in each] == []


METHODS = {
    "of self": (
        "from queues import Queue\n\n\nclass Store:\n    def find(self) -> Queue:\n        return Queue()\n",
        "from app import Store\n\n\nclass My(Store):\n    def run(self):\n        q = self.find()\n        q.push(1)\n",
    ),
    "of an object": (
        "from queues import Queue\n\n\nclass Store:\n    async def find(self) -> Queue:\n        return Queue()\n",
        "from app import Store\n\n\nasync def run(store: Store):\n    q = await store.find()\n    q.push(1)\n",
    ),
}


@pytest.mark.parametrize(("app", "use"), METHODS.values(), ids=METHODS)
def test_what_a_method_gives(tmp_path, app, use):
    line = next(number for number, each in enumerate(use.split("\n"), 1) if ".push(" in each)
    files = {"queues.py": QUEUE, "app.py": app, "use.py": use}
    found = findings_of(tmp_path, files, {"queues.py": QUEUE.replace(*OTHER)})
    assert found == [f"renamed: use.py:{line}"]


OLDER = {
    "a class": (
        "class A { step(n) { return n; } }\nmodule.exports = A;\n",
        "class B extends A { run() { this.step(1); } }",
    ),
    "a class on the spot": ("module.exports = class A { step(n) { return n; } };\n", "new A().step(1);"),
    "an object": ("class Box { step(n) { return n; } }\nmodule.exports = new Box();\n", "A.step(1);"),
}


@pytest.mark.parametrize(("text", "use"), OLDER.values(), ids=OLDER)
def test_a_module_of_the_older_kind_that_is_a_class_or_an_object(tmp_path, text, use):
    files = {"a.js": text, "use.js": f'const A = require("./a");\n\n{use}\n'}
    assert findings_of(tmp_path, files, {"a.js": text.replace("step", "advance")}) == ["renamed: use.js:3"]


def test_an_object_that_is_exported_without_a_name(tmp_path):
    text = "class Box {\n  step(n) {\n    return n;\n  }\n}\nexport default new Box();\n"
    files = {"a.js": text, "use.js": 'import box from "./a.js";\n\nbox.step(1);\n'}
    assert findings_of(tmp_path, files, {"a.js": text.replace("step", "advance")}) == ["renamed: use.js:3"]


def test_a_constructor_may_give_something_else(tmp_path):
    text = "export class Box {\n  constructor() {\n    return other();\n  }\n  step(n) {\n    return n;\n  }\n}\n"
    files = {"a.js": text, "use.js": 'import { Box } from "./a.js";\n\nnew Box().step(1);\n'}
    found = findings_of(tmp_path, files, {"a.js": text.replace("  step(n) {\n    return n;\n  }\n", "")})
    assert [each for each in found if "by name" not in each] == []


def test_a_module_that_a_test_puts_another_in_the_place_of(tmp_path):
    text = "export function load() {\n  return 1;\n}\nexport const size = 1;\n"
    use = 'import { load } from "./a";\n\nvi.mock("./a", () => ({ load: () => 2 }));\nload();\n'
    files = {"src/a.ts": text, "src/a.test.ts": use}
    assert findings_of(tmp_path, files, {"src/a.ts": "export const size = 1;\n"}) == []
    other = use.replace('vi.mock("./a"', 'vi.mock("./b"')
    files = {"src/a.ts": text, "src/a.test.ts": other}
    found = findings_of(tmp_path / "other", files, {"src/a.ts": "export const size = 1;\n"})
    assert found == ["removed: src/a.test.ts:4, src/a.test.ts:1"]


SAID = {
    "a variable": f"{IMPORT}\ndef run(q: Queue):\n    push = q.push(1)\n    return push\n",
    "a key": f'{IMPORT}\ndef run(q: Queue):\n    return {{"push": q.push(1)}}\n',
    "a variable of a subclass": (
        f"{IMPORT}\nclass Heir(Queue):\n    def run(self):\n        push = self.push(1)\n        return push\n"
    ),
}


@pytest.mark.parametrize("text", SAID.values(), ids=SAID)
def test_something_else_of_the_name_is_no_reason_to_be_silent(tmp_path, text):
    line = next(number for number, each in enumerate(text.split("\n"), 1) if ".push(" in each)
    files = {"queues.py": QUEUE, "use.py": text}
    assert findings_of(tmp_path, files, {"queues.py": QUEUE.replace(*OTHER)}) == [f"renamed: use.py:{line}"]


FIELDS = {
    "one of several": "    older = push = put\n",
    "one of two": "    other, push = made()\n",
    "behind another": "    other = put; push = put\n",
    "of its objects": "    def set_up(self, push):\n        self.push = push\n",
}


@pytest.mark.parametrize("field", FIELDS.values(), ids=FIELDS)
def test_a_field_has_the_name_by_now(tmp_path, field):
    files = {"queues.py": QUEUE, "use.py": f"{IMPORT}Queue().push(1)\n"}
    found = findings_of(tmp_path, files, {"queues.py": f"{QUEUE.replace(*OTHER)}\n{field}"})
    assert [each for each in found if "by name" not in each] == []


SCRIPT_FIELDS = {
    "behind a decorator": "  @observable get = get;\n",
    "behind a decorator that takes something": "  @Input({ required: true }) get!: (a: string) => void;\n",
    "behind a comment": "  /** as before */ get = this.fetch;\n",
    "behind another": "  size = 1; get = get;\n",
    "alone": "  get;\n",
}


@pytest.mark.parametrize("field", SCRIPT_FIELDS.values(), ids=SCRIPT_FIELDS)
def test_a_field_of_a_script_has_the_name_by_now(tmp_path, field):
    files = {"api.ts": SCRIPT, "use.ts": f'{SCRIPT_IMPORT}new Api().get("a");\n'}
    after = SCRIPT.replace("  get(path: string) {\n    return path;\n  }\n", field)
    found = findings_of(tmp_path, files, {"api.ts": after})
    assert [each for each in found if "by name" not in each] == []


@pytest.mark.parametrize("begins", ["const it = module.exports = {};", "var it = exports = module.exports = {};"])
def test_exports_that_have_another_name(tmp_path, begins):
    files = {"a.js": "module.exports = { load: () => 1 };\n", "use.js": 'const { load } = require("./a");\n\nload();\n'}
    assert findings_of(tmp_path, files, {"a.js": f"{begins}\nit.load = () => 1;\n"}) == []


def test_a_package_in_the_place_of_a_module(tmp_path):
    files = {
        "app/__init__.py": "",
        "app/models.py": "class User:\n    pass\n\n\nclass Post:\n    pass\n",
        "use.py": "from app.models import Post, User\n",
    }
    user = "class User:\n    pass\n"
    after = {"app/models.py": None, "app/models/__init__.py": "from ._a import User\n", "app/models/_a.py": user}
    assert findings_of(tmp_path, files, after) == ["removed: use.py:1"]


FILLED = {
    "in a branch": "    if FLAG:\n        push = print\n    else:\n        push = input\n",
    "behind a text at the margin": '    TEXT = """\nselect(a)\n"""\n    push = print\n',
    "by a function of the file": "    pass\n\n\ndef fill(cls):\n    cls.push = print\n",
}


@pytest.mark.parametrize("field", FILLED.values(), ids=FILLED)
def test_a_field_wherever_it_stands(tmp_path, field):
    files = {"queues.py": QUEUE, "use.py": f"{IMPORT}Queue().push(1)\n"}
    found = findings_of(tmp_path, files, {"queues.py": f"{QUEUE.replace(*OTHER)}\n{field}"})
    assert [each for each in found if "by name" not in each] == []


PUT = {
    "in a loop": 'for name in ("push", "pull"):\n    setattr(Queue, name, print)\nQueue().push(1)\n',
    "several at once": "with patch.multiple(Queue, push=print):\n    Queue().push(1)\n",
    "by the name of its module": 'with patch(f"{MODULE}.push"):\n    Queue().push(1)\n',
    "by a constructor": "def made(self):\n    self.push = print\n\n\nQueue.__init__ = made\nQueue().push(1)\n",
}


@pytest.mark.parametrize("text", PUT.values(), ids=PUT)
def test_what_a_test_puts_in_the_place_of_a_method(tmp_path, text):
    files = {"queues.py": QUEUE, "test_queues.py": f"{IMPORT}{text}"}
    found = findings_of(tmp_path, files, {"queues.py": QUEUE.replace(*MORE)})
    assert [each for each in found if "by name" not in each] == []
