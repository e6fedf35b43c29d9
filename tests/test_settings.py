"""The operator's settings: read once, and refused in words."""

from pathlib import Path

import pytest

from playground.errors import InvalidInput
from playground.settings import OPTIONS, Settings, flag_of, read_settings, told

OTHER = {
    "host": "0.0.0.0",
    "port": "8123",
    "models": "some/model",
    "cache": "/tmp/elsewhere",
    "mcp": "on",
    "server_requests": "3",
    "server": "http://localhost:8000/v1",
    "server_key": "secret-key",
}
"""Values other than the defaults, where a number won't do."""


@pytest.fixture(autouse=True)
def bare(monkeypatch) -> None:
    """An environment without any setting."""
    for name in ("SPACE_ID", *(option.variable for option in OPTIONS.values())):
        monkeypatch.delenv(name, raising=False)


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


@pytest.mark.parametrize("name", OPTIONS)
def test_each_is_chosen_by_its_variable_and_by_its_flag_which_wins(monkeypatch, name) -> None:
    text, variable = OTHER.get(name, "321"), OPTIONS[name].variable
    default = getattr(Settings(), name)
    monkeypatch.setenv(variable, text)
    settings, sources = read_settings({})
    chosen = getattr(settings, name)
    assert chosen != default
    assert sources == {**dict.fromkeys(OPTIONS, "default"), name: variable}

    monkeypatch.setenv(variable, "never read, as the flag is given: /dev/null/x y")
    settings, sources = read_settings({name: text})
    assert (getattr(settings, name), sources[name]) == (chosen, flag_of(name))

    monkeypatch.setenv(variable, "")
    settings, sources = read_settings({})
    empty = () if name == "models" else default
    assert getattr(settings, name) == empty


def test_a_flag_that_is_wrong_is_named_by_its_flag() -> None:
    with pytest.raises(InvalidInput, match=r"^--cache-mb is 'many'\. .*whole number from 1"):
        read_settings({"cache_mb": "many"})
    with pytest.raises(InvalidInput, match=r"^--mcp is 'perhaps'"):
        read_settings({"mcp": "perhaps"})


def test_the_table_tells_every_setting_and_never_the_key() -> None:
    settings, sources = read_settings({"server_key": "secret-key", "rows_mb": "64"})
    lines = told(settings, sources).splitlines()
    assert [line.split()[0] for line in lines] == list(OPTIONS)
    assert lines[list(OPTIONS).index("rows_mb")].split() == ["rows_mb", "64", "--rows-mb"]
    assert lines[list(OPTIONS).index("server_key")].split() == ["server_key", "set", "--server-key"]
    assert "secret-key" not in told(settings, sources) + repr(settings)


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
