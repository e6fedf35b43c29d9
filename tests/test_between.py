"""Two laws side by side, healing of the prompt's end, and what can't be healed."""

import json
from collections.abc import Iterator

import pytest

from playground.cli import main
from playground.compare import CompareSpec
from playground.constraints.spec import ConstraintSpec
from playground.decoding.trace import Outcome
from playground.errors import InvalidInput
from playground.exact.search import Budget
from playground.models.base import Prefix
from playground.problem import ProblemSpec, parse_problem
from playground.proofs import Proofs
from playground.session import Playground
from playground.settings import Settings
from playground.ui.between import between_work, sides_of
from playground.vocabulary import Vocabulary
from tests.exact.problems import LiveDouble

PIECES = (b"a", b"b", b"c", b" ", b" a", b" b", b"ab", b" ab", b"\xc3", b"\xa9", b"1")
BOS = len(PIECES) + 1


class Speaking(LiveDouble):
    """A double whose prompts are read greedily, after a BOS, and whose chat template is two marks."""

    def __init__(self, **settings: float) -> None:
        vocabulary = Vocabulary(
            (*PIECES, None, None), frozenset({len(PIECES)}), {len(PIECES): "<eos>", BOS: "<bos>"}
        )
        super().__init__(vocabulary, **settings)  # type: ignore[arg-type]

    def render(self, prompt: str, chat: bool) -> Prefix:
        return (BOS, *self.encode(prompt), *((BOS,) if chat else ()))

    def encode(self, text: str) -> Prefix:
        rest, found = text.encode(), []
        while rest:
            token = max(
                (i for i, piece in enumerate(PIECES) if rest.startswith(piece)),
                key=lambda i: len(PIECES[i]),
            )
            found.append(token)
            rest = rest[len(PIECES[token]) :]
        return tuple(found)


@pytest.fixture
def playground(tmp_path, monkeypatch) -> Playground:
    """A playground whose one real model is a double."""
    made = Playground(Settings(cache=tmp_path))
    model, known = Speaking(), made.hub.get
    monkeypatch.setattr(made.hub, "get", lambda name: model if name == "double" else known(name))
    return made


def spec(**changes) -> ProblemSpec:
    base = {
        "model": "double",
        "prompt": "c ",
        "chat": False,
        "constraint": {"kind": "regex", "source": "a|ab|b"},
        "max_tokens": 5,
    }
    return parse_problem(base | changes)


def last(documents: Iterator[dict]) -> dict:
    *_, found = documents
    json.dumps(found, allow_nan=False)
    return found


CLOSED = Budget(rows=10_000, tolerance=0.0)


def test_the_prompt_is_shorter_and_the_run_begins_with_what_it_lost(playground) -> None:
    healed = playground.open(spec(heal=True))
    plain = playground.open(spec())
    assert healed.problem.prompt == plain.problem.prompt[:-1]
    assert healed.lead == b" "
    page = playground.replay(spec(heal=True))
    assert page["healed"] == {"token": 3, "text": " "}
    assert playground.replay(spec())["healed"] is None
    assert [token["text"] for token in page["prompt"]] == ["<bos>", "c"]
    allowed = {row["text"] for row in page["frontier"]["candidates"] if row["allowed"]}
    assert allowed == {" ", " a", " b", " ab"}
    assert "rewrites the end of the prompt" in page["frontier"]["state"]["words"].lower()
    assert any(note["keyword"] == "healing" for note in page["constraint"]["notes"])


def test_what_is_written_again_takes_no_token_from_the_answer(playground) -> None:
    opened = playground.open(spec(heal=True, max_tokens=2))
    trace = opened.trace((3, 0, len(PIECES)))
    assert trace.outcome is Outcome.ACCEPTED
    assert len(trace.steps) == 3


def test_the_same_problem_again_has_the_same_automaton_and_so_the_same_tree(playground) -> None:
    first, again = (playground.open(spec(heal=True)) for _ in range(2))
    assert first.problem.constraint is again.problem.constraint
    assert playground.proofs.forest.tree(first) is playground.proofs.forest.tree(again)


@pytest.mark.parametrize(
    ("changes", "words", "where"),
    [
        ({"chat": True}, "chat template", "heal"),
        ({"model": "toy:sky"}, "toy", "heal"),
        (
            {"constraint": {"kind": "regex", "source": "a", "engine": "outlines"}},
            "exact byte automaton",
            "heal",
        ),
        ({"prompt": ""}, "<bos>", "prompt"),
    ],
)
def test_what_cannot_be_healed_is_said(playground, changes, words, where) -> None:
    with pytest.raises(InvalidInput, match=words) as caught:
        playground.open(spec(heal=True, **changes))
    assert caught.value.where == where
    assert caught.value.hint


def test_a_prompt_of_one_token_cannot_be_healed(playground, monkeypatch) -> None:
    monkeypatch.setattr(Speaking, "render", lambda self, prompt, chat: self.encode(prompt))
    with pytest.raises(InvalidInput, match="one token"):
        playground.open(spec(prompt="c", heal=True))
    with pytest.raises(InvalidInput, match="ends in nothing"):
        playground.open(spec(prompt="", heal=True))


def test_half_a_character_is_rewritten_as_bytes(playground) -> None:
    problem = spec(prompt="cé", constraint={"kind": "regex", "source": "a"}, heal=True)
    page = playground.replay(problem)
    assert page["healed"]["text"] == "\\xa9"
    assert playground.follow(problem, "a")["outcome"] == "accepted"


def test_a_followed_text_is_the_answer_without_the_prompts_end(playground) -> None:
    page = playground.follow(spec(heal=True), "ab")
    assert page["outcome"] == "accepted"
    assert page["follow"]["consumed"] == 2
    assert [step["taken"]["text"] for step in page["steps"]] == [" ab", "<eos>"]
    broken = playground.follow(spec(heal=True), "ac")
    assert broken["follow"]["blocked_at"]["offset"] == 1
    assert broken["follow"]["blocked_at"]["column"] == 2
    assert broken["follow"]["blocked_at"]["got"] == "c"


def test_a_judge_reads_the_answer_alone(playground) -> None:
    schema = {"kind": "schema", "source": '{"enum": [1, 11]}', "whitespace": "none"}
    opened = playground.open(spec(prompt="ca", constraint=schema, heal=True))
    assert opened.lead == b"a", "a text that no JSON begins with"
    asked = CompareSpec(methods=("masked",), n=20, accept="schema")
    document = last(Proofs().compare(opened, asked))
    assert document["methods"]["masked"]["accepted"] == 20


def test_both_laws_stand_side_by_side_without_the_lead(playground) -> None:
    plain, healed = playground.open(spec()), playground.open(spec(heal=True))
    document = last(Proofs().between(plain, healed, budget=CLOSED))
    assert document["status"] == "exact"
    assert document["stopped"] == "complete"
    assert {row["text"] for row in document["texts"]} == {"a", "ab", "b"}
    assert document["healed"] == {"left": None, "right": {"token": 3, "text": " "}}
    apart = {
        law: sum(
            abs(row["left"][law]["lower"] - row["right"][law]["lower"]) for row in document["texts"]
        )
        / 2
        for law in ("p_V", "masked")
    }
    for law, far in apart.items():
        tv = document["tv"][law]
        assert tv["status"] == "exact"
        assert tv["lower"] - 0.01 <= far <= tv["upper"] + 0.01
    assert document["tv"]["p_V"]["lower"] > 0.02, "the double's two laws differ"
    assert document["moved"] in {"a", "ab", "b"}
    own = last(Proofs().squeezing(healed, budget=CLOSED))["exact"]
    law = {row["text"].removeprefix(" "): row["p_V"] for row in own["texts"]}
    assert law == {row["text"]: row["right"]["p_V"] for row in document["texts"]}


def test_a_budget_is_of_both_and_bounds_tighten(playground) -> None:
    source = {"kind": "regex", "source": "[abc ]{1,6}"}
    plain, healed = (
        playground.open(spec(constraint=source, max_tokens=8, heal=heal)) for heal in (False, True)
    )
    proofs = Proofs()
    widths = []
    for rows in (20, 200, 1000):
        document = last(proofs.between(plain, healed, budget=Budget(rows=rows, tolerance=0.0)))
        assert document["stopped"] == "rows"
        assert document["status"] == "bounded"
        tv = document["tv"]["masked"]
        widths.append(tv["upper"] - tv["lower"])
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > widths[-1]


def test_it_can_be_stopped_and_gives_what_it_has(playground) -> None:
    plain, healed = playground.open(spec()), playground.open(spec(heal=True))
    (document,) = Proofs().between(plain, healed, cancelled=lambda: True)
    assert document["stopped"] == "cancelled"
    assert document["done"]
    assert document["tv"]["p_V"] == {"lower": 0.0, "upper": 1.0, "status": "bounded", "why": ""}


def two_step(source: str) -> ProblemSpec:
    return parse_problem(
        {"model": "toy:two-step", "constraint": {"kind": "regex", "source": source}}
    )


def test_an_edit_of_a_toys_constraint_has_the_distance_that_a_hand_finds(playground) -> None:
    left, right = (playground.open(two_step(source)) for source in ("(A|B)x", "(A|B)x|Ay"))
    document = last(Proofs().between(left, right))
    assert document["tv"]["p_V"]["lower"] == pytest.approx(0.891, rel=1e-9)
    assert document["tv"]["p_V"]["upper"] == pytest.approx(0.891, rel=1e-9)
    assert document["moved"] == "Ay"
    assert document["Z"]["left"]["lower"] == pytest.approx(0.109, rel=1e-9)
    assert document["Z"]["right"]["lower"] == pytest.approx(1.0, rel=1e-9)


def test_a_problem_beside_itself_is_not_apart(playground) -> None:
    document = last(Proofs().between(*[playground.open(two_step("(A|B)x"))] * 2))
    assert document["tv"]["p_V"]["upper"] == 0.0
    assert document["moved"] is None


def test_a_side_without_any_valid_mass_has_no_law_to_compare(playground) -> None:
    dead = two_step("Bx").model_copy(
        update={"sampling": spec().sampling.model_copy(update={"top_k": 1})}
    )
    alive = dead.model_copy(update={"constraint": ConstraintSpec(kind="regex", source="Ay")})
    document = last(Proofs().between(playground.open(dead), playground.open(alive)))
    assert document["tv"]["p_V"]["status"] == "off"
    assert "doesn't exist" in document["tv"]["p_V"]["why"]
    assert document["tv"]["masked"]["lower"] == pytest.approx(1.0, rel=1e-9)
    assert document["texts"][0]["left"]["p_V"] is None


def test_a_screen_asks_for_healing_or_for_two_constraints() -> None:
    problem = spec(heal=True).model_dump(mode="json")
    left, right = sides_of(problem, "heal", {})
    assert (left["heal"], right.heal) == (False, True)
    edited = {"kind": "regex", "source": "a"}
    left, right = sides_of(problem, "between", {"left": edited, "right": {"kind": "free"}})
    assert left["constraint"] == edited
    assert right.constraint.kind == "free"
    for told in ({}, {"left": edited}, {"left": edited, "right": "a"}):
        with pytest.raises(InvalidInput, match="no constraint on the"):
            sides_of(problem, "between", told)
    with pytest.raises(InvalidInput):
        sides_of(problem, "between", {"left": edited, "right": {"kind": "spell"}})


def test_an_edits_work_opens_the_left_and_searches_both(playground) -> None:
    problem = two_step("never looked at").model_dump(mode="json")
    told = {
        "left": {"kind": "regex", "source": "(A|B)x"},
        "right": {"kind": "regex", "source": "Ay"},
    }
    left, work = between_work(playground, problem, "between", told)
    document = last(work(playground.open(parse_problem(left)), lambda: False))
    assert document["problem"]["constraint"]["source"] == "(A|B)x"
    assert document["against"]["constraint"]["source"] == "Ay"
    assert document["tv"]["p_V"]["lower"] == pytest.approx(1.0, rel=1e-9)
    (stopped,) = work(playground.open(parse_problem(left)), lambda: True)
    assert stopped["stopped"] == "cancelled"
    _, broken = between_work(
        playground, problem, "between", {**told, "right": {"kind": "regex", "source": "("}}
    )
    with pytest.raises(InvalidInput):
        broken(playground.open(parse_problem(left)), lambda: False)


def report(capsys, *args: str) -> dict:
    assert main([*args, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def own_cache(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("PLAYGROUND_CACHE", str(tmp_path))


def test_the_command_line_puts_another_constraint_beside(own_cache, tmp_path, capsys) -> None:
    edited = tmp_path / "edited.txt"
    edited.write_text("(A|B)x|Ay\n")
    asked = ["exact", "--model", "toy:two-step", "--regex", "(A|B)x", "--tolerance", "0"]
    found = report(capsys, *asked, "--against", str(edited))
    assert found["Z"]["lower"] == pytest.approx(0.109, rel=1e-9)
    assert found["against"]["constraint"]["source"] == "(A|B)x|Ay"
    assert found["between"]["tv"]["p_V"]["lower"] == pytest.approx(0.891, rel=1e-9)
    assert main([*asked, "--against", str(edited)]) == 0
    out = capsys.readouterr().out
    assert "TV between the two p_V: 0.891 (exact)" in out
    assert "'Ay', p_V from 0 to 0.891" in out


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["step", "--prompt", "x", "--regex", "a", "--heal"], "--raw-prompt"),
        (
            ["exact", "--model", "toy:sky", "--raw-prompt", "", "--choices", "skill", "--heal"],
            "toy",
        ),
        (["exact", "--model", "toy:sky", "--against", "/no/such/file"], "no constraint"),
        (
            ["exact", "--model", "toy:sky", "--choices", "skill", "--against", "/no/such/file"],
            "can't be read",
        ),
    ],
)
def test_what_the_command_line_cannot_do_is_one_line(own_cache, args, words, capsys) -> None:
    assert main(args) == 2
    captured = capsys.readouterr()
    assert len(captured.err.strip().splitlines()) == 1
    assert words in captured.err


@pytest.mark.model
def test_a_space_at_the_prompts_end_turns_paris_into_london_and_healing_turns_it_back() -> None:
    from playground.demo import load_demos

    demo = load_demos()["trailing-space"].problem
    real = Playground(Settings.from_env())
    plain, healed = (real.open(demo.model_copy(update={"heal": heal})) for heal in (False, True))
    document = last(Proofs().between(plain, healed))
    rows = {row["text"]: row for row in document["texts"]}
    assert rows["Paris"]["left"]["p_V"]["upper"] < 0.35 < rows["London"]["left"]["p_V"]["lower"]
    assert rows["Paris"]["right"]["p_V"]["lower"] > 0.9
    assert document["tv"]["p_V"]["lower"] > 0.6
    assert document["moved"] == "Paris"
