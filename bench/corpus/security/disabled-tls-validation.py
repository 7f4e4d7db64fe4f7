# === vulnerable: requests.get with verify False
import requests


def fetch_invoices(token: str):
    headers = {"Authorization": f"Bearer {token}"}
    return requests.get("https://billing.internal/invoices", headers=headers, verify=False, timeout=10).json()

# === vulnerable: requests.Session verify attribute
import requests


class PartnerClient:
    def __init__(self, base_url: str):
        self.base_url = base_url
        self.session = requests.Session()
        self.session.verify = False

    def orders(self):
        return self.session.get(f"{self.base_url}/orders", timeout=10).json()

# === vulnerable: verify passed through a keyword dictionary
import requests

REQUEST_OPTIONS = {"timeout": 5, "verify": False}


def push_metrics(url: str, payload: dict) -> int:
    response = requests.post(url, json=payload, **REQUEST_OPTIONS)
    return response.status_code

# === vulnerable: httpx.AsyncClient verify False
import httpx


async def load_profile(user_id: str) -> dict:
    async with httpx.AsyncClient(base_url="https://users.internal", verify=False) as client:
        response = await client.get(f"/users/{user_id}")
        return response.json()

# === vulnerable: aiohttp with ssl False
import aiohttp


async def health(url: str) -> bool:
    async with aiohttp.ClientSession() as session:
        async with session.get(url, ssl=False) as response:
            return response.status == 200

# === vulnerable: aiohttp TCPConnector with ssl False
import aiohttp


def make_session() -> aiohttp.ClientSession:
    connector = aiohttp.TCPConnector(limit=20, ssl=False)
    return aiohttp.ClientSession(connector=connector)

# === vulnerable: ssl._create_unverified_context with urlopen
import ssl
from urllib.request import urlopen


def download(url: str) -> bytes:
    context = ssl._create_unverified_context()
    with urlopen(url, context=context) as response:
        return response.read()

# === vulnerable: global default https context replaced
import ssl
import urllib.request

ssl._create_default_https_context = ssl._create_unverified_context


def latest_version() -> str:
    with urllib.request.urlopen("https://updates.example.com/version") as response:
        return response.read().decode()

# === vulnerable: context with CERT_NONE and check_hostname off
import socket
import ssl


def open_channel(host: str, port: int) -> ssl.SSLSocket:
    ctx = ssl.create_default_context()
    ctx.check_hostname = False
    ctx.verify_mode = ssl.CERT_NONE
    return ctx.wrap_socket(socket.create_connection((host, port)), server_hostname=host)

# === vulnerable: urllib3 PoolManager with cert_reqs CERT_NONE
import urllib3

http = urllib3.PoolManager(cert_reqs="CERT_NONE", assert_hostname=False)


def get_status(url: str) -> int:
    return http.request("GET", url).status

# === vulnerable: paramiko AutoAddPolicy
import paramiko


def run_remote(host: str, user: str, key_file: str, command: str) -> str:
    client = paramiko.SSHClient()
    client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
    client.connect(host, username=user, key_filename=key_file)
    _, stdout, _ = client.exec_command(command)
    return stdout.read().decode()

# === vulnerable: hostname check disabled only
import ssl
from http.client import HTTPSConnection


def connect(host: str) -> HTTPSConnection:
    context = ssl.create_default_context(cafile="/etc/pki/internal-ca.pem")
    context.check_hostname = False
    return HTTPSConnection(host, context=context)

# === vulnerable: verify constant through a wrapper method
import requests

VERIFY_TLS = False


def _call(method: str, path: str, **kwargs):
    return requests.request(method, f"https://vault.internal{path}", verify=VERIFY_TLS, **kwargs)


def read_secret(name: str):
    return _call("GET", f"/v1/secret/{name}", timeout=5).json()["data"]

# === vulnerable: boto3 client with verify False
import boto3


def backup_bucket(endpoint: str):
    s3 = boto3.client("s3", endpoint_url=endpoint, verify=False)
    return s3.list_objects_v2(Bucket="backups").get("Contents", [])

# === vulnerable: Tornado HTTPRequest with validate_cert False
from tornado.httpclient import AsyncHTTPClient, HTTPRequest


async def fetch_feed(url: str) -> bytes:
    request = HTTPRequest(url, method="GET", validate_cert=False)
    response = await AsyncHTTPClient().fetch(request)
    return response.body

# === vulnerable: pymongo allowing invalid certificates
import os

from pymongo import MongoClient


def database():
    client = MongoClient(os.environ["MONGO_URL"], tls=True, tlsAllowInvalidCertificates=True)
    return client["shop"]

# === safe: requests default verification
import requests


def fetch_invoices(token: str):
    headers = {"Authorization": f"Bearer {token}"}
    return requests.get("https://billing.internal/invoices", headers=headers, timeout=10).json()

# === safe: requests with a private CA bundle
import requests


class PartnerClient:
    def __init__(self, base_url: str):
        self.base_url = base_url
        self.session = requests.Session()
        self.session.verify = "/etc/ssl/private-ca.pem"

    def orders(self):
        return self.session.get(f"{self.base_url}/orders", timeout=10).json()

# === safe: explicit verify True in options
import requests

REQUEST_OPTIONS = {"timeout": 5, "verify": True}


def push_metrics(url: str, payload: dict) -> int:
    return requests.post(url, json=payload, **REQUEST_OPTIONS).status_code

# === safe: httpx with an SSL context that trusts a private CA
import ssl

import httpx


async def load_profile(user_id: str) -> dict:
    ctx = ssl.create_default_context(cafile="/etc/pki/internal-ca.pem")
    async with httpx.AsyncClient(base_url="https://users.internal", verify=ctx) as client:
        return (await client.get(f"/users/{user_id}")).json()

# === safe: aiohttp with default context and client certificate
import ssl

import aiohttp


def make_session() -> aiohttp.ClientSession:
    ctx = ssl.create_default_context()
    ctx.load_cert_chain("/etc/pki/client.pem", "/etc/pki/client.key")
    return aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=ctx))

# === safe: ssl context with CERT_REQUIRED
import socket
import ssl


def open_channel(host: str, port: int) -> ssl.SSLSocket:
    ctx = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    ctx.check_hostname = True
    ctx.verify_mode = ssl.CERT_REQUIRED
    ctx.load_default_certs()
    return ctx.wrap_socket(socket.create_connection((host, port)), server_hostname=host)

# === safe: urllib3 with certifi
import certifi
import urllib3

http = urllib3.PoolManager(cert_reqs="CERT_REQUIRED", ca_certs=certifi.where())


def get_status(url: str) -> int:
    return http.request("GET", url).status

# === safe: paramiko RejectPolicy and known hosts
import paramiko


def run_remote(host: str, user: str, key_file: str) -> str:
    client = paramiko.SSHClient()
    client.load_system_host_keys()
    client.set_missing_host_key_policy(paramiko.RejectPolicy())
    client.connect(host, username=user, key_filename=key_file)
    return client.exec_command("uptime")[1].read().decode()

# === safe: verify False on a document validator
class DocumentStore:
    def get(self, name: str, verify: bool = True) -> dict:
        return {"name": name, "verified": verify}


store = DocumentStore()


def draft(name: str) -> dict:
    return store.get(name, verify=False)

# === safe: message text mentions verify=False
import logging

import requests

log = logging.getLogger(__name__)


def fetch(url: str):
    try:
        return requests.get(url, timeout=5)
    except requests.exceptions.SSLError:
        log.error("TLS failure for %s; do not use verify=False or ssl.CERT_NONE, install the CA", url)
        raise

# === safe: server context that does not request client certificates
import ssl
from http.server import HTTPServer, SimpleHTTPRequestHandler


def serve() -> None:
    ctx = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    ctx.load_cert_chain("server.pem", "server.key")
    httpd = HTTPServer(("0.0.0.0", 8443), SimpleHTTPRequestHandler)
    httpd.socket = ctx.wrap_socket(httpd.socket, server_side=True)
    httpd.serve_forever()

# === safe: Tornado with ca_certs
from tornado.httpclient import AsyncHTTPClient, HTTPRequest


async def fetch_feed(url: str) -> bytes:
    request = HTTPRequest(url, validate_cert=True, ca_certs="/etc/pki/internal-ca.pem")
    return (await AsyncHTTPClient().fetch(request)).body

# === safe: redirects disabled instead of verification
import httpx


def probe(url: str) -> int:
    with httpx.Client(follow_redirects=False, trust_env=False, http2=False) as client:
        return client.get(url).status_code
