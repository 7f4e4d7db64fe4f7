"""Contracts in Ruby: what an edit breaks in other files, and what it does not."""

from __future__ import annotations

import pytest

from contract_cases import Edit, findings

MAIL = """module Post
  class Mailer
    attr_reader :host

    def initialize(host, port = 25, tls: false)
      @host = host
    end

    def self.make(host)
      new(host)
    end

    class << self
      def quiet(*all, **more); end
      def ring(bell, loud:); end
    end

    def send_it(to, text)
      deliver(to, text)
    end

    def deliver(to, text, times: 1)
      to
    end
  end

  module Stamps
    module_function

    def stamp(value)
      value
    end
  end
end
"""
APP = """require_relative "tools"

module Post
  class App
    def run
      one = Mailer.new("a")
      two = Post::Mailer.new("a", 3, tls: true)
      Mailer.make("a")
      ::Post::Mailer.make "b"
      Mailer.ring(1, loud: true)
      Stamps.stamp(2)
    end
  end
end

tidy(1, 2)
"""
FAST = """module Post
  class Fast < Mailer
    def push
      deliver("a", "b")
    end

    def send_it(to, text)
      super(to, text)
    end
  end
end

Post::Fast.new("a")
"""
TOOLS = """def tidy(one, two)
  one
end
"""
OTHER = """module Other
  class Mailer
    def self.make; end
  end

  class User
    def go
      Mailer.make
    end
  end
end
"""
FILES = {"lib/mail.rb": MAIL, "lib/app.rb": APP, "lib/fast.rb": FAST, "lib/tools.rb": TOOLS, "lib/other.rb": OTHER}
NEW = "host, port = 25, tls: false"
MAKE = "    def self.make(host)\n      new(host)\n    end\n"

BREAKING = {
    "a constructor needs more": (
        Edit("lib/mail.rb", NEW, "host, user, port = 25, tls: false"),
        ["required-parameter: lib/app.rb:6, lib/fast.rb:13"],
    ),
    "a constructor needs a keyword": (
        Edit("lib/mail.rb", NEW, "host, port = 25, user:, tls: false"),
        ["required-parameter: lib/app.rb:6, lib/app.rb:7, lib/fast.rb:13"],
    ),
    "a keyword has another name": (
        Edit("lib/mail.rb", NEW, "host, port = 25, ssl: false"),
        ["removed-parameter: lib/app.rb:7"],
    ),
    "a default is gone": (
        Edit("lib/mail.rb", NEW, "host, port, tls: false"),
        ["default-removed: lib/app.rb:6, lib/fast.rb:13"],
    ),
    "a method of a class needs more": (
        Edit("lib/mail.rb", "self.make(host)", "self.make(host, port)"),
        ["required-parameter: lib/app.rb:8, lib/app.rb:9"],
    ),
    "a method of a class takes less": (
        Edit("lib/mail.rb", MAKE, "    def self.make\n    end\n"),
        ["removed-parameter: lib/app.rb:8, lib/app.rb:9"],
    ),
    "a method of a class is gone": (Edit("lib/mail.rb", MAKE, ""), ["removed: lib/app.rb:8, lib/app.rb:9"]),
    "a method of a class has another name": (
        Edit("lib/mail.rb", "self.make(host)", "self.build(host)"),
        ["renamed: lib/app.rb:8, lib/app.rb:9"],
    ),
    "a keyword is needed no more and not known": (
        Edit("lib/mail.rb", "ring(bell, loud:)", "ring(bell, quiet: false)"),
        ["removed-parameter: lib/app.rb:10"],
    ),
    "a function of a module needs more": (
        Edit("lib/mail.rb", "def stamp(value)", "def stamp(value, ink)"),
        ["required-parameter: lib/app.rb:11"],
    ),
    "a method outside of classes needs more": (
        Edit("lib/tools.rb", "tidy(one, two)", "tidy(one, two, three)"),
        ["required-parameter: lib/app.rb:16"],
    ),
    "a method outside of classes takes another order": (
        Edit("lib/tools.rb", "tidy(one, two)", "tidy(two, one)"),
        ["reordered: lib/app.rb:16"],
    ),
    "a method outside of classes is gone": (
        Edit("lib/tools.rb", "def tidy(one, two)\n  one\nend\n", ""),
        ["removed: lib/app.rb:16"],
    ),
    "a method that a subclass calls needs more": (
        Edit("lib/mail.rb", "deliver(to, text, times: 1)", "deliver(to, text, late, times: 1)"),
        ["required-parameter: lib/mail.rb:19, lib/fast.rb:4"],
    ),
    "a method that a subclass calls is gone": (
        Edit("lib/mail.rb", "    def deliver(to, text, times: 1)\n      to\n    end\n", ""),
        ["removed: lib/mail.rb:19, lib/fast.rb:4"],
    ),
    "what super means needs more": (
        Edit("lib/mail.rb", "send_it(to, text)", "send_it(to, text, late)"),
        ["required-parameter: lib/fast.rb:8"],
    ),
    "a class has another name": (
        Edit("lib/mail.rb", "class Mailer", "class Sender"),
        ["renamed: lib/app.rb:6, lib/app.rb:7, lib/app.rb:8, lib/app.rb:9, lib/app.rb:10, lib/fast.rb:2"],
    ),
}

CALLS = {
    "too little": ("Post::Mailer.make", ["wrong-arity: "]),
    "too much": ("Post::Stamps.stamp(1, 2)", ["wrong-arity: "]),
    "a name that nobody takes": ('Post::Mailer.new("a", ssl: true)', ["unknown-keyword: "]),
    "a keyword that is missing": ("Post::Mailer.ring(1)", ["wrong-arity: "]),
    "a subclass's constructor": ("Post::Fast.new", ["wrong-arity: "]),
    "a constructor further up": (
        "class Slow < Post::Mailer\n  def initialize\n    super()\n  end\nend",
        ["wrong-arity: "],
    ),
}

QUIET_EDITS = {
    "a file has another name": Edit("lib/mail.rb", "", MAIL, "lib/post.rb"),
    "a parameter with a default": Edit("lib/mail.rb", NEW, f"{NEW}, user: nil"),
    "any number of further parameters": Edit(
        "lib/mail.rb", "self.make(host)", "self.make(host, *more, **named, &block)"
    ),
    "a parameter by place has another name": Edit(
        "lib/mail.rb", "self.make(host)\n      new(host)", "self.make(h)\n      new(h)"
    ),
    "a keyword in another place": Edit("lib/mail.rb", "ring(bell, loud:)", "ring(bell, soft: 1, loud:)"),
    "a body": Edit("lib/tools.rb", "  one\n", "  two\n"),
    "a method whose class answers anything": Edit(
        "lib/mail.rb",
        "    def deliver(to, text, times: 1)\n      to\n",
        "    def method_missing(name, *all)\n      name\n",
    ),
    "a method that is made another way": Edit(
        "lib/mail.rb", "    def deliver(to, text, times: 1)\n      to\n    end\n", "    delegate :deliver, to: :host\n"
    ),
    "the same name in another module": Edit("lib/other.rb", "def self.make; end", "def self.make(a = 1); end"),
    "a class that others open again": Edit(
        "lib/open.rb", "", "module Post\n  class Mailer\n    def self.make; end\n  end\nend\n"
    ),
}

QUIET_CALLS = {
    "arguments that nobody can count": "Post::Mailer.make(*all)\nPost::Mailer.new(**all)",
    "any number of arguments": "Post::Mailer.quiet(1, 2, a: 3)\nPost::Mailer.quiet",
    "names that go into a hash": "Post::Mailer.make(a: 1, b: 2)\nPost::Mailer.make :a => 1",
    "a keyword from a variable": "Post::Mailer.ring(1, key => 2)",
    "a block": "Post::Mailer.make(1) { |x| x }",
    "one of the same name elsewhere": "Other::Mailer.make",
    "a class of no known name": "klass.make\nself.class.new\nmailer.class.make",
    "a class from elsewhere": (
        "Vendor::Mailer.make\nclass Own < Vendor::Base\n  def go\n    deliver\n  end\nend\nOwn.new(1)"
    ),
    "a class that is made": "Point = Struct.new(:x, :y)\nPoint.new\nLine = Class.new(Post::Mailer)\nLine.make",
    "a class that is opened twice": (
        "class Twice\n  def self.f(a); end\nend\nclass Twice\n  def self.f; end\nend\nTwice.f"
    ),
    "a class with something before it": "class Own\n  prepend Other\n  def initialize(a); end\nend\nOwn.new",
    "a method that is made in a block": (
        "class Own\n  included do\n    def f(a); end\n  end\n  def go\n    f\n    f()\n  end\nend"
    ),
    "what can be left out stands in the middle": "def mid(a, b = 1, c); end\nmid(1, 2)",
    "forwarded arguments": "class Own\n  def self.f(...)\n    Post::Mailer.make(...)\n  end\nend\nOwn.f(1, 2)",
    "super without brackets": "class Own < Post::Mailer\n  def initialize\n    super\n  end\nend",
    "super with a block only": (
        "class Own < Post::Mailer\n  def deliver(*)\n    super do |x|\n      x\n    end\n  end\nend"
    ),
    "a heir's own constructor": "class Own < Post::Mailer\n  def initialize; end\nend\nOwn.new",
    "a block with another self": (
        "class Own\n  def f(a); end\n  def go\n    Class.new do\n      f()\n"
        "    end\n    x.instance_eval { f() }\n  end\nend"
    ),
    "another constant nearer": (
        "module Deep\n  Mailer = 1\n  module Post\n    class Mailer; end\n  end\n  Post::Mailer.make\nend"
    ),
    "a test that wants it to fail": "assert_raises(ArgumentError) { Post::Mailer.make }",
    "an expectation that wants it to fail": "expect { Post::Mailer.make }.to raise_error(ArgumentError)",
    "a method that the language has": "puts\nformat()\nrequire()",
    "a condition": "if windows?\n  def pick(a); end\nelse\n  def pick; end\nend\npick()",
}


@pytest.mark.parametrize(("edit", "expected"), BREAKING.values(), ids=BREAKING)
def test_what_an_edit_breaks(tmp_path, edit, expected):
    assert findings(tmp_path, FILES, edit) == expected


@pytest.mark.parametrize(("text", "expected"), CALLS.values(), ids=CALLS)
def test_calls_that_do_not_fit(tmp_path, text, expected):
    assert findings(tmp_path, FILES, Edit("lib/fresh.rb", "", f"{text}\n")) == expected


@pytest.mark.parametrize("edit", QUIET_EDITS.values(), ids=QUIET_EDITS)
def test_edits_that_break_nothing(tmp_path, edit):
    assert findings(tmp_path, FILES, edit) == []


@pytest.mark.parametrize("text", QUIET_CALLS.values(), ids=QUIET_CALLS)
def test_calls_of_which_nothing_is_said(tmp_path, text):
    assert findings(tmp_path, FILES, Edit("lib/fresh.rb", "", f"{text}\n")) == []


def test_a_method_that_subclasses_have_is_not_missed_by_the_class_that_calls_it(tmp_path):
    base = "class Base\n  def run\n    step(1)\n  end\n\n  def step(a); end\nend\n"
    files = {"lib/base.rb": base, "lib/heir.rb": "class Heir < Base\n  def step(a); end\nend\n"}
    assert findings(tmp_path, files, Edit("lib/base.rb", "\n  def step(a); end\n", "")) == []


U = "class U\n  def self.f(a); end\n  def initialize(a); end\nend\n"
OPENED = {
    "by a block": "U.class_eval do\n  def self.f; end\nend\n",
    "by its singleton": "class << U\n  def f; end\nend\n",
    "by a method with its name": "def U.f; end\n",
    "by what is put before it": "U.prepend(More)\n",
    "by what is put before the class itself": "U.singleton_class.prepend(More)\n",
    "by a word that is sent": "U.send(:define_singleton_method, :f) { 1 }\n",
    "from inside of a module": "module Deep\n  class Patch\n    def go = U.class_eval { attr_reader :b }\n  end\nend\n",
}


@pytest.mark.parametrize("more", OPENED.values(), ids=OPENED)
def test_of_a_class_that_others_add_to_nothing_is_said(tmp_path, more):
    files = {"lib/u.rb": U, "lib/more.rb": more}
    assert findings(tmp_path, files, Edit("lib/fresh.rb", "", "U.f\nU.new\n")) == []


def test_a_class_that_is_only_used_is_still_known(tmp_path):
    files = {"lib/u.rb": U, "lib/more.rb": "U.send(:f, 1)\nOther.extend(U)\n"}
    assert findings(tmp_path, files, Edit("lib/fresh.rb", "", "U.f\nU.new\n")) == ["wrong-arity: ", "wrong-arity: "]


MADE_OTHERWISE = {
    "a `new` of its own": "class Own\n  def self.new(*all) = super\n  def initialize(a, b); end\nend\nOwn.new(1)",
    "data by place and by name": (
        "class Dot < Data.define(:x)\n  def initialize(x: 1) = super\nend\nDot.new(1)\nDot.new(x: 2)\nDot.new"
    ),
    "a rescue that waits for it": "begin\n  Post::Mailer.make\nrescue ArgumentError\n  1\nend",
    "a class with its path in one word": ("class Mailer; end\nclass Post::Other\n  def go\n    Mailer.new\n  end\nend"),
}


@pytest.mark.parametrize("text", MADE_OTHERWISE.values(), ids=MADE_OTHERWISE)
def test_what_is_made_otherwise(tmp_path, text):
    assert findings(tmp_path, FILES, Edit("lib/fresh.rb", "", f"{text}\n")) == []


def test_a_new_of_its_own_says_what_it_takes(tmp_path):
    text = "class Own\n  def self.new(a) = super(a, 1)\n  def initialize(a, b); end\nend\nOwn.new(1)\nOwn.new(1, 2)\n"
    assert findings(tmp_path, FILES, Edit("lib/fresh.rb", "", text)) == ["wrong-arity: "]


def _method(body: str, more: str = "") -> str:
    return f"module Post\n  class Desk\n{more}\n    def go(all = nil)\n      {body}\n    end\n  end\nend\n"


MADE = "def initialize\n @m = Mailer.new('a')\n end"
HELD = {
    "a variable": _method("m = Mailer.new('a')\n m.deliver(1)"),
    "a class by its path": _method("m = ::Post::Mailer.new('a')\n m.deliver(1)"),
    "a variable that was nothing before": _method("m = nil\n m = Mailer.new('a') if all\n m.deliver(1)"),
    "a variable that may be nothing": _method("m = Mailer.new('a') if all\n m&.deliver(1)"),
    "made and used at once": _method("Mailer.new('a').deliver(1)"),
    "in a block": _method("m = Mailer.new('a')\n all.each { |x| m.deliver(x) }"),
    "a variable of the object": _method("@m.deliver(1)", MADE),
    "a name that nobody takes": _method("m = Mailer.new('a')\n m.deliver(1, 2, often: 3)"),
    "a method of the class": (
        "module Post\n class Desk\n def self.go\n m = Mailer.new('a')\n m.deliver(1)\n end\n end\nend\n"
    ),
}

UNHELD = {
    "a variable that gets something else": _method("m = Mailer.new('a')\n m = wrap(m)\n m.deliver(1)"),
    "a variable that may have something": _method("m = other\n m ||= Mailer.new('a')\n m.deliver(1)"),
    "several variables": _method("m = Mailer.new('a')\n m, x = all\n m.deliver(1)"),
    "a parameter of a block": _method("m = Mailer.new('a')\n all.each { |m| m.deliver(1) }"),
    "a parameter of a lambda": _method("m = Mailer.new('a')\n f = ->(m) { m.deliver(1) }"),
    "a parameter": _method("all = Mailer.new('a') unless all\n all.deliver(1)"),
    "a loop": _method("m = Mailer.new('a')\n for m in all do m.deliver(1) end"),
    "what is rescued": _method("m = Mailer.new('a')\n begin; x; rescue E => m; m.deliver(1); end"),
    "a pattern": _method("m = Mailer.new('a')\n case all\n in {m:} then m.deliver(1)\n end"),
    "an object with methods of its own": _method("m = Mailer.new('a')\n def m.deliver(x); end\n m.deliver(1)"),
    "an object that is extended": _method("m = Mailer.new('a')\n m.extend(Other)\n m.deliver(1)"),
    "an object that a test bends": _method("m = Mailer.new('a')\n m.stubs(:deliver)\n m.deliver(1)"),
    "names out of a text": _method("m = Mailer.new('a')\n eval(all)\n m.deliver(1)"),
    "a name of another method": _method("m.deliver(1)", "def other\n m = Mailer.new('a')\n end"),
    "a variable of the object that others fill": _method("@m.deliver(1)", f"attr_accessor :m\n{MADE}"),
    "a variable of the object that is filled again": _method("@m = all\n @m.deliver(1)", MADE),
    "a variable of the object that is filled later": _method("@m = Mailer.new('a')\n @m.deliver(1)"),
    "a variable of the object by its name": _method("instance_variable_set(:@m, all)\n @m.deliver(1)", MADE),
    "a variable of an object with ancestors": _method("@m.deliver(1)", f"include Stamps\n{MADE}"),
    "a variable of an object with heirs": (
        _method("@m.deliver(1)", MADE) + "class Post::Other < Desk\n def initialize\n @m = 1\n end\nend\n"
    ),
    "a variable of the class": _method("x", f"{MADE}\n def self.other\n @m.deliver(1)\n end"),
    "a class that makes something else": (
        "class Odd\n def self.new(*); Other.allocate; end\n def f(a); end\nend\n"
        "class Use\n def go\n o = Odd.new\n o.f\n end\nend\n"
    ),
    "a class with an ancestor from elsewhere": (
        "class Odd < Vendor::Base\n def f(a); end\nend\nclass Use\n def go\n o = Odd.new\n o.f\n end\nend\n"
    ),
    "a class that is refined": (
        "class Odd\n def f(a); end\nend\nmodule Fine\n refine Odd do\n def f; end\n end\nend\n"
        "class Use\n def go\n o = Odd.new\n o.f\n end\nend\n"
    ),
    "a class that is opened again": (
        "class Odd\n def f(a); end\nend\nclass Odd\n def f; end\nend\nclass Use\n def go\n Odd.new.f\n end\nend\n"
    ),
    "a class that answers anything": (
        "class Odd\n def method_missing(*); end\nend\nclass Use\n def go\n Odd.new.f\n end\nend\n"
    ),
    "what fits": _method("m = Mailer.new('a')\n m.deliver(1, 2)\n m.deliver(*all)\n m.deliver(1, 2, times: 3)"),
}


@pytest.mark.parametrize("text", HELD.values(), ids=HELD)
def test_what_is_called_on_an_object_of_a_known_class(tmp_path, text):
    rule = "unknown-keyword" if "often" in text else "wrong-arity"
    assert findings(tmp_path, FILES, Edit("lib/desk.rb", "", text)) == [f"{rule}: "]


@pytest.mark.parametrize("text", UNHELD.values(), ids=UNHELD)
def test_an_object_of_which_nobody_knows_the_class(tmp_path, text):
    assert findings(tmp_path, FILES, Edit("lib/desk.rb", "", text)) == []


OFFICE = """module Post
  class Office
    def initialize
      @first = Mailer.new("a")
    end

    def go(any)
      own = Mailer.new("a")
      @first.send_it(1, 2)
      own.send_it(1, 2)
      any.send_it(1, 2)
      Mailer.new("a").send_it(1, 2)
    end
  end
end
"""
SENDING = {"lib/mailer.rb": MAIL, "lib/office.rb": OFFICE}
PLACES = "lib/office.rb:9, lib/office.rb:10, lib/office.rb:12"
GONE = "    def send_it(to, text)\n      deliver(to, text)\n    end\n"


def test_a_method_that_needs_more_is_told_where_the_class_is_known(tmp_path):
    edit = Edit("lib/mailer.rb", "send_it(to, text)", "send_it(to, text, from)")
    assert findings(tmp_path, SENDING, edit) == [
        f"required-parameter: {PLACES}",
        "required-parameter by name: lib/office.rb:11",
    ]


def test_a_method_that_is_gone_is_told_where_the_class_is_known(tmp_path):
    assert findings(tmp_path, SENDING, Edit("lib/mailer.rb", GONE, "")) == [f"removed: {PLACES}"]


def test_a_method_that_has_another_name_is_told_where_the_class_is_known(tmp_path):
    assert findings(tmp_path, SENDING, Edit("lib/mailer.rb", "def send_it(", "def post(")) == [f"renamed: {PLACES}"]


KEPT = {
    "it is made by a word": "    delegate :send_it, to: :other\n",
    "it is an attribute": "    attr_reader :send_it\n",
    "it answers anything": "    def method_missing(*); end\n",
    "a module from elsewhere": "    include Vendor::Sends\n",
    "another name for it": "    alias send_it deliver\n",
}


@pytest.mark.parametrize("now", KEPT.values(), ids=KEPT)
def test_a_method_that_is_gone_and_may_still_be_reached(tmp_path, now):
    assert findings(tmp_path, SENDING, Edit("lib/mailer.rb", GONE, now)) == []


def test_what_every_object_has_is_not_missed(tmp_path):
    files = {
        "a.rb": "class A\n  def to_s\n    ''\n  end\nend\n",
        "b.rb": "class B\n  def go\n    a = A.new\n    a.to_s\n  end\nend\n",
    }
    assert findings(tmp_path, files, Edit("a.rb", "", "class A\nend\n")) == []


ADDED = {
    "a class of the language": ("String", {}),
    "a class that an extension has in C": ("A", {"ext/extconf.rb": "require 'mkmf'\ncreate_makefile('a')\n"}),
}


@pytest.mark.parametrize(("name", "more"), ADDED.values(), ids=ADDED)
def test_a_class_of_which_the_project_has_a_part_only(tmp_path, name, more):
    files = {
        "a.rb": f"class {name}\n  def cut\n    ''\n  end\nend\n",
        "b.rb": f"class B\n  def go\n    a = {name}.new\n    a.cut\n  end\nend\n",
        **more,
    }
    assert findings(tmp_path, files, Edit("a.rb", "", f"class {name}\nend\n")) == []


def test_a_class_without_a_constructor_of_its_own(tmp_path):
    files = {
        "a.rb": "class A\n  def cut\n    ''\n  end\nend\n",
        "b.rb": "class B\n  def go\n    a = A.new\n    a.cut\n  end\nend\n",
    }
    assert findings(tmp_path, files, Edit("a.rb", "", "class A\nend\n")) == ["removed: b.rb:4"]
