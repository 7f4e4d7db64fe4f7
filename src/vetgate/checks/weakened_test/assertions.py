"""What asserts, and how much: nothing, that there is something, roughly what it is, or exactly."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TYPE_CHECKING

from vetgate.checks.weakened_test.grammar import FUNCTIONS, arguments, flat, text, whole
from vetgate.expression import expression
from vetgate.source.syntax import child_of, first_line

if TYPE_CHECKING:
    from tree_sitter import Node

_QUOTED = expression(r"\"[^\"\n]*\"|'[^'\n]*'")
_EXACT = expression(r"(?<![<>!=])={2,3}(?!=)|\bis\b(?!\s*not\b)|=~|match|Equal|\.equals\(", re.IGNORECASE)
_RANGE = expression(r"(?<![-=<>])[<>](?![<>])|!=|\bin\b|\bis\s+not\b|contain|includes?\b|startswith", re.IGNORECASE)
_CHOICE = expression(r"\bor\b|\|\||\bany\(|\.some\(")
_MATCHERS = expression(
    r"assert_?(?:Not_?(?:Equals?|In|Contains)|In|Greater\w*|Less\w*|Contains|Between|Includes?)(?:OrEqual)?$"
    r"|\.(?:Greater\w*|Less\w*|NotEqual\w*|NotContains|Contains|InRange|IsBetween|isBetween|isIn|isGreater\w*|isLess\w*"
    r"|contains(?!Exactly|Only)\w*|isNotEqualTo|BeOneOf|BeInRange|BeGreater\w*|BeLess\w*|oneOf|notEqual|notStrictEqual|notDeepEqual"
    r"|above|below|least|most|within|include)$"
    r"|(?:^|::)assert_(?:ne|in|includes|operator|not_equal)!?$",
    re.IGNORECASE,
)
_CHAINED = expression(
    r"\.toBe(?:Greater|Less)Than|\.toContain|\.not\.to(?:Be|Equal|StrictEqual|HaveLength|Match)\("
    r"|toMatchObject\(\{\}\)|expect\.any\(|not_toeq|be_within|be_between|\.or\(?eq|be[<>]|toinclude|oneOf\("
    r"|\.(?:isBetween|isIn(?!stance)|isGreaterThan|isLessThan|isNotEqualTo|contains(?!Exactly|Only))\w*\("
)
_ANY_ERROR = expression(
    r"raises\((?:Base)?Exception,?\)|assertRaises\((?:self,)?(?:Base)?Exception[,)]|\.toThrow(?:Error)?\(\)"
    r"|(?:assert)?Throws\w*\((?:Exception|Throwable|RuntimeException)\.class|Throws\w*<Exception>"
    r"|expectException\(\\?(?:Exception|Throwable)::class|toraise_error$|toraise_error\((?:Standard)?Error\)$"
)
_NUMBER = r"(\d+(?:\.\d*)?(?:e-?\d+)?|\.\d+)"
_TOLERANCE = (
    expression(rf"\b(?:abs|rel|delta|atol|rtol|abs_tol|rel_tol|epsilon)={_NUMBER}"),
    expression(rf"(?:InDelta|InEpsilon|assertEquals|assertEqualsWithDelta|within)\w*\(.*,{_NUMBER}f?\)$"),
)
_WIDE = 0.01
_FEW_PLACES = expression(r"places=[01]\b|toBeCloseTo\([^()]*,[01]\)$")
_THREE = expression(r"assertEquals\([^,]*,.*,")


def is_loose_condition(condition: str) -> bool:
    """Whether a condition holds for many values."""
    bare = _QUOTED.sub('""', condition)
    if _CHOICE.search(bare) or _is_wide(bare.replace(" ", "")):
        return True
    return bool(_RANGE.search(bare)) and not _EXACT.search(bare)


def is_loose_call(said: str, called: str) -> bool:
    """The same for a call, as written without spaces."""
    return (
        any(each.search(said) for each in (_CHAINED, _ANY_ERROR, _FEW_PLACES))
        or bool(_MATCHERS.search(called))
        or _is_wide(said)
    )


def _is_wide(said: str) -> bool:
    found = (match[1] for pattern in _TOLERANCE for match in pattern.finditer(said) if _means_it(match[0]))
    return any(float(number) > _WIDE for number in found)


def _means_it(said: str) -> bool:
    """The last number of `assertEquals` is a tolerance only where two values come before it."""
    return not said.startswith("assertEquals(") or bool(_THREE.match(said))


NOTHING, SOMETHING, LOOSELY, EXACTLY = 0, 2, 3, 4

_NAMED = expression(
    r"(?:^|[.:>])(?:_{0,2}assert\w*|refute\w*|expect\w*|verify\w*|should\w*|must_\w+|wont_\w+|andExpect\w*|is_expected"
    r"|flunk|raises|warns"
    r"|fail|Fail|FailNow|Fatalf?|Errorf?|Received\w*|Assert\w*|Expect\w*|Verify\w*|Should\w*|prop_assert\w*"
    r"|debug_assert\w*"
    r"|(?:check|ensure|validate)_\w+)!?$"
)
# The root says it: `assert.equal`, `require.NoError`, `Assert.Equal`, `t.is`.
_ROOTED = expression(
    r"\.(?:should|must|to|expect)\.(?:\w+\.)*\w+$|^(?:assert|require|Assert|Assertions|CollectionAssert"
    r"|StringAssert|chai\.assert|sinon\.assert"
    r"|self\.assertions|is|tap|should)"
    r"(?:\.|::)\w+$|^(?:t|s|suite|a|r)\.(?:is|not|ok|notOk|same|like|true|false|truthy|falsy|deepEqual|notDeepEqual"
    r"|regex|throws\w*"
    r"|snapshot|equal\w*|strictEqual|pass|Equal\w*|NotEqual\w*|True|False|Nil|NotNil|NoError\w*|ErrorIs|ErrorAs"
    r"|ErrorContains|Len"
    r"|Contains|NotContains|Empty|NotEmpty|ElementsMatch|Greater\w*|Less\w*|Zero|NotZero|Panics|JSONEq|Require"
    r"|Assert|Subset|InDelta)$"
)
_OF_CONSOLE = expression(r"\w\.expect$")
_FAILS = expression(r"(?:^|[.:>])(?:flunk|fail\w*|Fail\w*|Fatalf?|Errorf?)!?$")
_NOT_ASSERTING = expression(
    r"(?:expect\.(?:assertions|hasAssertions|extend|any\w*|objectContaining|arrayContaining|stringM?\w*))$"
)
_WEAK = expression(
    r"isnotNone$|^not[\w.]+isNone$|!=(?:None|null|nil|undefined)\b|is_not_none|IsNotNone|NotNull|not_nil|NotNil|NotEmpty|toBeDefined\(|toBeTruthy\(|not\.toBeNull"
    r"|not\.toBeUndefined"
    r"|be\.ok$|to\.exist|be_truthy|be_present|isNotNull|not_to\(?be_nil|isNotEmpty|toBeInstanceOf|assertIsInstance"
    r"|NotBeNull\(\)|Not\.Null|DoesNotThrow|NotEquals?\((?:0|null|nil|None),|NotEquals?\(.*,(?:None|null|nil)\)$"
    r"|not\.to(?:Be|Equal)\((?:null|undefined)\)|(?:len\([^()]+\)|\.(?:length|count|size\(\)|len\(\)))(?:>0|>=1|!=0)\)?$"
    r"|type(?:of)?\(.*\)(?:==|is)|typeof"
    r"|anything\(",
    re.IGNORECASE,
)
_COMPARES = expression(r"==|!=|<|>|\bin\b|\bis\b|===|\.equals\(|=~|match|Equal|contain", re.IGNORECASE)
_CORE = expression(
    r"(?:^|[.:>])(?:assert|asserttrue|assertfalse|assert_true|assertequals?|assertsame|assertidentical|assertthat"
    r"|assertnotnull"
    r"|assertisnotnone|assert_equal|assert_eq|assert_ne|assert_not_nil|expect|ok|equal|equals|strictequal|deepequal"
    r"|deepstrictequal"
    r"|areequal|istrue|isfalse|isnotnull|true|false|same|is|truthy|notnull|that|refute|pass)!?$",
    re.IGNORECASE,
)
_LITERAL = expression(
    r"-?\d[\d._]*|true|false|none|null|nil|undefined|[\"'`][^\"'`{}$]*[\"'`]|\[\]|\{\}|\(\)", re.IGNORECASE
)
_ALWAYS = expression(r"(?:True|true|1|not\s*False|!false|not\s*None)|.*\bor\s*True|.*\|\|\s*true")
# Said to be true and nothing else: as much as a bare assertion of it.
_TRUE = expression(
    r"\.to(?:Be|Equal|StrictEqual)\(true\)$|\s*(?:==|\bis)\s*True$|,\s*true\s*\)$|(?<=\()(?:t,\s*)?true,\s*"
    r"|(?<=_equal)\s*true,\s*|\.to\s*(?:eq|be|eql)\(?true\)?$",
    re.IGNORECASE,
)
_REFUSES = expression(r"not\s|!")
_STATE = expression(r"\.(?:is_?)?(?:empty|none|null|nil)\??(?:\(\))?$", re.IGNORECASE)
_PREDICATE = expression(
    r"(?:^|\.)(?:(?:[iI]s|[hH]as|[cC]an|are|[sS]tarts|[eE]nds)(?:_|[A-Z]|with)(?!ok|some|err|resent|efined)\w*"
    r"|all|exists?)\??\("
)
_RAISES_SAYING = expression(r"\braises\(.*,match=")
_BARE = frozenset({"assert", "asserttrue", "assert!", "ok", "istrue", "true"})
# A name, or what hangs on it, that is said to be there.
_THERE = expression(r"([A-Za-z_]\w*?(?:\.\w+?)*)(isnotNone)?")
_FARTHEST = 20_000
_TEXTS = expression(r"\"[^\"\n]+\"|'[^'\n]+'")
_COMMENTS = expression(r"#[^\n]*|//[^\n]*")
# What can be called where there is nothing in it, as `rows.values()`.
_OF_EMPTY = frozenset(name for kind in (str, bytes, list, dict, set, int, float) for name in dir(kind))
_EQUALS_SOMETHING = r"\([^\n]*\)\s*==(?!\s*(?:0\b|None\b|False\b|b?\"\"|b?''|\[\]|\{\}|\(\)|set\(\)))"
_PROMISED = expression(r"^expect\(.*\)\.(?:rejects|resolves)\.")
_COUNTS = expression(r"(?:len\([^()]+\)|[\w.]+\.(?:length|size\(\)))(?:>=0|>-1)")
_EQUALS = expression(r"===?|\bis\b")
_RUNNERS = frozenset({"t", "tb", "b", "s.T()", "suite.T()"})
_LONGEST = 300
_TAIL = 80
_PASSES = expression(r"^(?:t|tap|test)\.pass$")


@dataclass(frozen=True, slots=True)
class Assertion:
    """One that `fails` whenever it is reached has its condition around it; a `guarded` one is not always reached.

    One that is only `implied` may go without anybody missing it, and makes up for another.
    """

    start: int
    line: int
    strength: int
    digest: str
    is_tautology: bool = False
    says_true: bool = False
    fails: bool = False
    guarded: bool = False
    implied: bool = False


def stated(node: Node) -> Assertion:
    """What an `assert` statement asserts."""
    condition = node.named_children[0] if node.named_children else None
    always = _is_always(condition)
    said = text(condition)
    strength = NOTHING if always else _of_condition(_TRUE.sub("", said) if len(said) < _LONGEST else said)
    fails = flat(said) in {"False", "0", "false"}
    told = Assertion(node.start_byte, first_line(node), strength, digest(text(node)), always, _says_true(said), fails)
    return replace(told, implied=True) if strength == SOMETHING and _is_used_behind(node, flat(said)) else told


def _is_used_behind(node: Node, said: str) -> bool:
    """`assert page` before `page.title` only narrows a type: the use fails by itself where there is none."""
    named = _THERE.fullmatch(said)
    scope = node.parent
    while named and scope is not None and scope.type not in FUNCTIONS:
        scope = scope.parent
    if not named or scope is None or node.end_byte - scope.start_byte > _FARTHEST:
        return False
    behind = (scope.text or b"")[node.end_byte - scope.start_byte :][:_FARTHEST].decode("utf-8", "replace")
    behind = _COMMENTS.sub("", _TEXTS.sub("_", behind))
    name, root = re.escape(named[1]), re.escape(named[1].partition(".")[0])
    is_set = rf"(?m)^[ \t]*(?:for[ \t]+)?(?:[\w.]+,[ \t]*)*(?:{name}|{root})[ \t]*(?:[,:][^=()\n]*)?(?:=(?!=)|\bin\b)"
    behind = re.split(rf"{is_set}|\bas[ \t]+{root}\b", behind, maxsplit=1)[0]
    uses = re.finditer(rf"(?<![\w.]){name}(?:\.(\w+)(\()?|\[(?![^\]\n]*:)|\()", behind)
    if any(named[2] or not use[2] or use[1] not in _OF_EMPTY for use in uses):
        return True
    return bool(re.search(rf"\bassert\s+{name}\.\w+{_EQUALS_SOMETHING}", behind))


def implied(node: Node) -> Assertion:
    return Assertion(node.start_byte, first_line(node), EXACTLY, "", implied=True)


def called_to_assert(node: Node, called: str) -> Assertion | None:
    """What a call asserts; None for one that does not."""
    name = called[-_TAIL:]
    if not (_NAMED.search(name) or _ROOTED.search(name)) or _NOT_ASSERTING.search(name):
        return None
    full = whole(node)
    said = flat(text(full))
    always = _is_constant(node, full, called)
    nothing = always or said == "expect" or _is_unfinished(said, called) or _is_unawaited(full, said)
    strength = NOTHING if nothing else _strength(text(full), called)
    fails = bool(_FAILS.search(name))
    return Assertion(node.start_byte, first_line(node), strength, digest(said), always, _says_true(said), fails)


def by_helper(node: Node) -> Assertion:
    """A call of a function that asserts for the test."""
    return Assertion(node.start_byte, first_line(node), EXACTLY, digest(text(whole(node))))


def _of_condition(condition: str) -> int:
    if len(condition) >= _LONGEST:
        return EXACTLY if _COMPARES.search(condition) else SOMETHING
    said = flat(condition)
    if _WEAK.search(said):
        return SOMETHING
    if is_loose_condition(condition):
        return LOOSELY
    if _COMPARES.search(condition) or _REFUSES.match(condition) or _STATE.search(said):
        return EXACTLY
    return LOOSELY if _PREDICATE.search(said) else SOMETHING


def _strength(full: str, called: str) -> int:
    said = flat(full)
    is_short = len(said) < _LONGEST
    if is_short and _WEAK.search(said):
        return SOMETHING
    if _is_bare(called) or _says_true(said):
        return _of_condition(_TRUE.sub("", full).partition("(")[2].removeprefix("t,").strip().removesuffix(")"))
    if _RAISES_SAYING.search(said):
        return 2 * EXACTLY
    return LOOSELY if is_short and is_loose_call(said, called) else EXACTLY


def _is_bare(called: str) -> bool:
    """Whether a call takes a condition."""
    return called.rpartition(".")[2].rpartition(">")[2].lower() in _BARE


def _says_true(said: str) -> bool:
    return len(said) < _LONGEST and bool(_TRUE.search(said))


def _is_unawaited(full: Node, said: str) -> bool:
    """`expect(promise).rejects` as a statement of its own: the test is over before it says anything."""
    return full.parent is not None and full.parent.type == "expression_statement" and bool(_PROMISED.search(said))


def _is_unfinished(said: str, called: str) -> bool:
    """`expect(x)` with nothing behind it asserts nothing."""
    return (
        called in {"expect", "assertThat", "expect.soft"}
        and said.startswith(f"{called}(")
        and said.endswith(")")
        and said.count("(") == _own_depth(said)
    )


def _own_depth(said: str) -> int:
    """How many parentheses open before the first one closes again to the outside."""
    depth = opened = 0
    for each in said:
        if each == "(":
            depth += 1
            opened += 1
        elif each == ")":
            depth -= 1
            if depth == 0:
                return opened
    return opened


def _is_always(condition: Node | None) -> bool:
    while condition is not None and condition.type == "parenthesized_expression" and condition.named_children:
        condition = condition.named_children[0]
    if condition is None or condition.end_byte - condition.start_byte > _LONGEST:
        return False
    if condition.type == "lambda" or (condition.type == "tuple" and condition.named_children):
        return True
    said = text(condition).strip()
    if _COUNTS.fullmatch(flat(said)):
        return True
    if _ALWAYS.fullmatch(said) or (_LITERAL.fullmatch(said) and said not in {"False", "None", "0", '""', "''"}):
        return True
    return _two_sides(said)


def _is_same(one: str, other: str) -> bool:
    one, other = flat(one), flat(other)
    both = bool(_LITERAL.fullmatch(one) and _LITERAL.fullmatch(other))
    return both or (one == other and "(" not in one and bool(one))


def _is_constant(node: Node, full: Node, called: str) -> bool:
    """Whether nothing of the program is in it: `assertTrue(true)`, `expect(1).toBe(1)`, `assertEqual(x, x)`."""
    if _PASSES.search(called):
        return True
    # What is called on a result, as in `sum().should.equal(3)`, has that as its subject; a console's is what it prints.
    if "(" in called or not _CORE.search(called) or _OF_CONSOLE.search(called):
        return False
    given = [text(each) for each in _all_arguments(node, full)]
    given = [each for each in given if each and each not in _RUNNERS]
    if not given:
        return False
    if len(given) == 1:
        return bool(_LITERAL.fullmatch(given[0].strip()) or _ALWAYS.fullmatch(given[0].strip()) or _two_sides(given[0]))
    return _is_same(given[0], given[1])


def _two_sides(said: str) -> bool:
    sides = _EQUALS.split(said) if len(said) < _LONGEST else ()
    return len(sides) == 2 and _is_same(*sides)


def _all_arguments(node: Node, full: Node) -> list[Node]:
    """Those of the call, and of the next one in its chain."""
    given = _split(arguments(node), node)
    outer = node
    while outer.id != full.id and outer.parent is not None:
        outer = outer.parent
        more = [each for each in arguments(outer) if each.start_byte >= node.end_byte]
        if more:
            # A matcher of its own: `to eq(1)`.
            inner = arguments(more[0]) or more
            return [*given[:1], *inner[:1]]
    return given


def _split(given: list[Node], node: Node) -> list[Node]:
    """Parts that a macro takes are tokens; those between commas count."""
    if node.type != "macro_invocation":
        return [each.named_children[0] if each.type == "argument" and each.named_children else each for each in given]
    tree = child_of(node, "token_tree")
    if tree is None:
        return []
    inner = [each for each in tree.children if each.type not in {"(", ")", "[", "]"}]
    simple = [each for each in inner if each.type != ","]
    return simple if len(inner) == len(simple) * 2 - 1 or len(inner) == 1 else []


def digest(said: str) -> str:
    return blake2b(flat(said).encode("utf-8", "replace"), digest_size=4).hexdigest()
