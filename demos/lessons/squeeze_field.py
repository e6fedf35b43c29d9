"""Squeezing, by a field that the schema forbids: the model writes a comma for it, and the mask invents another."""

from playground.lessons.lesson import Beat, Check, Claim, Exercise, Lesson, Prediction, scene

PROMPT = "Extract the name and the city as JSON. Text: Anna lives in Berlin."
VIP = """{
  "type": "object",
  "properties": {
    "name": {"enum": ["Anna", "Bob"]},
    "vip": {"type": "boolean"}
  },
  "required": ["name"],
  "additionalProperties": false
}"""
CITY = VIP.replace('"vip": {"type": "boolean"}', '"city": {"enum": ["Berlin", "Paris"]}')
SHORT = '{"name":"Anna"}'
INVENTED = '{"name":"Anna","vip":true}'

LESSON = Lesson(
    slug="squeeze-field",
    title="A field that nobody asked for",
    question="Nobody says whether Anna is a VIP. What does the answer say?",
    minutes=7,
    order=22,
    scenes={
        "invented": scene(
            "smollm2",
            "schema",
            VIP,
            whitespace="none",
            prompt=PROMPT,
            path=('{"', "name", '":', '"', "Anna", '",', '"', "v", "ip", '":', "true", "}", 2),
            max_tokens=32,
            law=True,
        ),
        "short": scene(
            "smollm2",
            "schema",
            VIP,
            whitespace="none",
            prompt=PROMPT,
            path=('{"', "name", '":', '"', "Anna", '"}', 2),
            max_tokens=32,
        ),
        "city": scene(
            "smollm2",
            "schema",
            CITY,
            whitespace="none",
            prompt=PROMPT,
            path=('{"', "name", '":"', "Anna", '","', "city", '":"', "Ber", "lin", '"}', 2),
            max_tokens=32,
            law=True,
        ),
        "start": scene("smollm2", "schema", VIP, whitespace="none", prompt=PROMPT, max_tokens=32),
    },
    beats=(
        Beat(
            text="Name and city are asked for. The schema has name and optional vip. How often is vip written?",
            scene="start",
            step=0,
            highlight="rows",
            predict=Prediction(
                question="Name and city are asked for. The schema has name and optional vip. How often is vip written?",
                options=("about never", "half the time", "nearly always"),
                answer=2,
            ),
        ),
        Beat(
            text="Masked: vip in nearly every text. The model's own law: over 99 % the name alone. How so?",
            scene="invented",
            view="squeezing",
            highlight="leaves",
        ),
        Beat(
            text="After Anna the model writes a comma, 69 %, because it wants the city. It is legal: vip might come.",
            scene="invented",
            step=5,
            highlight="rows",
        ),
        Beat(
            text="Now it wants city, 81 %. Forbidden: only vip is left, and v has 1 in 28,000.",
            step=7,
            highlight="z",
        ),
        Beat(
            text="The mask spells v, ip, and then true with 71 %: a fact that no one wrote.",
            step=10,
            highlight="rows",
        ),
        Beat(
            text="To end after Anna has 1.1 % at this step. That run pays little: the end keeps 21 %.",
            scene="short",
            step=5,
            highlight="rows",
        ),
        Beat(
            text="The mechanism is a prefix trap by a forbidden field. Put city in the schema: TV is under .04.",
            scene="city",
            view="squeezing",
            highlight="leaves",
        ),
    ),
    claims=(
        Claim(
            text="After Anna the model's first choice is a comma, 69 %, and it is legal.",
            checks=(
                Check(fact="argmax", step=5, value='",'),
                Check(fact="argmax-p", step=5, relation="near", value=0.69, within=0.01),
                Check(fact="argmax-blocked", step=5, value=False),
            ),
        ),
        Claim(
            text="As key it wants city, 81 %, which is blocked; Z is 1 in 28,000.",
            checks=(
                Check(fact="argmax", step=7, value="city"),
                Check(fact="argmax-p", step=7, relation="near", value=0.805, within=0.01),
                Check(fact="token-allowed", step=7, of="city", value=False),
                Check(fact="z", step=7, relation="near", value=3.55e-5, within=1e-6),
            ),
        ),
        Claim(
            text="The value true gets 71 % after the mask.",
            checks=(
                Check(
                    fact="after-mask", step=10, of="true", relation="near", value=0.71, within=0.02
                ),
            ),
        ),
        Claim(
            text="Ending after Anna has 1.1 % there, and the end keeps 21 % after it.",
            checks=(
                Check(fact="taken", scene="short", step=5, value='"}'),
                Check(
                    fact="taken-p",
                    scene="short",
                    step=5,
                    relation="near",
                    value=0.0105,
                    within=5e-4,
                ),
                Check(fact="z", scene="short", step=6, relation="near", value=0.214, within=0.01),
            ),
        ),
        Claim(
            text="Masking writes the name alone at most 2 % of the time and vip true about 71 %; "
            "the model's own law is over 99 % the name alone.",
            checks=(
                Check(fact="masked-of", of=SHORT, relation="<", value=0.02),
                Check(fact="masked-of", of=INVENTED, relation="near", value=0.712, within=0.03),
                Check(fact="exact-of", of=SHORT, relation=">", value=0.99),
                Check(fact="exact-of", of=INVENTED, relation="<", value=0.005),
                Check(fact="tv", relation=">", value=0.95),
            ),
        ),
        Claim(
            text="With city in the schema TV is under .05, and masking writes Anna and Berlin.",
            checks=(
                Check(fact="tv", scene="city", relation="<", value=0.05),
                Check(
                    fact="masked-of",
                    scene="city",
                    of='{"name":"Anna","city":"Berlin"}',
                    relation=">",
                    value=0.94,
                ),
            ),
        ),
    ),
    exercises=(
        Exercise(
            question="Take vip out of the schema and put nothing in its place. What does masking write?",
            answer="The name alone, 98 %, and TV is under .02: the comma is blocked where it stands.",
        ),
        Exercise(
            question="Which is the safer schema for a program that wants the name only?",
            answer="One without optional fields that the text says nothing about, or with the fields that the model "
            "will want to write. An optional field is a door.",
        ),
    ),
    notes="The law is bounded here, not exact: 400 rows leave about 1 % of the masked mass open, and the claims hold "
    "for every value within the bounds. Whitespace is off, which costs both runs the same at the colon.",
    next="squeeze-dont-know",
)
