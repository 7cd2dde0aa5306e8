"""The log says what happened and never what was written, by whom or from where."""

import logging

from ..helpers.class_server import SECRET


def test_the_log_holds_no_content(served, answer, caplog):
    caplog.set_level(logging.DEBUG)
    served.learn(answer(1, because="a private thought"))
    served.learn(answer(2, because="a private thought", answer="nothing-known"))
    served.learn(answer(3), code="ZZZZ-ZZZZ")
    served.learn(b"[" * 100 + b"private")
    headers = served.enter()
    served.lead("GET", "/private-path?private=1", headers=headers)
    served.lead("POST", "/control", {"do": "private"}, headers)
    lines = "\n".join(record.getMessage() for record in caplog.records)
    assert "POST answers 200" in lines
    assert "POST answers 401" in lines
    assert "GET unknown 404" in lines
    for private in ("private", "04/ripple", "127.0.0.1", SECRET, served.code, "ZZZZ", "certain"):
        assert private not in lines, private


def test_an_error_in_the_server_is_logged_without_its_values(served, answer, caplog, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError("a private thought")

    monkeypatch.setattr(served.server.room.database, "save", broken)
    status, said, _ = served.learn(answer(1))
    assert (status, said["error"]) == (500, "something went wrong here")
    lines = "\n".join(record.getMessage() for record in caplog.records)
    assert "answers: RuntimeError" in lines
    assert "private" not in lines + caplog.text
