"""Secrets in texts of every kind, and what only looks like one."""

from __future__ import annotations

import base64
import hashlib
import json
from importlib import import_module

import pytest

from secret_samples import chance, made_from
from vetgate.checks.secrets import CHECK
from vetgate.checks.secrets.match import Pair
from vetgate.checks.secrets.redaction import word_redactor
from vetgate.checks.secrets.scan import ScanOptions, scan_text
from vetgate.config.load import defaults
from vetgate.engine.analysis import run_check, source_of
from vetgate.severity import Severity
from vetgate.source.clock import Deadline
from vetgate.source.language import language_of
from vetgate.source.syntax import Source

scanning = import_module("vetgate.checks.secrets.scan")  # a function goes by the same name
RANDOM = chance(24)
PASSWORD = "xK9#" + "mPq2vL"
HEAD, TAIL = "AK" + "IA", "Z7QH3MN4PLR2WXYT"
KEY = HEAD + TAIL
ENCODED = base64.b64encode(KEY.encode()).decode()


def findings(path: str, text: str):
    source = Source(path, text, language_of(path))
    return run_check(CHECK, source, defaults(), Deadline.never()).findings


def rules(path: str, text: str) -> list[str]:
    return [finding.rule for finding in findings(path, text)]


NAMED = {
    "an assignment in Python": ("a.py", f'api_key = "{RANDOM}"\n', "api-key"),
    "a keyword argument": ("a.py", f'connect(password="{PASSWORD}")\n', "password"),
    "a default": ("a.py", f'def f(secret="{RANDOM}"): ...\n', "secret"),
    "a key": ("a.py", f'd = {{"client_secret": "{RANDOM}"}}\n', "client-secret"),
    "an item": ("a.py", f'config["auth_token"] = "{RANDOM}"\n', "secret"),
    "a comparison": ("a.py", f'if token == "{RANDOM}": pass\n', "secret"),
    "the default of the environment": ("a.py", f'k = os.getenv("SECRET_KEY", "{RANDOM}")\n', "secret"),
    "a wrapped value": ("a.py", f'secret_key = SecretStr("{RANDOM}")\n', "secret"),
    "a property in JavaScript": ("a.js", f'const c = {{ apiKey: "{RANDOM}" }};\n', "api-key"),
    "a fallback": ("a.js", f'const s = process.env.JWT_SECRET || "{RANDOM}";\n', "jwt-secret"),
    "a field in TypeScript": ("a.ts", f'class C {{ private token: string = "{RANDOM}" }}\n', "secret"),
    "an attribute of TSX": ("a.tsx", f'const x = <C apiKey="{RANDOM}" />;\n', "api-key"),
    "a constant in Go": ("a.go", f'package a\nconst apiKey = "{RANDOM}"\n', "api-key"),
    "a field of a struct": ("a.go", f'package a\nvar c = C{{Password: "{PASSWORD}"}}\n', "password"),
    "a constant in Java": ("A.java", f'class A {{ static final String API_KEY = "{RANDOM}"; }}\n', "api-key"),
    "a Java comparison": ("A.java", f'class A {{ boolean f() {{ return token.equals("{RANDOM}"); }} }}\n', "secret"),
    "a constant in Rust": ("a.rs", f'const API_KEY: &str = "{RANDOM}";\n', "api-key"),
    "a property in C#": ("a.cs", f'class A {{ string Password {{ get; }} = "{PASSWORD}"; }}\n', "password"),
    "an array in PHP": ("a.php", f"<?php $a = ['client_secret' => '{RANDOM}'];\n", "client-secret"),
    "a constant in PHP": ("a.php", f"<?php define('API_SECRET', '{RANDOM}');\n", "api-key"),
    "a hash in Ruby": ("a.rb", f'h = {{ password: "{PASSWORD}" }}\n', "password"),
    "JSON": ("a.json", f'{{"db": {{"password": "{PASSWORD}"}}}}', "password"),
    "JSON in one long line": ("a.json", f'{{"x": "{"y" * 9000}", "apiKey": "{RANDOM}"}}', "api-key"),
    "YAML": ("a.yaml", f"jwt_secret: {RANDOM}\n", "jwt-secret"),
    "YAML of Kubernetes": ("a.yml", f"- name: API_TOKEN\n  value: {RANDOM}\n", "api-key"),
    "TOML": ("a.toml", f'[a]\nsecret_key = "{RANDOM}"\n', "secret"),
    "INI": ("a.ini", f"[a]\nauth_token = {RANDOM}\n", "secret"),
    "properties": ("a.properties", f"spring.datasource.password={PASSWORD}\n", "password"),
    ".env": (".env.production", f"DB_PASSWORD={PASSWORD}\n", "password"),
    "shell": ("a.sh", f"export API_TOKEN='{RANDOM}'\n", "api-key"),
    "a flag in shell": ("a.sh", f"run --password {PASSWORD} now\n", "password"),
    "Dockerfile": ("Dockerfile", f"ENV API_KEY {RANDOM}\n", "api-key"),
    "HCL": ("a.tf", f'variable "x" {{\n  client_secret = "{RANDOM}"\n}}\n', "client-secret"),
    "XML": ("a.xml", f'<add key="ApiSecret" value="{RANDOM}"/>\n', "api-key"),
    "a variable of Terraform": ("v.tf", f'variable "api_token" {{\n  default = "{RANDOM}"\n}}\n', "api-key"),
    "a unit of systemd": ("a.service", f"[Service]\nEnvironment=API_TOKEN={RANDOM}\n", "api-key"),
    "a file without an ending": ("credentials", f"[prod]\nauth_token = {RANDOM}\n", "secret"),
    "a file of dots": (".edgerc", f"[default]\nclient_secret = {RANDOM}\n", "client-secret"),
    "a template": ("a.erb", f'<%= connect(api_key: "{RANDOM}") %>\n', "api-key"),
    "words written together": ("a.sh", f"PGPASSWORD={PASSWORD} psql\n", "password"),
    "npm's own settings": (".npmrc", f"//registry.acme.io/:_authToken={RANDOM}\n", "secret"),
    "PowerShell's environment": ("a.ps1", f'$env:API_TOKEN = "{RANDOM}"\n', "api-key"),
    "a resource of Android": ("strings.xml", f'<string name="api_key">{RANDOM}</string>\n', "api-key"),
    "a property list": ("a.plist", f"<key>ApiKey</key>\n<string>{RANDOM}</string>\n", "api-key"),
    "a block of YAML": ("a.yml", f"password: >-\n  {PASSWORD}\n", "password"),
    "a section of JSON": ("a.json", f'{{"Jwt": {{\n  "Issuer": "me",\n  "Key": "{RANDOM}"}}}}', "jwt-secret"),
    "JSON in a text": ("a.yml", f"""x: '{{"a":{{"auth_token":"{RANDOM}"}}}}'\n""", "secret"),
    "a typed constant in Swift": ("a.swift", f'let apiKey: String = "{RANDOM}"\n', "api-key"),
    "a definition in C": ("a.h", f'#define API_KEY "{RANDOM}"\n', "api-key"),
    "a setter": ("A.java", f'class A {{ void f() {{ ds.setPassword("{PASSWORD}"); }} }}\n', "password"),
    "a builder": ("a.kt", f'val c = B.builder().apiKey("{RANDOM}").build()\n', "api-key"),
    "the default of an option": ("a.py", f'p.add_argument("--api-token", default="{RANDOM}")\n', "api-key"),
    "the default of a field": ("a.py", f'class A:\n    api_key: str = Field(default="{RANDOM}")\n', "api-key"),
    "the default of a flag": ("a.go", f'package a\nvar t = flag.String("api-token", "{RANDOM}", "")\n', "api-key"),
    "the default of a look-up": ("A.java", f'class A {{ @Value("${{api.key:{RANDOM}}}") String k; }}\n', "api-key"),
    "a fallback in Rust": (
        "a.rs",
        f'fn f() {{ let t = env::var("API_TOKEN").unwrap_or("{RANDOM}".into()); }}',
        "api-key",
    ),
    "user and password": ("a.go", f'package a\nfunc f() {{ r.SetBasicAuth("me", "{PASSWORD}") }}\n', "password"),
    "the third of three": ("a.php", f"<?php $c = new PDO('mysql:host=db', 'shop', '{PASSWORD}');\n", "password"),
    "what signs": ("a.js", f'const t = jwt.sign(payload, "{RANDOM}");\n', "jwt-secret"),
    "joined pieces": ("a.py", f'token = "".join(["{RANDOM[:12]}", "{RANDOM[12:]}"])\n', "secret"),
    "another language": ("a.kt", f'val apiKey = "{RANDOM}"\n', "api-key"),
    "a value on its own line": ("a.xml", f"<apiToken>\n    {RANDOM}\n</apiToken>\n", "api-key"),
    "a default of make": ("Makefile", f'API_TOKEN ?= "{RANDOM}"\n', "api-key"),
    "an assignment of make": ("Makefile", f'API_TOKEN ::= "{RANDOM}"\n', "api-key"),
    "a property of the system": ("a.kt", f'System.setProperty("api.token", "{RANDOM}")\n', "secret"),
    "a vendor's key": ("a.py", f'adobeKey = "{RANDOM}"\n', "api-key"),
    "a cloud's key": ("a.sh", f"AZURE_KEY={RANDOM}\n", "api-key"),
    "a comment": ("a.py", f'# auth_token = "{RANDOM}"\n', "secret"),
    "a comment behind code": ("a.js", f'run(); // authToken: "{RANDOM}"\n', "secret"),
    "a note": ("a.txt", f"auth_token: {RANDOM}\n", "secret"),
    "a comment of several lines": ("A.java", f'/*\n * apiToken = "{RANDOM}"\n */\nclass A {{}}\n', "api-key"),
    "words in a note": ("a.txt", f"API key: {RANDOM}\n", "api-key"),
    "a vendor's key in a note": ("a.txt", f"ollama key = {RANDOM}\n", "api-key"),
    "an option of Maven": ("a.sh", f"mvn sonar:sonar -Dsonar.login={chance(40, '0123456789abcdef')}\n", "vendor-token"),
    "bold words in a document": ("a.md", f"- **Access token**: `{RANDOM}`\n", "secret"),
    "a row of a table in a document": ("a.md", f"| api_token | `{RANDOM}` |\n", "api-key"),
    "the last two parts of a property": ("a.properties", f"shop.api.key={RANDOM}\n", "api-key"),
    "a property of Java's system": (
        "A.java",
        f'class A {{ void f() {{ System.setProperty("api.key", "{RANDOM}"); }} }}\n',
        "api-key",
    ),
    "a look-up with a default": ("a.go", f'package a\nvar t = GetEnvOrDefault("API_TOKEN", "{RANDOM}")\n', "api-key"),
    "a number behind the name": ("a.py", f'api_token_123 = "{RANDOM}"\n', "api-key"),
    "short for credentials": ("a.ini", f"creds = {RANDOM}\n", "secret"),
    "a password for a site": ("a.py", f'SITE_PASSWORD = "{PASSWORD}"\n', "password"),
    "a site's own secret": ("a.py", f'SITE_SECRET_KEY = "{RANDOM}"\n', "secret"),
    "a password of Splunk": ("a.py", f'SPL_PASSWORD = "{PASSWORD}"\n', "password"),
    "a password in parts of four letters": (".env", "APPLE_APP_PASSWORD=kxwz-abod-emin-" + "tirq\n", "password"),
    "a key of the deployment that is a canary": ("a.py", f'API_KEY = "canary_{RANDOM}"\n', "api-key"),
    "a host that sells hosts": ("a.py", f'u = "mysql://shop:{RANDOM}@mysql.acmehost.io/db"\n', "database-url"),
    "brackets in a password": ("a.py", f'u = "mysql://shop:[^{RANDOM}@db.acme.io/db"\n', "database-url"),
    "words in base64 behind a key": (
        "a.py",
        f'API_TOKEN = "{RANDOM}:{base64.b64encode(b"production server").decode()}"\n',
        "api-key",
    ),
    "a stand-in's password in base64": (
        "a.py",
        f'AUTH_TOKEN = "{base64.b64encode(b"example:" + RANDOM.encode()).decode()}"\n',
        "secret",
    ),
    "a key in the path of an address": ("a.py", f'API_TOKEN = "hooks.acme.io/{RANDOM}"\n', "api-key"),
    "a key with a version": ("a.py", f'API_TOKEN = "x{RANDOM}-1.0"\n', "api-key"),
    "a key in small letters with a version": ("a.py", f'API_TOKEN = "x{chance(24).lower()}-1.0"\n', "api-key"),
    "a key in the tags of a field": ("a.go", f'package a\nvar apiToken = `key:"{RANDOM}"`\n', "api-key"),
    "a key of WireGuard": ("wg0.conf", f"[Peer]\nPresharedKey = {chance(43)}=\n", "secret"),
    "a document": ("a.md", f"Set `auth_token={RANDOM}` first.\n", "secret"),
    "a table": ("a.csv", f"auth_token,{RANDOM},\n", "secret"),
    "an address with a vendor's token": ("a.py", f'get("https://x.acme.io/v1?acme_token={RANDOM}")\n', "secret"),
    "a block in a Kubernetes Secret": (
        "a.yaml",
        f"apiVersion: v1\nkind: Secret\ndata:\n  settings: |\n    {base64.b64encode(RANDOM.encode()).decode()}\n",
        "secret",
    ),
}


@pytest.mark.parametrize(("path", "text", "rule"), NAMED.values(), ids=NAMED)
def test_a_value_under_a_telling_name(path, text, rule):
    assert rules(path, text) == [rule]


USED = {
    "a row of settings": ("a.go", f'package a\nvar d = "host=db.acme.io user=shop password={PASSWORD} dbname=x"\n'),
    "a cache": ("a.py", f'connect("cache.acme.io:6380,password={RANDOM},ssl=True")\n'),
    "an endpoint and its key": ("a.py", f'connect("Endpoint=https://x.acme.io;AccessKey={RANDOM};Version=1.0;")\n'),
    "a key in place of the user": ("a.sh", f'curl -u "{RANDOM}:" https://api.acme.io\n'),
    "a password without a user": ("a.sh", f'curl -u ":{PASSWORD}" https://api.acme.io\n'),
    "an option on the next line": ("a.sh", f"curl -X POST https://api.acme.io \\\n  -u me:{PASSWORD}\n"),
    "httpie": ("a.sh", f"http -a me:{PASSWORD} https://api.acme.io\n"),
    "openssl": ("a.sh", f"openssl rsa -in a -passin pass:{PASSWORD}\n"),
    "a key store": ("a.sh", f"keytool -list -keystore a.jks -storepass {PASSWORD}\n"),
    "a directory": ("a.sh", f'ldapsearch -x -D cn=admin -w "{PASSWORD}" -b dc=acme\n'),
    "a user's new password": ("a.sh", f"echo 'me:{PASSWORD}' | chpasswd\n"),
    "what is piped": ("a.sh", f'echo "{PASSWORD}" | docker login -u me --password-stdin r.acme.io\n'),
    "SQL": ("a.sql", f"CREATE USER shop IDENTIFIED BY '{PASSWORD}';\n"),
    "SQL of another kind": ("a.py", f"""run("ALTER ROLE shop WITH LOGIN PASSWORD '{PASSWORD}'")\n"""),
    "PowerShell": ("a.ps1", f'ConvertTo-SecureString "{PASSWORD}" -AsPlainText -Force\n'),
}


@pytest.mark.parametrize(("path", "text"), USED.values(), ids=USED)
def test_a_secret_that_only_its_use_tells(path, text):
    assert len(findings(path, text)) == 1


HARMLESS_CALLS = {
    "arguments of a call": ("a.py", "connect(host=settings.host, user=settings.user, password=settings.password)\n"),
    "a look-up": ("a.py", 'client.get_secret("prod-database-v2-password")\n'),
    "a name that is looked up": ("a.java", 'class A { @Value("${api.key:${OTHER_API_KEY_NAME}}") String k; }\n'),
    "a variable without a default": ("v.tf", 'variable "api_token" {\n  type = string\n}\n'),
    "code in a row": ("a.py", "s = 'host=a; config.password = parts.slice(1).join(x)'\n"),
    "SQL with a parameter": ("a.py", """run("ALTER ROLE shop WITH PASSWORD '%(password)s'")\n"""),
    "a piped variable": ("a.sh", 'echo "$REGISTRY_PASSWORD" | docker login -u me --password-stdin\n'),
    "an example of a manual": ("a.py", '"postgresql://scott:tiger^5HHH@mssql2017:1433/test"\n'),
    "how an address is written": ("a.twig", 'placeholder="scheme://user_name[:password]@host_name/db"\n'),
    "words of a manual": ("a.rst", "GRANT ALL TO 'real_user' IDENTIFIED BY 'real_password';\n"),
    "a license": ("LICENSE-MIT", f"token: {RANDOM}\n"),
    "a header's name": ("a.py", 'token_header = "HTTP_X_CSRFTOKEN"\n'),
    "an algorithm": ("a.sh", "initdb --auth=scram-sha-256\n"),
    "a field of a form": ("a.html", f'<input name="authenticity_token" value="{RANDOM}">\n'),
    "rows of neighbours": ("a.py", 'auth_token = "abc123def456ghi789jkl012"\n'),
    "neighbours in turn": ("a.py", 'auth_token = "a1b2c3d4e5f6g7h8i9j0"\n'),
    "an account's address": ("a.json", f'{{"privateKey": "0x{chance(40, "0123456789abcdef")}"}}\n'),
    "ports": ("a.sh", "docker run --name mongo -p 27017:27017 mongo:7\n"),
    "a hash": ("a.yaml", f"password: $6$rounds=656000${chance(16)}${chance(80)}\n"),
    "an encoding": ("a.py", "new_password = text.encode('utf-16-le')\n"),
    "the name of a variable": ("a.py", 'http_pwd_env = "GATEWAY_HTTP_PWD"\n'),
    "the file of a password": ("a.sh", "view --vault-id vault-password format_1_1_AES256.yml\n"),
    "how a redis address is written": ("a.py", '"redis://[[username]:[password]]@cache.acme.io:6379/0"\n'),
    "an entry point": ("a.toml", 'export_signing_key = "acme._scripts.export_signing_key:main"\n'),
    "a file for everybody": (
        "a.gql",
        f'"https://x.appspot.com/o/a.jpeg?alt=media&token={chance(30)}"\n',
    ),
    "a certificate in a Kubernetes Secret": (
        "a.yaml",
        "kind: Secret\ndata:\n  tls: " + base64.b64encode(b"-----BEGIN CERTIFICATE-----\nabc\n").decode() + "\n",
    ),
    "a password spelled with signs": ("tests/test_a.py", 'temporary_password = "1TemporaryP@ssword"\n'),
    "a sealed secret": ("a.yaml", f"encryptedData:\n  password: AgB{chance(300)}\n"),
    "an encoded picture": (
        "a.css",
        "a { background: url(data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmciLz4=) }",
    ),
}


@pytest.mark.parametrize(("path", "text"), HARMLESS_CALLS.values(), ids=HARMLESS_CALLS)
def test_what_is_used_like_a_secret_and_is_none(path, text):
    assert findings(path, text) == ()


HIDDEN = {
    "a sum": ("a.py", f'k = "{HEAD}" + "{TAIL}"\n'),
    "literals side by side": ("a.py", f'k = ("{HEAD}"\n     "{TAIL}")\n'),
    "base64 in settings": ("a.json", f'{{"hub": "{ENCODED}"}}\n'),
    "base64 in a command": ("a.sh", f"echo {ENCODED} | base64 -d | login\n"),
    "names": ("a.py", f'h = "{HEAD}"\nt = "{TAIL}"\nk = h + t\n'),
    "a format": ("a.py", f'h = "{HEAD}"\nk = f"{{h}}{TAIL}"\n'),
    "a join": ("a.py", f'k = "".join(["{HEAD}", "{TAIL}"])\n'),
    "escapes": ("a.py", f'k = "\\x41\\x4b{HEAD[2:]}{TAIL}"\n'),
    "base64": ("a.py", f'k = b64decode("{ENCODED}")\n'),
    "base64 in YAML": ("a.yaml", f"token: {ENCODED}\n"),
    "a template": ("a.ts", f"const h = '{HEAD}'; const k = `${{h}}{TAIL}`;\n"),
    "an array": ("a.js", f'const k = ["{HEAD}", "{TAIL}"].join("");\n'),
    "Go": ("a.go", f'package a\nvar k = "{HEAD}" + "{TAIL}"\n'),
    "Java": ("A.java", f'class A {{ String k = "{HEAD}" + "{TAIL}"; }}\n'),
    "C#": ("a.cs", f'class A {{ string k = "{HEAD}" + "{TAIL}"; }}\n'),
    "PHP": ("a.php", f'<?php $k = "{HEAD}" . "{TAIL}";\n'),
    "Ruby": ("a.rb", f'k = "{HEAD}" "{TAIL}"\n'),
    "Rust": ("a.rs", f'const K: &str = concat!("{HEAD}", "{TAIL}");\n'),
    "behind an escape": ("a.txt", f"line\\n{KEY}\n"),
}


@pytest.mark.parametrize(("path", "text"), HIDDEN.values(), ids=HIDDEN)
def test_what_is_put_together_or_encoded_is_read_again(path, text):
    (finding,) = findings(path, text)
    assert finding.rule == "vendor-token"
    assert "aws-access-key-id" in finding.message


PEM = made_from("MIIE[A-Za-z0-9+/]{200}")
KEYS = {
    **{f"{label} key": f"-----BEGIN {label} PRIVATE KEY-----\n{PEM}\n" for label in ("RSA", "EC", "DSA", "OPENSSH")},
    "PKCS#8": f"-----BEGIN PRIVATE KEY-----\n{PEM}\n-----END PRIVATE KEY-----\n",
    "PGP": f"-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\n{PEM}\n",
    "in a literal": f'k = "-----BEGIN RSA PRIVATE KEY-----\\n{PEM}\\n-----END"\n',
    "of a service account": f'{{"private_key": "-----BEGIN PRIVATE KEY-----\\n{PEM}\\n-----END"}}\n',
    "PuTTY": f"PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nPrivate-Lines: 2\n{PEM[:64]}\n{PEM[64:128]}\n",
    "a JSON Web Key": f'{{"kty": "RSA", "d": "{chance(86)}"}}\n',
    "of a kubeconfig": "client-key-data: "
    + base64.b64encode(f"-----BEGIN RSA PRIVATE KEY-----\n{PEM}\n".encode()).decode(),
}


@pytest.mark.parametrize("text", KEYS.values(), ids=KEYS)
def test_a_private_key(text):
    assert rules("deploy/key", text) == ["private-key"]


@pytest.mark.parametrize(
    "text",
    [
        f"-----BEGIN ENCRYPTED PRIVATE KEY-----\n{PEM}\n",
        f"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\n{PEM}\n",
        f"PuTTY-User-Key-File-3: x\nEncryption: aes256-cbc\nPrivate-Lines: 1\n{PEM[:64]}\n",
    ],
    ids=["PKCS#8", "PEM headers", "PuTTY"],
)
def test_a_key_under_a_passphrase_is_told(text):
    (finding,) = findings("key.pem", text)
    assert (finding.rule, str(finding.severity)) == ("encrypted-private-key", "warning")


ADDRESSES = {
    "a database": (f"postgres://app:{PASSWORD.replace('#', '')}@db.acme.io/x", "database-url"),
    "a driver": (f"mysql+pymysql://app:{RANDOM}@10.0.0.5/x", "database-url"),
    "a queue": (f"amqps://app:{RANDOM}@q.acme.io", "database-url"),
    "a cluster": (f"mongodb+srv://app:{RANDOM}@c0.mongodb.net/x", "database-url"),
    "a proxy": (f"https://bot:{RANDOM}@proxy.acme.io", "url-password"),
    "a connection string": (f"Server=db;Database=x;User Id=sa;Password={RANDOM};", "database-url"),
    "an address of JDBC": (f"url=jdbc:mysql://db.acme.io/x?user=app&password={RANDOM}", "database-url"),
    "several hosts": (f"mongodb://app:{RANDOM}@a.acme.io:27017,app:{RANDOM}@b.acme.io:27017/x", "database-url"),
    "a header": ("Authorization: Basic " + base64.b64encode(f"bot:{RANDOM}".encode()).decode(), "url-password"),
}


@pytest.mark.parametrize(("text", "rule"), ADDRESSES.values(), ids=ADDRESSES)
def test_a_password_in_an_address(text, rule):
    assert rules("notes.txt", f"use {text}\n") == [rule]


USED = {
    "a bearer": ("a.http", f"Authorization: Bearer {RANDOM}\n", "secret"),
    "a query": ("a.txt", f"GET https://api.acme.io/v1?x=1&api_key={RANDOM}\n", "api-key"),
    "curl": ("notes.txt", f"curl -s -u bot:{PASSWORD} https://api.acme.io\n", "password"),
    "sshpass": ("notes.txt", f"sshpass -p '{PASSWORD}' ssh host\n", "password"),
    "mysql": ("notes.txt", f"mysql -h db -uroot -p{PASSWORD} app\n", "password"),
    "a pair of a user and a password": ("a.py", f'requests.get(u, auth=("bot", "{PASSWORD}"))\n', "password"),
}


@pytest.mark.parametrize(("path", "text", "rule"), USED.values(), ids=USED)
def test_a_secret_that_its_use_tells(path, text, rule):
    assert rules(path, text) == [rule]


LOOK_ALIKES = {
    "a header with digits": (
        "a.js",
        'const TOKEN_HEADER = "x-n8n-cdp-token";\nconst API_KEY_HEADER = "x-n8n-api-key";\n',
    ),
    "a variable that a call looks up": ("a.py", 'dynamic_api_key = get_secret_str("AI21_API_KEY")\n'),
    "a setting that a call looks up": ("a.py", "key = config.get('Credentials', 'ia_access_key_id')\n"),
    "what went wrong": ("a.py", 'audit(token="failed-to-connect-to-db")\n'),
    "what a signature is about": (
        "a.md",
        "x = {Authorization: 'AWS4-HMAC-SHA256 Credential=ABCDEF/20121226/us-east-1/sqs/aws4_request, ...'}\n",
    ),
    "a challenge's answer": ("a.py", "check(key_authorization='foo.oKGqedy-b-acd5eoybm2f-NVFxvyOoET5CNy3xnv8WY')\n"),
    "a standard's own token": ("a.json", '{"token": "evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA"}\n'),
    "a DSN without a password": (
        "a.py",
        "x = {'dsn': 'postgresql:///d%62?user=us%40r&host=h%40st&port=543%33'}\n",
    ),
    "minified assignments": (
        "a.js",
        's.username=r.username,s.password=r.password,s.host=r.host,s.port=r.port,s.path=v(r.path);Server="x";\n',
    ),
    "a label that code writes": (
        "a.py",
        "x = (b'-----BEGIN OPENSSH PRIVATE KEY-----\\n' +\n _wrap_base64(data, _OPENSSH_LEN) +\n b'-----END')\n",
    ),
    "a label that code looks for": (
        "a.py",
        'at = text.index(b"-----BEGIN PRIVATE KEY-----")\n\nreturn cls.from_der(der.unpem(text[private_key_index:]))\n',
    ),
    "a label in a manual": (
        "a.md",
        '`"-----BEGIN EC PRIVATE KEY-----"` base64-encoded format, and the DER format is a shorter form\n',
    ),
    "a password's hash": (
        "a.py",
        'password = "*1A01CF8FBE6425398935FB90359AD8B817399102"\nuse(password="md55a231fcdb710d73268c4f44283487ba2")\n',
    ),
    "a framework's hash": (
        "a.py",
        'p(password="md5$zjIi$a59a82cf344546e7bc09cb5f2246370a", password="pbkdf2_sha256$1000$zjIi$a59a82Q=")\n',
    ),
    "several hosts in a test": (
        "tests/test_a.py",
        "u = ('cache+memcached://user:pass1@172.19.26.240:11211;'\n 'user:pass2@172.19.26.242:11211/')\n",
    ),
    "what no longer works": (
        "praw.ini",
        "[bot]\nclient_secret=revokedoqsMk5nHCJTHLrwgvHpr\npassword=invalidht4wd50gk\n",
    ),
    "words in base64": ("a.json", '{"privateKey": "cHJpdmF0ZUtleQo=", "secret": "c3VwZXItc2VjcmV0LWtleQ=="}\n'),
    "how an address of a bucket is written": (
        "a.md",
        "open('s3u://user:secret@host:port@mybucket/mykey.txt')\nopen('s3://aws_access_key_id:aws_secret_access_key@bucket/key')\n",
    ),
    "a label in another language": (
        "ja.json",
        '{"password": "API\\u30c8\\u30fc\\u30af\\u30f3", "api_key": "API-n\\u00f8kkel", "token": "Ni\\u00f1a-22"}\n',
    ),
    "tags of a field": ("a.go", 'package a\ntype T struct {\n\tPassword string `json:"passwd"`\n}\n'),
    "the other name of an import": ("a.go", 'package a\nimport ghAuth "github.com/cli/go-gh/pkg/auth"\n'),
    "a library's version": ("a.gradle", 'jsonwebtoken = "jjwt-jackson-0.11.2"\nuse "io.jwt.token:jjwt:0.11.2"\n'),
    "what ACME publishes": ("a_test.go", f'package a\nvar r = R{{keyAuth: "{chance(43)}"}}\n'),
    "a value that says it is a fake": ("a.py", f'fake_api_token = "{RANDOM}"\n'),
    "a key spelled in hexadecimal": ("a.yml", f"MASTER_KEY: minio-key:{b'change this password to a secret'.hex()}\n"),
    "rows of the keyboard from the end": ("a.sh", "CLIENT_TOKEN=akab-mnbvcxzlkjhgfdsapoiuytrewq1234567 run\n"),
    "the alphabet in base64": ("a.sh", "export TSIG_SECRET=YWJjZGVmZGdoaWprbG1ub3BxcnN0dXZ3eHl6MTIzNDU=\n"),
    "everybody's storage": (
        "a.go",
        'package a\nvar secretAccessKey = "zuf+tfteSlsw' + 'Ru7BJ86wekitnifILbZam1KYY3TG"\n',
    ),
    "words with abbreviations": ("a.py", 'if auth == "cookie_xsrf_mismatch": run(api_key="sk-should-be-kept")\n'),
    "options of a command": ("a.py", 'parse("".join(["/", "md-", "-show-commits-and-tags", "/"]))\n'),
    "a pattern of addresses": ("a.py", r'p = re.compile(r"https://[^:]+:[^@]+@bitbucket\.org/.+\.git")'),
    "parts of an address": (
        "a.py",
        'a = "http://host:port@evil.com/"\nb = "redis://redis:SuperSecret@myredishost.com:6379"\n',
    ),
    "a value that is enciphered": ("a.yml", f"password: __encrypt__{chance(22)}==:{chance(43)}=\n"),
    "what a value is looked up by": (
        "a.py",
        f"""x = jwt.decode(token, certs["{chance(40, "0123456789abcdef")}"], algorithms=["RS256"])\n""",
    ),
    "words and a count": ("a.rs", 'let secret_token = "super-secret-token-12345";\n'),
    "colours of a style": (
        "a.css",
        ".l { color: var(--md-mermaid-label-fg-color); fill: var(--md-code-hl-number-color) }\n",
    ),
    "names in an address": ("a.php", "<?php $d = 'nexmo://apiKey:apiSecret@default?from=0611223344';\n"),
    "the algorithm of a signature": ("a.js", "if (auth[0] === 'AWS4-HMAC-SHA256') sign();\n"),
    "a file of examples": ("apis/sso.examples.json", f'{{"clientSecret": "{RANDOM}"}}\n'),
    "a placeholder spelled with signs": ("a.xml", '<user username="test" password="chang3m3N#w"/>\n'),
    "options of another command": ("a.py", 'run(["a", "--md", "--targets", "target1", "target2", "--no-path"])\n'),
    "a hash of RADIUS": ("a.conf", f"PBKDF2-Password := 'HMACSHA2+256:AAAD6A:{chance(22)}==:{chance(43)}='\n"),
    "rows of pairs": ("a.go", 'package a\nvar r = R{token: "123456.aabbccddeeffgghh"}\n'),
    "a coin of Solana": ("a.js", f"// uri: 'solana:{chance(44)}?spl-token={chance(43)}'\n"),
    "a class of a style behind a word": ("a.html", '<li class="new-api-token djblets-c-config-forms-list__item">\n'),
    "a canary in a test of leaks": ("a.py", 'API_KEY = "canary-never-repeat-8F2a"\n'),
    "a key for a site": ("a.html", f'<script>var x = {{"recaptcha_site_key": "{chance(40)}"}}</script>\n'),
    "the hash of a word": ("a.py", f'x = {{"password": "{hashlib.sha1(b"password").hexdigest()}"}}\n'),
    "everybody's login with a line end": ("a.py", 'h = {"authorization": "Basic dGVzdDp0ZXN0Cg=="}\n'),
    "the name of a vendor's variable": (
        "a.py",
        'BITBUCKET_KEY = get_env_str("ACMEWEB_SOCIAL_AUTH_BITBUCKET_OAUTH2_KEY")\n',
    ),
    "a public key without its frame": (
        "a.py",
        f'_TOKEN = "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA{chance(120)}"\n',
    ),
    "a salted password": ("a.py", f'RFC_SALTED_PASSWORD = "{RANDOM}"\n'),
    "words in a document": ("a.md", "API key: see-the-dashboard-of-acme\n| token | AuthenticationRefreshed |\n"),
    "a placeholder": ("a.py", 'api_key = "your-api-key-goes-here-123"\n'),
    "stars": ("a.py", 'password = "********"\n'),
    "an x for each": ("a.env", "TOKEN=xxxxxxxxxxxxxxxxxxxx\n"),
    "a vendor's example": ("a.py", 'k = "AKIA' + 'IOSFODNN7EXAMPLE"\n'),
    "the environment": ("a.yaml", "password: ${DB_PASSWORD}\n"),
    "a template of a chart": ("a.yaml", "password: {{ .Values.password }}\n"),
    "a vault": ("a.yaml", "password: vault:secret/data/db#password\n"),
    "a 1Password reference": (".env", "API_KEY=op://vault/item/field-1234\n"),
    "a row of keys": ("a.py", 'password = "qwertyuiop1234567890"\n'),
    "a hash of a file": ("a.py", f'sha256 = "{chance(64, "0123456789abcdef")}"\n'),
    "a hashed password": ("a.py", f'password_hash = "{chance(64, "0123456789abcdef")}"\n'),
    "a UUID": ("a.py", 'request_id = "3f2b8c1e-9d4a-4b6f-8e7c-2a1d5f9b0c3e"\n'),
    "a public key": ("a.pub", f"-----BEGIN PUBLIC KEY-----\n{PEM}\n-----END PUBLIC KEY-----\n"),
    "a certificate": ("a.pem", f"-----BEGIN CERTIFICATE-----\n{PEM}\n-----END CERTIFICATE-----\n"),
    "the head of a key alone": ("a.py", 'if text.startswith("-----BEGIN RSA PRIVATE KEY-----"): pass\n'),
    "a lock file": ("package-lock.json", f'{{"integrity": "sha512-{chance(86)}==", "token": "{RANDOM}"}}'),
    "a source map": ("a.js.map", f'{{"token": "{RANDOM}"}}'),
    "a page token": ("a.py", f'next_page_token = "{RANDOM}"\n'),
    "a CSRF token": ("a.py", f'csrf_token = "{RANDOM}"\n'),
    "a label": ("a.ts", 'const labels = { password: "Passwort", token: "AccessTokenExpired" };\n'),
    "a message": ("a.py", 'password = "At least 8 characters with 1 digit"\n'),
    "the name of a secret": ("a.py", 'secret = "prod/db/password-1"\n'),
    "a setting of a parser": ("a.py", 'token = "identifier"\nkey = "primary-key-2"\n'),
    "an address without a password": ("a.txt", "postgres://localhost:5432/app and https://a.io:8080/x@y\n"),
    "everybody's password": ("a.py", 'url = "postgres://postgres:postgres@localhost/app"\n'),
    "an address that is filled in": ("a.py", 'url = f"postgres://{user}:{password}@{host}/app"\n'),
    "an example file": (".env.example", f"API_KEY={RANDOM}\nAWS={KEY}\n"),
    "a sample": ("config.sample.yaml", f"password: {PASSWORD}\n"),
    "a fixture": ("tests/fixtures/a.json", f'{{"password": "{PASSWORD}", "k": "{KEY}"}}'),
    "an example in a comment": ("a.py", f"# for example: {KEY}\nx = 1\n"),
    "a memorable password in a test": ("tests/test_a.py", f'login(password="{PASSWORD}")\n'),
    "a name that begins like a token": ("a.py", "def test_MillisecondTimestampArithmetics(): ...\n"),
    "a bearer that is filled in": ("a.http", "Authorization: Bearer {{token}}\nAuthorization: Bearer <token>\n"),
    "words behind token": ("a.txt", "The token AuthenticationMiddlewareProvider refreshes itself.\n"),
    "a query without a value": ("a.txt", "https://a.io/?token=YOUR_TOKEN&api_key=demo-key-for-tests\n"),
    "curl with a variable": ("a.sh", 'curl -u "$USER:$PASSWORD" https://a.io\n'),
    "minified code": ("a.js", f"var e={{key:'a',token:t}};{'x=y;' * 500}\n"),
}


@pytest.mark.parametrize(("path", "text"), LOOK_ALIKES.values(), ids=LOOK_ALIKES)
def test_what_only_looks_like_a_secret(path, text):
    assert rules(path, text) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("tests/test_a.py", f'K = "{KEY}"\n'),
        ("a.py", f'K = "{KEY}"  # gitleaks:allow\n'),
        ("a.py", f'K = "{KEY}"  # pragma: allowlist secret\n'),
        ("a.py", f"# old key: {KEY}\n"),
        ("big.py", "x = 1\n" * 300_000 + f'K = "{KEY}"\n'),
        ("notes.md", f"The key is {KEY}.\n"),
        ("a.bin.txt", f"\0{KEY}\n"),
    ],
    ids=["in a test", "allowed by a comment", "allowed by another", "in a comment", "too big to parse", "prose", "NUL"],
)
def test_a_vendors_token_counts_everywhere(path, text):
    assert rules(path, text) == ["vendor-token"]


def test_the_same_secret_has_the_same_fingerprint_and_another_has_not():
    one, same, other = (findings("a.py", f'api_key = "{value}"\n')[0] for value in (RANDOM, RANDOM, chance(24, seed=1)))
    assert one.fingerprint == same.fingerprint != other.fingerprint
    assert RANDOM not in repr(one)


@pytest.mark.parametrize(
    ("output", "rule"),
    [
        ({"output_type": "stream", "text": ["fine\n", f"key {KEY}\n"]}, "vendor-token"),
        ({"output_type": "stream", "text": f"environ({{'A': 'b', 'API_TOKEN': '{RANDOM}'}})"}, "api-key"),
        ({"output_type": "execute_result", "data": {"text/plain": [f"'{KEY}'"]}}, "vendor-token"),
        (
            {"output_type": "display_data", "data": {"application/json": {"client_secret": RANDOM}}},
            "client-secret",
        ),
        ({"output_type": "error", "evalue": f"denied for postgres://me:{RANDOM}@db.acme.io/x"}, "database-url"),
    ],
    ids=["printed", "an environment", "a result", "data", "an error"],
)
def test_a_secret_in_the_output_of_a_notebook(output, rule):
    cells = [{"cell_type": "code", "source": ["import os\n", "print(os)"], "outputs": [output]}]
    notebook = json.dumps({"cells": cells}, indent=1)
    source = source_of("n.ipynb", notebook)
    (finding,) = run_check(CHECK, source, defaults(), Deadline.never()).findings
    assert finding.rule == rule
    row = notebook.split("\n")[finding.span.line - 1]
    assert KEY in row or RANDOM in row
    hidden = word_redactor(source)(row)
    assert KEY not in hidden
    assert RANDOM not in hidden


def test_a_picture_in_a_notebook_is_not_read():
    cells = [{"cell_type": "code", "source": ["x"], "outputs": [{"data": {"image/png": KEY}}]}]
    source = source_of("n.ipynb", json.dumps({"cells": cells}, indent=1))
    assert run_check(CHECK, source, defaults(), Deadline.never()).findings == ()


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN " + "RSA PRIVATE KEY-----\n" + "\n".join(chance(64, seed=n) for n in range(8)) + "\n-----END RSA",
        "# heroku\nx = 1\nvalue: " + "-".join(chance(n, "0123456789abcdef") for n in (8, 4, 4, 4, 12)),
        "curl -u \\\n  shop:" + chance(20) + " https://shop.internal/",
    ],
    ids=["a key", "a token with a word near it", "a command over two lines"],
)
def test_lines_that_were_searched_alone_are_searched_together(text):
    at_once = scan_text("a.txt", text)
    for line in text.split("\n"):
        scan_text("a.txt", line)
    assert scan_text("a.txt", f"{text}\n") == at_once


def test_base64_that_is_wrapped_in_yaml_is_read_as_one_text():
    wrapped = base64.b64encode(f"token={KEY}".encode()).decode()
    assert findings("a.yaml", f"t: !!binary |\n  {wrapped[:20]}\n  {wrapped[20:]}\n")
    assert not findings("a.yaml", "t: !!binary |\n  aGVsbG8gd29ybGQsIGhvdyBh\n  cmUgeW91IHRvZGF5Pw==\n")


def jwt(**claims):
    parts = (json.dumps(part).encode() for part in ({"alg": "HS256", "typ": "JWT"}, claims))
    return ".".join([*(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts), chance(43)])


MILD = {
    "a web key of Firebase": (
        "a.js",
        f'const c = {{ apiKey: "AIza{chance(35)}", authDomain: "acme.firebaseapp.com" }};\n',
    ),
    "a search key": ("a.js", f'const algoliaSearchKey = "{chance(32, "0123456789abcdef")}";\n'),
    "a project's key of PostHog": ("a.py", f'posthog.api_key = "phc_{chance(43)}"\n'),
    "a publishable key": (".env", f"NEXT_PUBLIC_SUPABASE_KEY=sb_publishable_{chance(31)}\n"),
    "a public token of Mapbox": (".env", f"MAPBOX_TOKEN=pk.eyJ1Ijoi{chance(40)}.{chance(22)}\n"),
    "a key of a sandbox": ("a.py", f'key = "sk_test_{chance(24)}"\n'),
}


@pytest.mark.parametrize(("path", "text"), MILD.values(), ids=MILD)
def test_a_key_that_anybody_may_see_is_a_note(path, text):
    assert [finding.severity for finding in findings(path, text)] == [Severity.NOTE]


def test_the_same_key_elsewhere_is_critical():
    assert [each.severity for each in findings("a.py", f'key = "AIza{chance(35)}"\n')] == [Severity.CRITICAL]


def test_a_run_of_one_character_does_not_silence_a_token():
    assert rules("a.py", f'twitter_token = "{"A" * 20}{chance(80)}"\n')
    assert rules("a.py", f'key = "xoxb-{chance(12, "0123456789")}-{"0" * 6}{chance(30)}"\n') == ["vendor-token"]
    assert rules("a.py", f'key = "ghp_{"x" * 20}{chance(16)}"\n') == []


def test_a_token_of_an_example_is_none():
    assert rules("a.py", f'token = "{jwt(foo=1, nbf=1_500_000_000)}"\n') == []


def test_a_token_that_has_ended_is_none():
    assert rules("a.py", f'token = "{jwt(sub="me", exp=1_500_000_000)}"\n') == []
    assert rules("a.py", f'token = "{jwt(sub="me", exp=4_500_000_000)}"\n') == ["vendor-token"]


def test_a_pair_that_held_nothing_is_judged_once_for_each_bar(monkeypatch):
    judged = []
    judge = scanning._in_pair
    monkeypatch.setattr(
        scanning, "_in_pair", lambda pair, *rest, **named: judged.append(pair) or judge(pair, *rest, **named)
    )
    quiet = tuple(Pair(f"name_{number}", f"judged once {number}", 0, 5) for number in range(20))
    loud = Pair("api_key", RANDOM, 0, len(RANDOM))

    def found(*pairs: Pair, bar: str = "normal") -> list[str]:
        judged.clear()
        return [match.rule for match in scan_text("once.py", RANDOM, ScanOptions(pairs=pairs, bar=bar))]

    assert not found(*quiet)
    assert len(judged) == 20
    for _ in range(2):
        assert found(*quiet, loud) == ["api-key"]
        assert judged == [loud], "what holds a secret is judged every time"
    assert not found(*quiet, bar="low")
    assert len(judged) == 20
