"""Methods that something else is put in place of, or that a class gets without naming them: nothing is said."""

from __future__ import annotations

import pytest

from contract_cases import findings_of

CART = "class Cart:\n    def size(self):\n        return 1\n\n    def add(self, item):\n        return item\n"
MORE = CART.replace("item):", "item, many):")
GONE = CART.partition("\n\n")[0] + "\n"
USE = "from shop.cart import Cart\n\n\ndef run():\n    return Cart().add(1)\n"
TEST = f"from unittest import mock\n\n{USE}"


def held(found):
    return [each for each in found if "by name" not in each]


def said(folder, after, **files):
    paths = {name.replace("__", "/") + ".py": text for name, text in files.items()}
    return held(findings_of(folder, {"shop/cart.py": CART, **paths}, {"shop/cart.py": after}))


PATCHES = {
    "a dotted text": TEST.replace("    return", '    mock.patch("shop.cart.Cart.add")\n    return'),
    "the class by a dotted text": TEST.replace("def run", '@mock.patch("shop.cart.Cart")\ndef run'),
    "the class of its module": TEST.replace("def run", '@mock.patch.object(cart, "Cart")\ndef run'),
    "the class by a fixture": TEST.replace("    return", '    monkeypatch.setattr(cart, "Cart", Other)\n    return'),
}
OTHERS = {
    "another method": TEST.replace("    return", '    mock.patch("shop.cart.Cart.size")\n    return'),
    "a method of another class": TEST.replace("    return", '    mock.patch("shop.cart.Other.add")\n    return'),
    "another class": TEST.replace("def run", '@mock.patch("shop.cart.ShoppingCart")\ndef run'),
    "its name as a type": TEST.replace("def run():", 'def run(cart: "Cart" = None):'),
}


@pytest.mark.parametrize("text", PATCHES.values(), ids=PATCHES)
@pytest.mark.parametrize("after", [MORE, GONE], ids=["more", "gone"])
def test_what_a_test_patches_itself(tmp_path, text, after):
    assert said(tmp_path, after, tests__test_cart=text) == []


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
@pytest.mark.parametrize("after", [MORE, GONE], ids=["more", "gone"])
def test_what_a_test_patches_of_others(tmp_path, text, after):
    assert len(said(tmp_path, after, tests__test_cart=text)) == 1


FIXTURES = {
    "by the class": 'from shop.cart import Cart\n\n\ndef quiet(patch):\n    patch.setattr(Cart, "add", print)\n',
    "by a text": 'def quiet(patch):\n    patch.setattr("shop.cart.Cart.add", print)\n',
}


@pytest.mark.parametrize("text", FIXTURES.values(), ids=FIXTURES)
@pytest.mark.parametrize("where", ["conftest", "tests__conftest"])
def test_what_fixtures_patch_counts_for_tests_alone(tmp_path, text, where):
    assert said(tmp_path, MORE, tests__test_cart=USE, **{where: text}) == []
    assert said(tmp_path / "app", MORE, app=USE, **{where: text}) == ["required-parameter: app.py:5"]


ATTACHED = {
    "by its name": "from shop.cart import Cart\n\nCart.add = print\n",
    "by another name": "from shop.cart import Cart as Basket\n\nBasket.add = print\n",
    "by its module": "from shop import cart\n\ncart.Cart.add = print\n",
    "by a call": 'from shop.cart import Cart\n\nsetattr(Cart, "add", print)\n',
}


@pytest.mark.parametrize("text", ATTACHED.values(), ids=ATTACHED)
@pytest.mark.parametrize("after", [MORE, GONE], ids=["more", "gone"])
def test_what_another_file_attaches(tmp_path, text, after):
    assert said(tmp_path, after, app=USE, plugins=text) == []
    other = text.replace("add", "put")
    assert len(said(tmp_path / "other", after, app=USE, plugins=other)) == 1


FILLED = {
    "imported into the class": "class Cart:\n    from shop.adding import add\n",
    "several fields at once": "class Cart:\n    def __init__(self, a=1, b=2):\n        self.add, self.put = a, b\n",
    "several names at once": "class Cart:\n    add, put = made()\n",
    "all names of the class": "class Cart:\n    for _n in NAMES:\n        locals()[_n] = print\n",
    "all names of an object": "class Cart:\n    def __init__(self, **all):\n        self.__dict__.update(all)\n",
    "names that are made": 'class Cart:\n    pass\n\n\nfor n in NAMES:\n    setattr(Cart, f"a{n}", print)\n',
    "of an ancestor": (
        "class Base:\n    def __init__(self, **all):\n        for n in all:\n            setattr(self, n, all[n])\n\n\n"
        "class Cart(Base):\n    pass\n"
    ),
    "by an ancestor": (
        "class Base:\n    def __init_subclass__(cls):\n        add_all(cls)\n\n\nclass Cart(Base):\n    pass\n"
    ),
}


@pytest.mark.parametrize("text", FILLED.values(), ids=FILLED)
def test_a_class_that_gets_methods_without_naming_them(tmp_path, text):
    assert said(tmp_path, text, app=USE) == []


def test_a_class_that_only_sets_what_it_names(tmp_path):
    set_up = 'def __init__(self, b=1):\n        setattr(self, "b", b)\n        self.a, self.b = b, self.__dict__\n'
    text = f"{GONE}\n    {set_up}"
    assert said(tmp_path, text, app=USE) == ["removed: app.py:5"]


def test_a_class_that_copies_its_objects(tmp_path):
    copy = "    def copy(self, other):\n        other.__dict__ = self.__dict__.copy()\n"
    back = "    def __setstate__(self, state):\n        self.__dict__.update(state)\n"
    assert said(tmp_path, f"{GONE}\n{copy}\n{back}", app=USE) == ["removed: app.py:5"]


MAIL = "export class Mail {\n  size() {}\n\n  send(to: string) {\n    return to;\n  }\n}\n"
MAIL_GONE = "export class Mail {\n  size() {}\n}\n"
SENDING = 'import { Mail } from "./mail";\n\nnew Mail().send("a");\n'


def mailed(folder, after, **files):
    paths = {f"src/{name}.ts": text for name, text in files.items()}
    return held(findings_of(folder, {"src/mail.ts": MAIL, **paths}, {"src/mail.ts": after}))


EXTENDED = {
    "by its prototype": 'import { Mail } from "./mail";\n\nMail.prototype.send = print;\n',
    "by its module": 'import * as mail from "./mail";\n\nmail.Mail.prototype.send = print;\n',
    "by all of an object": 'import { Mail } from "./mail";\n\nObject.assign(Mail.prototype, sending);\n',
    "by its type": 'import { Mail } from "./mail";\n\ndeclare module "./mail" {\n  interface Mail { send() }\n}\n',
}


@pytest.mark.parametrize("text", EXTENDED.values(), ids=EXTENDED)
def test_what_another_script_attaches(tmp_path, text):
    assert mailed(tmp_path, MAIL_GONE, app=SENDING, ext=text) == []
    other = text.replace("Mail", "Post")
    assert mailed(tmp_path / "other", MAIL_GONE, app=SENDING, ext=other) == ["removed: src/app.ts:3"]


CONSTRUCTED = {
    "all of an object": "  constructor() {\n    Object.assign(this, sending);\n  }\n",
    "names that are made": "  constructor() {\n    for (const k of all) this[`s${k}`] = print;\n  }\n",
    "names that are made of any": "  constructor() {\n    (this as any)[name()] = print;\n  }\n",
    "another object": "  constructor() {\n    return new Proxy(this, handler);\n  }\n",
    "any name": "  [name: string]: any;\n",
    "a computed name": "  [NAME](to: string) {\n    return to;\n  }\n",
}


@pytest.mark.parametrize("text", CONSTRUCTED.values(), ids=CONSTRUCTED)
def test_a_script_that_gets_methods_without_naming_them(tmp_path, text):
    after = MAIL_GONE.replace("  size", f"{text}  size")
    assert mailed(tmp_path, after, app=SENDING) == []
    beside = f"{MAIL_GONE}\nclass Other {{\n{text}}}\n"
    assert mailed(tmp_path / "other", beside, app=SENDING) == ["removed: src/app.ts:3"]


def test_a_class_whose_iterator_is_computed(tmp_path):
    after = MAIL_GONE.replace("  size", "  [Symbol.iterator]() {}\n\n  size")
    assert mailed(tmp_path, after, app=SENDING) == ["removed: src/app.ts:3"]


def test_a_class_that_calls_what_it_gets_without_naming_it(tmp_path):
    class_ = "export class Mail {\n  send() {}\n\n  run() {\n    this.send();\n  }\n}\n"
    filled = class_.replace("send() {}", "constructor() { Object.assign(this, sending); }")
    files = {"src/mail.ts": class_}
    assert findings_of(tmp_path, files, {"src/mail.ts": filled}) == []
    bare = class_.replace("  send() {}\n", "")
    assert findings_of(tmp_path / "bare", files, {"src/mail.ts": bare}) == ["removed: src/mail.ts:4"]


OUTSIDE = "class A {\n  mail = new Mail();\n\n  run() {\n    this.mail.send('a');\n  }\n}\n"


def test_a_field_that_is_filled_from_outside(tmp_path):
    text = 'import { Mail } from "./mail";\n' + OUTSIDE
    assert mailed(tmp_path, MAIL_GONE, app=f"{text}\nnew A().mail = other;\n") == []
    assert mailed(tmp_path / "not", MAIL_GONE, app=text) == ["removed: src/app.ts:6"]


@pytest.mark.parametrize("call", ["new Child().go(1)", "const c = new Child();\nc.go(1)"])
@pytest.mark.parametrize("export", ["export class Child", "export default class Child"])
def test_subclasses_of_another_script_are_followed(tmp_path, call, export):
    base = "export class Base {\n  go(x: number) {}\n}\n"
    name = "Child" if "default" in export else "{ Child }"
    files = {
        "src/base.ts": base,
        "src/child.ts": f'import {{ Base }} from "./base";\n\n{export} extends Base {{}}\n',
        "src/app.ts": f'import {name} from "./child";\n{call};\n',
        "src/other.ts": 'import { Child } from "child";\nnew Child().go(1);\n',
    }
    line = 2 + call.count("\n")
    more = base.replace("number)", "number, y: number)")
    assert held(findings_of(tmp_path, files, {"src/base.ts": more})) == [f"required-parameter: src/app.ts:{line}"]
    other = base.replace("go(", "run(")
    assert held(findings_of(tmp_path / "other", files, {"src/base.ts": other})) == [f"renamed: src/app.ts:{line}"]


def test_a_class_that_always_took_values_by_any_name(tmp_path):
    taking = "    def __init__(self, **all):\n        for n in all:\n            setattr(self, n, all[n])\n"
    files = {"shop/cart.py": f"{CART}\n{taking}", "app.py": USE}
    assert held(findings_of(tmp_path, files, {"shop/cart.py": f"{GONE}\n{taking}"})) == ["removed: app.py:5"]


def test_another_class_of_the_file_that_takes_any_name(tmp_path):
    other = "\n\nclass Other:\n    def put(self, n):\n        self.__dict__[n] = 1\n"
    assert said(tmp_path, GONE + other, app=USE) == ["removed: app.py:5"]
