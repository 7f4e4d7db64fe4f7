"""Methods of Go: the type of what they are called on, by what is written or made; and what is never said."""

from __future__ import annotations

import pytest

from contract_cases import findings_of

MOD = "module example.com/app\n\ngo 1.22\n"
CLIENT = """package api

type Base struct{}

func (b Base) Close(now bool) {}

type Client struct {
	Base
	name string
	hook func(a, b int)
}

func NewClient() *Client { return &Client{} }

func Dial(addr string) (c *Client, err error) { return nil, nil }

func (c *Client) Do(n int) {}

func (c *Client) Again() *Client { return c }
"""
# The head of a file beside the type, and of one in another package.
BESIDE = "package api\n\n"
OUTSIDE = 'package main\n\nimport "example.com/app/api"\n\n'
KNOWN = {
    "the receiver": "func (c *Client) Run() { c.Do(1) }\n",
    "a receiver with type parameters": (
        "type Set[K comparable] struct{ c *Client }\n\nfunc (s *Set[K]) Run() { s.c.Do(1) }\n"
    ),
    "a parameter": "func f(c *Client) { c.Do(1) }\n",
    "several parameters of one type": "func f(a, c Client) { c.Do(1) }\n",
    "a result with a name": "func f() (c *Client, err error) {\n\tc.Do(1)\n\treturn\n}\n",
    "a variable with a type": "func f() {\n\tvar c Client\n\tc.Do(1)\n}\n",
    "a variable with a value": "func f() {\n\tvar c = NewClient()\n\tc.Do(1)\n}\n",
    "a literal": "func f() {\n\tc := Client{}\n\tc.Do(1)\n}\n",
    "the address of a literal": "func f() {\n\tc := &Client{name: `a`}\n\tc.Do(1)\n}\n",
    "new": "func f() {\n\tc := new(Client)\n\tc.Do(1)\n}\n",
    "what a function gives": "func f() {\n\tc := NewClient()\n\tc.Do(1)\n}\n",
    "the first that a function gives": 'func f() {\n\tc, err := Dial("a")\n\tc.Do(1)\n\t_ = err\n}\n',
    "in an if": 'func f() {\n\tif c, err := Dial("a"); err == nil {\n\t\tc.Do(1)\n\t}\n}\n',
    "made on the spot": "func f() { Client{}.Do(1) }\n",
    "made on the spot with an address": "func f() { (&Client{}).Do(1) }\n",
    "given on the spot": "func f() { NewClient().Do(1) }\n",
    "a chain": "func f() { NewClient().Again().Again().Do(1) }\n",
    "a pointer that is followed": "func f(c *Client) { (*c).Do(1) }\n",
    "a field": "type Server struct{ client *Client }\n\nfunc (s *Server) Run() { s.client.Do(1) }\n",
    "a field of a field": (
        "type A struct{ b B }\n\ntype B struct{ client Client }\n\nfunc (a A) Run() { a.b.client.Do(1) }\n"
    ),
    "a type in a field without a name": "type Server struct{ *Client }\n\nfunc (s *Server) Run() { s.Do(1) }\n",
    "a closure": "func f(c *Client) func() {\n\treturn func() { c.Do(1) }\n}\n",
    "a variable of the file": "var c = NewClient()\n\nfunc f() { c.Do(1) }\n",
    "a type that is asserted": "func f(x any) { x.(*Client).Do(1) }\n",
    "a type that is asserted and asked": "func f(x any) {\n\tif c, ok := x.(*Client); ok {\n\t\tc.Do(1)\n\t}\n}\n",
    "one case of a switch": "func f(x any) {\n\tswitch c := x.(type) {\n\tcase *Client:\n\t\tc.Do(1)\n\t}\n}\n",
    "the outer one behind a block": (
        "func f(c *Client, o Odd) {\n\t{\n\t\tc := o\n\t\tc.Run()\n\t}\n\tc.Do(1)\n}\n\ntype Odd struct{}\n"
    ),
    "the outer one on the way to the inner": (
        "func f(c *Client) {\n\tif c := c.Again(); c != nil {\n\t\tc.Do(1)\n\t}\n}\n"
    ),
    "the outer one in what fills the inner": "func f(c *Client) {\n\t{\n\t\tc := odd(c.Do(1))\n\t\tc.Run()\n\t}\n}\n",
    "a receiver called cls": "func (cls *Client) Run() { cls.Do(1) }\n",
}
ELSEWHERE = {
    "a parameter": "func f(c *api.Client) { c.Do(1) }\n",
    "what a function gives": "func f() {\n\tc := api.NewClient()\n\tc.Do(1)\n}\n",
    "the first that a function gives": 'func f() {\n\tc, err := api.Dial("a")\n\tc.Do(1)\n\t_ = err\n}\n',
    "made on the spot": "func f() { (&api.Client{}).Do(1) }\n",
    "new": "func f() { new(api.Client).Do(1) }\n",
    "a field": "type Server struct{ client *api.Client }\n\nfunc (s *Server) Run() { s.client.Do(1) }\n",
    "a type in a field without a name": "type Server struct{ *api.Client }\n\nfunc (s *Server) Run() { s.Do(1) }\n",
    "an own function": "func made() *api.Client { return nil }\n\nfunc f() { made().Do(1) }\n",
}
DOUBTFUL = {
    "an interface": "type Doer interface{ Do(n int) }\n\nfunc f(c Doer) { c.Do(1) }\n",
    "a type parameter": "func f[Client interface{ Do(int) }](c Client) { c.Do(1) }\n",
    "a type of the function": "func f() {\n\ttype Client struct{ Odd }\n\tvar c Client\n\tc.Do(1)\n}\n",
    "an inner variable": "func f(c *Client, o Odd) {\n\t{\n\t\tc := o.Get()\n\t\tc.Do(1)\n\t}\n}\n",
    "a parameter of a closure": "func f(c *Client) {\n\trun(func(c Odd) { c.Do(1) })\n}\n",
    "a range": "func f(c *Client, all []Odd) {\n\tfor _, c := range all {\n\t\tc.Do(1)\n\t}\n}\n",
    "what is received": (
        "func f(c *Client, in chan Odd) {\n\tselect {\n\tcase c := <-in:\n\t\tc.Do(1)\n\tdefault:\n\t}\n}\n"
    ),
    "several cases of a switch": (
        "func f(x any) {\n\tswitch c := x.(type) {\n\tcase *Client, Odd:\n\t\tc.Do(1)\n\t}\n}\n"
    ),
    "a parameter that is an interface and given another value": (
        "func f(c Doer) {\n\tc, err := Dial(`a`)\n\tc.Do(1)\n\t_ = err\n}\n\ntype Doer interface{ Do(n int) }\n"
    ),
    "what is declared further down": "var c Odd\n\nfunc f() {\n\tc.Do(1)\n\tvar c *Client\n\tc.Again()\n}\n",
    "a type with a form for each system": (
        "type Two struct{ Client }\n\nfunc f(c Two) { c.Do(1) }\n\ntype Two struct{ Odd }\n"
    ),
    "a list": "func f(all []*Client) { all[0].Do(1) }\n",
    "any number": "func f(c ...*Client) { c.Do(1) }\n",
    "a function that is a variable": "func f(NewClient func() Odd) {\n\tNewClient().Do(1)\n}\n",
    "a package that is a variable": "func f(api Odd) {\n\tapi.Client.Do(1)\n}\n",
    "an embedded type from elsewhere, which has it": (
        "type Server struct{ odd.Odd }\n\nfunc (s Server) Run() { s.Do(1) }\n"
    ),
    "several embedded types": (
        "type Server struct{ Client; Odd }\n\nfunc (o Odd) Do(n int) {}\n\nfunc (s Server) Run() { s.Do(1) }\n"
    ),
    "a field of an embedded type that is nearer": (
        "type Server struct{ Client; Do func(n int) }\n\nfunc (s Server) Run() { s.Do(1) }\n"
    ),
    "another name for a type": "type Alias = Client\n\nfunc f(c Alias) { c.Do(1) }\n",
    "a type made of another": "type Made Client\n\nfunc f(c Made) { c.Do(1) }\n",
}
MORE = "Do(n int)", "Do(n, m int)"


def project(body, head=BESIDE, **files):
    """A package, and a file that uses it."""
    path = "api/use.go" if head == BESIDE else "use.go"
    return {"go.mod": MOD, "api/api.go": CLIENT, path: head + body, **files}


def judged(tmp_path, files, texts):
    """Each in a folder of its own."""
    return findings_of(tmp_path / str(len(list(tmp_path.iterdir()))), files, texts)


def edited(tmp_path, files, *edits, path="api/api.go"):
    text = files[path]
    for was, now in edits:
        assert was in text
        text = text.replace(was, now)
    return judged(tmp_path, files, {path: text})


def where(files, needle=".Do(1)"):
    path = next(path for path in files if path.endswith("use.go"))
    line = next(number for number, line in enumerate(files[path].splitlines(), 1) if needle in line)
    return f"{path}:{line}"


@pytest.mark.parametrize("body", KNOWN.values(), ids=KNOWN)
def test_a_method_takes_more_than_those_beside_it_hand_over(tmp_path, body):
    files = project(body)
    assert edited(tmp_path, files, MORE) == [f"required-parameter: {where(files)}"]


@pytest.mark.parametrize("body", KNOWN.values(), ids=KNOWN)
def test_a_method_that_those_beside_it_call_has_another_name(tmp_path, body):
    files = project(body)
    assert edited(tmp_path, files, (") Do(", ") do(")) == [f"renamed: {where(files)}"]


@pytest.mark.parametrize("body", ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_method_takes_more_than_other_packages_hand_over(tmp_path, body):
    files = project(body, OUTSIDE)
    assert edited(tmp_path, files, MORE) == [f"required-parameter: {where(files)}"]


@pytest.mark.parametrize("body", ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_method_that_other_packages_call_is_gone(tmp_path, body):
    files = project(body, OUTSIDE)
    assert edited(tmp_path, files, ("func (c *Client) Do(n int) {}\n", "")) == [f"removed: {where(files)}"]


@pytest.mark.parametrize("body", DOUBTFUL.values(), ids=DOUBTFUL)
def test_what_may_be_another_method_blocks_nothing(tmp_path, body):
    files = project(f"{body}\ntype Odd struct{{}}\n" if "type Odd" not in body else body)
    told = edited(tmp_path, files, MORE)
    assert not [each for each in told if "by name" not in each]
    assert not edited(tmp_path, files, (") Do(", ") do("))


@pytest.mark.parametrize(("body", "head"), [(KNOWN["a parameter"], BESIDE), (ELSEWHERE["a parameter"], OUTSIDE)])
def test_a_new_call_hands_over_too_much(tmp_path, body, head):
    files = project(body, head)
    path = where(files).partition(":")[0]
    assert edited(tmp_path, files, (".Do(1)", ".Do(1, 2)"), path=path) == ["wrong-arity: "]
    assert edited(tmp_path, files, (".Do(1)", ".Do(2)"), path=path) == []


FITTING = {
    "all that another function gives": "func f(c *Client) { c.Do(two()) }\n",
    "any number": "func f(c *Client, all []int) { c.Do(all...) }\n",
    "a field that holds a function": "func f(c *Client) { c.hook(1, 2) }\n",
    "a method with its receiver": "func f(c *Client) { (*Client).Do(c, 1) }\n",
    "an interface of the same method": "type Doer interface{ Do(a, b int) }\n\nfunc f(c Doer) { c.Do(1, 2) }\n",
    "what a type is made of": "type Other struct{}\n\nfunc (o Other) Do() {}\n\nfunc f() { Other(x).Do() }\n",
}


@pytest.mark.parametrize("body", FITTING.values(), ids=FITTING)
def test_a_new_call_that_nobody_can_count_or_that_fits(tmp_path, body):
    files = {"go.mod": MOD, "api/api.go": CLIENT}
    assert judged(tmp_path, files, {"api/use.go": BESIDE + body}) == []


def test_a_method_that_a_field_lends_is_called_wrong(tmp_path):
    files = {"go.mod": MOD, "api/api.go": CLIENT}
    body = "func f(c *api.Client) { c.Close() }\n"
    assert judged(tmp_path, files, {"use.go": OUTSIDE + body}) == ["wrong-arity: "]


def test_a_method_of_a_file_without_its_type(tmp_path):
    files = project("func (c *Client) Stop() {}\n", **{"api/more.go": f"{BESIDE}func f(c *Client) {{ c.Stop() }}\n"})
    assert edited(tmp_path, files, ("Stop", "Halt"), path="api/use.go") == ["renamed: api/more.go:3"]
    assert judged(tmp_path, files, {"api/use.go": None}) == ["removed: api/more.go:3"]


def test_a_method_that_moves_to_another_file_is_not_gone(tmp_path):
    files = project(KNOWN["a parameter"])
    method = "func (c *Client) Do(n int) {}\n"
    moved = {"api/api.go": CLIENT.replace(method, ""), "api/do.go": BESIDE + method}
    assert judged(tmp_path, files, moved) == []


def test_a_method_that_a_field_lends_instead_is_not_gone(tmp_path):
    files = project(KNOWN["a parameter"])
    assert edited(tmp_path, files, ("func (c *Client) Do", "func (b Base) Do")) == []


def test_a_field_that_holds_a_function_instead_is_not_gone(tmp_path):
    files = project(KNOWN["a parameter"])
    instead = ("hook func(a, b int)", "Do func(n int)")
    assert edited(tmp_path, files, ("func (c *Client) Do(n int) {}\n", ""), instead) == []


def test_a_method_that_another_name_of_the_type_has_instead_is_not_gone(tmp_path):
    files = project(KNOWN["a parameter"])
    instead = ("func (c *Client) Do", "type Same = Client\n\nfunc (c *Same) Do")
    assert edited(tmp_path, files, instead) == []


def test_a_method_that_a_field_from_elsewhere_may_lend_instead_is_not_gone(tmp_path):
    files = project(KNOWN["a parameter"])
    gone = ("func (c *Client) Do(n int) {}\n", "")
    assert edited(tmp_path, files, gone, ("\tBase\n", "\tBase\n\todd.Odd\n")) == []
    lender = ("type Base", "type Doer interface{ Do(n int) }\n\ntype Base")
    assert edited(tmp_path, files, gone, ("\tBase\n", "\tBase\n\tDoer\n"), lender) == []


def test_a_method_that_a_type_may_have_from_what_it_is_made_of_is_not_gone(tmp_path):
    files = project(KNOWN["a parameter"])
    head, _, tail = CLIENT.partition("type Client struct {")
    made = f"{head}type Client Base{tail.partition('}')[2]}".replace("func (c *Client) Do(n int) {}\n", "")
    assert judged(tmp_path, files, {"api/api.go": made}) == []


def test_a_field_of_the_same_name_is_set_elsewhere(tmp_path):
    files = project("func f(c *Client, o *Odd) {\n\to.Do = nil\n\tc.Do(1)\n}\n\ntype Odd struct{ Do func() }\n")
    assert edited(tmp_path, files, MORE) == ["required-parameter: api/use.go:5"]


def test_what_go_brings_along_takes_the_place_of_a_function(tmp_path):
    own = f"{BESIDE}func min(a, b int) int {{ return a }}\n"
    files = project("var x = min(1, 2)\n", **{"api/min.go": own, "api/low.go": f"{BESIDE}var y = low(1, 2)\n"})
    assert judged(tmp_path, files, {"api/min.go": BESIDE}) == []
    other = {**files, "api/min.go": own.replace("min", "low")}
    assert judged(tmp_path, other, {"api/min.go": BESIDE}) == ["removed: api/low.go:3"]


def test_a_file_that_grows_too_long_to_be_read_has_lost_nothing(tmp_path):
    files = project(KNOWN["a parameter"] + "\nvar x = NewClient()\n")
    assert judged(tmp_path, files, {"api/api.go": CLIENT + "\n" * 20_001}) == []


def test_a_method_with_a_form_for_each_system(tmp_path):
    method = "func (c *Client) Open(n int) {}\n"
    calls = f"{BESIDE}func f(c *Client) {{ c.Open(1) }}\n"
    files = project("", **{"api/a_linux.go": BESIDE + method, "api/a_windows.go": BESIDE + method, "api/f.go": calls})
    assert edited(tmp_path, files, ("n int", "n, m int"), path="api/a_linux.go") == []
    assert edited(tmp_path, files, ("Open", "Close"), path="api/a_linux.go") == []


def test_the_tests_of_a_package_from_outside_have_types_of_their_own(tmp_path):
    own = "package api_test\n\ntype Client struct{}\n\nfunc (c *Client) Do(n int) {}\n\n"
    files = project("", **{"api/api_test.go": f"{own}func f(c *Client) {{ c.Do(1) }}\n"})
    assert edited(tmp_path, files, MORE) == []
    assert edited(tmp_path, files, ("c.Do(1)", "c.Do(1, 2)"), path="api/api_test.go") == ["wrong-arity: "]


def test_another_module_may_have_another_version(tmp_path):
    files = project("", OUTSIDE)
    other = {"tool/go.mod": "module example.com/tool\n", "tool/use.go": OUTSIDE + ELSEWHERE["a parameter"]}
    told = edited(tmp_path, {**files, **other}, MORE)
    assert [each for each in told if "by name" not in each] == []


def test_what_is_wrong_on_purpose(tmp_path):
    files = {"go.mod": MOD, "api/api.go": CLIENT}
    body = OUTSIDE + "func f(c *api.Client) { c.Do() }\n"
    assert judged(tmp_path, files, {"cmd/testdata/use.go": body}) == []
    assert judged(tmp_path, files, {"cmd/use.go": body}) == ["wrong-arity: "]


def test_parameters_in_another_order(tmp_path):
    files = project(
        "func f(c *Client) { c.Put(1, 2) }\n", **{"api/put.go": f"{BESIDE}func (c *Client) Put(a, b int) {{}}\n"}
    )
    assert edited(tmp_path, files, ("a, b int", "b, a int"), path="api/put.go") == ["reordered: api/use.go:3"]


def test_an_import_that_only_this_file_gives_up(tmp_path):
    imports = 'package api\n\nimport "time"\n\n'
    files = {"go.mod": MOD, "api/a.go": f"{imports}var x = time.Now()\n", "api/b.go": f"{imports}var y = time.Now()\n"}
    assert judged(tmp_path, files, {"api/a.go": "package api\n\nvar x = 1\n"}) == []


def test_a_folder_that_is_a_module_from_elsewhere_by_now(tmp_path):
    files = {"go.mod": MOD, "use.go": OUTSIDE + "func f() { api.NewClient() }\n", "api/api.go": CLIENT}
    assert judged(tmp_path, files, {"api/api.go": None}) == ["removed: use.go:5"]
    required = {**files, "go.mod": f"{MOD}\nrequire (\n\texample.com/app/api v1.2.0\n)\n"}
    assert judged(tmp_path, required, {"api/api.go": None}) == []
