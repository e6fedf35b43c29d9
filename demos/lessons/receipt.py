"""Along one output the Z_t multiply: their product is what the mask has charged for it."""

from playground.lessons.lesson import Beat, Check, Claim, Exercise, Lesson, Prediction, scene
from playground.models.toys import TOYS

SUMS = ("toy:mars", "regex", r"0(\+0)*")
END = len(TOYS["mars"].tokens)
"""The id of the token that ends a run."""

LESSON = Lesson(
    slug="receipt",
    title="The product of Z is the receipt",
    question="An output was masked at five steps. What did that do to its chance?",
    minutes=8,
    order=8,
    scenes={
        "long": scene(
            *SUMS,
            path=("0", "+", "0", "+", "0"),
            draws=1,
            law=True,
            methods=("masked", "importance", "rejection"),
        ),
        "short": scene(*SUMS, path=("0", END), law=True),
    },
    beats=(
        Beat(
            text="Valid are sums of zeros. The model starts with 0 four times in ten: Z is 0.4.",
            step=0,
            highlight="z",
        ),
        Beat(
            text="Every step has its own Z. In bits they add up: 1.3, 0.3, 1, 0.3, 1.",
            step=4,
            highlight="strip",
        ),
        Beat(
            text="39 %: its chance of 2.5 % divided by 0.064, the product of all Z along it.",
            view="squeezing",
            highlight="receipt",
            predict=Prediction(
                question="The model writes 0+0+0 in 2.5 % of runs; the product of its Z is 0.064. How often does "
                "masking?",
                options=("2.5 %", "6.4 %", "39 %"),
                answer=2,
            ),
        ),
        Beat(
            text="The lone 0 pays less: 0.4 x 0.8 = 0.32. Two steps, and done.",
            scene="short",
            step=1,
            highlight="strip",
        ),
        Beat(
            text="Who pays more than the average gains: 0+0+0 comes 2.7 times too often, 0 half as often.",
            scene="long",
            view="squeezing",
            highlight="leaves",
        ),
        Beat(
            text="The mean receipt of masked runs is 0.175: the chance that a free sample is valid.",
            view="squeezing",
            highlight="exact",
        ),
        Beat(
            text="So weigh each masked draw by its receipt: the weighted bars stand near the exact marks again.",
            view="compare",
            highlight="outcomes",
        ),
    ),
    claims=(
        Claim(
            text="Along 0+0+0 the Z are 0.4, 0.8, 0.5, 0.8, 0.5 and 1: their product is 0.064.",
            checks=(
                *(
                    Check(fact="z", step=step, value=z)
                    for step, z in enumerate((0.4, 0.8, 0.5, 0.8, 0.5, 1))
                ),
                Check(fact="product-of-z", value=0.064),
            ),
        ),
        Claim(
            text="The model writes 0+0+0 in 2.5 % of runs, masking in 39 %: 0.025 / 0.064.",
            checks=(
                Check(fact="p-of", of="0+0+0", value=0.025),
                Check(fact="masked-of", of="0+0+0", value=0.025 / 0.064),
            ),
        ),
        Claim(
            text="The lone 0 pays 0.32: from 12 % to 37.5 %.",
            checks=(
                Check(fact="product-of-z", scene="short", value=0.32),
                Check(fact="p-of", of="0", value=0.12),
                Check(fact="masked-of", of="0", value=0.375),
            ),
        ),
        Claim(
            text="Z is 0.175. Squeezing is Z over the receipt: 2.7 for 0+0+0, 0.55 for 0.",
            checks=(
                Check(fact="Z", value=0.175),
                Check(fact="squeeze-of", of="0+0+0", value=0.175 / 0.064),
                Check(fact="squeeze-of", of="0", value=0.175 / 0.32),
            ),
        ),
        Claim(
            text="Masking gives 0, 0+0 and 0+0+0 in 37.5, 23.4 and 39.1 %; exact are 68.6, 17.1 and 14.3 %.",
            checks=(
                Check(fact="texts", value=3),
                Check(fact="masked-of", of="0+0", value=0.03 / 0.128),
                Check(fact="exact-of", of="0", value=0.12 / 0.175),
                Check(fact="exact-of", of="0+0", value=0.03 / 0.175),
                Check(fact="exact-of", of="0+0+0", value=0.025 / 0.175),
            ),
        ),
        Claim(
            text="Of 200 masked draws with seed 0, 34 % are 0; weighed by their receipts, 66 %.",
            checks=(
                Check(fact="drawn", of="masked", value=200),
                Check(fact="share-of-draws", of="masked 0", value=0.34),
                Check(
                    fact="share-of-draws",
                    of="importance 0",
                    relation="near",
                    value=0.66,
                    within=5e-3,
                ),
            ),
        ),
    ),
    exercises=(
        Exercise(
            question="Work out the mean receipt by hand, from the three chances under the mask and the receipts "
            "0.32, 0.128 and 0.064.",
            answer="0.375 x 0.32 + 0.234375 x 0.128 + 0.390625 x 0.064 = 0.12 + 0.03 + 0.025 = 0.175, which is Z.",
        ),
        Exercise(
            question="You masked 1,000 prompts and kept each receipt. What do you learn without one free sample?",
            answer="The mean receipt of a prompt estimates its Z, the share of free samples that would be valid, "
            "with no bias. If all receipts of a prompt are equal, its outputs are not squeezed.",
        ),
    ),
    notes="The word receipt is for the product of Z_t along one run. Write q = p / receipt, then q / p_V = Z / "
    "receipt. Common belief: a long output is punished because many steps multiply. The other way round: the mask "
    "gives each loss back, so the output that lost most is over-drawn most. Bits add, factors multiply: use "
    "whichever your class likes. About 8 minutes.",
    next="token-states",
)
