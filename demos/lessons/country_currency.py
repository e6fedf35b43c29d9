"""Two fields that hang together: chosen one after the other they fit, chosen apart they clash."""

from playground.lessons.lesson import Beat, Check, Claim, Exercise, Lesson, Prediction, scene

PAIRS = ("toy:country-currency", "regex", "(US|DE)/(USD|EUR)")
CURRENCIES = (3, 4)
"""USD and EUR stand among the rows at each step."""

LESSON = Lesson(
    slug="country-currency",
    title="Country and currency: the two fields of a record",
    question="Can the fields of a record be chosen apart, each by its own chances?",
    minutes=7,
    order=14,
    scenes={
        "us": scene(
            *PAIRS, path=("US", "/", "USD"), draws=1, watch=CURRENCIES, law=True, place="together"
        ),
        "de": scene(
            *PAIRS, path=("DE", "/", "EUR"), draws=1, watch=CURRENCIES, law=True, place="together"
        ),
    },
    beats=(
        Beat(
            text="A payment has a country and a currency. The country is the toss of a coin.",
            step=0,
            highlight="rows",
        ),
        Beat(
            text="US is written. The mask would take EUR as well as USD; the model is sure: USD.",
            step=2,
            highlight="rows",
        ),
        Beat(
            text="After DE it is just as sure of EUR. The second field reads the first.",
            scene="de",
            step=2,
            highlight="rows",
        ),
        Beat(
            text="So only two records ever come, half of the time each. Four would be valid.",
            view="squeezing",
            highlight="leaves",
        ),
        Beat(
            text="Half of them: US with EUR and DE with USD, 25 % each. Of the right type, and nonsense.",
            view="decisions",
            highlight="together",
            predict=Prediction(
                question="Now choose each field apart, by its own 50 : 50. How many records make no sense?",
                options=("None: each field is right", "A quarter", "Half"),
                answer=2,
            ),
        ),
        Beat(
            text="What apart can't tell is one bit: who knows the country knows the currency.",
            view="decisions",
            highlight="together",
        ),
    ),
    claims=(
        Claim(
            text="The first field is even: US 50 %, DE 50 %.",
            checks=(
                Check(fact="p", step=0, of="US", value=0.5),
                Check(fact="p", step=0, of="DE", value=0.5),
            ),
        ),
        Claim(
            text="The second field follows: USD is certain after US, EUR after DE, though the mask allows both.",
            checks=(
                Check(fact="p", step=2, of="USD", value=1),
                Check(fact="p", scene="de", step=2, of="EUR", value=1),
                Check(fact="token-allowed", step=2, of="EUR", value=True),
                Check(fact="token-allowed", scene="de", step=2, of="USD", value=True),
            ),
        ),
        Claim(
            text="Two records come, 50 % each.",
            checks=(
                Check(fact="texts", value=2),
                Check(fact="exact-of", of="US/USD", value=0.5),
                Check(fact="exact-of", of="DE/EUR", value=0.5),
            ),
        ),
        Claim(
            text="Chosen apart, each of the four records has 25 %, so half of them never belong together.",
            checks=tuple(
                Check(fact="apart-of", of=pair, value=0.25)
                for pair in ("US/USD", "US/EUR", "DE/USD", "DE/EUR")
            ),
        ),
        Claim(
            text="The total correlation of the two fields is exactly 1 bit.",
            checks=(Check(fact="correlation", of="/", value=1),),
        ),
    ),
    exercises=(
        Exercise(
            question="Of 100 payments 80 are US with USD and 20 are DE with EUR. How many make no sense if the "
            "fields are chosen apart, and what is the total correlation?",
            answer="0.8 x 0.2 + 0.2 x 0.8 = 32 %. The correlation is the entropy of one field: -0.8 log2 0.8 - 0.2 "
            "log2 0.2 = 0.72 bits.",
        ),
        Exercise(
            question="Name two ways to keep one forward pass and still have records that fit.",
            answer="A chain: decide the country, add it to the state, then decide the currency. Or one softmax over "
            "whole records, with those that can't be masked out. That mask renormalises once, so it is exact.",
        ),
        Exercise(
            question="On the Decisions screen train heads for the ticket twice, apart and chained. Which numbers "
            "tell you whether the chain was worth it?",
            answer="The share of records that make no sense, and the total correlation that the heads can tell; then "
            "the accuracy of each field, on tickets not trained on. Where fields are independent the chain buys "
            "nothing.",
        ),
    ),
    notes="Ask for the four possible records before the last beats; somebody will name US with EUR. Common belief: "
    "fields that are each right make a record that is right. Total correlation is KL(joint || product of marginals): "
    "0 only where the fields are independent. A model that writes token by token pays for the fit with one step "
    "after the other; heads that decide all fields at once need a chain or a joint softmax. The trained heads are on "
    "the Decisions screen. About 7 minutes.",
    next="brackets",
)
