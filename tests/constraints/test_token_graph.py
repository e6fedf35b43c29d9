"""The automaton over tokens: every token of every mask is on an edge to where it leads."""

import pytest

from playground.constraints.byte_automaton import ByteAutomaton
from playground.constraints.compile import compile_constraint
from playground.constraints.graph import MAX_NODES
from playground.constraints.spec import ConstraintSpec
from playground.constraints.token_graph import token_graph
from playground.vocabulary import Vocabulary

WORDS = ["a", "b", "ab", "ba", "aa", "é", "1", "12"]
VOCABULARY = Vocabulary((*(word.encode() for word in WORDS), None), frozenset({len(WORDS)}))


def exact(regex: str) -> ByteAutomaton:
    spec = ConstraintSpec(kind="regex", source=regex)
    automaton = compile_constraint(spec, VOCABULARY).automaton
    assert isinstance(automaton, ByteAutomaton)
    return automaton


@pytest.mark.parametrize("regex", ["(ab|ba)*", "a?b?é?", "(1|12)(a|b){0,3}"])
def test_the_whole_has_an_edge_for_each_way_of_a_token(regex: str) -> None:
    automaton = exact(regex)
    graph = token_graph(automaton, 0)
    assert graph.full
    drawn = {(edge.source, edge.target): edge.label for edge in graph.edges}
    for node in graph.nodes:
        state = int(node.name[1:])
        assert node.final == automaton.is_final(state)
        for token, word in enumerate(WORDS):
            if automaton.mask(state)[token]:
                label = drawn[node.name, f"q{automaton.advance(state, token)}"]
                assert word in label.split() or "more" in label
    assert [node.name for node in graph.nodes if node.current] == ["q0"]


def test_of_a_large_one_only_what_comes_next_is_drawn() -> None:
    automaton = exact("(a|b|é|1){0,300}")
    state = automaton.dfa.walk(0, b"ab" * 20)[-1]
    graph = token_graph(automaton, state)
    assert not graph.full
    assert len(graph.nodes) <= MAX_NODES
    assert [node.name for node in graph.nodes if node.current] == [f"q{state}"]
    assert any("more" in edge.label for edge in graph.edges)


def test_a_state_inside_a_token_is_no_node_of_the_whole() -> None:
    automaton = exact("12")
    middle = automaton.advance(0, WORDS.index("1"))
    tokens = Vocabulary((b"12", None), frozenset({1}))
    over = compile_constraint(ConstraintSpec(kind="regex", source="12"), tokens).automaton
    assert isinstance(over, ByteAutomaton)
    graph = token_graph(over, middle)
    assert graph.full
    assert [(edge.source, edge.label) for edge in graph.edges] == [("q0", "12")]
    assert not any(node.current for node in graph.nodes)
