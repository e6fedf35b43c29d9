"""Random toys, constraints and settings for hypothesis: small enough to enumerate."""

from typing import Any

from hypothesis import strategies as st

from playground.models.toyspec import EOS, ToySpec
from tests.exact.problems import toy

WEIGHTS = st.sampled_from([0.0, 1.0, 1.0, 3.0, 0.25, 1e-6, 1e-17])
REGEXES = st.recursive(
    st.sampled_from(["a", "b", "ab", "ba", "[ab]", "aab"]),
    lambda inner: st.one_of(
        st.builds("({}|{})".format, inner, inner),
        st.builds("{}{}".format, inner, inner),
        st.builds("({}){}".format, inner, st.sampled_from(["*", "+", "?", "{1,2}", "{2}"])),
    ),
    max_leaves=5,
)
WORDS = st.lists(st.text("ab", min_size=1, max_size=4), min_size=1, max_size=5, unique=True)
CONSTRAINTS = st.one_of(
    st.tuples(st.just("regex"), REGEXES),
    st.tuples(st.just("choices"), WORDS.map("\n".join)),
)
TOKENS = st.sets(st.sampled_from(["ab", "ba", "aa", "aab", "bab"]), max_size=3).map(
    lambda longer: ("a", "b", *sorted(longer))
)
TEMPERATURES = st.sampled_from([1.0, 0.3, 2.0])
FILTERS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "temperature": TEMPERATURES,
        "top_k": st.integers(0, 4),
        "top_p": st.sampled_from([1.0, 0.93, 0.61, 0.37]),
        "mask_order": st.sampled_from(["after-filters", "before-filters"]),
    }
)


@st.composite
def toys(draw: st.DrawFn) -> ToySpec:
    """A toy whose tokens spell texts over a and b in several ways."""
    tokens = draw(TOKENS)
    names = (*tokens, EOS)
    law = st.fixed_dictionaries(dict.fromkeys(names, WEIGHTS)).filter(
        lambda weights: any(weights.values())
    )
    condition = st.one_of(
        st.builds(lambda token: {"last": token}, st.sampled_from(tokens)),
        st.builds(lambda at: {"position": at}, st.integers(0, 3)),
        st.builds(lambda tokens: {"prefix": tokens}, st.lists(st.sampled_from(tokens), max_size=2)),
    )
    rules = draw(
        st.lists(st.builds(lambda where, p: {**where, "p": p}, condition, law), max_size=4)
    )
    return toy(tokens, [*rules, {"p": draw(law)}])
