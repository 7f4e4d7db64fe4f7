# `make demo` and `make test` set up what they need by themselves; a second run finds it done.
# Needs: Python 3.11+ with venv (or uv), git, make.

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python3.14; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
# Thousands of processes start here: none of them should compile again what the one before it compiled.
export PYTHONDONTWRITEBYTECODE :=
CLAUDE_SDK := 0.2.182
WORKERS ?= auto
LIVE_MODEL ?= claude-haiku-5-5

SETUP := $(VENV)/.dev
BENCH_SETUP := $(VENV)/.bench
CLIENT := .cache/claude/.$(CLAUDE_SDK)

.PHONY: demo live long test check format lint types imports docs-drift self tests bench setup clean

demo: $(VENV)/.base
	@$(BIN)/python -I scripts/demo.py

test: check

# Tests that install packages from a registry or take minutes.
long: $(SETUP)
	$(BIN)/pytest -m long

# Everything CI runs, and nothing but this.
check: $(SETUP) $(CLIENT) format lint types imports docs-drift self tests

format: $(SETUP)
	$(BIN)/ruff format --check .

lint: $(SETUP)
	$(BIN)/ruff check .

types: $(SETUP)
	$(BIN)/mypy

imports: $(SETUP)
	$(BIN)/lint-imports --no-logo

docs-drift: $(SETUP)
	$(BIN)/python scripts/docs.py --check

self: $(SETUP)
	$(BIN)/vetgate check

# Branch coverage of the four packages that decide, by the tests that ask them in this process. The others run without
# the tracer: it makes those of single checks twice as slow and sees nothing new there.
COVERED := $(addprefix tests/test_, $(addsuffix .py, \
	agents app attempts baseline canaries correction_snapshots deferred doctor_transcript duplicates edit failures \
	gates_affected gates_agent_runs gates_coderabbit gates_content gates_of_checks gates_parse gates_proof gates_quota \
	gates_respond gates_run grants \
	home_project init_json init_registration init_replace jobs judging learning looser_configuration \
	other_agents other_agents_setup patch piece_cache recent_messages record \
	replay_sessions session_logs review review_context review_loops reviewer run settle ship ship_respond sweep sweep_start \
	tampering waivers worse_edits))
# In percent of lines and branches, a little below what is reached. Agents are set up and examined in processes of their
# own, which no tracer sees.
FLOORS := engine:93 respond:88 gates:90 agents:70

# The suite starts thousands of processes on all cores, so a machine that stalls fails a test now and then. What failed is run once
# more, one test after the other, and has to pass there; the first summary names it.
# Each worker begins with a run of neighbours, so that what they share is set up once, and takes from others at the end.
define run_tests
$(BIN)/pytest -n $(WORKERS) --dist worksteal $(1) || { [ $$? -eq 1 ] && echo "what failed, once more and alone:" && \
	$(BIN)/pytest -n 0 --last-failed --last-failed-no-failures none $(1) $(2); }
endef

tests: $(SETUP) $(CLIENT)
	$(call run_tests,--cov --cov-report= $(COVERED),--cov-append)
	@for room in $(FLOORS); do \
		printf 'coverage of %s, in percent: ' $${room%:*}; \
		$(BIN)/coverage report --include="src/vetgate/$${room%:*}/*" --format=total --fail-under=$${room#*:} || exit 1; \
	done
	$(call run_tests,$(COVERED:%=--ignore=%))

# One question of each judge to a real model; never part of a test.
live: $(SETUP)
	@test -n "$$ANTHROPIC_API_KEY$$ANTHROPIC_AUTH_TOKEN" || { echo "set ANTHROPIC_API_KEY: this asks a real model"; exit 1; }
	$(BIN)/python bench/judges.py --model $(LIVE_MODEL) --key '$$ANTHROPIC_API_KEY' --cases 1

bench: $(BENCH_SETUP)
	$(BIN)/python bench/run.py

setup: $(SETUP) $(CLIENT)

# The demo needs no development tools; each level installs on top of the one before.
$(VENV)/.base: pyproject.toml
	@scripts/setup $(VENV) "$(PYTHON)" .
	@touch $@

$(SETUP): pyproject.toml
	@scripts/setup $(VENV) "$(PYTHON)" ".[dev]"
	@touch $@ $(VENV)/.base

$(BENCH_SETUP): $(SETUP)
	@scripts/setup $(VENV) "$(PYTHON)" ".[dev,bench]"
	@touch $@

# The real Claude Code client, as its own package ships it; only the binary in it is used.
$(CLIENT): $(SETUP)
	@echo "fetching the Claude Code client for the tests (once, about 160 MB)"
	@scripts/setup --target .cache/claude $(VENV) "claude-agent-sdk==$(CLAUDE_SDK)"
	@touch $@

clean:
	rm -rf $(VENV) .cache
