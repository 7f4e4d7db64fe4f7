"""Where a model is reached and with which key: looked up for each request, kept nowhere, shown nowhere."""

from __future__ import annotations

import base64
import contextlib
import importlib
import ipaddress
import os
import pwd
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from vetgate.expression import expression
from vetgate.judgement import ModelFailure
from vetgate.redact import redacted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vetgate.judgement import Model

API_KEY, AUTH_TOKEN, BASE_URL = "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"
_ADDRESSES = {"anthropic": "https://api.anthropic.com", "openai": "https://api.openai.com/v1"}
_VARIABLE = expression(r"\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})")
KEYRING = "keyring:"
_LONGEST = 300
_LONGEST_RAW = 8_000


class ModelKey:
    """A key in hand. Whatever prints, compares, copies or stores it sees none of it."""

    __slots__ = ("_value", "is_bearer")

    def __init__(self, value: str, *, is_bearer: bool = False) -> None:
        self._value = value
        self.is_bearer = is_bearer

    def reveal(self) -> str:
        return self._value

    def __repr__(self) -> str:
        return "ModelKey(…)"

    def __reduce__(self) -> str:
        raise TypeError("a key is not stored")

    def without(self, text: str) -> str:
        """The words with every form of the key that an endpoint may repeat taken out, and other secrets too."""
        raw = self._value.encode()
        forms = {self._value, quote(self._value, safe=""), base64.b64encode(raw).decode(), raw.hex()}
        for form in sorted(forms, key=len, reverse=True):
            text = text.replace(form, "…")
        return text


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where requests go. Without a key none is sent, as to a server of one's own."""

    url: str
    key: ModelKey | None = None
    proxy: str = field(default="", repr=False)  # may hold a password
    certificates: tuple[str, str] = ("", "")

    def safe(self, text: str) -> str:
        """Words of an endpoint or a library as they may be shown: short, on one line, free of secrets."""
        text = self.key.without(text) if self.key else text
        return redacted(" ".join(text.split()))[:_LONGEST]


def raw_text(body: bytes, endpoint: Endpoint) -> str:
    """What a model or its client printed, as it may be logged: the first part of it, free of secrets."""
    text = body.decode("utf-8", "replace")
    return redacted(endpoint.key.without(text) if endpoint.key else text)[:_LONGEST_RAW]


class UnusableModelError(Exception):
    """A model that cannot be asked as it is configured; the text is for a person, and names no secret."""

    def __init__(self, failure: ModelFailure, detail: str) -> None:
        super().__init__(detail)
        self.failure = failure


def endpoint_of(model: Model, environment: Mapping[str, str]) -> Endpoint:
    """Raises UnusableModelError."""
    url = model.url
    if not url and model.api == "anthropic":
        url = environment.get(BASE_URL, "")
    url = (url or _ADDRESSES.get(model.api, "")).rstrip("/")
    check_address(url, model.name)
    if model.api == "anthropic":
        url = url.removesuffix("/v1")  # the library adds it
    certificates = (environment.get("SSL_CERT_FILE", ""), environment.get("SSL_CERT_DIR", ""))
    return Endpoint(url, find_key(model, environment), proxy_for(url, environment), certificates)


def find_key(model: Model, environment: Mapping[str, str]) -> ModelKey | None:
    """None where the configuration names none and the API has no usual place. Raises UnusableModelError."""
    if model.key.startswith(KEYRING):
        return ModelKey(_from_keyring(model))
    named = _VARIABLE.fullmatch(model.key)
    if model.key and named is None:
        # The text itself may be a key that somebody pasted: it is not repeated.
        raise UnusableModelError(ModelFailure.NO_KEY, f"models.{model.name}.key must be $NAME or keyring:SERVICE/USER")
    name = (named[1] or named[2]) if named else API_KEY
    if named is None and model.api != "anthropic":
        return None
    if environment.get(name):
        return ModelKey(_clean(environment[name], name), is_bearer=name == AUTH_TOKEN)
    if name == API_KEY and environment.get(AUTH_TOKEN):
        return ModelKey(_clean(environment[AUTH_TOKEN], AUTH_TOKEN), is_bearer=True)
    raise UnusableModelError(ModelFailure.NO_KEY, f"${name} is not set, so the model `{model.name}` cannot be asked")


def check_address(url: str, name: str) -> None:
    """A key goes over the network only encrypted. Raises UnusableModelError."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise UnusableModelError(ModelFailure.OTHER, f"models.{name}.url is not an address") from None
    if not host or parts.scheme not in ("http", "https"):
        raise UnusableModelError(ModelFailure.OTHER, f"models.{name}.url must begin with https:// and name a host")
    if parts.username is not None or parts.query or parts.fragment:
        raise UnusableModelError(ModelFailure.OTHER, f"models.{name}.url must hold no user, query or fragment")
    if parts.scheme == "http" and not is_loopback(host):
        raise UnusableModelError(
            ModelFailure.OTHER, f"models.{name}.url is plain http, which is for loopback only; use https"
        )


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def proxy_for(url: str, environment: Mapping[str, str]) -> str:
    """The proxy that the caller's environment names for an address; none on the way to this machine itself."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    no_proxy = environment.get("no_proxy") or environment.get("NO_PROXY") or ""
    if is_loopback(host) or _is_exempt(host, no_proxy):
        return ""
    names = (f"{parts.scheme}_proxy", f"{parts.scheme}_proxy".upper(), "all_proxy", "ALL_PROXY")
    return next((environment[name] for name in names if environment.get(name)), "")


def _is_exempt(host: str, no_proxy: str) -> bool:
    names = [name.strip().lower().lstrip(".") for name in no_proxy.split(",") if name.strip()]
    return any(name in {"*", host} or host.endswith(f".{name}") for name in names)


def _from_keyring(model: Model) -> str:
    service, slash, user = model.key.removeprefix(KEYRING).rpartition("/")
    if not (slash and service and user):
        raise UnusableModelError(ModelFailure.NO_KEY, f"models.{model.name}.key must be keyring:SERVICE/USER")
    try:
        keyring: Any = importlib.import_module("keyring")
        # Its settings name code that it loads: only those of the person, wherever a repository's variables point.
        settings = Path(pwd.getpwuid(os.getuid()).pw_dir, ".config", "python_keyring")
        importlib.import_module("keyring.core").platform.config_root = lambda: settings
    except ImportError:
        detail = 'a key in the system keyring needs vetgate[models]: pip install "vetgate[models]"'
        raise UnusableModelError(ModelFailure.NOT_INSTALLED, detail) from None
    value = ""
    with contextlib.suppress(Exception):  # each system's keyring fails in its own way, and none may stop a gate
        value = keyring.get_password(service, user)
    if not value:
        raise UnusableModelError(ModelFailure.NO_KEY, f"the system keyring has no entry {service}/{user}")
    return _clean(value, f"{service}/{user}")


def _clean(value: str, name: str) -> str:
    """A header takes one line of plain characters; what a copy left around a key is no part of it."""
    value = value.strip()
    if not (value and value.isascii() and value.isprintable() and " " not in value):
        raise UnusableModelError(
            ModelFailure.NO_KEY, f"{name} holds no usable key: it is empty, or has spaces or odd characters in it"
        )
    return value
