"""A finite automaton remembers one state; brackets need a stack."""

from playground.lessons.lesson import Beat, Check, Claim, Exercise, Lesson, Prediction, scene

TOY = {
    "name": "brackets",
    "title": "Brackets around an x",
    "note": "It opens, writes x, and closes for a while; it does not count.",
    "tokens": ("(", "x", ")"),
    "rules": (
        {"prefix": (), "p": {"(": 0.7, "x": 0.3}},
        {"last": "(", "p": {"(": 0.5, "x": 0.5}},
        {"p": {")": 0.6, "<eos>": 0.4}},
    ),
}
DEEP = "(" * 20 + "x" + ")" * 20
PATH = ("(", "(", "x", ")", ")")


def nested(levels: int) -> str:
    """A regex of x in up to `levels` pairs of brackets."""
    return "|".join(r"\(" * depth + "x" + r"\)" * depth for depth in range(levels + 1))


def strings(*texts: str) -> tuple[dict[str, str], ...]:
    """Test strings: balanced ones should pass."""
    return tuple(
        {"text": text, "should": "pass" if text.count("(") == text.count(")") else "fail"}
        for text in texts
    )


LESSON = Lesson(
    slug="brackets",
    title="Counting brackets",
    question="Can a regex check that every bracket is closed?",
    minutes=8,
    order=15,
    scenes={
        "star": scene(
            "toy:sky",
            "regex",
            r"\(*x\)*",
            toy=TOY,
            path=PATH,
            draws=1,
            strings=strings("((x))", "((x)", "x)))"),
        ),
        "three": scene(
            "toy:sky",
            "regex",
            nested(3),
            toy=TOY,
            path=PATH,
            draws=1,
            strings=strings("((x))", "((x)", "((((x))))"),
        ),
        "six": scene(
            "toy:sky",
            "regex",
            nested(6),
            toy=TOY,
            path=PATH,
            draws=1,
            strings=strings("(" * 6 + "x" + ")" * 6, "(" * 7 + "x" + ")" * 7),
        ),
        "grammar": scene(
            "toy:sky",
            "grammar",
            'root ::= "x" | "(" root ")"\n',
            toy=TOY,
            engine="llguidance",
            path=PATH,
            draws=1,
            strings=strings("((x))", "((x)", "((((x))))", DEEP),
        ),
    },
    beats=(
        Beat(
            text="A toy writes brackets around an x. Each one that opens must close: x, (x), ((x)).",
            step=5,
            highlight="strip",
        ),
        Beat(
            text="It passes, one ) short. The regex asks for some of each, not for as many.",
            view="schema",
            highlight="strings",
            predict=Prediction(
                question=r"First try, a regex: \(*x\)*, some (, an x, some ). What does it say to ((x), one ) short?",
                options=("Invalid", "Incomplete: ) is missing", "Valid"),
                answer=2,
            ),
        ),
        Beat(
            text="The reason: after one ( or two the automaton is in the same state. It can't tell them apart.",
            step=2,
            highlight="state",
        ),
        Beat(
            text="So write the levels out, x to (((x))). Now ((x) is incomplete, but a fourth level is invalid.",
            scene="three",
            view="schema",
            highlight="strings",
        ),
        Beat(
            text="499: every level costs two more states, and an automaton has a fixed number of them.",
            scene="six",
            view="schema",
            highlight="explanation",
            predict=Prediction(
                question="Three levels took 8 states, six take 14. How many levels fit into 1,000 states?",
                options=("499", "1,000", "Any number"),
                answer=0,
            ),
        ),
        Beat(
            text="A grammar runs on a stack: each ( is put on it, and waits there for its ).",
            scene="grammar",
            step=2,
            highlight="state",
        ),
        Beat(
            text="The model would stop here, 40 %. One bracket is still open, so the mask blocks the stop.",
            step=4,
            highlight="rows",
        ),
        Beat(
            text="Twenty levels pass by the same short grammar. A bracket short is told as incomplete.",
            view="schema",
            highlight="strings",
        ),
    ),
    claims=(
        Claim(
            text=r"The regex \(*x\)* lets ((x) and x))) through.",
            checks=(
                Check(fact="mask-verdict", of="((x)", value="valid"),
                Check(fact="mask-verdict", of="x)))", value="valid"),
            ),
        ),
        Claim(
            text="Its automaton has two states, and is in the same one before, after one and after two brackets.",
            checks=(
                Check(fact="states", value=2),
                *(Check(fact="state", step=step, value="q0") for step in range(3)),
            ),
        ),
        Claim(
            text="Three levels take 8 states, six take 14; a level more is too deep for each.",
            checks=(
                Check(fact="states", scene="three", value=8),
                Check(fact="states", scene="six", value=14),
                Check(fact="mask-verdict", scene="three", of="((x)", value="incomplete"),
                Check(fact="mask-verdict", scene="three", of="((((x))))", value="invalid"),
                Check(
                    fact="mask-verdict", scene="six", of="(" * 7 + "x" + ")" * 7, value="invalid"
                ),
            ),
        ),
        Claim(
            text="With the grammar the stack holds one, then two open brackets.",
            checks=tuple(
                Check(fact="stack", scene="grammar", step=step, value=step) for step in range(3)
            ),
        ),
        Claim(
            text="With one bracket open the stop, 40 % of p, is blocked by the grammar; the regex allows it.",
            checks=(
                Check(fact="p", scene="grammar", step=4, of="<eos>", value=0.4),
                Check(fact="may-stop", scene="grammar", step=4, value=False),
                Check(fact="may-stop", scene="star", step=4, value=True),
            ),
        ),
        Claim(
            text="The grammar takes twenty levels, and calls ((x) incomplete.",
            checks=(
                Check(fact="mask-verdict", scene="grammar", of=DEEP, value="valid"),
                Check(fact="mask-verdict", scene="grammar", of="((x)", value="incomplete"),
            ),
        ),
    ),
    exercises=(
        Exercise(
            question="JSON nests without end. How can an engine that is a finite automaton still run JSON Schemas?",
            answer="A schema that does not refer to itself has a fixed depth, so its levels can be written out. One "
            "that does has to be cut at some depth, and the engine must say at which.",
        ),
        Exercise(
            question="Show that no automaton with 10 states accepts exactly the balanced texts.",
            answer="After 0, 1, ..., 10 opening brackets it was in 11 states, so two are the same, say after i and "
            "j. Then it treats ( i times, x, ) i times and ( j times, x, ) i times alike. One of them is not "
            "balanced.",
        ),
    ),
    notes="Say regular and context-free once, then use automaton and stack. Common belief: a longer regex will do "
    "it; each one stops at some depth. Another: a grammar is always better. Its masks cost more at each token, for "
    "what is allowed depends on the stack. The demos with a tree of bicycle parts show the same on a real schema. 8 "
    "minutes.",
    next="boundary",
)
