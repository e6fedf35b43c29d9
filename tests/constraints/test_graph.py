"""The drawing of an automaton: what it folds, what it keeps, and where it puts it."""

import pytest

from playground.constraints.build import build
from playground.constraints.graph import MAX_NODES, Drawing, Graph
from playground.constraints.minimize import minimized

STRING = r'"([^"\\\x00-\x1f]|\\["\\/bfnrt])*"'
NAME_AND_AGE = rf'\{{"name": {STRING}, "age": (0|-?[1-9][0-9]*)\}}'


def drawing(regex: str) -> Drawing:
    return Drawing(minimized(build(regex, 100_000)))


def lines(graph: Graph) -> set[tuple[str, str, str]]:
    return {(edge.source, edge.target, edge.label) for edge in graph.edges}


def test_forced_text_is_one_edge_and_characters_are_classes() -> None:
    graph = drawing(NAME_AND_AGE).around(0)
    assert graph.full
    assert graph.states == 33
    assert len(graph.nodes) == 7
    labels = {edge.label for edge in graph.edges}
    assert {'{"name":␣"', '",␣"age":␣', "1-9", "0-9", "-"} <= labels


def test_a_small_automaton_by_hand() -> None:
    graph = drawing("(pos|positive)!?").around(0)
    pos, end, whole = "q3", "q4", "q9"
    assert lines(graph) == {
        ("q0", pos, "pos"),
        (pos, end, "!"),
        (pos, whole, "itive"),
        (whole, end, "!"),
    }
    assert {node.name: node.final for node in graph.nodes} == {
        "q0": False,
        pos: True,
        end: True,
        whole: True,
    }


def test_where_two_ways_meet_stays_a_node() -> None:
    graph = drawing("(a|bc)xyz").around(0)
    assert lines(graph) == {("q0", "q1", "a bc"), ("q1", "q5", "xyz")}


def test_the_current_state_is_a_node_wherever_it_is() -> None:
    """In the middle of a forced text, and of a character."""
    plans = drawing(f"(café|日本|{NAME_AND_AGE})")
    for state in range(len(plans._dfa)):
        graph = plans.around(state)
        assert [node.name for node in graph.nodes if node.current] == [f"q{state}"]
        assert graph.full


@pytest.mark.parametrize("regex", [NAME_AND_AGE, "(a|b)*a(a|b){6}", ".{0,60}", "é|è|日本|日月"])
def test_edges_lead_where_the_bytes_lead(regex: str) -> None:
    """Following a completion of each node through the edges ends in a final node."""
    plans = drawing(regex)
    dfa = plans._dfa
    for state in range(0, len(dfa), 7):
        graph = plans.around(state)
        named = {node.name for node in graph.nodes}
        assert all(edge.source in named and edge.target in named for edge in graph.edges)
        for edge in graph.edges:
            source, target = int(edge.source[1:]), int(edge.target[1:])
            if edge.label.isascii() and edge.label.isalnum():
                assert dfa.walk(source, edge.label.encode())[-1] == target


def test_a_large_automaton_is_drawn_in_part_and_says_so() -> None:
    plans = drawing("|".join(f"{n:03d}[a-z]{{9}}{n}" for n in range(0, 1000, 7)))
    for full in (False, True):
        graph = plans.around(0, full=full)
        assert not graph.full
        assert len(graph.nodes) <= MAX_NODES
        assert any(node.label.endswith("…") for node in graph.nodes)
    state = plans._dfa.walk(0, b"007abc")[-1]
    path = plans._dfa.walk(0, b"007abc")[:-1]
    around = plans.around(state, path_states=path)
    assert {f"q{s}" for s in (*path, state)} <= {node.name for node in around.nodes}


def test_places_are_in_the_unit_square_in_layers_and_distinct() -> None:
    for regex in (NAME_AND_AGE, "a|b|c", "(a|b)*a(a|b){6}", ""):
        graph = drawing(regex).around(0)
        places = {(node.x, node.y) for node in graph.nodes}
        assert len(places) == len(graph.nodes)
        assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in places)
        assert next(node.x for node in graph.nodes if node.name == "q0") == 0.0


def test_labels_are_short() -> None:
    graph = drawing("x" * 150).around(0)
    assert [edge.label for edge in graph.edges] == ["x" * 39 + "…"]
