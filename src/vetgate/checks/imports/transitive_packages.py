"""Transitive packages: where a popular one is declared, those it depends on are installed too."""

from __future__ import annotations

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
