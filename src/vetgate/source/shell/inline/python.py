"""Python on a command line, by Python's own grammar."""

from __future__ import annotations

import ast
import warnings
from itertools import islice
from typing import TYPE_CHECKING

from vetgate.expression import expression
from vetgate.source.shell.inline import texts
from vetgate.source.shell.inline.actions import RUNNERS, CodeReader, Deed, InlineCall, variable
from vetgate.source.shell.inline.tables import deed_of
from vetgate.source.shell.inline.tokens import read_tokens
from vetgate.source.shell.inline.values import Done, ReaderContext, Value, text_of, texts_of
from vetgate.source.shell.placeholders import CREDENTIAL, STAR, UNKNOWN, is_known, taints, without_globs
from vetgate.source.shell.runs import Inner

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_DEPTH = 40
_MOST_NODES = 20_000
_MOST_ROUNDS = 512
# What IPython hands to a shell.
_MAGIC = expression(r"(?m)^[ \t]*(?:\w+[ \t]*=[ \t]*)?(?:!!?|%(?:sx|system)[ \t])[ \t]*(.+)$")
_FIELD = expression(r"\{([^{}\n]+)\}")
_MOST_FIELDS = 64
_NAMESPACES = frozenset({"vars", "globals", "locals", "dir"})
_TAKES_FUNCTION = frozenset({"functools.partial", "atexit.register", "threading.Timer"})
_TAKES_EACH = frozenset({"map", "filter"})
# Other names of what a program usually reaches by its own.
_SAME = {"posix.": "os.", "nt.": "os.", "builtins.": "", "__builtins__.": "", "_posixsubprocess.": "subprocess."}
_METHODS_OF_VALUES = frozenset(
    """
    unlink rmdir rmtree write_text write_bytes read_text read_bytes open joinpath iterdir rglob glob rename
    expanduser decode encode strip rstrip read readlines resolve format
    """.split()
)


def read_python(language: str, code: str, known: ReaderContext) -> Done:
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(without_globs(code).replace("\0", ""))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        done = read_tokens(language, code, known)
        # A newer Python takes quotes of the same kind within a field.
        for field in islice(_FIELD.finditer(code), _MOST_FIELDS):
            inner = read_python(language, field[1], known)
            done.inners += inner.inners
        done.inners += (Inner(script=match[1]) for match in _MAGIC.finditer(without_globs(code)))
        return done
    reader = _PythonReader(known)
    reader.read(tree)
    return reader.done


class _PythonReader(CodeReader):
    def __init__(self, known: ReaderContext) -> None:
        super().__init__("python", known)
        self._names: dict[str, str] = {}
        self._seen: dict[int, Value] = {}
        self._depth = 0
        self._starred: list[str] = []
        self._given_environment: dict[str, str] = {}

    def read(self, tree: ast.Module) -> None:
        """Statements in order, then every call in them: what is assigned before is known after."""
        for node in islice(_in_order(tree), _MOST_NODES):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                self._imports(node)
            elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                self._values[node.targets[0].id] = self.value(node.value)
                self._alias(node.targets[0].id, node.value)
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                known = text_of(self._values.get(node.target.id)) + text_of(self.value(node.value))
                self._values[node.target.id] = known
            elif isinstance(node, ast.Assign):
                self._note_environment(node.targets[0], node.value)
            elif isinstance(node, (ast.For, ast.comprehension)):
                self._bind(node.target, self.value(node.iter))
            elif isinstance(node, ast.withitem) and isinstance(node.optional_vars, ast.Name):
                self._values[node.optional_vars.id] = self.value(node.context_expr)
            elif isinstance(node, ast.Call):
                self.value(node)

    def _note_environment(self, target: ast.expr, value: ast.expr) -> None:
        """`os.environ["HUSKY"] = "0"`: for every program behind it."""
        if isinstance(target, ast.Subscript) and self._dotted(target.value) == "os.environ":
            self._environment[text_of(self.value(target.slice))] = text_of(self.value(value))

    def _bind(self, target: ast.expr, several: Value) -> None:
        """What a loop goes over: the first of it stands for all."""
        first = several[0] if isinstance(several, list) and several else UNKNOWN
        if isinstance(target, ast.Name):
            self._values[target.id] = first
        elif isinstance(target, ast.Tuple):
            for index, name in enumerate(target.elts):
                if isinstance(name, ast.Name):
                    self._values[name.id] = first if index == 0 else [STAR]

    def _imports(self, node: ast.Import | ast.ImportFrom) -> None:
        module = f"{node.module}." if isinstance(node, ast.ImportFrom) and node.module else ""
        for alias in node.names:
            if alias.name == "*":
                self._starred.append(module)
            elif alias.asname or module:
                self._names[alias.asname or alias.name] = module + alias.name

    def _alias(self, name: str, node: ast.expr) -> None:
        dotted = self._dotted(node)
        if dotted and dotted != name:
            self._names[name] = dotted

    def _dotted(self, node: ast.expr) -> str:
        """`os.path.join` as a name; nothing for what is no name."""
        pieces: list[str] = []
        while isinstance(node, ast.Attribute):
            pieces.append(node.attr)
            node = node.value
        if isinstance(node, ast.Call):
            head = self._module(node)
        elif isinstance(node, ast.Subscript):
            head = self._member(node)
        else:
            head = self._names.get(node.id, node.id) if isinstance(node, ast.Name) else ""
        return _usual(".".join([head, *reversed(pieces)])) if head else ""

    def _member(self, node: ast.Subscript) -> str:
        """`vars(os)["system"]`, `os.__dict__["system"]`, `sys.modules["os"]`, `globals()["os"]`: by another way in."""
        name = self.value(node.slice)
        if not isinstance(name, str) or not is_known(name):
            return ""
        holder = node.value
        if isinstance(holder, ast.Call) and isinstance(holder.func, ast.Name) and holder.func.id in _NAMESPACES:
            inner = self._dotted(holder.args[0]) if holder.args else ""
            return f"{inner}.{name}" if inner else self._names.get(name, name)
        dotted = self._dotted(holder)
        if dotted == "sys.modules":
            return name
        return f"{dotted.removesuffix('.__dict__')}.{name}" if dotted.endswith("__dict__") else ""

    def _module(self, node: ast.Call) -> str:
        """__import__('os'), importlib.import_module('os') and getattr(os, 'system')."""
        name = self._dotted(node.func) if isinstance(node.func, (ast.Name, ast.Attribute, ast.Subscript)) else ""
        values = [self.value(argument) for argument in node.args[1:2]] if name == "getattr" else []
        if name == "getattr" and values and isinstance(values[0], str):
            return f"{self._dotted(node.args[0])}.{values[0]}"
        if name == "__import__" and len(node.args) == 1 and not node.keywords:
            return text_of(self.value(node.args[0])).partition(".")[0]  # of `a.b` it gives a
        if name in ("__import__", "importlib.import_module", "importlib.__import__") and node.args:
            return text_of(self.value(node.args[0]))
        return ""

    def _indirect(self, node: ast.Call, name: str, arguments: list[Value]) -> tuple[str, list[Value]]:
        """`map(f, […])`, `partial(f, x)()`, `methodcaller("f", x)(m)`, `attrgetter("f")(m)(x)`, `(lambda m: …)(x)`."""
        if name in _TAKES_FUNCTION and node.args:
            return self._dotted(node.args[0]), arguments[1:]
        if name == "operator.methodcaller":
            return f"os.{text_of(arguments[0])}" if arguments else "", arguments[1:]
        return name, arguments

    def _environment_of(self, node: ast.Call) -> dict[str, str]:
        """Of `env={"HUSKY": "0", **os.environ}`."""
        given = next((keyword.value for keyword in node.keywords if keyword.arg == "env"), None)
        if not isinstance(given, ast.Dict):
            return {}
        pairs = ((key, value) for key, value in zip(given.keys, given.values, strict=True) if key is not None)
        return {text_of(self.value(key)): text_of(self.value(value)) for key, value in pairs}

    def _hand_on(self, node: ast.Call, values: list[Value]) -> None:
        """`Thread(target=os.system, args=("…",))`: a function that runs things, beside what it will be called with."""
        handed = [*node.args, *(keyword.value for keyword in node.keywords)]
        names = (self._dotted(each) for each in handed if isinstance(each, (ast.Name, ast.Attribute, ast.Call)))
        if any(self._deed(name) in RUNNERS for name in names if name):
            self._run_perhaps(values)

    def _unnamed(self, function: ast.expr, name: str, arguments: list[Value]) -> None:
        """Called by a name that only the run will tell: a text that it is given is judged as if a shell ran it."""
        if not name and isinstance(function, (ast.Subscript, ast.Call, ast.IfExp, ast.BoolOp)):
            self._run_perhaps(arguments)

    def value(self, node: ast.expr) -> Value:
        if id(node) in self._seen:
            return self._seen[id(node)]
        if self._depth > _MOST_DEPTH:
            return None
        self._depth += 1
        found = self._seen[id(node)] = self._value(node)
        self._depth -= 1
        return found

    def _value(self, node: ast.expr) -> Value:
        if isinstance(node, ast.Constant):
            return _constant(node.value)
        if isinstance(node, ast.Name):
            return self._values.get(node.id)
        if isinstance(node, (ast.List, ast.Tuple)):
            return [self.value(each) for each in node.elts]
        if isinstance(node, ast.JoinedStr):
            return "".join(text_of(self.value(each)) for each in node.values)
        if isinstance(node, ast.FormattedValue):
            return self.value(node.value)
        if isinstance(node, ast.BinOp):
            return self._operation(node)
        if isinstance(node, ast.Call):
            return self._call(node)
        return self._selected(node)

    def _selected(self, node: ast.expr) -> Value:
        if isinstance(node, ast.Subscript) and self._dotted(node.value) == "sys.argv":
            return self._argument(node.slice)
        if isinstance(node, ast.Subscript):
            if self._dotted(node.value) == "os.environ":
                return variable(text_of(self.value(node.slice)), self._known)
            return self._sliced(node)
        if isinstance(node, ast.Attribute):
            dotted = self._dotted(node)
            if dotted == "os.environ":
                return UNKNOWN + CREDENTIAL
            return None if dotted else self.value(node.value)
        if isinstance(node, ast.Dict):
            return [self.value(each) for each in node.values]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return f"-{text_of(self.value(node.operand))}"
        if isinstance(node, (ast.GeneratorExp, ast.ListComp)):
            return self._comprehended(node)
        return self.value(node.value) if isinstance(node, (ast.Await, ast.NamedExpr, ast.Starred)) else None

    def _argument(self, index: ast.expr) -> Value:
        """`sys.argv[1]`, `sys.argv[1:]`."""
        first = index.lower if isinstance(index, ast.Slice) else index
        place = text_of(self.value(first)) if first is not None else "0"
        every = ["", *self._known.arguments]
        if not place.lstrip("-").isdigit():
            return None
        if isinstance(index, ast.Slice):
            return [*every[int(place) :]]
        return every[int(place)] if -len(every) <= int(place) < len(every) else None

    def _comprehended(self, node: ast.GeneratorExp | ast.ListComp) -> Value:
        """One for each of a list that is written out: `chr(c) for c in [114, 109]`."""
        loop = node.generators[0]
        several = self.value(loop.iter)
        if not isinstance(several, list) or len(several) > _MOST_ROUNDS or not isinstance(loop.target, ast.Name):
            return None
        found: list[Value] = []
        for each in several:
            self._values[loop.target.id] = each
            self._forget(node.elt)
            found.append(self.value(node.elt))
        self._forget(node.elt)
        return found

    def _forget(self, node: ast.expr) -> None:
        for inner in ast.walk(node):
            self._seen.pop(id(inner), None)

    def _sliced(self, node: ast.Subscript) -> Value:
        value = self.value(node.value)
        if (
            isinstance(node.slice, ast.Slice)
            and isinstance(value, str)
            and not node.slice.lower
            and not node.slice.upper
        ):
            step = node.slice.step
            is_reversal = (
                isinstance(step, ast.UnaryOp) and isinstance(step.operand, ast.Constant) and step.operand.value == 1
            )
            return value[::-1] if is_reversal else value
        return UNKNOWN + taints(value) if isinstance(value, str) and taints(value) else None

    def _operation(self, node: ast.BinOp) -> Value:
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(node.op, ast.Add):
            if isinstance(left, list) and isinstance(right, list):
                return left + right
            return text_of(left) + text_of(right)
        if isinstance(node.op, ast.Div):
            return f"{text_of(left).rstrip('/')}/{text_of(right)}"
        if isinstance(node.op, ast.Mod) and isinstance(left, str):
            return _filled(left, texts_of(right))
        return None

    def _call(self, node: ast.Call) -> Value:
        arguments = [self.value(argument) for argument in node.args]
        named = {each.arg: self.value(each.value) for each in node.keywords if each.arg and not _is_none(each.value)}
        name, arguments = self._indirect(node, self._dotted(node.func), arguments)
        if name in _TAKES_EACH and len(node.args) > 1:
            return self._each(self._dotted(node.args[0]), arguments[1])
        self._unnamed(node.func, name, arguments)
        self._hand_on(node, [*arguments, *named.values()])
        self._given_environment = self._environment_of(node)
        if isinstance(node.func, ast.Lambda):
            self._hand_over(node.func, node)
        receiver = self._receiver(node.func)
        made = _made(node.func, receiver, arguments)
        if made is not None:
            return made
        if receiver is not None and isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS_OF_VALUES:
            name, arguments = "." + node.func.attr, [receiver, *arguments]
        if not name and isinstance(node.func, ast.Attribute):
            name = "." + node.func.attr
        if self._deed(name) is None:
            return self.value(node.func) if receiver is None and isinstance(node.func, ast.Call) else receiver
        return self._performed(name, arguments, named)

    def _each(self, name: str, several: Value) -> Value:
        values = several if isinstance(several, list) else [several]
        return [self._performed(name, [each], {}) for each in values[:_MOST_ROUNDS]]

    def _performed(self, name: str, arguments: list[Value], named: dict[str, Value]) -> Value:
        deed = self._deed(name)
        call = InlineCall("python", arguments, named, self._known)
        return None if deed is None else self._perform(deed, call, self._given_environment)

    def _hand_over(self, function: ast.Lambda, node: ast.Call) -> None:
        for parameter, argument in zip(function.args.args, node.args, strict=False):
            self._values[parameter.arg] = self.value(argument)
            self._alias(parameter.arg, argument)

    def _deed(self, name: str) -> Deed | None:
        if name.startswith("sh.") and name.count(".") == 1:
            return lambda call: call.program(name[3:], *map(text_of, call.arguments))
        found = deed_of("python", name) if name else None
        if found is None and name and "." not in name:
            return next((deed for module in self._starred if (deed := deed_of("python", module + name))), None)
        return found

    def _receiver(self, function: ast.expr) -> Value:
        """What a method is called on, when that is a value and no module."""
        if not isinstance(function, ast.Attribute):
            return None
        inner = function.value
        if isinstance(inner, ast.Name) and inner.id not in self._values:
            return None
        if isinstance(inner, ast.Attribute) and self._dotted(inner):
            return None
        return self.value(inner)


def _made(function: ast.expr, receiver: Value, arguments: list[Value]) -> Value:
    """What a method makes of a text or a list that is known."""
    if receiver is None or not isinstance(function, ast.Attribute):
        return None
    if isinstance(receiver, str) and function.attr == "join" and arguments:
        return receiver.join(texts_of(arguments[0]))
    return texts.method(function.attr, receiver, arguments)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _usual(name: str) -> str:
    for other, usual in _SAME.items():
        if name.startswith(other) and name.removeprefix(other):
            return _usual(usual + name.removeprefix(other))
    return name.replace("__dict__.", "").removesuffix(".__call__")


def _constant(value: object) -> Value:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return str(value) if isinstance(value, (str, int, float, bool)) else None


def _in_order(tree: ast.AST) -> Iterator[ast.AST]:
    """Depth first, in the order of the text, without recursion."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        yield node
        children = list(ast.iter_child_nodes(node))
        # A comprehension binds its names behind their use.
        children.sort(key=lambda child: not isinstance(child, ast.comprehension))
        pending.extend(reversed(children))


def _filled(template: str, values: tuple[str, ...]) -> str:
    """`"%s%c" % (…)`."""
    for value in values:
        if "%c" in template:
            sign = chr(int(value)) if value.isdigit() and len(value) < 7 else value
            template = template.replace("%c", sign, 1)
        else:
            template = template.replace("%s", value, 1)
    return template
