r"""Think, then constrain on the real model: an example teaches it the markers, and it opens spans.

Of runs 0 to 19 of seed 0, 18 opened a span and 13 ended with an answer within 96 tokens; in all 13 the
last span was the last number written before it, right or wrong. With <<7 nuts>> in the example it was
19, 12 and 1: the model went for a unit, the mask had digits alone, and spans came out like <<800>>.
The runs are printed by

    P=$(python -c 'from playground.demo import load_demos as d; print(d()["think-real"].problem.prompt)')
    for i in {0..19}; do
      python -m playground step --raw-prompt "$P" --regex '[0-9]{1,3}' --method think \
        --markers '<<' '>>' --temperature 0.5 --max-tokens 96 --seed 0 --run $i
    done
"""

from playground.constraints.spec import ConstraintSpec, Markers
from playground.decoding.sampling import Sampling
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="think-real",
    title="Think first, on the real model",
    question="The span repeats what the thought came to: is that right? And with <<7 nuts>> in the example?",
    problem=ProblemSpec(
        model="smollm2",
        prompt=(
            "Two problems.\n\n"
            "1. Ann has 2 bags of 5 nuts and eats 3. How many are left? "
            "2 * 5 = 10 and 10 - 3 = 7, so the answer is <<7>>.\n\n"
            "2. Ben has 3 boxes of 4 apples and eats 2. How many are left?"
        ),
        chat=False,
        constraint=ConstraintSpec(kind="regex", source="[0-9]{1,3}"),
        sampling=Sampling(temperature=0.5),
        method="think",
        markers=Markers(open="<<", close=">>"),
        max_tokens=96,
    ),
    order=25,
)
