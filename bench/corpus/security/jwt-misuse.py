# === vulnerable: PyJWT decode with verify_signature False in a Flask view
import jwt
from flask import Flask, abort, jsonify, request

app = Flask(__name__)


@app.get("/me")
def me():
    token = request.headers.get("Authorization", "").removeprefix("Bearer ")
    claims = jwt.decode(token, options={"verify_signature": False})
    if not claims.get("sub"):
        abort(401)
    return jsonify(user=claims["sub"], admin=claims.get("admin", False))

# === vulnerable: old PyJWT decode with verify False
import jwt


def current_user(request):
    token = request.COOKIES["access_token"]
    payload = jwt.decode(token, verify=False)
    return payload["user_id"]

# === vulnerable: decode options held in a module constant
import jwt
from fastapi import FastAPI, Header

app = FastAPI()
DECODE_OPTIONS = {"verify_signature": False, "verify_exp": True}


@app.get("/orders")
async def orders(authorization: str = Header(...)):
    claims = jwt.decode(authorization.split(" ")[1], options=DECODE_OPTIONS)
    return {"customer": claims["sub"]}

# === vulnerable: none algorithm accepted on decode
import jwt


def authenticate(token: str, key: str) -> dict:
    return jwt.decode(token, key, algorithms=["HS256", "none"])


def is_admin(token: str, key: str) -> bool:
    return authenticate(token, key).get("role") == "admin"

# === vulnerable: token issued with algorithm none
import jwt


class TokenService:
    def issue(self, user_id: int, role: str) -> str:
        claims = {"sub": str(user_id), "role": role}
        return jwt.encode(claims, None, algorithm="none")

# === vulnerable: literal secret on encode
import datetime

import jwt


def issue_token(user) -> str:
    expires = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
    return jwt.encode({"sub": user.id, "exp": expires}, "s3cr3t-signing-key", algorithm="HS256")

# === vulnerable: literal secret constant on decode
from jwt import decode, InvalidTokenError

JWT_SECRET = "kP9vTq2LxWm4ZrB8"


def verify(token: str):
    try:
        return decode(token, JWT_SECRET, algorithms=["HS256"])
    except InvalidTokenError:
        return None

# === vulnerable: algorithm read from the unverified header
import jwt


def verify_partner_token(token: str, public_key: str) -> dict:
    header = jwt.get_unverified_header(token)
    return jwt.decode(token, public_key, algorithms=[header["alg"]])

# === vulnerable: public key verified with HS256 and RS256 mixed
from pathlib import Path

import jwt

PUBLIC_KEY = Path("/etc/keys/idp_public.pem").read_text()


def verify(token: str) -> dict:
    return jwt.decode(token, PUBLIC_KEY, algorithms=["RS256", "HS256"], audience="orders")

# === vulnerable: python-jose get_unverified_claims for authorization
from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import OAuth2PasswordBearer
from jose import jwt

app = FastAPI()
oauth2 = OAuth2PasswordBearer(tokenUrl="token")


@app.delete("/users/{user_id}")
def delete_user(user_id: int, token: str = Depends(oauth2)):
    claims = jwt.get_unverified_claims(token)
    if claims.get("role") != "admin":
        raise HTTPException(403)
    return {"deleted": user_id}

# === vulnerable: python-jose decode with verify_signature off
from aiohttp import web
from jose import jwt as jose_jwt


async def profile(request: web.Request) -> web.Response:
    raw = request.headers["X-Auth-Token"]
    claims = jose_jwt.decode(raw, "", options={"verify_signature": False})
    return web.json_response({"id": claims["sub"]})

# === vulnerable: payload segment base64 decoded by hand
import base64
import json

from flask import Flask, request

app = Flask(__name__)


def claims_of(jwt_token: str) -> dict:
    payload = jwt_token.split(".")[1]
    padded = payload + "=" * (-len(payload) % 4)
    return json.loads(base64.urlsafe_b64decode(padded))


@app.get("/account")
def account():
    claims = claims_of(request.headers["Authorization"][7:])
    return {"account": claims["account_id"], "is_admin": claims.get("is_admin")}

# === vulnerable: Authlib jwt encode with a literal secret
from authlib.jose import jwt


def issue(user_id: str) -> bytes:
    header = {"alg": "HS256"}
    payload = {"iss": "shop", "sub": user_id}
    return jwt.encode(header, payload, "shop-Vq7Lr2-Xk9Td")

# === vulnerable: import alias and helper with switched-off verification
import jwt as pyjwt


def _read(token, check=False):
    return pyjwt.decode(token, options={"verify_signature": check}, algorithms=["RS256"])


def tenant_from(request):
    return _read(request.META["HTTP_X_TOKEN"])["tenant"]

# === safe: PyJWT with environment secret and fixed algorithm
import os

import jwt
from flask import Flask, abort, jsonify, request

app = Flask(__name__)


@app.get("/me")
def me():
    token = request.headers.get("Authorization", "").removeprefix("Bearer ")
    try:
        claims = jwt.decode(token, os.environ["JWT_SECRET"], algorithms=["HS256"])
    except jwt.InvalidTokenError:
        abort(401)
    return jsonify(user=claims["sub"])

# === safe: PyJWKClient with RS256
import jwt
from jwt import PyJWKClient

jwks = PyJWKClient("https://idp.example.com/.well-known/jwks.json")


def verify(token: str) -> dict:
    signing_key = jwks.get_signing_key_from_jwt(token)
    return jwt.decode(token, signing_key.key, algorithms=["RS256"], audience="orders", issuer="https://idp.example.com/")

# === safe: encode with a key from settings
from datetime import datetime, timedelta, timezone

import jwt
from django.conf import settings


def issue_token(user) -> str:
    claims = {"sub": str(user.pk), "exp": datetime.now(timezone.utc) + timedelta(minutes=15)}
    return jwt.encode(claims, settings.JWT_SIGNING_KEY, algorithm="HS256")

# === safe: unverified header only selects the key id
import jwt


def verify(token: str, keys: dict) -> dict:
    kid = jwt.get_unverified_header(token)["kid"]
    if kid not in keys:
        raise jwt.InvalidKeyError("unknown key id")
    return jwt.decode(token, keys[kid], algorithms=["ES256"])

# === safe: verify_signature True with required claims
import os

import jwt

OPTIONS = {"verify_signature": True, "require": ["exp", "sub", "iss"]}


class Verifier:
    def __init__(self):
        self.key = os.environ["JWT_PUBLIC_KEY"]

    def claims(self, token: str) -> dict:
        return jwt.decode(token, self.key, algorithms=["RS256"], issuer="auth", options=OPTIONS)

# === safe: python-jose with settings secret
import os

from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import OAuth2PasswordBearer
from jose import JWTError, jwt

app = FastAPI()
oauth2 = OAuth2PasswordBearer(tokenUrl="token")


@app.get("/users/me")
def read_me(token: str = Depends(oauth2)):
    try:
        return jwt.decode(token, os.environ["SECRET_KEY"], algorithms=["HS256"])
    except JWTError:
        raise HTTPException(401)

# === safe: Authlib decode validated with a JWK set
from authlib.jose import JsonWebToken, JsonWebKey

verifier = JsonWebToken(["RS256"])


def read_claims(token: str, jwks: dict) -> dict:
    claims = verifier.decode(token, JsonWebKey.import_key_set(jwks))
    claims.validate()
    return dict(claims)

# === safe: decode with verify False on a barcode object
class Barcode:
    def decode(self, image: bytes, verify: bool = True) -> str:
        return image.hex() if verify else image[:4].hex()


jwt = Barcode()


def quick_scan(image: bytes) -> str:
    return jwt.decode(image, verify=False)

# === safe: base64 payload of an e-mail attachment
import base64
import json


def read_attachment(message: dict) -> dict:
    raw = message["parts"][1]["body"]["data"]
    return json.loads(base64.urlsafe_b64decode(raw))

# === safe: rejecting none before verifying
import os

import jwt

ALLOWED = ["EdDSA"]


def verify(token: str) -> dict:
    if jwt.get_unverified_header(token).get("alg", "none").lower() == "none":
        raise jwt.InvalidAlgorithmError("alg none refused")
    return jwt.decode(token, os.environ["EDDSA_PUBLIC_KEY"], algorithms=ALLOWED)

# === safe: secret loaded from a mounted file
from pathlib import Path

import jwt

_secret = Path("/run/secrets/jwt_key").read_bytes().strip()


def sign(claims: dict) -> str:
    return jwt.encode(claims, _secret, algorithm="HS512")


def check(token: str) -> dict:
    return jwt.decode(token, _secret, algorithms=["HS512"])
