"""Heads: laws that sum to 1, records that are of their type, chains and joint softmaxes as defined."""

import itertools

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.errors import InvalidInput
from playground.fields import network
from playground.fields.head_spec import HeadSpec
from playground.fields.heads import Head, build
from playground.fields.pooling import Pooling, states_of, unpadded
from playground.fields.record_type import RecordType
from tests.fields.random_heads import WIDTH, field, heads, records, specs, states, tickets, wild

KINDS = (
    HeadSpec(),
    HeadSpec(kind="chained"),
    HeadSpec(kind="chained", order=("amount", "escalate", "intent", "priority")),
    HeadSpec(kind="chained", order=("priority", "intent"), hidden=4),
    HeadSpec(kind="joint"),
    HeadSpec(kind="joint", joint=("amount", "intent")),
    HeadSpec(kind="joint", joint=("intent", "priority", "escalate", "amount"), hidden=4),
)


@given(heads(), st.integers(0, 99))
@settings(max_examples=60)
def test_every_law_sums_to_1_over_the_whole_product(head: Head, seed: int) -> None:
    laws = head.laws(states(5, seed))
    assert laws.shape == (5, *head.record_type.sizes)
    assert laws.dtype == np.float64
    assert (laws >= 0).all()
    assert laws.reshape(5, -1).sum(1) == pytest.approx(1, abs=1e-9)


@given(heads(), st.integers(0, 99))
@settings(max_examples=60)
def test_every_decision_and_every_sample_is_a_record_of_the_type(head: Head, seed: int) -> None:
    kind = head.record_type
    x = states(4, seed)
    laws = head.laws(x)
    sampled = head.sample(x, np.random.default_rng(seed), 9)
    decided = head.decide(x).indices
    joint_over_all = any(len(block.fields) == len(kind.fields) > 1 for block in head.blocks)
    free = RecordType(kind.fields, "{}")
    for row in range(4):
        for found in (decided[row], *sampled[row]):
            record = tuple(found.tolist())
            assert free.indices(kind.record(record)) == record
            assert laws[row][record] > 0
            if joint_over_all:
                assert kind.indices(kind.record(record)) == record


def test_rules_between_factorised_fields_are_not_kept() -> None:
    """What a head that decides fields apart gets wrong: the check above can fail."""
    kind = RecordType(
        (field("a", "x", "y"), field("b", "x", "y")), "{}", frozenset({(0, 0), (1, 1)})
    )
    apart = wild(HeadSpec(), kind, 1, 0.1).sample(states(1), np.random.default_rng(0), 200)[0]
    joint = wild(HeadSpec(kind="joint"), kind, 1, 0.1).sample(
        states(1), np.random.default_rng(0), 200
    )[0]
    assert 50 < (apart[:, 0] != apart[:, 1]).sum() < 150
    assert (joint[:, 0] == joint[:, 1]).all()


@given(heads((0.1, 2.0)), st.integers(0, 99))
@settings(max_examples=60)
def test_the_loss_is_minus_the_log_of_the_law(head: Head, seed: int) -> None:
    x, y = states(6, seed), records(head, 6, seed)
    with torch.no_grad():
        loss = float(head.loss(x, torch.from_numpy(y)))
    p = head.laws(x)[(np.arange(6), *y.T)]
    if (p > 1e-30).all():
        assert loss == pytest.approx(float(-np.log(p).mean()), rel=1e-4, abs=1e-4)


@given(heads(), st.integers(0, 99))
@settings(max_examples=60)
def test_marginals_and_decisions_are_those_of_the_law(head: Head, seed: int) -> None:
    x = states(5, seed)
    laws, found = head.laws(x), head.decide(x)
    assert (found.indices == head.argmax(x)).all()
    rows = np.arange(5)
    assert found.record == pytest.approx(laws[(rows, *found.indices.T)], abs=1e-9)
    for at, marginal in enumerate(head.marginals(x)):
        others = tuple(axis + 1 for axis in range(laws.ndim - 1) if axis != at)
        assert marginal == pytest.approx(laws.sum(axis=others), abs=1e-9)
        assert found.marginal[:, at] == pytest.approx(
            marginal[rows, found.indices[:, at]], abs=1e-12
        )


@given(st.data(), st.integers(0, 99))
@settings(max_examples=40)
def test_a_chains_confidence_is_conditional_on_what_it_decided(
    data: st.DataObject, seed: int
) -> None:
    order = tuple(data.draw(st.permutations(tickets().names))[: data.draw(st.integers(1, 4))])
    head = wild(HeadSpec(kind="chained", order=order), tickets(), seed)
    names = head.record_type.names
    x = states(3, seed)
    laws, found = head.laws(x), head.decide(x)
    for row, name in itertools.product(range(3), names):
        before = order[: order.index(name)] if name in order else order
        law = laws[row]
        for at, each in enumerate(names):
            if each in before:
                law = law.take([found.indices[row, at]], axis=at)
        at = names.index(name)
        conditional = law.sum(axis=tuple(axis for axis in range(4) if axis != at)) / law.sum()
        assert found.confidence[row, at] == pytest.approx(
            conditional[found.indices[row, at]], abs=1e-9
        )
        assert found.indices[row, at] == conditional.argmax()


def test_confidence_and_marginal_differ_in_a_chain_and_agree_elsewhere() -> None:
    x = states(20)
    chained = wild(HeadSpec(kind="chained"), tickets(), 3).decide(x)
    assert chained.confidence[:, 0] == pytest.approx(chained.marginal[:, 0], abs=1e-12)
    assert np.abs(chained.confidence - chained.marginal)[:, 1:].max() > 0.05
    for spec in (HeadSpec(), HeadSpec(kind="joint")):
        other = wild(spec, tickets(), 3).decide(x)
        assert other.confidence == pytest.approx(other.marginal, abs=1e-12)


@given(st.data(), st.integers(0, 2**31))
@settings(max_examples=40)
def test_the_masked_joint_softmax_is_the_conditional_of_the_unmasked_one(
    data: st.DataObject, seed: int
) -> None:
    records_ = list(itertools.product(range(3), range(2), range(2), range(3)))
    allowed = data.draw(st.sets(st.sampled_from(records_), min_size=1))
    masked = wild(
        HeadSpec(kind="joint", joint=tickets().names), tickets(allowed=frozenset(allowed)), seed
    )
    plain = build(masked.spec, tickets(), WIDTH)
    plain.load_state_dict(masked.state_dict())
    x = states(3, seed)
    law = plain.laws(x) * masked.record_type.mask
    mass = law.reshape(3, -1).sum(1)
    if (mass > 1e-200).all():
        assert masked.laws(x) == pytest.approx(law / mass[:, None, None, None, None], abs=1e-9)


def test_samples_follow_the_law() -> None:
    for spec in KINDS:
        head = wild(spec, tickets(), 5, 0.7)
        law = head.laws(states(1))[0]
        drawn = head.sample(states(1), np.random.default_rng(1), 4000)[0]
        counts = np.zeros(law.shape)
        np.add.at(counts, tuple(drawn.T), 1)
        assert np.abs(counts / 4000 - law).sum() / 2 < 0.5 * np.sqrt(law.size / 4000), spec
        assert (head.sample(states(1), np.random.default_rng(1), 4000)[0] == drawn).all()


def test_a_boolean_is_one_logit_with_binary_cross_entropy() -> None:
    head = wild(HeadSpec(), tickets(), 2)
    assert head.outputs[2].weight.shape == (1, WIDTH)
    x = torch.from_numpy(states(8))
    logit = head.outputs[2](x)[:, 0] / head.temperatures["escalate"]
    assert head.marginals(x)[2][:, 1] == pytest.approx(
        torch.sigmoid(logit).detach().numpy(), rel=1e-5
    )


def test_one_step_at_a_time_or_all_at_once_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    for spec in KINDS:
        head = wild(spec, tickets(), 7)
        whole = head.laws(states(9)), head.decide(states(9))
        monkeypatch.setattr(network, "CELLS", 80)
        assert head.laws(states(9)) == pytest.approx(whole[0], abs=1e-6)
        assert head.decide(states(9)).marginal == pytest.approx(whole[1].marginal, abs=1e-6)
        monkeypatch.undo()


def test_temperature_divides_logits_of_its_block_alone() -> None:
    head = build(HeadSpec(kind="joint"), tickets(), WIDTH, 0)
    before = head.marginals(states(4))
    head.set_temperatures({"priority": 2.0})
    assert head.temperatures == {"intent": 2.0, "priority": 2.0, "escalate": 1.0, "amount": 1.0}
    after = head.marginals(states(4))
    assert not np.allclose(before[0], after[0], atol=1e-9)
    assert (before[2] == after[2]).all()
    scored = head.block_laws(states(4), records(head, 4))
    assert [each.fields for each in scored] == [("intent", "priority"), ("escalate",), ("amount",)]
    cold = scored[0].laws ** 0.5
    cold /= cold.sum(1, keepdims=True)
    assert cold.reshape(4, 3, 2).sum(2) == pytest.approx(after[0], abs=1e-9)
    with pytest.raises(InvalidInput, match="above 0"):
        head.set_temperatures({"intent": 0.0})


def test_weights_are_those_of_the_seed_and_no_other_chance_is_touched() -> None:
    torch.manual_seed(1)
    before = torch.get_rng_state()
    one, same, other = (build(KINDS[3], tickets(), WIDTH, seed) for seed in (4, 4, 5))
    assert (torch.get_rng_state() == before).all()
    for name, weights in one.state_dict().items():
        assert torch.equal(weights, same.state_dict()[name])
    assert not torch.equal(one.outputs[0].weight, other.outputs[0].weight)


@given(st.integers(0, 99))
@settings(max_examples=20)
def test_attention_reads_only_the_tokens_there_are(seed: int) -> None:
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, 9, 5).tolist()
    padded = rng.normal(size=(5, 8, WIDTH)).astype(np.float16)
    head = wild(HeadSpec(pooling="attention"), tickets(), seed, 0.5)
    laws = head.laws(unpadded(padded, lengths))
    padded[np.arange(8) >= np.array(lengths)[:, None]] = 77
    assert head.laws(unpadded(padded, lengths)) == pytest.approx(laws, abs=1e-12)
    alone = np.concatenate([head.laws([padded[at, :length]]) for at, length in enumerate(lengths)])
    assert alone == pytest.approx(laws, abs=1e-5)


def test_attention_starts_as_the_mean_and_pooled_states_agree_with_tokens() -> None:
    tokens = [states(length, length) for length in (1, 4, 7)]
    query = Pooling("attention", WIDTH)(states_of(tokens, "attention"))
    mean = Pooling("mean", WIDTH)(states_of(tokens, "mean"))
    assert query.detach().numpy() == pytest.approx(mean.numpy(), abs=1e-6)
    last = Pooling("last", WIDTH)(states_of(tokens, "last"))
    assert (last.numpy() == np.stack([each[-1] for each in tokens])).all()
    measured = Pooling("mean", WIDTH)
    x = torch.from_numpy(states(50) * 9 + 4)
    measured.measure(x)
    assert measured(x).mean(0).numpy() == pytest.approx(0, abs=1e-5)
    assert measured(x).std(0, correction=0).numpy() == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (HeadSpec(kind="chained", order=("size",)), "no field"),
        (HeadSpec(kind="joint", joint=("intent", "intent")), "twice"),
    ],
)
def test_a_spec_that_does_not_fit_is_refused_in_words(spec: HeadSpec, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        build(spec, tickets(), WIDTH)


def test_sizes_are_bounded() -> None:
    many = RecordType(tuple(field(f"f{at}", *map(str, range(60))) for at in range(4)), "{}")
    with pytest.raises(InvalidInput, match="216,000 combinations are too many for one softmax"):
        build(HeadSpec(kind="joint", joint=many.names[:3]), many, WIDTH)
    with pytest.raises(InvalidInput, match="sum over"):
        build(HeadSpec(kind="chained", order=many.names[:2]), many, WIDTH)
    with pytest.raises(InvalidInput, match="MB"):
        build(HeadSpec(hidden=1024), many, 65_536)
    with pytest.raises(InvalidInput, match="records"):
        build(HeadSpec(), many, WIDTH).laws(states(1))
    assert build(HeadSpec(), many, WIDTH).decide(states(2)).marginal.shape == (2, 4)
    with pytest.raises(InvalidInput, match="width"):
        build(HeadSpec(), tickets(), WIDTH).laws(states(2, width=5))
    with pytest.raises(InvalidInput, match="every token"):
        build(HeadSpec(pooling="attention"), tickets(), WIDTH).laws(states(2))
    with pytest.raises(InvalidInput, match="too large"):
        build(HeadSpec(), tickets(), WIDTH).laws(states(2**20))


@given(st.data())
@settings(max_examples=30)
def test_each_field_is_decided_just_once(data: st.DataObject) -> None:
    spec = data.draw(specs(tickets()))
    blocks = build(spec, tickets(), WIDTH).blocks
    assert sorted(at for block in blocks for at in block.fields) == [0, 1, 2, 3]
    decided: set[int] = set()
    for block in blocks:
        assert set(block.given) <= decided
        decided |= set(block.fields)
