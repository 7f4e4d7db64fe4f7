"""Contracts in Rust: what an edit breaks in other files, and what it does not."""

from __future__ import annotations

import pytest

from contract_cases import Edit, findings

MANIFEST = '[package]\nname = "post-office"\nversion = "0.1.0"\n'
LIB = """mod fast;
pub mod mail;
pub use mail::Mailer as Sender;
pub use mail::post;

pub fn start() {
    mail::post("a", "b");
    mail::inner::seal(1);
}
"""
MAIL = """use crate::start;

pub fn post(to: &str, text: &str) -> bool { !to.is_empty() && !text.is_empty() }

pub async fn fetch(address: &str) -> String { address.to_owned() }

pub struct Mailer { host: String }

pub struct Letter(u32, String);

pub enum Kind { Plain(u32), Empty }

impl Mailer {
    pub fn new(host: &str) -> Self { Self::with(host, 25) }
    pub fn with(host: &str, port: u16) -> Self { start(); Mailer { host: host.to_owned() } }
    pub fn send(&self, to: &str) -> bool { self.deliver(to, 1) }
    fn deliver(&self, to: &str, times: u8) -> bool { true }
}

pub mod inner {
    pub fn seal(times: u8) {}
    pub fn unused() {}
}
"""
FAST = """use crate::mail::{self, fetch as get, inner::*, Kind, Letter, Mailer};

pub async fn go() {
    let one = Mailer::new("a");
    let two = mail::Mailer::with("a", 2);
    mail::post("a", "b");
    get("a").await;
    seal(3);
    Letter(1, String::new());
    Kind::Plain(2);
}

#[cfg(test)]
mod tests {
    use super::*;
    use super::super::Sender;

    #[test]
    fn goes() {
        Sender::new("b");
        Mailer::new("c");
        crate::post("a", "b");
    }
}
"""
WHOLE = """use post_office::{post, Sender};

#[test]
fn whole() {
    post("a", "b");
    Sender::new("a");
    post_office::mail::inner::seal(1);
}
"""
OTHER = """pub fn post() {}

pub struct Mailer;

impl Mailer {
    pub fn new() -> Self { Mailer }
}

fn main() {
    post();
    Mailer::new();
}
"""
FILES = {
    "Cargo.toml": MANIFEST,
    "src/lib.rs": LIB,
    "src/mail.rs": MAIL,
    "src/fast.rs": FAST,
    "tests/whole.rs": WHOLE,
    "src/bin/other.rs": OTHER,
}
POST = "pub fn post(to: &str, text: &str) -> bool { !to.is_empty() && !text.is_empty() }"
POSTED = "src/fast.rs:6, src/fast.rs:22, src/lib.rs:7, tests/whole.rs:5"
MADE = "src/fast.rs:4, src/fast.rs:20, src/fast.rs:21, tests/whole.rs:6"

FULL = "pub fn fetch(address: &str) -> impl std::future::Future<Output = Vec<Option<u8>>> + Send"
BREAKING = {
    "a function takes more": (
        Edit("src/mail.rs", "post(to: &str, text: &str)", "post(to: &str, text: &str, urgent: bool)"),
        [f"required-parameter: {POSTED}"],
    ),
    "a function takes less": (
        Edit("src/mail.rs", POST, "pub fn post(to: &str) -> bool { !to.is_empty() }"),
        [f"removed-parameter: {POSTED}"],
    ),
    "parameters in another order": (
        Edit("src/mail.rs", "post(to: &str, text: &str)", "post(text: &str, to: &str)"),
        [f"reordered: {POSTED}"],
    ),
    "a function returns something else": (
        Edit("src/mail.rs", POST, "pub fn post(to: &str, text: &str) -> Option<bool> { None }"),
        [f"return-changed: {POSTED}"],
    ),
    "a function is gone": (
        Edit("src/mail.rs", POST, ""),
        ["removed: src/fast.rs:6, src/fast.rs:22, src/lib.rs:7, src/lib.rs:4, tests/whole.rs:5, tests/whole.rs:1"],
    ),
    "a function has another name": (
        Edit("src/mail.rs", "pub fn post", "pub fn mail"),
        ["renamed: src/fast.rs:6, src/fast.rs:22, src/lib.rs:7, src/lib.rs:4, tests/whole.rs:5, tests/whole.rs:1"],
    ),
    "a function promises another thing": (
        Edit("src/mail.rs", "pub async fn fetch(address: &str) -> String", FULL),
        ["return-changed: src/fast.rs:7"],
    ),
    "a function is no longer async": (
        Edit("src/mail.rs", "pub async fn fetch", "pub fn fetch"),
        ["async-changed: src/fast.rs:7"],
    ),
    "an associated function takes more": (
        Edit("src/mail.rs", "new(host: &str)", "new(host: &str, user: &str)"),
        [f"required-parameter: {MADE}"],
    ),
    "an associated function is gone": (
        Edit("src/mail.rs", "    pub fn new(host: &str) -> Self { Self::with(host, 25) }\n", ""),
        [f"removed: {MADE}"],
    ),
    "Self calls it with too little": (
        Edit("src/mail.rs", "with(host: &str, port: u16)", "with(host: &str, port: u16, user: &str)"),
        ["required-parameter: src/mail.rs:14, src/fast.rs:5"],
    ),
    "self calls a method with too little": (
        Edit("src/mail.rs", "to: &str, times: u8)", "to: &str, times: u8, late: bool)"),
        ["required-parameter: src/mail.rs:16"],
    ),
    "a method that self calls is gone": (
        Edit("src/mail.rs", "    fn deliver(&self, to: &str, times: u8) -> bool { true }\n", ""),
        ["removed: src/mail.rs:16"],
    ),
    "a function of a module inside of a file": (
        Edit("src/mail.rs", "seal(times: u8)", "seal(times: u8, wax: bool)"),
        ["required-parameter: src/fast.rs:8, src/lib.rs:8, tests/whole.rs:7"],
    ),
    "a tuple has more": (
        Edit("src/mail.rs", "Letter(u32, String)", "Letter(u32, String, u8)"),
        ["required-parameter: src/fast.rs:9"],
    ),
    "a variant has more": (
        Edit("src/mail.rs", "Plain(u32)", "Plain(u32, u8)"),
        ["required-parameter: src/fast.rs:10"],
    ),
    "a type has another name": (
        Edit("src/mail.rs", "Letter(u32, String)", "Note(u32, String)"),
        ["renamed: src/fast.rs:9, src/fast.rs:1"],
    ),
    "a file is another module": (
        Edit("src/mail.rs", "", MAIL, "src/post.rs"),
        [
            "renamed: src/fast.rs:22, src/lib.rs:7, src/lib.rs:4, tests/whole.rs:5, tests/whole.rs:1",
            "renamed: src/fast.rs:7, src/fast.rs:1",
            "renamed: src/fast.rs:1, src/lib.rs:3",
            "renamed: src/fast.rs:9, src/fast.rs:1",
            "renamed: src/fast.rs:1",
        ],
    ),
    "a function of the root": (
        Edit("src/lib.rs", "pub fn start()", "pub fn start(late: bool)"),
        ["required-parameter: src/mail.rs:15"],
    ),
    "a function of a module inside of a file is gone": (
        Edit("src/mail.rs", "pub mod inner {\n    pub fn seal(times: u8) {}", "pub mod inner {"),
        ["removed: src/fast.rs:8, src/lib.rs:8, tests/whole.rs:7"],
    ),
}

CALLS = {
    "too little": ('use crate::mail;\nfn f() { mail::post("a"); }', ["wrong-arity: "]),
    "too much": ("fn f() { crate::mail::inner::seal(1, 2); }", ["wrong-arity: "]),
    "through one that passes it on": ("use crate::Sender;\nfn f() { Sender::new(); }", ["wrong-arity: "]),
    "inside of a macro": (
        'fn f() { assert_eq!(crate::post("a"), true); assert!(crate::mail::post("a", "b",)); }',
        ["wrong-arity: "],
    ),
    "through another module": ('fn f() { super::post("a"); }', ["wrong-arity: "]),
    "through a type with parameters": (
        "struct Box2<T>(T);\nimpl<T> Box2<T> { fn new(t: T) -> Self { Self(t) } }\nfn f() { Box2::<u8>::new(); }",
        ["wrong-arity: "],
    ),
    "a function inside of its own module": (
        "mod deep { fn one(a: u8) {} fn two() { one(); self::one(); } }",
        ["wrong-arity: ", "wrong-arity: "],
    ),
}

QUIET_EDITS = {
    "a file is the same module": Edit("src/mail.rs", "", MAIL, "src/mail/mod.rs"),
    "a parameter has another name": Edit("src/mail.rs", POST, "pub fn post(a: &str, b: &str) -> bool { true }"),
    "a body": Edit("src/mail.rs", "{ true }", "{ false }"),
    "what nobody calls is gone": Edit("src/mail.rs", "    pub fn unused() {}\n", ""),
    "a function moves and is passed on": Edit(
        "src/mail.rs", "", MAIL.replace(POST, "pub use self::inner::post;").replace("pub fn unused() {}", POST)
    ),
    "the same name in another crate": Edit("src/bin/other.rs", "pub fn post() {}", "pub fn post() { loop {} }"),
    "one of two that depend on the machine": Edit(
        "src/mail.rs", POST, f"#[cfg(unix)]\n{POST}\n#[cfg(windows)]\npub fn post(to: &str) -> bool {{ true }}"
    ),
    "a macro that may define it": Edit("src/mail.rs", POST, "define_post!(to, text);"),
    "a field": Edit("src/mail.rs", "{ host: String }", "{ host: String, port: u16 }"),
    "async in full": Edit(
        "src/mail.rs",
        "pub async fn fetch(address: &str) -> String { address.to_owned() }",
        "pub fn fetch(address: &str) -> impl Future<Output = String> + Send { async { address.to_owned() } }",
    ),
    "async in a box": Edit(
        "src/mail.rs",
        "pub async fn fetch(address: &str) -> String { address.to_owned() }",
        "pub fn fetch(address: &str) -> Pin<Box<dyn Future<Output = String> + Send + '_>> { todo!() }",
    ),
    "a type parameter": Edit("src/mail.rs", "pub fn post(to: &str,", "pub fn post<'a>(to: &'a str,"),
}

QUIET_CALLS = {
    "a closure of the same name": "use crate::post;\nfn f() { let post = |a| a; post(1); }",
    "a parameter of the same name": "use crate::post;\nfn f(post: fn(u8)) { post(1); }",
    "one that a pattern brings": "use crate::post;\nfn f(a: Option<fn()>) { if let Some(post) = a { post(); } }",
    "a function inside of a function": "use crate::post;\nfn f() { fn post() {} post(); }",
    "a method by way of its type": 'use crate::mail::Mailer;\nfn f(m: &Mailer) { Mailer::send(m, "a"); }',
    "a type parameter of the same name": (
        "use crate::Sender;\ntrait New { fn new() -> Self; }\nfn f<Sender: New>() { Sender::new(); }"
    ),
    "a trait's function": (
        "trait Make { fn make(a: u8); }\nstruct S;\nimpl Make for S { fn make(a: u8) {} }\nfn f() { S::make(); }"
    ),
    "two that depend on the machine": (
        "#[cfg(unix)]\nfn one(a: u8) {}\n#[cfg(not(unix))]\nfn one() {}\nfn f() { one(); }"
    ),
    "a parameter that depends on the machine": "fn one(a: u8, #[cfg(unix)] b: u8) {}\nfn f() { one(1); }",
    "an argument that depends on the machine": (
        'use crate::post;\nfn f() { post("a", #[cfg(unix)] "b", #[cfg(windows)] "c"); }'
    ),
    "an attribute that may change it": "#[rstest]\nfn one(a: u8) {}\nfn f() { one(); }",
    "two implementations of one name": (
        "struct S<T>(T);\nimpl S<u8> { fn make() {} }\nimpl S<u16> { fn make(a: u8) {} }\nfn f() { S::<u8>::make(); }"
    ),
    "a name of another crate": "use other::post;\nfn f() { post(); other::Mailer::new(); }",
    "two imports of one name": (
        "#[cfg(unix)]\nuse crate::post;\n#[cfg(windows)]\nuse other::post;\nfn f() { post(); }"
    ),
    "a declaration with any number": (
        'extern "C" { fn printf(a: *const u8, ...) -> i32; }\nfn f() { unsafe { printf(a, 1, 2) }; }'
    ),
    "a field that is called": "struct S { go: fn() }\nimpl S { fn go(&self, a: u8) {} fn f(&self) { (self.go)(); } }",
    "a macro that makes something else of it": 'fn f() { check!(crate::post("a")); assert!(check!(crate::post())); }',
    "a closure inside of a macro": "fn one(a: fn(u8, u8)) -> bool { true }\nfn f() { assert!(one(|a, b| ())); }",
    "a macro": "macro_rules! post { () => {} }\nfn f() { post!(); }",
    "a method of anything": "fn f(x: &dyn Fn()) { x.deliver(); x.send(); }",
    "comments between arguments": 'use crate::post;\nfn f() { post("a", /* whom */ "b" // what\n); }',
}


@pytest.mark.parametrize(("edit", "expected"), BREAKING.values(), ids=BREAKING)
def test_what_an_edit_breaks(tmp_path, edit, expected):
    assert findings(tmp_path, FILES, edit) == expected


@pytest.mark.parametrize(("text", "expected"), CALLS.values(), ids=CALLS)
def test_calls_that_do_not_fit(tmp_path, text, expected):
    assert findings(tmp_path, FILES, Edit("src/fresh.rs", "", f"{text}\n")) == expected


@pytest.mark.parametrize("edit", QUIET_EDITS.values(), ids=QUIET_EDITS)
def test_edits_that_break_nothing(tmp_path, edit):
    assert findings(tmp_path, FILES, edit) == []


@pytest.mark.parametrize("text", QUIET_CALLS.values(), ids=QUIET_CALLS)
def test_calls_of_which_nothing_is_said(tmp_path, text):
    assert findings(tmp_path, FILES, Edit("src/fresh.rs", "", f"{text}\n")) == []


KEPT = {
    "derived": "#[derive(Debug, derive_new::new)]\npub struct S(u8);\n",
    "built by an attribute": "#[builder]\npub struct S(u8);\n",
    "another name for it": "pub struct Real;\nimpl Real { pub fn new(a: u8) -> S { Real } }\npub type S = Real;\n",
}


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_a_function_that_is_written_for_a_type_is_not_missed(tmp_path, text):
    files = {
        "src/lib.rs": "mod a;\nmod b;\n",
        "src/a.rs": "pub struct S;\nimpl S { pub fn new(a: u8) -> S { S } }\n",
        "src/b.rs": "use crate::a::S;\nfn f() { S::new(1); }\n",
    }
    assert findings(tmp_path, files, Edit("src/a.rs", "", text)) == []


def test_what_is_derived_and_brings_nothing_of_the_name_is_no_exception(tmp_path):
    files = {
        "src/lib.rs": "mod a;\nmod b;\n",
        "src/a.rs": "#[derive(Debug, Clone)]\npub struct S;\nimpl S { pub fn new(a: u8) -> S { S } }\n",
        "src/b.rs": "use crate::a::S;\nfn f() { S::new(1); }\n",
    }
    edit = Edit("src/a.rs", "impl S { pub fn new(a: u8) -> S { S } }\n", "")
    assert findings(tmp_path, files, edit) == ["removed: src/b.rs:2"]


def test_a_type_inside_of_a_function_is_another(tmp_path):
    text = (
        "struct S;\nimpl S { fn new(a: u8) {} }\n"
        "fn f() { struct S; impl S { fn new() {} fn go(&self) { Self::new(); } } S::new(); }\n"
    )
    assert findings(tmp_path, FILES, Edit("src/fresh.rs", "", text)) == []


def test_a_constant_that_holds_a_function_is_called_like_one(tmp_path):
    files = {
        "src/lib.rs": "mod a;\nmod b;\n",
        "src/a.rs": "pub fn run(a: u8) {}\n",
        "src/b.rs": "use crate::a::run;\nfn f() { run(1); }\n",
    }
    assert findings(tmp_path, files, Edit("src/a.rs", "", "pub static run: fn(u8) = go;\nfn go(a: u8) {}\n")) == []


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ('my-core = { version = "0.1", path = "../core" }', ["wrong-arity: "]),
        ("my-core.workspace = true", ["wrong-arity: "]),
        ('my-core = "0.1"', []),
        ('my_core = { package = "other", path = "../other" }', []),
    ],
    ids=["of the same repository", "as all have it", "of another release", "another one"],
)
def test_a_crate_is_the_one_that_the_manifest_names(tmp_path, how, expected):
    files = {
        "core/Cargo.toml": '[package]\nname = "my-core"\n',
        "core/src/lib.rs": "pub fn run(a: u8) {}\n",
        "app/Cargo.toml": f'[package]\nname = "app"\n\n[dependencies]\n{how}\n',
    }
    assert findings(tmp_path, files, Edit("app/src/main.rs", "", "fn main() { my_core::run(); }\n")) == expected


HELD = {
    "a parameter": "fn go(m: Mailer) { m.send(); }",
    "a parameter that is lent": "fn go(m: &mut Mailer) { m.send(); }",
    "a parameter in a box": "fn go(m: Box<Mailer>) { m.send(); }",
    "a parameter that is shared": "fn go(m: std::sync::Arc<Mailer>) { m.send(); }",
    "a type by its path": "fn go(m: &crate::mail::Mailer) { m.send(); }",
    "what a function gives back": 'fn go() { let m = Mailer::new("a"); m.send(); }',
    "what a function gives back, lent": 'fn go() { let m = &Mailer::new("a"); m.send(); }',
    "what a function gives back, in a box": 'fn go() { let m = Box::new(Mailer::new("a")); m.send(); }',
    "what a function gives back, at once": 'fn go() { Mailer::new("a").send(); }',
    "a value": "fn go(host: String) { let mut m = Mailer { host }; m.send(); }",
    "a type that is written": "fn go() { let m: Mailer = make(); m.send(); }",
    "a field": "struct Office { m: Mailer }\nimpl Office { fn go(&self) { self.m.send(); } }",
    "a field that is lent": "struct Office<'a> { m: &'a Mailer }\nimpl Office<'_> { fn go(&self) { self.m.send(); } }",
    "a parameter of a closure": "fn go() { each(|m: &Mailer| m.send()); }",
    "what a closure finds around it": "fn go(m: &Mailer) { each(|| m.send()); }",
    "itself": "struct Own;\nimpl Own { fn eq(&self, o: &Self) { o.same(); } fn same(&self, a: u8) {} }",
    "what is asserted": "fn go(m: &Mailer) { assert!(m.send()); }",
    "a field that is asserted": (
        "struct Office { m: Mailer }\nimpl Office { fn go(&self) { assert!(self.m.send()); } }"
    ),
    "a method with types": "fn go(m: &Mailer) { m.send::<u8>(); }",
}

UNHELD = {
    "a name that is given again": 'fn go() { let m = Mailer::new("a"); let m = m.wrap(); m.send(); }',
    "a pattern": "fn go(m: Mailer, all: All) { if let Some(m) = all.first() { m.send(); } }",
    "an arm": "fn go(m: Mailer, all: All) { match all.first() { Some(m) => m.send(), None => {} } }",
    "a loop": "fn go(m: Mailer, all: All) { for m in all { m.send(); } }",
    "a parameter of a closure": "fn go(m: Mailer, all: All) { all.each(|m| m.send()); }",
    "a name of another function": 'fn go() { let m = Mailer::new("a"); }\nfn other(m: Other) { m.send(); }',
    "what may fail": 'fn go() { let m = Mailer::new("a")?; m.send(); }',
    "what is there or not": "fn go(m: Option<Mailer>) { m.send(); }",
    "anything that sends": "fn go(m: &dyn Sends, n: impl Sends) { m.send(); n.send(); }",
    "a type that is a parameter": "fn go<Mailer: Sends>(m: Mailer) { m.send(); }",
    "a type from elsewhere": "fn go(m: &other::Mailer) { m.send(); }",
    "a field of another type": "struct Office { m: Vec<Mailer> }\nimpl Office { fn go(&self) { self.m.send(); } }",
    "a field of a field": "struct Office { o: Other, m: Mailer }\nimpl Office { fn go(&self) { self.o.m.send(); } }",
    "a field that is there in two ways": (
        "struct Office { #[cfg(unix)] m: Mailer, #[cfg(windows)] m: Other }\n"
        "impl Office { fn go(&self) { self.m.send(); } }"
    ),
    "a trait that gives the same name": "trait Sends { fn send(self); }\nfn go(m: &Mailer) { m.send(); }",
    "a trait for it": ("impl crate::Sends for Mailer { fn send(self) {} }\nfn go(m: &Mailer) { m.send(); }"),
    "what every type may be given": (
        "struct Own;\nimpl Own { fn clone(&self, a: u8) {} }\nfn go(o: &Own) { o.clone(); }"
    ),
    "what a macro may have made of it": "fn go(m: Mailer) { pin_mut!(m); m.send(); }",
    "a function that gives back something else": (
        "struct Own;\nimpl Own { fn make(a: u8) -> Other { Other } fn same(&self, a: u8) {} }\n"
        "fn go() { let o = Own::make(1); o.same(); }"
    ),
    "a function that gives it back later": (
        "struct Own;\nimpl Own { async fn make(a: u8) -> Self { Own } fn same(&self, a: u8) {} }\n"
        "fn go() { let o = Own::make(1); o.same(); }"
    ),
    "another name for a type": "type Post = Mailer;\nfn go(m: Post) { m.send(); }",
    "a field of a field that is asserted": (
        "struct Office { o: Other, m: Mailer }\nimpl Office { fn go(&self) { assert!(self.o.m.send()); } }"
    ),
    "what fits": 'fn go(m: &Mailer) { m.send("a"); assert!(m.send("a")); }',
}
USING = "use crate::mail::Mailer;\n"


@pytest.mark.parametrize("text", HELD.values(), ids=HELD)
def test_what_is_called_on_a_value_of_a_known_type(tmp_path, text):
    assert findings(tmp_path, FILES, Edit("src/new.rs", "", f"{USING}{text}\n")) == ["wrong-arity: "]


@pytest.mark.parametrize("text", UNHELD.values(), ids=UNHELD)
def test_a_value_of_which_nobody_knows_the_type(tmp_path, text):
    assert findings(tmp_path, FILES, Edit("src/new.rs", "", f"{USING}{text}\n")) == []


OFFICE = f"""{USING}
struct Office {{ first: Mailer }}

impl Office {{
    fn go(&self, other: &Mailer, any: impl Any) {{
        let own = Mailer::new("a");
        self.first.send("a");
        other.send("b");
        own.send("c");
        any.send("d");
    }}
}}
"""
SENDING = {**FILES, "src/office.rs": OFFICE}
PLACES = "src/office.rs:8, src/office.rs:9, src/office.rs:10"


def test_a_method_that_needs_more_is_told_where_the_type_is_known(tmp_path):
    edit = Edit("src/mail.rs", "send(&self, to: &str)", "send(&self, to: &str, times: u8)")
    assert findings(tmp_path, SENDING, edit) == [
        f"required-parameter: {PLACES}",
        "required-parameter by name: src/office.rs:11",
    ]


GONE = "    pub fn send(&self, to: &str) -> bool { self.deliver(to, 1) }\n"


def test_a_method_that_is_gone_is_told_where_the_type_is_known(tmp_path):
    assert findings(tmp_path, SENDING, Edit("src/mail.rs", GONE, "")) == [f"removed: {PLACES}"]


def test_a_method_that_has_another_name_is_told_where_the_type_is_known(tmp_path):
    assert findings(tmp_path, SENDING, Edit("src/mail.rs", "fn send(", "fn post(")) == [f"renamed: {PLACES}"]


KEPT = {
    "a trait of the project": "trait Sends { fn send(&self, to: &str) {} }\nimpl Sends for Mailer {}\n",
    "a trait from elsewhere": "impl other::Sends for Mailer {}\n",
    "what it stands for": "impl Deref for Mailer { type Target = Post; fn deref(&self) -> &Post { todo!() } }\n",
    "a trait from elsewhere, for what is lent": "impl other::Sends for &Mailer { fn send(self, to: &str) {} }\n",
    "what a macro makes": "methods!(Mailer);\n",
}


@pytest.mark.parametrize("more", KEPT.values(), ids=KEPT)
def test_a_method_that_is_gone_and_may_still_be_reached(tmp_path, more):
    assert findings(tmp_path, SENDING, Edit("src/mail.rs", "", MAIL.replace(GONE, "") + more)) == []


def test_a_trait_from_elsewhere_that_another_file_has_for_the_type(tmp_path):
    files = {**SENDING, "src/more.rs": "impl other::Sends for crate::mail::Mailer {}\n"}
    assert findings(tmp_path, files, Edit("src/mail.rs", GONE, "")) == []


def test_what_a_type_derives_may_bring_the_method_that_is_gone(tmp_path):
    text = MAIL.replace(GONE, "").replace("pub struct Mailer", "#[derive(Sends)]\npub struct Mailer")
    assert findings(tmp_path, SENDING, Edit("src/mail.rs", "", text)) == []
