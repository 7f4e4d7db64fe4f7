"""Contracts in PHP: what an edit breaks in other files, and what it does not."""

from __future__ import annotations

import pytest

from contract_cases import Edit, findings

MAIL = """<?php
namespace App\\Mail;

function post(string $to, string $text, bool $urgent = false): bool { return true; }

class Mailer {
    public function __construct(private string $host, private int $port = 25) {}
    public static function make(string $host): self { return new self($host); }
    public function send(string $to, string $text): bool { return $this->deliver($to, $text); }
    protected function deliver(string $to, string $text): bool { return true; }
    public static function quiet(...$all): void {}
}
"""
APP = """<?php
namespace App;

use App\\Mail\\Mailer;
use App\\Mail\\Mailer as Post;
use function App\\Mail\\post;
use function App\\Mail\\post as deliver;

$one = new Mailer('a');
$two = new Post('a', port: 3);
Mailer::make('a');
Post::make(host: 'a');
post('ann', 'hello');
deliver('ann', text: 'hello');
\\App\\Mail\\Mailer::make('b');
"""
FAST = """<?php
namespace App\\Mail;

class Fast extends Mailer {
    public function push() { return $this->deliver('a', 'b') && parent::send('a', 'b'); }
}

$fast = new Fast('a');
"""
OTHER = """<?php
namespace Other;

class Mailer { public static function make() {} }
function post() {}

Mailer::make();
post();
new Mailer();
"""
MORE = "<?php\n\\App\\Mail\\Fast::make('a');\n"
FILES = {"src/Mail.php": MAIL, "src/app.php": APP, "src/Fast.php": FAST, "src/Other.php": OTHER, "src/more.php": MORE}

NAMING = "src/Fast.php:4, " + ", ".join(f"src/app.php:{line}" for line in (9, 10, 11, 12, 15, 4, 5))

BREAKING = {
    "a constructor needs more": (
        Edit("src/Mail.php", "private string $host, private int $port = 25", "private string $host, private int $port"),
        ["default-removed: src/Mail.php:8, src/Fast.php:8, src/app.php:9"],
    ),
    "a promoted parameter has another name": (
        Edit("src/Mail.php", "private int $port = 25", "private int $gate = 25"),
        ["removed-parameter: src/app.php:10"],
    ),
    "a constructor takes one thing more": (
        Edit("src/Mail.php", "private string $host, ", "private string $host, private string $user, "),
        ["required-parameter: src/Mail.php:8, src/Fast.php:8, src/app.php:9, src/app.php:10"],
    ),
    "a static method needs more": (
        Edit("src/Mail.php", "make(string $host)", "make(string $host, int $port)"),
        ["required-parameter: src/app.php:11, src/app.php:12, src/app.php:15, src/more.php:2"],
    ),
    "a static method has another name for a parameter": (
        Edit(
            "src/Mail.php",
            "make(string $host): self { return new self($host)",
            "make(string $h): self { return new self($h)",
        ),
        ["required-parameter: src/app.php:12"],
    ),
    "a function needs more": (
        Edit("src/Mail.php", "string $text, bool", "string $text, string $from, bool"),
        ["required-parameter: src/app.php:13, src/app.php:14"],
    ),
    "a function takes its parameters in another order": (
        Edit("src/Mail.php", "post(string $to, string $text,", "post(string $text, string $to,"),
        ["reordered: src/app.php:14"],
    ),
    "a function returns something else": (
        Edit("src/Mail.php", "$urgent = false): bool { return true", "$urgent = false): string { return ''"),
        ["return-changed: src/app.php:13, src/app.php:14"],
    ),
    "a function is gone": (
        Edit(
            "src/Mail.php", "function post(string $to, string $text, bool $urgent = false): bool { return true; }", ""
        ),
        ["removed: src/app.php:13, src/app.php:14, src/app.php:6, src/app.php:7"],
    ),
    "a function has another name": (
        Edit("src/Mail.php", "function post(", "function mail("),
        ["renamed: src/app.php:13, src/app.php:14, src/app.php:6, src/app.php:7"],
    ),
    "a static method is gone": (
        Edit("src/Mail.php", "public static function make(string $host): self { return new self($host); }", ""),
        ["removed: src/app.php:11, src/app.php:12, src/app.php:15, src/more.php:2"],
    ),
    "a class has another name": (
        Edit("src/Mail.php", "class Mailer", "class Sender"),
        [f"renamed: {NAMING}"],
    ),
    "a file is gone": (
        Edit("src/Mail.php", "", None),
        [
            "removed: src/app.php:13, src/app.php:14, src/app.php:6, src/app.php:7",
            f"removed: {NAMING}",
        ],
    ),
    "a namespace has another name": (
        Edit("src/Fast.php", "namespace App\\Mail;", "namespace App\\Fast;\nuse App\\Mail\\Mailer;"),
        ["renamed: src/more.php:2"],
    ),
    "a method that a subclass calls needs more": (
        Edit("src/Mail.php", "deliver(string $to, string $text)", "deliver(string $to, string $text, int $times)"),
        ["required-parameter: src/Mail.php:9, src/Fast.php:5"],
    ),
    "a method that a subclass inherits is gone": (
        Edit("src/Mail.php", "    protected function deliver(string $to, string $text): bool { return true; }\n", ""),
        ["removed: src/Mail.php:9, src/Fast.php:5"],
    ),
}

CALLS = {
    "a static call passes too little": ("use App\\Mail\\Mailer;\nMailer::make();", ["wrong-arity: "]),
    "a class in full": ("new \\App\\Mail\\Mailer();", ["wrong-arity: "]),
    "a namespace in part": ("use App\\Mail;\nMail\\post('a');", ["wrong-arity: "]),
    "a name that nobody takes": ("use App\\Mail\\Mailer;\nnew Mailer('a', gate: 3);", ["unknown-keyword: "]),
    "a parameter by place and by name": ("use App\\Mail\\Mailer;\nnew Mailer('a', host: 'b');", ["wrong-arity: "]),
    "a subclass's constructor": ("use App\\Mail\\Fast;\nnew Fast();", ["wrong-arity: "]),
    "a parent's method": (
        "use App\\Mail\\Mailer;\nclass Slow extends Mailer { function go() { parent::send('a'); } }",
        ["wrong-arity: "],
    ),
    "a parent's constructor": (
        "use App\\Mail\\Mailer;\nclass Slow extends Mailer { function __construct() { parent::__construct(); } }",
        ["wrong-arity: "],
    ),
    "a group of names": ("use App\\Mail\\{Mailer as M, function post};\nM::make();\npost('a');", ["wrong-arity: "] * 2),
}

QUIET_EDITS = {
    "a file has another name": Edit("src/Mail.php", "", MAIL, "src/Post.php"),
    "a namespace that nobody names from elsewhere": Edit("src/Other.php", "namespace Other;", "namespace Else;"),
    "a parameter with a default": Edit("src/Mail.php", "$urgent = false)", "$urgent = false, int $times = 1)"),
    "any number of further parameters": Edit("src/Mail.php", "make(string $host)", "make(string $host, ...$more)"),
    "a parameter that is passed by place has another name": Edit(
        "src/Mail.php", "deliver(string $to, string $text)", "deliver(string $whom, string $what)"
    ),
    "a parameter less: PHP passes over what is too much": Edit(
        "src/Mail.php", "deliver(string $to, string $text)", "deliver(string $to)"
    ),
    "a method that only others of the same name are called for": Edit(
        "src/Other.php", "function make() {}", "function make($a = 1) {}"
    ),
    "a body": Edit(
        "src/Mail.php",
        "deliver(string $to, string $text): bool { return true; }",
        "deliver(string $to, string $text): bool { return false; }",
    ),
    "a method in other letters": Edit("src/Mail.php", "static function make", "static function Make"),
    "a class in other letters": Edit("src/Mail.php", "class Mailer", "class MAILER"),
    "a function in other letters": Edit("src/Mail.php", "function post(", "function Post("),
    "a class that nobody names": Edit("src/Fast.php", "\n$fast = new Fast('a');\n", "\n"),
    "a type says the same in other words": Edit("src/Mail.php", "$urgent = false): bool", "$urgent = false) : bool"),
    "a method moves up to an ancestor": Edit(
        "src/Fast.php", "class Fast extends Mailer {", "class Fast extends Mailer {\n    public function more($a) {}"
    ),
}

QUIET_CALLS = {
    "more arguments than are listed": "use App\\Mail\\Mailer;\nMailer::make('a', 'b', 'c');",
    "any number of arguments": "use App\\Mail\\Mailer;\nMailer::quiet();\nMailer::quiet(1, 2, a: 3);",
    "arguments that nobody can count": "use App\\Mail\\Mailer;\nMailer::make(...$all);\nnew Mailer(...$all);",
    "a function as a value": "use function App\\Mail\\post;\n$f = post(...);",
    "the same name in another namespace": "use Other\\Mailer;\nnew Mailer();\nMailer::make();",
    "a function of the language": "namespace App\\Mail\\Inner;\nstrlen();",
    "a variable for a class": "$class::make();\nnew $class();",
    "a method of anything": "$mailer->send();",
    "a subclass with a constructor of its own": (
        "use App\\Mail\\Mailer;\nclass Own extends Mailer { function __construct() {} }\nnew Own();"
    ),
    "whatever static is": (
        "use App\\Mail\\Mailer;\nclass Own extends Mailer { static function of() { return new static(); } }"
    ),
    "an ancestor from elsewhere": "class Own extends \\Vendor\\Base {}\nnew Own();\nOwn::make();",
    "a class that answers anything": (
        "class Any { static function __callStatic($name, $all) {} private static function go($a) {} }\nAny::go();"
    ),
    "an anonymous class": "new class('a') { function go() { $this->send(); } function send($a = 1) {} };",
    "a function that is only there if no other is": (
        "if (!function_exists('helper')) { function helper($a, $b) {} }\nhelper();"
    ),
    "two functions of one name": "if (PHP_OS) { function two($a) {} } else { function two() {} }\ntwo();",
    "a trait": "trait T { function go() { $this->send(1); } }",
    "a trait's method before an inherited one": (
        "use App\\Mail\\Mailer;\ntrait Sends { function send() {} }\n"
        "class Own extends Mailer { use Sends; function go() { $this->send(); } }"
    ),
    "a trait that is bent": (
        "use App\\Mail\\Mailer;\ntrait Sends { function post() {} }\n"
        "class Own extends Mailer { use Sends { post as send; } function go() { $this->send(); } }"
    ),
    "a test that wants it to fail": (
        "use App\\Mail\\Mailer;\n"
        "class MailTest { function test() { $this->expectException(\\Error::class); new Mailer(); } }"
    ),
    "an expectation that wants it to fail": (
        "use App\\Mail\\Mailer;\nexpect(fn () => new Mailer())->toThrow(\\Error::class);"
    ),
    "a try that waits for it": "use App\\Mail\\Mailer;\ntry { new Mailer(); } catch (\\ArgumentCountError $e) {}",
}


@pytest.mark.parametrize(("edit", "expected"), BREAKING.values(), ids=BREAKING)
def test_what_an_edit_breaks(tmp_path, edit, expected):
    assert findings(tmp_path, FILES, edit) == expected


@pytest.mark.parametrize(("text", "expected"), CALLS.values(), ids=CALLS)
def test_calls_that_do_not_fit(tmp_path, text, expected):
    assert findings(tmp_path, FILES, Edit("src/new.php", "", f"<?php\n{text}\n")) == expected


@pytest.mark.parametrize("edit", QUIET_EDITS.values(), ids=QUIET_EDITS)
def test_edits_that_break_nothing(tmp_path, edit):
    assert findings(tmp_path, FILES, edit) == []


@pytest.mark.parametrize("text", QUIET_CALLS.values(), ids=QUIET_CALLS)
def test_calls_of_which_nothing_is_said(tmp_path, text):
    assert findings(tmp_path, FILES, Edit("src/new.php", "", f"<?php\n{text}\n")) == []


BOUND = {
    "passed to be bound": r"\Closure::bind(function () { $this->f(); }, $other, Other::class)();",
    "an arrow that is bound": r"\Closure::bind(fn () => $this->f(), $other)();",
    "bound at once": "(function () { $this->f(); })->bindTo($other)();",
    "called for another": "(fn () => $this->f())->call($other);",
    "a method for another class": "Text::macro('short', function () { return $this->f(); });",
}


@pytest.mark.parametrize("text", BOUND.values(), ids=BOUND)
def test_in_a_function_that_is_bound_this_is_another(tmp_path, text):
    after = f"<?php\nclass Own {{ function f($a) {{}} function go($other) {{ {text} }} }}\n"
    assert findings(tmp_path, FILES, Edit("src/new.php", "", after)) == []


def test_in_any_other_function_this_is_the_object(tmp_path):
    text = "array_map(function ($x) { return $this->f(); }, []); array_map(fn ($x) => $this->f(), []);"
    after = f"<?php\nclass Own {{ function f($a) {{}} function go() {{ {text} }} }}\n"
    assert findings(tmp_path, FILES, Edit("src/new.php", "", after)) == ["wrong-arity: ", "wrong-arity: "]


OLD = "<?php\nnamespace A;\nclass Old { public function __construct($a) {} public static function f($a) {} }\n"
USING_OLD = "<?php\nuse A\\Old;\nnew Old(1);\nOld::f(1);\n"


@pytest.mark.parametrize(
    "alias",
    [r"class_alias(Fresh::class, 'A\Old');", r"\class_alias(Fresh::class, Old::class);"],
    ids=["a text", "a class"],
)
def test_a_class_that_keeps_its_old_name_as_well_is_not_missed(tmp_path, alias):
    files = {"src/Old.php": OLD, "src/app.php": USING_OLD}
    assert findings(tmp_path, files, Edit("src/Old.php", "", OLD.replace("class Old", "class Fresh") + alias)) == []


def test_a_function_that_the_language_has_by_now_is_not_missed(tmp_path):
    own = "<?php\nnamespace A;\nfunction str_contains($a, $b) {}\nfunction cut($a) {}\n"
    files = {"src/own.php": own, "src/app.php": "<?php\nnamespace A;\nstr_contains('a', 'b');\ncut('a');\n"}
    expected = ["removed: src/app.php:4"]
    assert findings(tmp_path, files, Edit("src/own.php", "", "<?php\nnamespace A;\n")) == expected


def test_a_test_in_one_line_that_wants_it_to_fail(tmp_path):
    files = {"src/C.php": "<?php\nclass C { function __construct($a) {} }\n"}
    text = "<?php\nclass CTest { function test() { $this->expectException(\\Error::class); new C(); } }\n"
    assert findings(tmp_path, files, Edit("tests/CTest.php", "", text)) == []


POST = "namespace App;\nuse App\\Mail\\Mailer;\n"
HELD = {
    "a parameter": "function go(Mailer $m) { $m->send('a'); }",
    "a parameter that may be null": "function go(?Mailer $m = null) { $m?->send('a'); }",
    "a parameter that may be null, in other words": "function go(Mailer|null $m) { $m->send('a'); }",
    "a class in full": "function go(\\App\\Mail\\Mailer $m) { $m->send('a'); }",
    "what is made": "function go() { $m = new Mailer('a'); $m->send('a'); }",
    "what is made and used at once": "(new Mailer('a'))->send('a');",
    "what is made twice": (
        "function go($x) { if ($x) { $m = new Mailer('a'); } else { $m = new Mailer('b'); } $m->send('a'); }"
    ),
    "what was nothing before": "function go($x) { $m = null; if ($x) { $m = new Mailer('a'); } $m?->send('a'); }",
    "a property": "class Own { private Mailer $m; function go() { $this->m->send('a'); } }",
    "a promoted parameter": (
        "class Own { function __construct(private readonly ?Mailer $m) {} function go() { $this->m?->send('a'); } }"
    ),
    "a parameter of a constructor": "class Own { function __construct(Mailer $m) { $m->send('a'); } }",
    "a parameter of an arrow": "function go() { return fn (Mailer $m) => $m->send('a'); }",
    "what an arrow finds around it": "function go(Mailer $m) { return fn () => $m->send('a'); }",
    "what a function takes along": "function go(Mailer $m) { return function () use ($m) { $m->send('a'); }; }",
    "itself": "class Own { function eq(self $o) { $o->send('a'); } function send($a, $b) {} }",
    "a subclass": "use App\\Mail\\Fast;\nfunction go(Fast $m) { $m->send('a'); }",
    "an interface": "interface Sends { function post($a); }\nfunction go(Sends $m) { $m->post(); }",
    "a name that nobody takes": "function go(Mailer $m) { $m->send(to: 'a', body: 'b'); }",
}

UNHELD = {
    "a parameter that gets something else": "function go(Mailer $m) { $m = wrap($m); $m->send('a'); }",
    "a parameter by reference": "function go(Mailer &$m) { $m->send('a'); }",
    "any number of parameters": "function go(Mailer ...$m) { $m->send('a'); }",
    "a parameter of several types": "function go(Mailer|string $m) { $m->send('a'); }",
    "what is made of two classes": "function go($x) { $m = new Mailer('a'); if ($x) $m = new Other(); $m->send('a'); }",
    "what a list gives": "function go() { $m = new Mailer('a'); [$m, $x] = both(); $m->send('a'); }",
    "what a loop gives": "function go($all) { $m = new Mailer('a'); foreach ($all as $m) { $m->send('a'); } }",
    "what a loop gives by its key": "function go(Mailer $m, $all) { foreach ($all as $m => $x) { $m->send('a'); } }",
    "what is caught": "function go(Mailer $m) { try {} catch (E $m) { $m->send('a'); } }",
    "what others know as well": "function go(Mailer $m) { $x = &$m; other($x); $m->send('a'); }",
    "what a table refers to": "function go(Mailer $m) { $x = [&$m]; other($x); $m->send('a'); }",
    "a name of everybody": "function go() { $m = new Mailer('a'); global $m; $m->send('a'); }",
    "a name that stays": "function go() { static $m; $m ??= new Mailer('a'); $m->send('a'); }",
    "a name out of a text": "function go(Mailer $m, $x) { $$x = 1; $m->send('a'); }",
    "names out of a table": "function go(Mailer $m, $x) { extract($x); $m->send('a'); }",
    "names of another file": "function go(Mailer $m, $x) { include $x; $m->send('a'); }",
    "what is asked for its class": "function go(Mailer $m) { if ($m instanceof Quick) { $m->send('a'); } }",
    "a function that may change what it takes along": (
        "function go(Mailer $m) { $f = function () use (&$m) { $m = 1; }; $f(); $m->send('a'); }"
    ),
    "a parameter of the same name": "function go(Mailer $m) { return fn ($m) => $m->send('a'); }",
    "a name of another function": "function go() { $m = new Mailer('a'); }\nfunction other($m) { $m->send('a'); }",
    "a property without a type": "class Own { private $m; function go() { $this->m->send('a'); } }",
    "a property of two types": "class Own { private Mailer|Other $m; function go() { $this->m->send('a'); } }",
    "a property of another object": "class Own { private Mailer $m; function go($o) { $o->m->send('a'); } }",
    "a property in a function that is bound to another": (
        "class Own { private Mailer $m; function go() { \\Closure::bind(fn () => $this->m->send('a'), $o); } }"
    ),
    "a subclass that needs less": (
        "class Kind extends Mailer { function send(string $to, string $text = ''): bool {} }\n"
        "function go(Mailer $m) { $m->send('a'); }"
    ),
    "one of an interface that needs less": (
        "interface Sends { function post($a); }\nclass Easy implements Sends { function post($a = 1) {} }\n"
        "function go(Sends $m) { $m->post(); }"
    ),
    "a class that answers anything": (
        "class Any { function __call($n, $a) {} private function go($a) {} }\nfunction f(Any $m) { $m->go(); }"
    ),
    "a class without a name": (
        "function go() { $m = new class('a') extends Mailer { function send() {} }; $m->send(); }"
    ),
    "a class from elsewhere": "function go(\\Vendor\\Mailer $m) { $m->send('a'); }",
    "a method that only others have": "function go(Mailer $m) { $m->push('a'); $m->expects(1); }",
    "what fits": "function go(Mailer $m) { $m->send('a', 'b'); $m->send(...$x); $m->send(text: 'a', to: 'b'); }",
    "at the top of a file, where others may have a say": "$m = new Mailer('a');\n$m->send('a');",
    "a test that wants it to fail": (
        "class MTest { function test(Mailer $m) { $this->expectException(\\Error::class); $m->send('a'); } }"
    ),
}


@pytest.mark.parametrize("text", HELD.values(), ids=HELD)
def test_what_is_called_on_an_object_of_a_known_class(tmp_path, text):
    rule = "unknown-keyword" if "body" in text else "wrong-arity"
    assert findings(tmp_path, FILES, Edit("src/new.php", "", f"<?php\n{POST}{text}\n")) == [f"{rule}: "]


@pytest.mark.parametrize("text", UNHELD.values(), ids=UNHELD)
def test_an_object_of_which_nobody_knows_the_class(tmp_path, text):
    assert findings(tmp_path, FILES, Edit("src/new.php", "", f"<?php\n{POST}{text}\n")) == []


SENDING = f"""<?php
{POST}class Office {{
    public function __construct(private Mailer $first) {{}}
    public function go(Mailer $other) {{
        $own = new Mailer('a');
        return $this->first->send('a', 'b') && $other->send('a', 'b') && $own->send('a', 'b') && $any->send('a', 'b');
    }}
}}
"""
OFFICE = {"src/Mail.php": MAIL, "src/Office.php": SENDING}
SUBCLASS = """<?php
namespace App\\Mail;
class Slow extends Mailer { public function send(string $to, string $text, int $times = 1): bool { return true; } }
"""


def test_a_method_that_needs_more_is_told_where_the_class_is_known(tmp_path):
    edit = Edit("src/Mail.php", "send(string $to, string $text)", "send(string $to, string $text, int $times)")
    assert findings(tmp_path, OFFICE, edit) == ["required-parameter: src/Office.php:8"]


def test_a_method_that_a_subclass_takes_as_before_is_not_told(tmp_path):
    edit = Edit("src/Mail.php", "send(string $to, string $text)", "send(string $to, string $text, int $times)")
    assert findings(tmp_path, {**OFFICE, "src/Slow.php": SUBCLASS}, edit) == []


GONE = "    public function send(string $to, string $text): bool { return $this->deliver($to, $text); }\n"


def test_a_method_that_is_gone_is_told_where_the_class_is_known(tmp_path):
    assert findings(tmp_path, OFFICE, Edit("src/Mail.php", GONE, "")) == ["removed: src/Office.php:8"]


def test_a_method_that_has_another_name_is_told_where_the_class_is_known(tmp_path):
    edit = Edit("src/Mail.php", "function send(", "function post(")
    assert findings(tmp_path, OFFICE, edit) == ["renamed: src/Office.php:8"]


KEPT = {
    "a subclass has it": {"src/Slow.php": SUBCLASS},
    "the file asks first": {
        "src/Office.php": SENDING.replace("return", "if (method_exists($other, 'send')) return"),
    },
}


@pytest.mark.parametrize("files", KEPT.values(), ids=KEPT)
def test_a_method_that_is_gone_and_may_still_be_reached(tmp_path, files):
    assert findings(tmp_path, {**OFFICE, **files}, Edit("src/Mail.php", GONE, "")) == []


@pytest.mark.parametrize(
    "now",
    [
        GONE.replace("public function send", "public function __call").replace("string $to, string $text", "$a, $b"),
        "    use \\Vendor\\Sends;\n",
    ],
    ids=["it answers anything", "a trait from elsewhere"],
)
def test_a_method_that_is_gone_and_may_be_made(tmp_path, now):
    assert findings(tmp_path, OFFICE, Edit("src/Mail.php", GONE, now)) == []


def test_a_method_that_is_only_spelled_in_other_letters(tmp_path):
    assert findings(tmp_path, OFFICE, Edit("src/Mail.php", "function send(", "function Send(")) == []


def test_a_method_that_a_comment_of_the_class_tells_of(tmp_path):
    text = MAIL.replace(GONE, "").replace("class Mailer", "/** @method bool send($to, $text) */\nclass Mailer")
    assert findings(tmp_path, OFFICE, Edit("src/Mail.php", "", text)) == []


def test_an_interface_that_is_gone_is_missed_by_who_implements_it(tmp_path):
    files = {
        "src/I.php": "<?php\nnamespace A;\ninterface I {}\n",
        "src/C.php": "<?php\nnamespace A;\nclass C implements I {}\n",
    }
    assert findings(tmp_path, files, Edit("src/I.php", "", "<?php\nnamespace A;\n")) == ["removed: src/C.php:3"]


INTERFACE = "<?php\nnamespace A;\ninterface Sends { public function send($a); public function stop(); }\n"
ABSTRACT = "<?php\nnamespace A;\nabstract class Sends { public function send($a) {} public function stop() {} }\n"
ASKING = "<?php\nnamespace A;\nfunction go(Sends $s) { $s->send(1); }\n"
TAKER = "<?php\nnamespace A;\nclass Post implements Sends { public function send($a) {} public function stop() {} }\n"
HAVING = "<?php\nnamespace A;\nclass Post extends Sends { public function send($a) {} }\n"
FURTHER = "interface Sends extends \\Vendor\\Sends {"


@pytest.mark.parametrize("text", [INTERFACE, ABSTRACT], ids=["an interface", "an abstract class"])
def test_a_method_that_a_written_type_has_no_more(tmp_path, text):
    files = {"src/Sends.php": text, "src/go.php": ASKING}
    assert findings(tmp_path, files, Edit("src/Sends.php", "function send(", "function post(")) == [
        "renamed: src/go.php:3"
    ]


@pytest.mark.parametrize(
    ("text", "more"),
    [(INTERFACE, TAKER), (ABSTRACT, HAVING), (INTERFACE.replace("interface Sends {", FURTHER), "")],
    ids=["a class of the interface has it", "an heir has it", "an interface from elsewhere"],
)
def test_a_method_that_whoever_has_the_written_type_may_have(tmp_path, text, more):
    files = {"src/Sends.php": text, "src/go.php": ASKING, "src/Post.php": more}
    assert findings(tmp_path, files, Edit("src/Sends.php", "function send(", "function post(")) == []
