"""What there is in Ruby without anybody writing it in the project."""

from __future__ import annotations

# What every object has, or may have where ActiveSupport is at hand.
OF_EVERYBODY = frozenset(
    """as_json blank? class clone deep_dup define_singleton_method display dup enum_for eql? equal? extend freeze
    frozen? hash html_safe? in? inspect instance_eval instance_exec instance_of? instance_values instance_variable_get
    instance_variable_set instance_variables is_a? itself kind_of? method methods nil? object_id presence present?
    public_method public_send respond_to? send singleton_class tap then to_enum to_json to_param to_query to_s try
    with_options yield_self""".split()  # noqa: SIM905 - a list of names
)
# What every class has besides.
OF_EVERY_CLASS = frozenset(
    """allocate ancestors attached_object class_eval class_exec class_variable_defined? class_variable_get
    class_variable_set class_variables const_defined? const_get const_missing const_set constants const_source_location
    delegate descendants include? included_modules inherited instance_method instance_methods method_defined?
    module_eval module_parent name new private_instance_methods public_instance_method public_instance_methods
    subclasses superclass""".split()  # noqa: SIM905 - a list of names
)
# What stands outside of all projects.
OUTSIDE = frozenset(
    """ActionController ActionView ActiveModel ActiveRecord ActiveSupport Array BigDecimal Binding CGI CSV Class
    Comparable Complex Date DateTime Delegator Digest Dir ERB Encoding Enumerable Enumerator Etc Exception FalseClass
    Fiber File FileUtils Find Float Forwardable Gem Hash IO IPAddr Integer JSON Kernel Logger Marshal MatchData Math
    Method Minitest Module Monitor Mutex Net NilClass Numeric OpenSSL OpenStruct OptionParser PP PStore Pathname Proc
    Process Psych Queue REXML RSpec Racc Rack Rails Rake Random Range Rational RbConfig Regexp Resolv Ripper Set
    Shellwords SimpleDelegator Singleton Socket StandardError String StringIO StringScanner Struct Symbol TCPServer
    TCPSocket Tempfile Test Thread Time Timeout TrueClass URI UnboundMethod WEBrick YAML Zlib""".split()  # noqa: SIM905 - a list of names
)
