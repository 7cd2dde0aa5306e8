"""The store lies in the user's data folder, or where ATTN_LAB_STORE says."""

from pathlib import Path

import pytest

from attn_lab.record import store_path


def test_attn_lab_store_names_the_file(monkeypatch, tmp_path):
    monkeypatch.setenv("ATTN_LAB_STORE", str(tmp_path / "mine.sqlite"))
    assert store_path() == tmp_path / "mine.sqlite"


def test_a_tilde_becomes_absolute_and_a_relative_path_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("ATTN_LAB_STORE", "~/mine.sqlite")
    assert store_path() == tmp_path / "mine.sqlite"
    monkeypatch.setenv("ATTN_LAB_STORE", "mine.sqlite")
    with pytest.raises(ValueError, match=r"needs a whole path here; got 'mine.sqlite'.* Set ATTN"):
        store_path()


def test_unset_or_empty_means_the_users_data_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for value in ("", " "):
        monkeypatch.setenv("ATTN_LAB_STORE", value)
        assert store_path().name == "predictions.sqlite"
        assert store_path().parent.name == "attn_lab" and store_path().is_absolute()
    monkeypatch.delenv("ATTN_LAB_STORE")
    assert isinstance(store_path(), Path) and store_path().parent.name == "attn_lab"


def test_the_home_of_a_user_who_is_not_here_is_said_with_the_variable(monkeypatch):
    monkeypatch.setenv("ATTN_LAB_STORE", "~nosuch/x")
    with pytest.raises(ValueError, match=r"ATTN_LAB_STORE needs a path .* got '~nosuch/x'.*unset"):
        store_path()
