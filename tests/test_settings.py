"""The operator's settings: read once, and refused in words."""

from pathlib import Path

import pytest

from playground.errors import InvalidInput
from playground.settings import Settings


def test_the_defaults_are_for_one_laptop(monkeypatch) -> None:
    for name in ("HOST", "PORT", "SPACE_ID", "PLAYGROUND_MODELS"):
        monkeypatch.delenv(name, raising=False)
    settings = Settings.from_env()
    assert (settings.host, settings.port, settings.models) == ("127.0.0.1", 7860, ("smollm2",))
    assert settings.threads >= 1


def test_every_setting_can_be_chosen(monkeypatch) -> None:
    chosen = {
        "HOST": "0.0.0.0",
        "PORT": "8123",
        "PLAYGROUND_MODELS": "smollm2, some/model ,",
        "PLAYGROUND_CACHE": "/tmp/x",
        "PLAYGROUND_THREADS": "3",
        "PLAYGROUND_ROWS_MB": "64",
        "PLAYGROUND_COMPILE_SECONDS": "5",
    }
    for name, value in chosen.items():
        monkeypatch.setenv(name, value)
    settings = Settings.from_env()
    assert (settings.host, settings.port) == ("0.0.0.0", 8123)
    assert settings.models == ("smollm2", "some/model")
    assert (settings.cache, settings.threads, settings.rows_mb) == (Path("/tmp/x"), 3, 64)
    assert settings.compile_seconds == 5


def test_a_hosted_space_listens_to_the_outside(monkeypatch) -> None:
    monkeypatch.delenv("HOST", raising=False)
    monkeypatch.setenv("SPACE_ID", "someone/space")
    assert Settings.from_env().host == "0.0.0.0"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "http"),
        ("PORT", "0"),
        ("PORT", "70000"),
        ("PLAYGROUND_THREADS", "-1"),
        ("PLAYGROUND_ROWS_MB", "0"),
        ("PLAYGROUND_COMPILE_SECONDS", "1e9"),
        ("PLAYGROUND_COMPILE_MB", "9" * 5000),
    ],
)
def test_a_wrong_number_is_named_with_its_variable(monkeypatch, name, value) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(InvalidInput, match=name):
        Settings.from_env()


@pytest.mark.parametrize(
    "name",
    ["smollm3", "toy:sky", "toy:nowhere", "a/b/c", "./none-here", "owner/", "x" * 5000, "~no/../x"],
)
def test_a_name_that_is_no_model_is_told_at_the_start(monkeypatch, name) -> None:
    monkeypatch.setenv("PLAYGROUND_MODELS", f"smollm2,{name}")
    with pytest.raises(InvalidInput, match="PLAYGROUND_MODELS") as refused:
        Settings.from_env()
    assert name[:80] in refused.value.what
    assert len(refused.value.what) < 200


def test_a_folder_and_a_hub_id_may_be_offered_and_a_name_counts_once(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("PLAYGROUND_MODELS", f"{tmp_path}, owner/name-1.5,smollm2, smollm2")
    assert Settings.from_env().models == (str(tmp_path), "owner/name-1.5", "smollm2")
