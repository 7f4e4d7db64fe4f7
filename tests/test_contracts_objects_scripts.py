"""Objects of TypeScript and JavaScript: the class of what a method is called on; and what is never said."""

from __future__ import annotations

import pytest

from contract_cases import findings_of

GREETER = """export class Greeter {
  constructor(private name = "x") {}

  hello(name: string) {
    return name;
  }

  bye(name: string, loud = false) {
    return name;
  }
}
"""
IMPORTS = 'import { Greeter } from "./svc";\n\n'
KNOWN = {
    "made on the spot": "new Greeter().hello(1);\n",
    "a variable of a function": "function f() {\n  const g = new Greeter();\n  return g.hello(1);\n}\n",
    "a variable of the file": "const g = new Greeter();\ng.hello(1);\n",
    "a variable of the file in a function": "export const g = new Greeter();\n\nconst f = () => g.hello(1);\n",
    "a variable of the function around": (
        "function f(all: number[]) {\n  const g = new Greeter();\n  return all.map((x) => g.hello(1));\n}\n"
    ),
    "a parameter": "function f(g: Greeter) {\n  return g.hello(1);\n}\n",
    "a parameter of an arrow": "const f = (g: Greeter) => g.hello(1);\n",
    "one that may be missing": "function f(g?: Greeter | null) {\n  return g?.hello(1);\n}\n",
    "one that is said to be there": "function f(g?: Greeter) {\n  return g!.hello(1);\n}\n",
    "a variable with a type": "function f(make: any) {\n  const g: Greeter = make();\n  return g.hello(1);\n}\n",
    "filled before each": (
        "describe('x', () => {\n  let g: Greeter;\n  beforeEach(() => {\n    g = new Greeter();\n  });\n"
        "  it('y', () => {\n    g.hello(1);\n  });\n});\n"
    ),
    "a field that is made": "class A {\n  private g = new Greeter();\n\n  f() {\n    return this.g.hello(1);\n  }\n}\n",
    "a field with a type": "class A {\n  private g?: Greeter;\n\n  f() {\n    return this.g?.hello(1);\n  }\n}\n",
    "a parameter that is a field": (
        "class A {\n  constructor(private readonly g: Greeter) {}\n\n  f() {\n    return this.g.hello(1);\n  }\n}\n"
    ),
    "a field that the constructor fills": (
        "class A {\n  g;\n\n  constructor(g: Greeter) {\n    this.g = g;\n  }\n\n  f = () => this.g.hello(1);\n}\n"
    ),
    "a subclass": "class Loud extends Greeter {}\n\nnew Loud().hello(1);\n",
    "a class of a decorator": "@Injectable()\nclass A {\n  g: Greeter;\n\n  f() {\n    this.g.hello(1);\n  }\n}\n",
}
UNKNOWN = {
    "another value": "function f(x: any) {\n  let g = new Greeter();\n  g = x;\n  g.hello(1);\n}\n",
    "another value inside": "function f(x: any) {\n  let g = new Greeter();\n  x(() => (g = 1));\n  g.hello(1);\n}",
    "a parameter of the same name": "const g = new Greeter();\n\nconst f = (g) => g.hello(1);\n",
    "a loop": "function f(x: any) {\n  for (const g of x) {\n    g.hello(1);\n  }\n}\nconst g = new Greeter();\n",
    "what is taken apart": "function f({ g }: { g: any }) {\n  const h = new Greeter();\n  g.hello(1);\n}\n",
    "what is caught": "const g = new Greeter();\ntry {\n  run();\n} catch (g) {\n  g.hello(1);\n}\n",
    "one of two": "function f(g: Greeter | Other) {\n  g.hello(1);\n}\n",
    "any": "function f(g: any) {\n  g.hello(1);\n}\n",
    "a list of them": "function f(g: Greeter[]) {\n  g.hello(1);\n}\n",
    "a part of it": "function f(g: Partial<Greeter>) {\n  g.hello(1);\n}\n",
    "a type parameter": "function f<T extends Greeter>(g: T) {\n  g.hello(1);\n}\n",
    "the class itself": "function f(g: typeof Greeter) {\n  g.hello(1);\n}\n",
    "asked what it is": "function f(g: Greeter) {\n  if (g instanceof Loud) {\n    g.hello(1);\n  }\n}\n",
    "taken for something else": "function f(g: Greeter) {\n  const h = g as any;\n  g.hello(1);\n}\n",
    "of a type alone": "const g = make();\n\nfunction f(x: (g: Greeter) => void) {\n  g.hello(1);\n}\n",
    "of another `this`": (
        "class A {\n  g = new Greeter();\n  f() {\n  run({\n    h() {\n      this.g.hello(1);\n      } });\n  }\n}"
    ),
    "a field with another value": (
        "class A {\n  g = new Greeter();\n\n  f(x: any) {\n    this.g = x;\n    this.g.hello(1);\n  }\n}\n"
    ),
    "a field that is taken apart": (
        "class A {\n  g = new Greeter();\n\n  f(x: any) {\n    [this.g] = x;\n    this.g.hello(1);\n  }\n}\n"
    ),
    "a method that is replaced": "const g = new Greeter();\ng.hello = print;\ng.hello(1);\n",
    "a method that is watched": "const g = new Greeter();\nspyOn(g, 'hello');\ng.hello(1);\n",
    "filled as a list is taken apart": "let g = new Greeter();\n[g] = make();\ng.hello(1);\n",
    "filled as an object is taken apart": "let g = new Greeter();\n({ g } = make());\ng.hello(1);\n",
    "a subclass of its own way": (
        "class Loud extends Greeter {\n  hello(name?: string) {\n    return '';\n  }\n}\n\n"
        "function f(g: Greeter) {\n  g.hello(1);\n}\n"
    ),
}
MORE = ("hello(name: string)", "hello(name: string, text: string)")
OTHER = ("  hello(", "  greet(")
GONE = ("  hello(name: string) {\n    return name;\n  }\n\n", "")


def said(folder, text, edit, class_=GREETER):
    files = {"svc.ts": class_, "use.ts": IMPORTS + text}
    return findings_of(folder, files, {"svc.ts": class_.replace(*edit)})


def line_of(text):
    return f"use.ts:{(IMPORTS + text).partition('hello(1)')[0].count(chr(10)) + 1}"


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
@pytest.mark.parametrize("call", ["hello()", "hello(1, 2)"])
def test_a_new_call_that_does_not_fit(tmp_path, text, call):
    new = IMPORTS + text.replace("hello(1)", call)
    assert findings_of(tmp_path, {"svc.ts": GREETER}, {"use.ts": new}) == ["wrong-arity: "]


@pytest.mark.parametrize("text", UNKNOWN.values(), ids=UNKNOWN)
def test_a_new_call_of_what_may_be_something_else(tmp_path, text):
    new = IMPORTS + text.replace("hello(1)", "hello()")
    assert findings_of(tmp_path, {"svc.ts": GREETER}, {"use.ts": new}) == []


CLASSES = {
    "an interface of the same name": f"export interface Greeter {{\n  hello(): string;\n}}\n\n{GREETER}",
    "overloads": GREETER.replace("  hello(", "  hello(): string;\n  hello("),
    "a method that is set": f"{GREETER}\nGreeter.prototype.hello = print;\n",
    "any number": GREETER.replace("hello(name: string)", "hello(...name: string[])"),
    "nothing is enough": GREETER.replace("hello(name: string)", "hello(name: string | void)"),
    "nothing may be what it is of": GREETER.replace("Greeter {", "Greeter<T> {").replace(
        "hello(name: string)", "hello(name: T)"
    ),
    "all that it gets": GREETER.replace("return name;", "return arguments[0];"),
}


@pytest.mark.parametrize("class_", CLASSES.values(), ids=CLASSES)
def test_a_class_that_may_have_another_method(tmp_path, class_):
    new = f"{IMPORTS}new Greeter().hello();\n"
    assert findings_of(tmp_path, {"svc.ts": class_}, {"use.ts": new}) == []


REPLACED = {
    "a field": "  hello = wrapped();\n\n",
    "a field of a type": "  readonly hello: Handler;\n\n",
    "an accessor": "  get hello() {\n    return print;\n  }\n\n",
    "what heirs have to have": "  abstract hello(name: string): string;\n\n",
}


@pytest.mark.parametrize("text", REPLACED.values(), ids=REPLACED)
def test_a_method_that_is_there_in_another_way(tmp_path, text):
    found = said(tmp_path, "const f = (g: Greeter) => g.hello(1);\n", (GONE[0], text))
    assert [each for each in found if "by name" not in each] == []


def test_a_call_that_is_known_to_be_wrong(tmp_path):
    new = f"{IMPORTS}const g = new Greeter();\n// @ts-expect-error\ng.hello();\n"
    assert findings_of(tmp_path, {"svc.ts": GREETER}, {"use.ts": new}) == []


def test_an_ancestor_from_elsewhere_may_have_it(tmp_path):
    class_ = f'import {{ Base }} from "base";\n\n{GREETER}'.replace("Greeter {", "Greeter extends Base {")
    found = said(tmp_path, "const f = (g: Greeter) => g.hello(1);\n", GONE, class_)
    assert [each for each in found if "by name" not in each] == []


def test_what_is_abstract_is_called_as_it_says(tmp_path):
    class_ = "export abstract class Greeter {\n  abstract hello(name: string): string;\n}\n"
    new = f"{IMPORTS}const f = (g: Greeter) => g.hello();\n"
    assert findings_of(tmp_path, {"svc.ts": class_}, {"use.ts": new}) == ["wrong-arity: "]


@pytest.mark.parametrize(
    "call",
    [
        "g.hello?.(1);",
        "g.hello?.<string>(1);",
        "g.hello && g.hello(1);",
        "if (g.hello) g.hello(1);",
        "if (typeof g.hello === 'function') g.hello(1);",
        "const it = g.hello ? g.hello(1) : 2;",
    ],
)
def test_a_method_that_is_only_called_if_it_is_there(tmp_path, call):
    found = said(tmp_path, f"const g = new Greeter();\n{call}\n", OTHER)
    assert [each for each in found if "by name" not in each] == []


@pytest.mark.parametrize("call", ["if (g.hello(1)) g.bye();", "if (ok && g.hello(1)) g.bye();", "g.bye && g.hello(1);"])
def test_a_method_that_is_called_where_something_else_is_asked(tmp_path, call):
    assert said(tmp_path, f"const g = new Greeter();\n{call}\n", OTHER) == ["renamed: use.ts:4"]


def test_what_every_object_has_is_never_gone(tmp_path):
    class_ = GREETER.replace("  hello(", "  toString() {\n    return '';\n  }\n\n  hello(")
    files = {"svc.ts": class_, "use.ts": f"{IMPORTS}const g = new Greeter();\ng.toString();\ng.hello(1);\n"}
    assert findings_of(tmp_path, files, {"svc.ts": GREETER.replace(*GONE)}) == ["removed: use.ts:5"]


def test_a_constructor_is_no_other_name_of_a_method(tmp_path):
    class_ = "export class Greeter {\n  hello() {}\n}\n"
    files = {"svc.ts": class_, "use.ts": f"{IMPORTS}new Greeter().hello();\n"}
    assert findings_of(tmp_path, files, {"svc.ts": class_.replace("hello", "constructor")}) == ["removed: use.ts:3"]


JS = GREETER.replace("private ", "").replace(": string", "")


@pytest.mark.parametrize(("edit", "rule"), [(OTHER, "renamed"), ((GONE[0].replace(": string", ""), ""), "removed")])
def test_plain_javascript_misses_what_is_gone(tmp_path, edit, rule):
    files = {"svc.js": JS, "use.js": f"{IMPORTS}const g = new Greeter();\ng.hello(1);\n"}
    assert findings_of(tmp_path, files, {"svc.js": JS.replace(*edit)}) == [f"{rule}: use.js:4"]


def test_what_plain_javascript_hands_over_is_its_own_affair(tmp_path):
    files = {"svc.js": JS, "use.js": f"{IMPORTS}const g = new Greeter();\ng.hello(1);\n"}
    assert findings_of(tmp_path, files, {"svc.js": JS.replace("hello(name)", "hello(name, text)")}) == []
