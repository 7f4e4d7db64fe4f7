"""Assertions that let more than one value pass: a range, a choice, a wide tolerance, any error at all."""

from __future__ import annotations

import re

from vetgate.expression import expression

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
