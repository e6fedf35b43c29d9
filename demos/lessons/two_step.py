"""Lesson 1: three numbers, checked by hand, in which masking draws from the wrong law."""

from playground.lessons.lesson import Beat, Check, Claim, Exercise, Lesson, Prediction, scene

LESSON = Lesson(
    slug="two-step",
    title="Two steps: the popular door is nearly locked",
    question="The model takes A nine times in ten, but A is valid once in a hundred. Should A win?",
    minutes=6,
    order=1,
    scenes={
        "popular": scene(
            "toy:two-step",
            "regex",
            "(A|B)x",
            path=("A", "x"),
            law=True,
            methods=("unconstrained", "masked", "rejection"),
        ),
        "locked-out": scene("toy:two-step", "regex", "(A|B)x", path=("B", "x"), law=True),
    },
    beats=(
        Beat(
            text="The model takes A nine times in ten. Both tokens are allowed, so nothing is erased.",
            step=0,
            highlight="rows",
        ),
        Beat(
            text="After A only x is valid, and the model gives it 1 %.",
            step=1,
            highlight="z",
        ),
        Beat(
            text="How often does constrained decoding write Ax?",
            step=1,
            highlight="bar",
            predict=Prediction(
                question="How often does constrained decoding write Ax?",
                options=("1 %", "8 %", "90 %"),
                answer=2,
            ),
        ),
        Beat(
            text="Ax: 90 % after the mask. It took A nine times in ten, and from there only x was left.",
            view="squeezing",
            highlight="leaves",
        ),
        Beat(
            text="After B the model writes x for sure. Nothing is lost on that way.",
            scene="locked-out",
            step=1,
            highlight="z",
        ),
        Beat(
            text="Drawn 200 times: masking stays with Ax. Rejection keeps 20, and 17 of them are Bx.",
            scene="popular",
            view="compare",
            highlight="outcomes",
        ),
        Beat(
            text="The exact belief says how often: of valid answers Bx has 91.7 %, eleven in twelve, and Ax 8.3 %.",
            view="squeezing",
            highlight="leaves",
        ),
        Beat(
            text="The lost mass of A was given back to A. It belonged to B.",
            view="squeezing",
            highlight="flow",
        ),
    ),
    claims=(
        Claim(
            text="The model takes A 90 % of the time, and both A and B are allowed.",
            checks=(
                Check(fact="p", step=0, of="A", relation="near", value=0.9, within=1e-9),
                Check(fact="z", step=0, relation="near", value=1.0, within=1e-9),
            ),
        ),
        Claim(
            text="After A the mask keeps 1 % of the mass; after B all of it.",
            checks=(
                Check(fact="z", step=1, relation="near", value=0.01, within=1e-9),
                Check(
                    fact="z", scene="locked-out", step=1, relation="near", value=1.0, within=1e-9
                ),
            ),
        ),
        Claim(
            text="Masking writes Ax 90 % of the time; the model's own belief is 8.3 %.",
            checks=(
                Check(fact="masked-of", of="Ax", relation="near", value=0.9, within=1e-9),
                Check(fact="exact-of", of="Ax", relation="near", value=0.009 / 0.109, within=1e-9),
                Check(fact="exact-of", of="Bx", relation="near", value=0.1 / 0.109, within=1e-9),
            ),
        ),
        Claim(
            text="One unconstrained sample in nine is valid: Z is 0.109. Of 200 draws rejection kept 20.",
            checks=(
                Check(fact="Z", relation="near", value=0.109, within=1e-9),
                Check(fact="accepted", of="rejection", value=20),
                Check(
                    fact="share-of-draws",
                    of="rejection Bx",
                    relation="near",
                    value=17 / 20,
                    within=1e-9,
                ),
            ),
        ),
    ),
    exercises=(
        Exercise(
            question="What would the share of Ax be if x had probability .5 after A instead of .01?",
            answer="Masking: 90 % still. The model alone: .45 / (.45 + .1) = 82 %. The mask never asks what follows.",
        ),
    ),
    next="blocked",
)
