"""Contracts in Rust: functions of a type that an `impl` of another file has."""

from __future__ import annotations

import pytest

from contract_cases import Edit, findings, findings_of

MAIL = "pub struct Mailer { pub host: String }\nimpl Mailer {\n    pub fn new() -> Self { todo!() }\n}\n"
SENDING = """use crate::mail::Mailer;

impl Mailer {
    pub fn send(&self, to: &str) { self.pack(to); }
    pub fn pack(&self, to: &str) {}
    pub fn with(host: &str) -> Self { todo!() }
}
"""
USING = """use crate::mail::Mailer;

struct Office { first: Mailer }

impl Office {
    fn go(&self, other: &Mailer) {
        self.first.send("a");
        other.send("b");
        Mailer::new().send("c");
        Mailer::with("d");
    }
}
"""
BESIDE = """use crate::mail::Mailer;

impl Mailer {
    fn run(&self) {
        self.send("e");
        Self::with("f");
        Self::new();
    }
}
"""
FILES = {
    "Cargo.toml": '[package]\nname = "post"\n',
    "src/lib.rs": "mod beside;\nmod mail;\nmod sending;\nmod using;\n",
    "src/mail.rs": MAIL,
    "src/sending.rs": SENDING,
    "src/using.rs": USING,
    "src/beside.rs": BESIDE,
}
SENT = "src/beside.rs:5, src/using.rs:7, src/using.rs:8, src/using.rs:9"
SEND = "    pub fn send(&self, to: &str) { self.pack(to); }\n"

BREAKING = {
    "a method takes more": (
        Edit("src/sending.rs", "send(&self, to: &str)", "send(&self, to: &str, times: u8)"),
        [f"required-parameter: {SENT}"],
    ),
    "a method is gone": (Edit("src/sending.rs", SEND, ""), [f"removed: {SENT}"]),
    "a method has another name": (Edit("src/sending.rs", "fn send(", "fn post("), [f"renamed: {SENT}"]),
    "a function takes more": (
        Edit("src/sending.rs", "with(host: &str)", "with(host: &str, port: u16)"),
        ["required-parameter: src/beside.rs:6, src/using.rs:10"],
    ),
    "a method is for its module alone": (
        Edit("src/sending.rs", "pub fn send", "fn send"),
        [f"export-removed: {SENT}"],
    ),
    "a function beside the type takes more": (
        Edit("src/mail.rs", "fn new()", "fn new(host: &str)"),
        ["required-parameter: src/beside.rs:7, src/using.rs:9"],
    ),
    "a new call passes too little": (
        Edit("src/new.rs", "", "use crate::mail::Mailer;\nfn f(m: &Mailer) { m.send(); }\n"),
        ["wrong-arity: "],
    ),
}


@pytest.mark.parametrize(("edit", "expected"), BREAKING.values(), ids=BREAKING)
def test_what_an_edit_breaks(tmp_path, edit, expected):
    assert findings(tmp_path, FILES, edit) == expected


WRITTEN = {
    "by its path": "impl crate::mail::Mailer {\n    pub fn send(&self, to: &str) {}\n}\n",
    "from the module above": "use super::mail;\nimpl mail::Mailer {\n    pub fn send(&self, to: &str) {}\n}\n",
    "inside of a module": "mod inner {\n    impl crate::mail::Mailer { pub fn send(&self, to: &str) {} }\n}\n",
    "where the machine has it": "use crate::mail::*;\n#[cfg(unix)]\nimpl Mailer { pub fn send(&self, to: &str) {} }\n",
}


@pytest.mark.parametrize("text", WRITTEN.values(), ids=WRITTEN)
def test_how_the_type_is_named_makes_no_difference(tmp_path, text):
    edit = Edit("src/sending.rs", "to: &str", "to: &str, times: u8")
    assert findings(tmp_path, {**FILES, "src/sending.rs": text}, edit) == [f"required-parameter: {SENT}"]


MORE = Edit("src/sending.rs", "send(&self, to: &str)", "send(&self, to: &str, times: u8)")
DOUBTFUL = {
    "another file has it for another machine": {
        "src/windows.rs": "use crate::mail::Mailer;\nimpl Mailer { pub fn send(&self) {} }\n"
    },
    "another one stands beside the type": {
        "src/mail.rs": f"{MAIL}impl Mailer {{ pub fn send(&self, to: &str) {{}} }}\n"
    },
    "a trait has it": {"src/traits.rs": "pub trait Sends { fn send(&self, to: &str); }\n"},
    "a trait is written for it": {
        "src/traits.rs": "use crate::mail::Mailer;\nimpl other::Sends for Mailer { fn send(&self, to: &str) {} }\n"
    },
    "a macro beside the type": {"src/mail.rs": f"{MAIL}methods!(Mailer);\n"},
    "a macro beside the method": {"src/sending.rs": f"{SENDING}methods!(Mailer);\n"},
    "it is for another type of the name": {
        "src/lib.rs": "mod beside;\nmod mail;\nmod second;\nmod sending;\nmod using;\n",
        "src/second.rs": "pub struct Mailer;\n",
        "src/sending.rs": SENDING.replace("crate::mail::", "crate::second::"),
    },
    "it is for a type parameter of the name": {
        "src/sending.rs": SENDING.replace("impl Mailer", "impl<Mailer> Mailer"),
    },
    "it is a method of a trait": {"src/sending.rs": SENDING.replace("impl Mailer", "impl other::Sends for Mailer")},
}


@pytest.mark.parametrize("more", DOUBTFUL.values(), ids=DOUBTFUL)
def test_where_it_may_be_another_there_are_only_guesses(tmp_path, more):
    found = findings(tmp_path, FILES | more, MORE)
    assert [each for each in found if "by name" not in each] == []


def test_what_a_trait_makes_async_is_its_own_affair(tmp_path):
    files = {**FILES, "src/sending.rs": SENDING.replace("impl Mailer", "impl other::Sends for Mailer")}
    assert findings(tmp_path, files, Edit("src/sending.rs", "pub fn send", "pub async fn send")) == []


MOVED = {
    "beside the type": {
        "src/mail.rs": f"{MAIL}impl Mailer {{\n{SEND}}}\n",
        "src/sending.rs": SENDING.replace(SEND, ""),
    },
    "to a third file": {
        "src/third.rs": f"use crate::mail::Mailer;\nimpl Mailer {{\n{SEND}}}\n",
        "src/sending.rs": SENDING.replace(SEND, ""),
    },
    "with its file": {"src/third.rs": SENDING, "src/sending.rs": None},
    "away from the type": {
        "src/mail.rs": "pub struct Mailer { pub host: String }\n",
        "src/third.rs": "use crate::mail::Mailer;\nimpl Mailer {\n    pub fn new() -> Self { todo!() }\n}\n",
    },
    "into a trait": {
        "src/third.rs": f"use crate::mail::Mailer;\npub trait Sends {{ {SEND} }}\nimpl Sends for Mailer {{}}\n",
        "src/sending.rs": SENDING.replace(SEND, ""),
    },
}


@pytest.mark.parametrize("texts", MOVED.values(), ids=MOVED)
def test_what_moves_is_still_there(tmp_path, texts):
    assert findings_of(tmp_path, FILES, texts) == []


def test_what_is_known_is_not_guessed_besides(tmp_path):
    files = {**FILES, "src/office.rs": 'fn f() {\n    make().send("a");\n}\n'}
    assert findings(tmp_path, files, MORE) == [
        f"required-parameter: {SENT}",
        "required-parameter by name: src/office.rs:2",
    ]


def test_what_moves_and_takes_more_does_not_fit_a_new_call(tmp_path):
    texts = {
        "src/sending.rs": SENDING.replace(SEND, ""),
        "src/third.rs": SENDING.replace("to: &str", "to: &str, times: u8"),
        "src/using.rs": USING.replace('other.send("b")', "other.send()"),
    }
    assert "wrong-arity: " in findings_of(tmp_path, FILES, texts)
