"""The registry of experiments: the only list of them."""

from collections.abc import Mapping

from playground.experiments.base import Experiment
from playground.experiments.descriptions import DESCRIPTION
from playground.experiments.dynamic_keys import DYNAMIC_KEYS
from playground.experiments.enum_order import ENUM_ORDER
from playground.experiments.enum_spelling import ENUM_SPELLING
from playground.experiments.field_order import FIELD_ORDER
from playground.experiments.nesting import NESTING
from playground.experiments.null_option import NULL_OPTION
from playground.experiments.reasoning import REASONING_ARMS
from playground.experiments.risk_law import RISK_LAW
from playground.experiments.schema_shown import SCHEMA_SHOWN
from playground.experiments.whitespace import WHITESPACE

EXPERIMENTS: Mapping[str, Experiment] = {
    each.name: each
    for each in (
        FIELD_ORDER,
        RISK_LAW,
        NULL_OPTION,
        ENUM_ORDER,
        ENUM_SPELLING,
        NESTING,
        DESCRIPTION,
        DYNAMIC_KEYS,
        WHITESPACE,
        SCHEMA_SHOWN,
        REASONING_ARMS,
    )
}
"""Name -> experiment, in the order of the page."""
