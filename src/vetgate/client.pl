# The way of nearly every call, at a quarter of the price: the event goes to the daemon that is warm, its reply to the
# agent. It is given the command of the client in Python, and whatever is not plain makes it become that client: no
# daemon or a busy one, a reply that is none, an event that is late. The event is at its input again then, and a daemon
# that is at work already keeps its connection. All that is policy stands in client.py; `tests/test_quick_client.py`
# holds the two together.
#
# No module is loaded: that costs more than the call, and an environment could say which.

our $MAGIC = "VG\x01";
our $AGENT = "claude-code";
our @ENVIRONMENT = qw(
	VETGATE_LOG NO_COLOR CLAUDE_PROJECT_DIR CLAUDE_CONFIG_DIR CLAUDE_CODE_SESSION_ID CLAUDE_CODE_ENTRYPOINT
	CLAUDE_CODE_REMOTE CODEX_HOME COPILOT_HOME COPILOT_PROJECT_DIR CURSOR_PROJECT_DIR GEMINI_PROJECT_DIR
	OPENCODE_CONFIG_DIR QWEN_PROJECT_DIR CLAUDE_CODE_SESSION_ATTENDED CI HOME PATH
);
our $OF_MODELS = qr/(?:_KEY|_TOKEN|_BASE_URL|_PROXY|_proxy|SSL_CERT_FILE|SSL_CERT_DIR)\z/;
our $ROOM = 128 << 10;      # of the header, for variables
our $LIMIT = 32 << 20;      # of an event
our $LONGEST_ADDRESS = 90;
our $PLAIN = 7.5;           # seconds that the daemon gets for an event, unless it may run commands of the project
our %LONG = (
	(map { $_ => 586 } qw(Stop SubagentStop AfterAgent agentStop session.idle stop subagentStop)),
	(map { $_ => 286 } qw(PostToolUse PostToolUseFailure AfterTool postToolUse postToolUseFailure tool.execute.after)),
	(map { $_ => 106 } qw(UserPromptSubmit SessionStart BeforeAgent userPromptSubmitted beforeSubmitPrompt chat.message)),
	(map { $_ => 106 } qw(sessionStart session.created)),
);
our $BOOT = "import sys;sys.path.append(sys.argv[1]);import site;site.main();from vetgate.daemon import main;main()";
our $ARRIVES = 0.5;         # seconds that a piece of the event may take
our $REACTS = 0.1;          # seconds until the daemon has to acknowledge; the other client waits longer
our $ANSWERS = 0.3;         # seconds from then on, after which the other client waits
our $TAKES = 2;             # seconds that a piece of the reply may take

my ($event, $has_read, $is_whole, $daemon, $is_acknowledged) = ("", 0, 0, undef, 0);

sub is_ready {
	my ($descriptor, $seconds, $to_write) = @_;
	my $bits = "";
	vec($bits, $descriptor, 1) = 1;
	return select($to_write ? undef : $bits, $to_write ? $bits : undef, undef, $seconds) > 0;
}

sub read_event {
	$has_read = 1;
	while (is_ready(0, $ARRIVES) && time - $^T < 2 && length $event <= $LIMIT) {
		my $count = sysread(STDIN, $event, 1 << 20, length $event);
		return $is_whole = defined $count unless $count;
	}
	return;
}

# `--name value` pairs and nothing else.
sub options_in {
	my %options;
	for my $at (0 .. $#_ - 1) {
		$options{ substr $_[$at], 2 } = $_[ $at + 1 ] if $_[$at] =~ /\A--/ && $_[ $at + 1 ] !~ /\A--/;
	}
	return %options;
}

sub name_in {
	my $at = index $_[0], '"hook_event_name"';
	return $at >= 0 && substr($_[0], $at + 17, 63) =~ /\A[^"]*"([^"]*)"/ ? $1 : "";
}

sub parent_of {
	my ($path) = @_;
	my $at = rindex $path, "/";
	return $at > 0 ? substr($path, 0, $at) : $at == 0 ? "/" : $path;
}

sub project_of {
	my ($folder) = @_;
	for (my $here = $folder; ; $here = parent_of($here)) {
		my $inside = $here eq "/" ? "//" : "$here/";
		return $here if lstat("$inside.git") || lstat("${inside}vetgate.yaml");
		return $folder if parent_of($here) eq $here;
	}
}

# User, project, interpreter and build, as `socket_name` of client.py.
sub socket_name {
	my ($python, $client, $project, $state) = @_;
	my $package = parent_of($client);
	my @parts = ($<, $project, $state);
	for my $folder (parent_of($python), $package) {
		my @found = stat $folder or return;
		push @parts, "$found[0]:$found[1]";
	}
	for my $file ($python, "$package/client.py", "$package/__init__.py") {
		my @found = stat $file or return;
		push @parts, "$found[1]:$found[7]:$found[9]";
	}
	BEGIN { $^H |= 1 }    # as `use integer`, without its file: whole numbers that wrap at 64 bits
	my $sum = -3750763034362895579;
	for my $byte (unpack "C*", join "\0", @parts) {
		$sum = ($sum ^ $byte) * 1099511628211;
	}
	BEGIN { $^H &= ~1 }
	return unpack "H*", pack "Q>", $sum;
}

sub same_file {
	my @one = stat $_[0];
	my @other = stat $_[1];
	return @one && @other && $one[0] == $other[0] && $one[1] == $other[1];
}

# Whether that process was started as the daemon of this very package, as `is_program` of client.py.
sub is_daemon {
	my ($pid, $python, $client) = @_;
	open my $file, "<", "/proc/$pid/cmdline" or return;
	sysread $file, my $line, 4096;
	close $file;
	my @words = split /\0/, $line, -1;
	return
		   @words > 5
		&& join("\0", @words[ 1 .. 4 ]) eq join("\0", "-I", "-S", "-c", $BOOT)
		&& same_file($words[5], parent_of(parent_of($client)))
		&& same_file(parent_of($words[0]), parent_of($python))
		&& same_file("/proc/$pid/exe", $python);
}

# The request, or nothing where the other client has to choose what goes into it.
sub frame {
	my ($options, $name, $cwd, $project, $event) = @_;
	my @fields = (
		"agent=" . ($options->{agent} || $AGENT), "cwd=$cwd", "project=$project",
		"projects=" . ($options->{projects} || "all"),
		"state=$options->{state}", sprintf("left=%.3f", $LONG{$name} || $PLAIN),
	);
	push @fields, "event=$options->{event}" if $options->{event};
	my %is_ours = map { $_ => 1 } @ENVIRONMENT;
	my $room = $ROOM;
	for my $variable (@ENVIRONMENT, grep { !$is_ours{$_} && ($LONG{$name} || /$OF_MODELS/) } keys %ENV) {
		my $value = $ENV{$variable};
		next unless defined $value && length $value;
		my $field = "env.$variable=$value";
		next unless length $field < 4096;
		return if ($room -= length $field) <= 0;
		push @fields, $field;
	}
	my $header = join "\0", @fields;
	return "${MAGIC}Q" . pack("NN", length $header, length $event) . $header . $event;
}

sub send_all {
	my ($data) = @_;
	my $sent = 0;
	while ($sent < length $data) {
		my $count = syswrite $daemon, $data, length($data) - $sent, $sent;
		return 1 if defined $count && ($sent += $count) == length $data;
		return unless defined $count || $! == 11;    # EAGAIN: its line is full
		return unless is_ready(fileno $daemon, $REACTS, 1);
	}
}

sub is_plain {
	my ($options) = @_;
	return
		   $options->{state}
		&& $options->{runtime}
		&& !grep({ exists $options->{$_} } qw(owner deadline connection))
		&& ($ENV{VETGATE_DAEMON} || "") ne "off"
		&& !(length($ENV{COPILOT_CLI} // "") && ($options->{agent} || $AGENT) eq $AGENT);
}

# The folder of the session and its project; nothing where that is not plain.
sub session_folders {
	my $cwd = readlink "/proc/self/cwd";
	return unless defined $cwd && $cwd =~ m{\A/} && $cwd !~ / \(deleted\)\z/;
	my $started = $ENV{CLAUDE_PROJECT_DIR} || "";
	return $cwd, project_of($started =~ m{\A/} ? $started : $cwd);
}

sub connect_daemon {
	my ($options, $project, $python, $client) = @_;
	my $socket = socket_name($python, $client, $project, $options->{state}) or return;
	my $address = "$options->{runtime}/$socket";
	my @folder = lstat $options->{runtime};
	return unless @folder && ($folder[2] & 0170077) == 0040000 && $folder[4] == $< && length $address <= $LONGEST_ADDRESS;
	socket($daemon, 1, 1 | 2048, 0) && connect($daemon, pack "S a108", 1, $address) or return;
	return unless fileno $daemon > 2;    # in the place of an input or output that was closed, it would be taken for that
	my ($pid, $uid) = unpack "L L", getsockopt($daemon, 1, 17) || return;
	return $uid == $< && is_daemon($pid, $python, $client);
}

# True once the whole event is with the daemon. It is read only when somebody is there who takes it: of a client that
# cannot run the launcher reads it.
sub ask {
	my ($options, $python, $client) = @_;
	return unless is_plain($options);
	my ($cwd, $project) = session_folders() or return;
	return unless connect_daemon($options, $project, $python, $client) && read_event();
	my $name = $options->{event} || name_in($event);
	return if $name =~ /\Asessionend\z/i;
	my $request = frame($options, $name, $cwd, $project, $event) or return;
	return send_all($request);
}

# The daemon's reply as status, stdout and stderr; `$daemon` stays open where the other client may wait for it.
sub answer {
	my $descriptor = fileno $daemon;
	return unless is_ready($descriptor, $REACTS);
	my ($sign, $first, $reply, $count) = ("", "", "", 0);
	return close_daemon() unless sysread($daemon, $sign, 1) && $sign eq "+";
	$is_acknowledged = 1;
	return unless is_ready($descriptor, $ANSWERS);
	return unless defined recv($daemon, $first, 1, 2) && $first eq "V";    # looked at, not taken
	while (is_ready($descriptor, $TAKES)) {
		last unless $count = sysread $daemon, $reply, 1 << 16, length $reply;
	}
	close_daemon();
	return answer_in($reply) if defined $count && !$count;
}

sub answer_in {
	my ($reply) = @_;
	return unless length $reply >= 12 && substr($reply, 0, 4) eq "${MAGIC}R";
	my ($header, $body) = unpack "NN", substr $reply, 4, 8;
	return unless length $reply == 12 + $header + $body;
	my %fields = map { /\A([^=]*)=(.*)\z/s ? ($1, $2) : () } split /\0/, substr $reply, 12, $header;
	return unless ($fields{status} // "") =~ /\A[02]\z/ && ($fields{stdout} // "") =~ /\A[0-9]{1,9}\z/;
	return if $fields{stdout} > $body;
	my $stdout = substr $reply, 12 + $header, $fields{stdout};
	return unless $stdout eq "" || $stdout =~ /\A\{.*\}\s*\z/s;
	return $fields{status}, $stdout, substr $reply, 12 + $header + $fields{stdout};
}

sub close_daemon {
	close $daemon;
	undef $daemon;
	return;
}

sub say_all {
	my ($descriptor, $data) = @_;
	while (length $data) {
		my $count = syswrite $descriptor, $data or return;
		substr $data, 0, $count, "";
	}
}

# The event at the input again: what was read of it, and what is still to come.
sub put_event_back {
	pipe my $from, my $to or die;
	my $fits = $is_whole && length $event <= (fcntl($to, 1032, 0) || 0);    # F_GETPIPE_SZ: less where a user has many
	my $client = $$;
	my $pid = $fits ? 1 : fork;
	die unless defined $pid;
	if (!$pid) {
		close $_ for grep { defined } $from, $daemon, *STDOUT, *STDERR;
		$SIG{PIPE} = "DEFAULT";
		say_all($to, $event);
		while (!$is_whole && getppid == $client) {
			next unless is_ready(0, $ARRIVES);
			last unless sysread STDIN, $event, 1 << 16;
			say_all($to, $event);
		}
		exit;
	}
	say_all($to, $event) if $fits;
	close $to;
	open STDIN, "<&", $from or die;
}

# Become the client in Python, which takes the connection over if the daemon is at work.
sub become_client {
	my @command = @_;
	put_event_back() if $has_read;
	if ($daemon) {
		fcntl $daemon, 2, 0;
		push @command, "--connection", fileno $daemon;
		push @command, "--acknowledged", "yes" if $is_acknowledged;
	}
	$SIG{PIPE} = "DEFAULT";
	exec { $command[0] } @command or $has_read or exit 127;
}

sub main {
	my @command = @_;
	$SIG{PIPE} = "IGNORE";
	$SIG{__WARN__} = sub { };
	delete $ENV{PERL_BADLANG};    # the launcher's
	binmode $_ for *STDIN, *STDOUT, *STDERR;
	my @answer = eval {
		my %options = options_in(@command[ 6 .. $#command ]);
		if (ask(\%options, @command[ 0, 5 ])) { return answer() }
		close_daemon() if $daemon;
		return;
	};
	close_daemon() if $@ && $daemon;
	if (@answer == 3) {
		say_all(*STDERR, $answer[2]);
		say_all(*STDOUT, $answer[1]);
		exit $answer[0];
	}
	eval { become_client(@command) };
	say_all(*STDERR, "vetgate: the gate itself is broken, so the call is stopped. In a terminal: vetgate doctor\n");
	exit 2;
}

1;
