"""Squeezing, by an odd tokenisation: the A of another sentence is spelled on to Accounts."""

from playground.lessons.lesson import Beat, Check, Claim, Exercise, Lesson, Prediction, scene

PROMPT = (
    "Which team should take this ticket: Billing, Technical or Accounts? Answer with one word. "
    "Ticket: I was charged twice this month."
)
TEAMS = "Billing\nTechnical\nAccounts"

LESSON = Lesson(
    slug="squeeze-ticket",
    title="A ticket for one of the desks",
    question="Charged twice, says the ticket: a matter for Billing. Which desk gets it?",
    minutes=6,
    order=25,
    scenes={
        "accounts": scene(
            "smollm2",
            "choices",
            TEAMS,
            prompt=PROMPT,
            path=("A", "c", "count", "s", 2),
            max_tokens=16,
            law=True,
        ),
        "billing": scene(
            "smollm2", "choices", TEAMS, prompt=PROMPT, path=("B", "illing", 2), max_tokens=16
        ),
        "payments": scene(
            "smollm2",
            "choices",
            "Billing\nTechnical\nPayments",
            prompt=PROMPT,
            path=("B", "illing", 2),
            max_tokens=16,
            law=True,
        ),
    },
    beats=(
        Beat(
            text="The first letter: A has 4.7 %, B 2.7 %. Both are legal as one token.",
            step=0,
            highlight="rows",
        ),
        Beat(
            text="The mask has taken A. How much of the model's mass goes on towards Accounts?",
            step=1,
            highlight="rows",
            predict=Prediction(
                question="The mask has taken A. How much of the model's mass goes on towards Accounts?",
                options=("about 90 %", "about 5 %", "less than 1 in 1,000"),
                answer=2,
            ),
        ),
        Beat(
            text="1 in 4,200. The A was meant for other words, and the mask spells on: c.",
            step=1,
            highlight="z",
        ),
        Beat(
            text="count, then s: 1 in 24,000 and 1 in 20,000. The pieces fit in bytes only.",
            step=3,
            highlight="strip",
        ),
        Beat(
            text="After B the model writes illing with 99.7 %. That B did mean Billing.",
            scene="billing",
            step=1,
            highlight="z",
        ),
        Beat(
            text="Masked: Accounts 54 %, Billing 31 %. The model's own law: Billing 99 %.",
            scene="accounts",
            view="squeezing",
            highlight="leaves",
        ),
        Beat(
            text="Mechanism: odd tokenisation. Name the team Payments, and Billing gets 62 %; TV falls to .37.",
            scene="payments",
            view="squeezing",
            highlight="leaves",
        ),
    ),
    claims=(
        Claim(
            text="A has 4.7 % and B 2.7 % as first token.",
            checks=(
                Check(fact="p", step=0, of="A", relation="near", value=0.0469, within=0.001),
                Check(fact="p", step=0, of="B", relation="near", value=0.0269, within=0.001),
            ),
        ),
        Claim(
            text="After A two tokens are legal, with 1 in 4,200 together.",
            checks=(
                Check(fact="allowed", step=1, value=2),
                Check(fact="z", step=1, relation="near", value=2.37e-4, within=5e-6),
            ),
        ),
        Claim(
            text="The next steps keep 1 in 24,000 and 1 in 20,000.",
            checks=(
                Check(fact="z", step=2, relation="near", value=4.25e-5, within=1.5e-6),
                Check(fact="z", step=3, relation="near", value=4.94e-5, within=1.5e-6),
                Check(fact="forced", step=3, value=True),
            ),
        ),
        Claim(
            text="After B the mask keeps 99.7 %.",
            checks=(Check(fact="z", scene="billing", step=1, relation=">", value=0.99),),
        ),
        Claim(
            text="Masking writes Accounts 54 % and Billing 31 % of the time; the model's own law gives Billing 99 %.",
            checks=(
                Check(fact="masked-of", of="Accounts", relation="near", value=0.5425, within=0.005),
                Check(fact="masked-of", of="Billing", relation="near", value=0.307, within=0.005),
                Check(fact="exact-of", of="Billing", relation=">", value=0.98),
                Check(fact="tv", relation="near", value=0.68, within=0.005),
            ),
        ),
        Claim(
            text="Accounts comes over 280 times too often.",
            checks=(Check(fact="squeeze-of", of="Accounts", relation=">", value=280),),
        ),
        Claim(
            text="With Payments as third name Billing gets 62 %, and TV is .37.",
            checks=(
                Check(
                    fact="masked-of",
                    scene="payments",
                    of="Billing",
                    relation="near",
                    value=0.62,
                    within=0.005,
                ),
                Check(fact="tv", scene="payments", relation="near", value=0.369, within=0.005),
            ),
        ),
    ),
    exercises=(
        Exercise(
            question="With Payments, which team is now written too often, and by which first token?",
            answer="Technical, 30 % against 1.1 %, most of it through T: the same trap with another letter.",
        ),
        Exercise(
            question="What would you log to find such tickets?",
            answer="The product of Z_t beside each label: spelled out of A, c, count and s it is under 1 in "
            "100 million million; Billing's is 1 in 225.",
        ),
    ),
    notes="A routing table with one-word labels is the most usual use of choices. The mask can't see that the A was "
    "not meant; only what follows shows it, one token too late.",
)
