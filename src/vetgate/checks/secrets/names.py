"""Whether a name says that what it holds is a secret."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from vetgate.checks.secrets.token_kinds import kinds

_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")

_PASSWORDS = frozenset(
    "password passwd pwd passphrase passcode passwort pass pw psw userpass dbpass storepass keypass".split()
)
_SECRETS = frozenset(
    "secret secrets token tokens apikey authkey accesskey secretkey privatekey apitoken authtoken accesstoken "
    "apisecret clientsecret credential credentials bearer pat authorization auth signingkey masterkey encryptionkey "
    "sharedkey jwtsecret refreshtoken sessiontoken bottoken webhooksecret cookiesecret salt dsn psk cred creds".split()
)
# PGPASSWORD, githubtoken: words that are written together.
_RUN_TOGETHER = re.compile(r"([a-z]{2,20})(password|passwd|passphrase|apikey|accesskey|secretkey|token|secret)")
# `key` alone says nothing; behind one of these it does.
_KEYS_OF = frozenset(
    "api access secret private encryption signing master auth account shared client license licence service deploy "
    "session storage hmac aes crypto cipher encrypt jwt token admin server app application webhook integration write "
    "ingest subscription user management preshared".split()
)
# What may follow without changing what is meant: SECRET_KEY_PROD, password2, api_key_value.
_SUFFIXES = frozenset(
    "value string str prod production dev development staging stage live test default main primary secondary old new "
    "raw plain text base64 b64 hex env var const literal backup current previous v1 v2 v3 "
    "us eu header override base".split()
)
# Names that end like a secret and hold none.
_HARMLESS = re.compile(
    r"(?:public|publishable|csrf|xsrf|next|continuation|page|cancel|cancellation|cancelation|sync|resume|cursor|primary|"
    r"foreign|partition|sort|cache|lookup|start|end|stop|eos|bos|pad|unk|mask|sep|cls|syntax|lexer|parser|special|"
    r"design|color|colour|theme|icon|type|form|no|missing|invalid|wrong|bad|expired|forgot|reset|change|confirm|show|"
    r"hide|toggle|use|has|is|require|requires|required|needs|enable|enabled|disable|allow|with|without|max|min|num|"
    r"count|hash|hashed|encrypted|masked|redacted|fake|dummy|mock|example|sample|test|placeholder|label|field|input|"
    r"param|parameter|column|regex|salted|pattern|validate|generate|create|get|set|fetch|load|read|parse|check|verify|"
    r"anti|request|idempotency|event|message|error|authenticity|verification|antiforgery)"
)
PASSWORD, API_KEY, JWT, CLIENT, SECRET = "password", "api-key", "jwt-secret", "client-secret", "secret"


def words(name: str) -> tuple[str, ...]:
    return tuple(word.lower() for word in _WORD.findall(name))


def _without_suffixes(name: str) -> list[str]:
    parts = list(words(name))
    while len(parts) > 1 and (parts[-1] in _SUFFIXES or parts[-1].isdigit()):
        parts.pop()
    return parts


def _parted(last: str) -> list[str]:
    together = None if last in _PASSWORDS or last in _SECRETS else _RUN_TOGETHER.fullmatch(last)
    return list(together.groups()) if together else [last]


# What the holder of a domain publishes for ACME, a coin of Solana, the key of a captcha that is in its page.
_PUBLISHED = (["key", "authorization"], ["key", "auth"], ["spl", "token"], ["site", "key"])


@lru_cache(maxsize=2048)
def secret_in(name: str) -> str:
    """Which of the rules speaks of a value of that name; "" when it is no secret."""
    parts = _without_suffixes(name)
    if not parts:
        return ""
    parts[-1:] = _parted(parts[-1])
    last = parts[-1]
    if last == "key" and len(parts) > 1 and parts[-2] in _KEYS_OF:
        return "" if _harmless(parts[:-2]) else _rule(parts)
    if last in _PASSWORDS:
        return "" if _harmless(parts[:-1]) or (last == "pass" and len(parts) == 1) else PASSWORD
    if last in _SECRETS:
        return "" if _harmless(parts[:-1]) or parts[-2:] in _PUBLISHED else _rule(parts)
    return ""


@cache
def _vendors() -> frozenset[str]:
    """One word each; what else is a word of programs says nothing about a key."""
    single = (kind.vendor.lower() for kind in kinds() if kind.vendor.isalnum())
    return (frozenset(single) | _MORE_VENDORS) - _NOT_ONLY_VENDORS


_MORE_VENDORS = frozenset(
    "abuseipdb aws gcp azure amazon diffbot coze meraki customerio clay zhipu baremetrics kickbox freshdesk ipstack "
    "scraperapi sslmate mailjet jotform looker foursquare eventbrite dropbox gumroad nylas rapidapi newsapi weatherapi "
    "tmdb giphy mapquest tomtom bing gpt llm deepl polygon finnhub alphavantage iexcloud kraken kucoin "
    "bittrex okx bybit bitmex recaptcha hcaptcha turnstile maxmind ipinfo abstractapi zerobounce hunter clearbit "
    "openweathermap owm sendinblue freshbooks flickr nytimes guardian unsplash pexels pixabay imgur steam riot "
    "twitter facebook instagram beamer ollama kling cloudsight".split()
)
_NOT_ONLY_VENDORS = frozenset(
    "box line linear modal segment square render hex wise persona polar cursor matrix notion prisma percy rootly "
    "expo depot railway resend replicate mercury convex chromatic samsara sanity prefect checkly age npm hunter".split()
)


@lru_cache(maxsize=2048)
def key_of_vendor(name: str) -> str:
    """`AZURE_KEY`, `adobeKey`: what a vendor calls its key; whose it is only the name tells."""
    parts = _without_suffixes(name)
    is_key = len(parts) > 1 and parts[-1] == "key" and parts[-2:] not in _PUBLISHED
    return API_KEY if is_key and not _vendors().isdisjoint(parts[:-1]) and not _harmless(parts[:-1]) else ""


def own_part(dotted: str) -> str:
    """The last part of a setting's name; of `api.key` and `stripe.key` both, as `key` alone says nothing."""
    before, _, last = dotted.rpartition(".")
    if not before or last.lower() != "key":
        return last or dotted
    whose = before.rpartition(".")[2].lower()
    return f"{whose}.{last}" if whose in _OWNERS_OF_KEYS or whose in _vendors() else last


_OWNERS_OF_KEYS = frozenset("api access secret private encryption signing auth master jwt".split())


def _harmless(parts: list[str]) -> bool:
    """The word next to it decides: `public key`, `csrf token`, `reset password`; or that all of it is called a fake."""
    return bool(parts) and (parts[0] in _FAKES or bool(_HARMLESS.fullmatch(parts[-1])))


_FAKES = frozenset("fake dummy mock bogus".split())


def _rule(parts: list[str]) -> str:
    joined = "".join(parts)
    if "jwt" in joined and ("secret" in joined or "key" in joined):
        return JWT
    if joined.endswith(("clientsecret", "oauthsecret", "consumersecret", "appsecret")):
        return CLIENT
    if joined.endswith(("apikey", "apisecret", "apitoken", "accesskey", "appkey")):
        return API_KEY
    return SECRET


def speaks_of(name: str, vendors: tuple[str, ...]) -> bool:
    """Whether one of the vendor's words is in the name: a short one as a word of its own."""
    parts = words(name)
    joined = "".join(parts)
    return any(vendor in parts or (len(vendor) > 3 and vendor in joined) for vendor in vendors)


@lru_cache(maxsize=2048)
def is_credential(name: str) -> bool:
    """Whether a name that speaks of a vendor speaks of its key, and not of its colour."""
    parts = words(name)
    joined = "".join(parts)
    if any(word in _NO_CREDENTIAL for word in parts[-1:]):
        return False
    return any(word in joined for word in _CREDENTIAL_WORDS) or "pat" in parts or "pass" in parts


_CREDENTIAL_WORDS = ("key", "token", "secret", "password", "passwd", "auth", "credential", "apikey", "dsn", "license")
_NO_CREDENTIAL = frozenset(
    "id ids name url uri host endpoint path file hash sha digest version type arn region label prefix length "
    "fingerprint checksum etag commit revision ref expires expiry ttl scope scopes algorithm alg header kind".split()
)
