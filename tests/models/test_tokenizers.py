"""Tokenizers without weights: the same vocabulary and the same cut as the model's own."""

import pytest

from playground.errors import ModelUnavailable
from playground.models.loader import ModelHub
from playground.models.tokenizers import Tokenizers
from playground.settings import Settings


@pytest.mark.model
def test_smollm2s_tokenizer_alone_is_the_models(smollm2) -> None:  # type: ignore[no-untyped-def]
    settings = Settings.from_env()
    hub = ModelHub(settings)
    alone = Tokenizers(hub, settings).of("smollm2")
    assert hub.status("smollm2").state == "absent"
    assert alone.vocabulary.fingerprint == smollm2.vocabulary.fingerprint
    for text in ('{"name": "Ada", "age": 36}', "日本 😀\n", "<|im_end|>", ""):
        assert alone.encode(text) == smollm2.encode(text)


def test_a_toy_is_its_own_tokenizer() -> None:
    settings = Settings(models=())
    tokenizers = Tokenizers(ModelHub(settings), settings)
    assert len(tokenizers.of("toy:sky").vocabulary) > 1
    assert tokenizers.usual().startswith("toy:")


@pytest.mark.parametrize("name", ["someone/private", "/etc", "toy:none", ""])
def test_only_names_of_the_operators_list_are_read(name: str) -> None:
    settings = Settings()
    with pytest.raises(ModelUnavailable, match="can't be chosen here"):
        Tokenizers(ModelHub(settings), settings).of(name)
