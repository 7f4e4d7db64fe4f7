"""Remarks in collapsed sections of a review's body."""

from __future__ import annotations

import pytest

from vetgate.service.coderabbit_sections import sections

REMARKS = """**Actionable comments posted: 1**

> [!CAUTION]
> Some comments are outside the diff.
>
> <details>
> <summary>⚠️ Outside diff range comments (1)</summary><blockquote>
>
> <details>
> <summary>src/shop/cart.py (1)</summary><blockquote>
>
> `10-12`: **The total is never rounded.**
>
> Round it once, at the end.
>
> </blockquote></details>
>
> </blockquote></details>

<details>
<summary>🧹 Nitpick comments (3)</summary><blockquote>

<details>
<summary>src/a b.ts (2)</summary><blockquote>

`3-3`: **Use const.**

<details>
<summary>♻️ Proposed change</summary>

```diff
-let a
+const a
```
</details>

---

`30`: Name it for what it holds.

</blockquote></details>
<details>
<summary>lib/x.go (1)</summary><blockquote>

`7-9`: Return early.

</blockquote></details>

</blockquote></details>

<details>
<summary>🔇 Additional comments (1)</summary><blockquote>
<details>
<summary>lib/x.go (1)</summary><blockquote>

`1-2`: LGTM

</blockquote></details>
</blockquote></details>
"""


def test_every_section_and_remark_is_read_with_its_file_and_line():
    found = sections(REMARKS)
    assert sorted((each.kind, each.count, len(each.remarks)) for each in found) == [
        ("nitpick", 3, 3),
        ("outside diff range", 1, 1),
    ]
    remarks = {(each.path, each.line): each.text for section in found for each in section.remarks}
    assert remarks.keys() == {("src/shop/cart.py", 10), ("src/a b.ts", 3), ("src/a b.ts", 30), ("lib/x.go", 7)}
    assert remarks["src/shop/cart.py", 10] == "**The total is never rounded.**\n\nRound it once, at the end."
    assert "+const a" in remarks["src/a b.ts", 3]
    assert remarks["src/a b.ts", 30] == "Name it for what it holds."


def test_the_flat_form_is_read_too():
    body = "<details><summary>Minor comments (2)</summary>\n\n**src/c.py:4-5**: One.\n\n**d.py:9**: Two.\n\n</details>"
    (found,) = sections(body)
    assert [(each.path, each.line, each.text) for each in found.remarks] == [
        ("src/c.py", 4, "One."),
        ("d.py", 9, "Two."),
    ]


@pytest.mark.parametrize("cut", [REMARKS.index("lib/x.go"), REMARKS.index("Name it")])
def test_what_is_cut_off_is_missed_in_the_count(cut):
    (nitpicks,) = (each for each in sections(REMARKS[:cut]) if each.kind == "nitpick")
    assert nitpicks.count == 3
    assert len(nitpicks.remarks) < 3


@pytest.mark.parametrize(
    "text", ["<details>" * 5000, "<summary>" * 5000, "`1`: x\n" * 5000, "> " * 20000, "a comments (" * 5000]
)
def test_hostile_texts_are_no_sections(text):
    assert sections(text) == ()
