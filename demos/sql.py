"""A subset of SQL as a grammar."""

from playground.constraints.spec import ConstraintSpec
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="sql",
    title="A subset of SQL",
    question="The columns are few and the words are fixed. What is left for the model to choose?",
    problem=ProblemSpec(
        model="smollm2",
        prompt="Table users(id, name, age, city). Write SQL for the names of all users in Paris older than 30.",
        constraint=ConstraintSpec(
            kind="grammar",
            source="""root ::= "SELECT " columns " FROM users" where? ";"
columns ::= "*" | column (", " column)*
column ::= "id" | "name" | "age" | "city"
where ::= " WHERE " condition
condition ::= test ((" AND " | " OR ") test)*
test ::= column operator value | "(" condition ")"
operator ::= " = " | " < " | " > "
value ::= [0-9] [0-9]? [0-9]? | "'" [A-Za-z ]+ "'"
""",
            engine="auto",
        ),
        max_tokens=48,
    ),
    order=33,
)
