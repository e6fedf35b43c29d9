"""Two ways to change an answer: how its options are spelled, and what is written before it."""

from playground.lessons.lesson import Beat, Check, Claim, Exercise, Lesson, Prediction, scene

ENDS = {"y": 0.98, "ill": 0.002, "ip": 0.018}
SKY = {
    "name": "sky-ability",
    "title": "Sky, with two words of one weight",
    "note": "The sky toy; ability is a token of its own, as likely as skill is in two: 0.12 %.",
    "tokens": ("sk", "cloud", "ability", "other", *ENDS),
    "rules": (
        {"prefix": (), "p": {"sk": 0.6, "cloud": 0.25, "ability": 0.0012, "other": 0.1488}},
        {"prefix": ("sk",), "p": ENDS},
        {"p": {"<eos>": 1}},
    ),
}
REASON = "91 = 7 x 13"
PRIME = {
    "name": "prime",
    "title": "Is 91 prime?",
    "note": "Asked at once it says yes three times in four; with the factors written, no seven times in eight.",
    "tokens": (REASON, "yes", "no", " because ", ", so "),
    "rules": (
        {"prefix": (), "p": {REASON: 0.6, "yes": 0.3, "no": 0.1}},
        {"prefix": (REASON,), "p": {", so ": 1}},
        {"last": ", so ", "p": {"yes": 1, "no": 7}},
        {"prefix": ("yes",), "p": {" because ": 1}},
        {"prefix": ("no",), "p": {" because ": 1}},
        {"last": " because ", "p": {REASON: 1}},
        {"p": {"<eos>": 1}},
    ),
}
TOY = "toy:sky"

LESSON = Lesson(
    slug="order",
    title="Order and spelling",
    question="Same question, same options in other words or in another order: is it the same answer?",
    minutes=8,
    order=12,
    scenes={
        "skill": scene(
            TOY, "choices", "skill\ncloud", toy=SKY, path=("sk", "ill"), draws=1, law=True
        ),
        "ability": scene(
            TOY, "choices", "ability\ncloud", toy=SKY, path=("cloud",), draws=1, law=True
        ),
        "answer-first": scene(
            TOY,
            "regex",
            f"(yes|no) because {REASON}",
            toy=PRIME,
            path=("yes", " because ", REASON),
            draws=1,
            law=True,
        ),
        "reason-first": scene(
            TOY,
            "regex",
            f"{REASON}, so (yes|no)",
            toy=PRIME,
            path=(REASON, ", so ", "no"),
            draws=1,
            law=True,
        ),
    },
    beats=(
        Beat(
            text="Valid are skill and cloud. Skill begins with sk, which the model likes: 71 % after the mask.",
            step=0,
            highlight="rows",
        ),
        Beat(
            text="To 0.5 %. Ability is one token: the mask sees its whole price at once.",
            scene="ability",
            step=0,
            highlight="rows",
            predict=Prediction(
                question="The list says ability for skill; the model likes both alike. Where does the 71 % go?",
                options=("It stays 71 %", "To 36 %", "To 0.5 %"),
                answer=2,
            ),
        ),
        Beat(
            text="And skill by the exact law? 0.48 %, as ability. So the spelling moved masking alone.",
            scene="skill",
            view="squeezing",
            highlight="leaves",
        ),
        Beat(
            text="Order is another matter. Is 91 prime? Answer first, reason after: yes has 75 %.",
            scene="answer-first",
            step=0,
            highlight="rows",
        ),
        Beat(
            text="The reason comes anyway, and it says no. The answer was written without it.",
            step=2,
            highlight="strip",
        ),
        Beat(
            text="87.5 %. The factors stand on the page now, and the model reads what it wrote.",
            scene="reason-first",
            step=2,
            highlight="rows",
            predict=Prediction(
                question="Now the schema asks for the reason first. How likely is no at the end?",
                options=("25 %: same model", "50 %", "87.5 %"),
                answer=2,
            ),
        ),
        Beat(
            text="Here no mask is to blame: TV is 0. Another order is another question to the model.",
            view="squeezing",
            highlight="exact",
        ),
    ),
    claims=(
        Claim(
            text="skill and ability have the same chance under the model, 0.12 %, and the same belief, 0.48 %.",
            checks=(
                Check(fact="p-of", of="skill", value=0.0012),
                Check(fact="p-of", scene="ability", of="ability", value=0.0012),
                Check(fact="exact-of", of="skill", value=0.0012 / 0.2512),
                Check(fact="exact-of", scene="ability", of="ability", value=0.0012 / 0.2512),
            ),
        ),
        Claim(
            text="Masking gives skill 70.6 % and ability 0.48 %.",
            checks=(
                Check(fact="masked-of", of="skill", value=0.6 / 0.85),
                Check(fact="after-mask", step=0, of="sk", value=0.6 / 0.85),
                Check(fact="masked-of", scene="ability", of="ability", value=0.0012 / 0.2512),
            ),
        ),
        Claim(
            text="The TV falls from 0.70 to 0 by the spelling alone.",
            checks=(
                Check(fact="tv", value=0.6 / 0.85 - 0.0012 / 0.2512),
                Check(fact="tv", scene="ability", value=0),
            ),
        ),
        Claim(
            text="Answer first: yes 75 %. Reason first: no 87.5 %.",
            checks=(
                Check(fact="after-mask", scene="answer-first", step=0, of="yes", value=0.75),
                Check(fact="after-mask", scene="reason-first", step=2, of="no", value=0.875),
                Check(fact="text", scene="answer-first", value=f"yes because {REASON}"),
                Check(fact="text", scene="reason-first", value=f"{REASON}, so no"),
            ),
        ),
        Claim(
            text="In both orders masking is the exact law: TV 0.",
            checks=(
                Check(fact="tv", scene="answer-first", value=0),
                Check(fact="tv", scene="reason-first", value=0),
            ),
        ),
    ),
    exercises=(
        Exercise(
            question="A colleague says: the model knows from the schema that a reason will come, so the order of the "
            "fields does not matter. What is wrong with that?",
            answer="It knows that there will be a reason, not what it says. A token depends on what stands before "
            "it, and the words of a later field do not stand there yet.",
        ),
        Exercise(
            question="A schema asks for party_a, party_b, effective_date and termination_date, all required strings. "
            "Name two flaws.",
            answer="A contract without an end date has no way to say so: allow null, or the model makes a date up. "
            "And nothing is written before the dates that helps to tell them apart: put a field for the reasoning "
            "first.",
        ),
        Exercise(
            question="You swap skill and cloud in the list of options. What changes under the mask?",
            answer="Nothing. The mask knows the set, not the order of the list. Only where the list stands in the "
            "prompt, or in the order of the fields, does the model read it.",
        ),
    ),
    notes="Keep the two cases apart: spelling moves the solid bars (the mask's law) and leaves the diamonds; order "
    "moves the diamonds too. So scoring whole options, as the Decisions screen does, mends the first and not the "
    "second. Common belief: labels are only names. Choose labels that begin unlike, and put the reason before the "
    "answer; some libraries do not keep the order of the properties, so check. About 8 minutes.",
    next="none-of-these",
)
