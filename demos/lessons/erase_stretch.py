"""Masking is two moves: what is not allowed becomes 0, the rest is divided by what was left."""

from playground.lessons.lesson import Beat, Check, Claim, Exercise, Lesson, Prediction, scene
from playground.models.toys import TOYS

AGE = ("toy:age", "schema", TOYS["age"].constraint_source)
UP_TO_AGE = ('{"name": ', '"Ada"', ', "age":')
STEP = 3
"""The step after `"age":`."""

LESSON = Lesson(
    slug="erase-stretch",
    title="What a mask does to the chances",
    question="What happens to the chances of the tokens that the mask allows?",
    minutes=6,
    order=3,
    scenes={
        "five": scene(*AGE, path=(*UP_TO_AGE, "5", "}"), draws=1),
        "blank": scene(*AGE, path=(*UP_TO_AGE, " ", "36", "}"), draws=1),
    },
    beats=(
        Beat(
            text="The model has written a name. Nothing is blocked so far: Z is 1 at each step.",
            step=0,
            highlight="strip",
        ),
        Beat(
            text="98.5 %. It wants x, but the schema asks for a number. Look at the two moves one by one.",
            step=STEP,
            highlight="rows",
            predict=Prediction(
                question="Next it gives x 96 % and 5 only 3.2 %. x is blocked. What has 5 after the mask?",
                options=("3.2 %: the mask only erases", "51 %: half of what x had", "98.5 %"),
                answer=2,
            ),
        ),
        Beat(
            text="Erase: of the 100 % only 3.2 % is left. That share is Z.",
            step=STEP,
            highlight="bar",
        ),
        Beat(
            text="Stretch: divide what is left by Z. 5 had 3.2 %, now it has 98.5 %.",
            step=STEP,
            highlight="z",
        ),
        Beat(
            text="The odds stay: 5 was 67 times as likely as a blank, and still is. The blank is taken here.",
            scene="blank",
            step=STEP,
            highlight="rows",
        ),
        Beat(
            text="A mild case: after 5 a fifth is erased, and } goes from 60 % to 75 %.",
            scene="five",
            step=4,
            highlight="bar",
        ),
        Beat(
            text="Counted in bits, the erased part costs 4.9 bits before 5 and 0.3 bits after it.",
            step=4,
            highlight="strip",
        ),
    ),
    claims=(
        Claim(
            text="Before the age nothing is erased: Z is 1 at the first three steps.",
            checks=tuple(Check(fact="z", step=step, value=1) for step in range(STEP)),
        ),
        Claim(
            text="The model's first choice is x, 96 %, and it is blocked.",
            checks=(
                Check(fact="argmax", step=STEP, value="x"),
                Check(fact="argmax-blocked", step=STEP, value=True),
                Check(fact="argmax-p", step=STEP, relation="near", value=0.957, within=5e-4),
            ),
        ),
        Claim(
            text="Z is 3.2 %; 5 goes from 3.2 % to 98.5 %, at a cost of 4.9 bits.",
            checks=(
                Check(fact="z", step=STEP, relation="near", value=0.0324, within=5e-5),
                Check(fact="p", step=STEP, of="5", relation="near", value=0.0319, within=5e-5),
                Check(
                    fact="after-mask", step=STEP, of="5", relation="near", value=0.985, within=5e-4
                ),
                Check(fact="bits", step=STEP, relation="near", value=4.9, within=0.05),
            ),
        ),
        Claim(
            text="What is left for the blank is the rest: 1.5 % after the mask, 0.05 % before.",
            checks=(
                Check(
                    fact="p",
                    scene="blank",
                    step=STEP,
                    of=" ",
                    relation="near",
                    value=4.8e-4,
                    within=5e-6,
                ),
                Check(
                    fact="after-mask",
                    scene="blank",
                    step=STEP,
                    of=" ",
                    relation="near",
                    value=0.0148,
                    within=5e-5,
                ),
            ),
        ),
        Claim(
            text="After 5 the mask keeps 80 %: } goes from 60 % to 75 %, for 0.3 bits.",
            checks=(
                Check(fact="z", step=4, value=0.8),
                Check(fact="p", step=4, of="}", value=0.6),
                Check(fact="after-mask", step=4, of="}", value=0.75),
                Check(fact="bits", step=4, relation="near", value=0.32, within=0.005),
            ),
        ),
    ),
    exercises=(
        Exercise(
            question="Four tokens have the logits 12.3, 8.1, 15.7 and 11.2. The mask keeps the first two. What is "
            "the chance of the first after the mask? You need only one difference of logits.",
            answer="Only the odds of the two that are left count: exp(12.3 - 8.1) = 66.7 to 1, so 66.7 / 67.7 = 98.5 "
            "%. The blocked logits do not matter after the mask. They decide Z.",
        ),
        Exercise(
            question="A token has 30 % and Z is 0.6. What has it after the mask, and what does the step cost in bits?",
            answer="0.30 / 0.6 = 50 %. The cost is -log2 0.6 = 0.74 bits.",
        ),
    ),
    notes="Hold the 100 % bar half-way with the slider: first the blocked part fades, then the rest grows. Common "
    "belief: the mask shares the erased mass out evenly. It does not: each token that is left grows by the same "
    "factor, 1 / Z. Do not call a small Z wrong: it only says how much was erased. About 6 minutes.",
    next="shouting",
)
