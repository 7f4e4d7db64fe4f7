"""How much of the conversation each judge sees. Enough for its question, and no more: what is sent is paid for."""

from __future__ import annotations

from vetgate.agents.conversation import Preset

# A judge of calls needs at least one: the call itself stands in the transcript already, with all its arguments.
# What was asked for, what the agent said since, and the latest results, where an error would stand.
ERROR_CHECK = Preset(users=1, assistants=3, tools=5, characters=1_500)
# A denial is judged by everything that a person said of it.
APPEAL = Preset(users=5, assistants=5, tools=5)
OFF_TOPIC = Preset(users=5, assistants=3, characters=3_000)
PLAN = Preset(users=5, assistants=2, tools=1, characters=4_000)
INTENT = Preset(users=3, assistants=2, tools=4, characters=1_500)
DRIFT = Preset(users=3, assistants=1)
INSTRUCTIONS = Preset(users=3, assistants=2)
APPROVE = Preset(users=2, assistants=1, tools=1)
# The last words before the call are what it is held to.
ALIGN = Preset(users=1, assistants=2, tools=2)
REVIEW = Preset(users=3)
