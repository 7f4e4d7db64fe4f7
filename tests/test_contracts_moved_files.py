"""Files that moved and grew in one change, so that nobody but what they define says that they are the same."""

from __future__ import annotations

import pytest

from contract_cases import findings_of

MAIL = """def send(to):
    return to


def count():
    return 1
"""
MORE = "".join(f"\n\ndef more_{number}(a, b):\n    return a * {number} + b\n" for number in range(20))
POST = MAIL.replace("send(to)", "send(to, text)") + MORE
APP = """from mail import count, send

send("ann")
count()
"""
MOVED_APP = APP.replace("mail", "post")
BOX = """package shop;

public class Box {
    public static Box of(String name) {
        return new Box();
    }

    public int size() {
        return 1;
    }
}
"""
GROWN_BOX = (
    BOX.replace("package shop", "package store")
    .replace("of(String name)", "of(String name, int size)")
    .replace(
        "    public int size",
        "".join(f"    void grow{each}(int by) {{}}\n\n" for each in range(20)) + "    public int size",
    )
)
USE = """package app;

import shop.Box;

class Use {
    Box box = Box.of("a");
}
"""
MOVED_USE = USE.replace("import shop", "import store")
SCRIPT = """export function shown(text) {
  return text;
}

export function hidden(text) {
  return text;
}
"""
TYPED = SCRIPT.replace("shown(text)", "shown(text: string, by: string)").replace("(text)", "(text: string)") + "".join(
    f"\nexport const more{each} = {each};\n" for each in range(30)
)
PAGE = 'import { shown } from "./text";\n\nconsole.log(shown("a"));\n'
TOLD = {
    "a call that followed the file, and not the function": (
        {"mail.py": MAIL, "app.py": APP},
        {"mail.py": None, "post.py": POST, "app.py": MOVED_APP},
        ["required-parameter: app.py:3"],
    ),
    "a file that did not follow": (
        {"mail.py": MAIL, "app.py": APP},
        {"mail.py": None, "post.py": POST},
        ["export-removed: app.py:1"],
    ),
    "a class in another package": (
        {"shop/Box.java": BOX, "app/Use.java": USE},
        {"shop/Box.java": None, "store/Box.java": GROWN_BOX, "app/Use.java": MOVED_USE},
        ["required-parameter: app/Use.java:6"],
    ),
    "a script that got types": (
        {"src/text.js": SCRIPT, "src/page.ts": PAGE},
        {"src/text.js": None, "src/text.ts": TYPED},
        ["required-parameter: src/page.ts:3"],
    ),
    "two files in one": (
        {"mail.py": MAIL, "letter.py": "def write(a):\n    return a\n", "app.py": APP + "from letter import write\n"},
        {
            "mail.py": None,
            "letter.py": None,
            "post.py": POST + "\n\ndef write(a):\n    return a\n",
            "app.py": MOVED_APP + "from post import write\n",
        },
        ["required-parameter: app.py:3"],
    ),
}
QUIET = {
    "all that use it followed": (
        {"mail.py": MAIL, "app.py": APP},
        {"mail.py": None, "post.py": POST, "app.py": MOVED_APP.replace('"ann"', '"ann", "hello"')},
    ),
    "the class moved with all that use it": (
        {"shop/Box.java": BOX, "app/Use.java": USE},
        {
            "shop/Box.java": None,
            "store/Box.java": GROWN_BOX,
            "app/Use.java": MOVED_USE.replace('of("a")', 'of("a", 1)'),
        },
    ),
    "something else of one name, which nobody uses yet": (
        {"mail.py": MAIL, "app.py": "print(1)\n"},
        {"mail.py": None, "other.py": "def send(a, b, c):\n    return a\n"},
    ),
    "what a packer has written": (
        {"dist/a.js": "function o(){return n()}function n(){return 1}export{o as open};\n"},
        {"dist/a.js": None, "dist/b.js": "function o(){return 2}var e=n=>n();export{o as open,e as each};\n"},
    ),
    "a file in two parts": (
        {"mail.py": MAIL, "app.py": APP},
        {
            "mail.py": None,
            "one.py": "def send(to):\n    return to\n",
            "two.py": "def count():\n    return 1\n",
            "app.py": 'from one import send\nfrom two import count\n\nsend("ann")\ncount()\n',
        },
    ),
}


@pytest.mark.parametrize(("files", "texts", "told"), TOLD.values(), ids=TOLD)
def test_what_changed_on_the_way_is_told(tmp_path, files, texts, told):
    assert findings_of(tmp_path, files, texts) == told


@pytest.mark.parametrize(("files", "texts"), QUIET.values(), ids=QUIET)
def test_what_is_whole_again_is_not(tmp_path, files, texts):
    assert findings_of(tmp_path, files, texts) == []
