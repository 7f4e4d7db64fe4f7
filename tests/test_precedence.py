"""What can wait stands aside while somebody waits for an answer, and is done all the same."""

from __future__ import annotations

import threading

from vetgate.source.clock import Precedence


def test_what_can_wait_goes_on_when_the_answer_is_out():
    answers, order, ready = Precedence(), [], threading.Event()
    step = answers.aside(60)

    def rest():
        ready.set()
        step()
        order.append("the rest")

    thread = threading.Thread(target=rest)
    with answers.answering(), answers.answering():
        thread.start()
        ready.wait()
        thread.join(0.2)
        order.append("the answer")
    thread.join()
    assert order == ["the answer", "the rest"]


def test_it_is_done_even_where_answers_never_end():
    answers = Precedence()
    step = answers.aside(0.01)
    with answers.answering():
        step()
        step()


def test_nobody_stands_aside_for_nobody():
    answers = Precedence()
    with answers.answering():
        pass
    answers.aside(60)()


def test_nobody_stands_aside_from_the_answer_that_waits_for_just_that():
    answers, ready, wanted = Precedence(), threading.Event(), threading.Event()
    step = answers.aside(60, wanted.is_set)

    def rest():
        ready.set()
        step()

    thread = threading.Thread(target=rest)
    with answers.answering():
        thread.start()
        ready.wait()
        wanted.set()
        answers.look_again()
        thread.join(20)
        assert not thread.is_alive()
