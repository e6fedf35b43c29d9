"""Speed of a typed answer: a head on the hidden states of a ticket, with nothing generated."""

import statistics
from collections.abc import Iterator
from typing import Any

from playground.decoding.methods import METHODS
from playground.session import Playground
from playground.studies import Studies
from playground.study.spec import StudySpec
from tests.bench_rows import Row, seconds


def fields(playground: Playground, n: int = 40, generated: int = 9) -> Iterator[Row]:
    """A typed answer against one pass over the tokens that it reads, and against generation. Every
    ticket is new to every cache; the head isn't trained, which its time doesn't depend on."""
    import torch

    from playground.fields.features import features_of, prefix_of
    from playground.fields.head_spec import HeadSpec
    from playground.fields.heads import build
    from playground.fields.ticket import TICKET
    from playground.models.states import embeds

    model: Any = playground.hub.get("smollm2")
    module = model._plain._model
    head = build(HeadSpec(), TICKET, embeds(model).width).eval()
    ready = Studies(playground).prepare(StudySpec(n=n + 1))
    texts = [item.prompt for item in ready.items]

    def typed(text: str) -> None:
        head.decide(features_of(model, [text]).pooled("mean"))

    def prefill(text: str) -> None:
        ids = torch.tensor([prefix_of(model, text)], device=module.device)
        with torch.inference_mode():
            module(ids, use_cache=True, logits_to_keep=1).logits.float().cpu().numpy()

    tokens: list[int] = []

    def generate(at: int) -> None:
        (draw,) = METHODS["masked"].draws(ready.open(at).problem, 1)
        tokens.append(draw.spent)

    prefill(texts[n]), typed(texts[n]), generate(n)  # threads and masks warm
    tokens.clear()
    head_took, pass_took, answer_took = list[float](), list[float](), list[float]()
    for at, text in enumerate(texts[:n]):
        if at % 2:
            pass_took.append(seconds(lambda text=text: prefill(text)))
            head_took.append(seconds(lambda text=text: typed(text)))
        else:
            head_took.append(seconds(lambda text=text: typed(text)))
            pass_took.append(seconds(lambda text=text: prefill(text)))
        if at < generated:
            answer_took.append(seconds(lambda at=at: generate(at)))
    ratio = statistics.median(a / b for a, b in zip(head_took, pass_took, strict=True))
    yield (
        "a typed answer (the ticket read, a head of "
        f"{sum(TICKET.sizes)} options decided) / one prefill of the same tokens",
        f"{ratio:.2f} ({ms(head_took)} / {ms(pass_took)})",
        "at most 1.1",
        ratio <= 1.1,
    )
    ratio = statistics.median(a / b for a, b in zip(head_took, answer_took, strict=False))
    yield (
        "a typed answer / the masked JSON of the same ticket, its instruction read and "
        f"{statistics.median(tokens):.0f} tokens drawn in the median",
        f"1/{1 / ratio:.0f} ({ms(head_took[:generated])} / {ms(answer_took)})",
        "less than 1",
        ratio < 1,
    )
    yield training(embeds(model).width)


def training(width: int) -> Row:
    """Every epoch of every kind of head on as many examples as there are training tickets. How long
    an epoch takes doesn't depend on what the states are, so that random ones will do."""
    import numpy as np

    from playground.fields.head_spec import HeadKind, HeadSpec
    from playground.fields.split import split_of
    from playground.fields.ticket import TICKET
    from playground.fields.training import TrainingSpec, cut, train

    labels = split_of("train").labels
    states = np.random.default_rng(0).normal(size=(len(labels), width)).astype(np.float32)
    kinds: tuple[HeadKind, ...] = ("factorised", "chained", "joint")
    took = {}
    for kind in kinds:
        spec = TrainingSpec(head=HeadSpec(kind=kind, order=TICKET.names), patience=60)
        fit, dev = cut(len(labels), spec)

        def run(spec: TrainingSpec = spec, fit: Any = fit, dev: Any = dev) -> None:
            epochs = train(spec, TICKET, states[fit], labels[fit], states[dev], labels[dev])
            assert sum(1 for _ in epochs) == spec.epochs + 1

        took[kind] = seconds(run)
    return (
        f"{spec.epochs} epochs of training on {len(labels):,} tickets, dev among them, whose "
        "states are at hand: " + ", ".join(kinds),
        ", ".join(f"{each:.1f} s" for each in took.values()),
        "at most 180 s each",
        max(took.values()) <= 180,
    )


def ms(took: list[float]) -> str:
    """The median in milliseconds."""
    return f"{statistics.median(took) * 1e3:.0f} ms"
