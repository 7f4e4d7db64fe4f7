"""Keys that anybody may see: a vendor means them to be in a page or an app, or they open a sandbox only."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vetgate.checks.secrets import names

if TYPE_CHECKING:
    from vetgate.checks.secrets.match import SecretMatch

PUBLIC, SANDBOX = "public by design", "for a sandbox only"
_AROUND = 600
_FIREBASE = re.compile(
    rb"authDomain|messagingSenderId|firebaseapp\\?\.com|measurementId|storage_?[bB]ucket|mobilesdk_app_id|"
    rb"maps\.googleapis\.com/maps/api/js"
)
_SEEN_BY_ALL = frozenset("search searchonly public publishable anon browser frontend web".split())
# What vendors call publishable, or say is for pages and apps: PostHog, Supabase, Mapbox, Stripe and Clerk.
_PUBLISHED = re.compile(r"phc_[A-Za-z0-9]{32}|sb_publishable_|pk\.eyJ|pk_(?:live|test)_")
_IN_A_SANDBOX = re.compile(r"(?i)^[a-z0-9]{0,12}[_$-]?(?:test|sandbox|sdbx)[_$-]")


def why_mild(data: bytes, match: SecretMatch) -> str:
    kind = match.kind
    if _PUBLISHED.match(match.value):
        return PUBLIC
    if kind is None:
        return ""
    if kind.id == "google-api-key":
        around = data[max(0, match.start - _AROUND) : match.end + _AROUND]
        return PUBLIC if _FIREBASE.search(around) else ""
    if kind.name and not _SEEN_BY_ALL.isdisjoint(names.words(match.name)):
        return PUBLIC
    return SANDBOX if _IN_A_SANDBOX.match(match.value) else ""
