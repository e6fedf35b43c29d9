"""The model's first choice is blocked: asked for JSON, it wants to open a code fence."""

from playground.lessons.lesson import Beat, Check, Claim, Exercise, Lesson, Prediction, scene

PROMPT = "Write a JSON object that describes a cat."
SCHEMA = """{
  "type": "object",
  "properties": {
    "name": {"type": "string", "minLength": 1, "maxLength": 12},
    "indoor": {"type": "boolean"}
  },
  "required": ["name", "indoor"],
  "additionalProperties": false
}"""
FELIX = (107, 476, 1245, 1799, 476, 54, 299, 1088, 1002, 476, 254, 84, 2960, 1799, 2629, 4029, 2)
"""{ "name": "Felix", "indoor": true }, always the likeliest allowed token."""

LESSON = Lesson(
    slug="blocked",
    title="What the model wanted to say",
    question="The answer is valid JSON. Is it what the model wanted to say?",
    minutes=6,
    order=2,
    scenes={
        "masked": scene("smollm2", "schema", SCHEMA, prompt=PROMPT, path=FELIX, max_tokens=32),
        "free": scene(
            "smollm2", "free", prompt=PROMPT, path=("```python\nimport json",), max_tokens=32
        ),
    },
    beats=(
        Beat(
            text="A JSON object is asked for. Which token has the most model probability?",
            step=0,
            highlight="rows",
            predict=Prediction(
                question="A JSON object is asked for. Which token has the most model probability?",
                options=("{", "```", "Sure"),
                answer=1,
            ),
        ),
        Beat(
            text="It wanted a code fence, 87.5 %: blocked. It took {, which had 3.8 %.",
            step=0,
            highlight="caption",
        ),
        Beat(
            text="Left alone it opens the fence and writes Python, no JSON at all.",
            scene="free",
            step=1,
            highlight="rows",
        ),
        Beat(
            text="The second key: it wanted age, 45 %. The schema has only indoor, and in had 1 in 38,000.",
            scene="masked",
            step=10,
            highlight="rows",
        ),
        Beat(
            text="After true it wanted a comma, 97 %. The object must end here.",
            step=15,
            highlight="z",
        ),
        Beat(
            text="Each cross on the strip is a first choice that was blocked. The result is valid all the same.",
            step=16,
            highlight="strip",
        ),
    ),
    claims=(
        Claim(
            text="The model's first choice is a code fence, 87.5 %, and the mask blocks it.",
            checks=(
                Check(fact="argmax", step=0, value="```"),
                Check(fact="argmax-p", step=0, relation="near", value=0.875, within=0.01),
                Check(fact="argmax-blocked", step=0, value=True),
            ),
        ),
        Claim(
            text="The brace had 3.8 % and has 96 % after the mask: Z is 3.9 %.",
            checks=(
                Check(fact="taken", step=0, value="{"),
                Check(fact="taken-p", step=0, relation="near", value=0.038, within=0.001),
                Check(
                    fact="after-mask", step=0, of="{", relation="near", value=0.963, within=0.005
                ),
                Check(fact="z", step=0, relation="near", value=0.039, within=0.001),
            ),
        ),
        Claim(
            text="Left alone it goes on with python, 62 %.",
            checks=(
                Check(fact="taken", scene="free", step=1, value="python"),
                Check(
                    fact="taken-p", scene="free", step=1, relation="near", value=0.62, within=0.01
                ),
            ),
        ),
        Claim(
            text="As second key it wanted age, 45 %; the token taken had less than 1 in 30,000.",
            checks=(
                Check(fact="argmax", step=10, value="age"),
                Check(fact="argmax-p", step=10, relation="near", value=0.45, within=0.01),
                Check(fact="token-allowed", step=10, of="age", value=False),
                Check(fact="taken-p", step=10, relation="<", value=1 / 30_000),
            ),
        ),
        Claim(
            text="After true the comma it wanted, 97 %, is blocked; the text is valid in the end.",
            checks=(
                Check(fact="argmax", step=15, value=","),
                Check(fact="argmax-p", step=15, relation="near", value=0.967, within=0.005),
                Check(fact="argmax-blocked", step=15, value=True),
                Check(fact="outcome", value="accepted"),
                Check(fact="text", value='{ "name": "Felix", "indoor": true }'),
            ),
        ),
    ),
    exercises=(
        Exercise(
            question="Rename the field indoor to age, an integer from 0 to 30. What does Z become where "
            "that key begins?",
            answer="About 45 %: age is then the model's own first choice and stays legal. Before, "
            "fewer than 3 in 100,000 were left there.",
        ),
        Exercise(
            question="Find the step where the mask takes away least.",
            answer="Inside the name almost everything is legal: at F Z is above 99.9 %.",
        ),
    ),
    notes="Say first what a valid answer proves: that it parses. Then go along the strip and let the room "
    "find the crosses. The fence is a habit of this model; the point is that the output hides it.",
    next="erase-stretch",
)
