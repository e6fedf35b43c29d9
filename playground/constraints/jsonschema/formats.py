"""String formats as patterns: a sound, common spelling of each; the standards allow more."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from playground.constraints.jsonschema.pattern import Required, parse

_YEAR = "(?:[1-9][0-9]{3}|0(?:[1-9][0-9]{2}|0(?:[1-9][0-9]|0[1-9])))"
_LEAP = "(?:(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00))"
_DATE = (
    f"(?:{_YEAR}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
    "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))"
    f"|{_LEAP}-02-29)"
)
_TIME = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,6})?"
_ZONE = "(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
_OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4 = rf"(?:{_OCTET}\.){{3}}{_OCTET}"
_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,22}[A-Za-z0-9])?"
_HOST = rf"{_LABEL}(?:\.{_LABEL}){{0,5}}"
_PLAIN_LABEL = "[a-z0-9]{1,20}(?:-[a-z0-9]{1,20})?"
_H16 = "[0-9A-Fa-f]{1,4}"
_IPV6_BEFORE_IPV4 = "|".join(
    [f"::(?:{_H16}(?::{_H16}){{0,4}}:)?", f"{_H16}(?::{_H16}){{4}}::"]
    + [
        f"{_H16}(?::{_H16}){{{left - 1}}}::(?:{_H16}(?::{_H16}){{0,{4 - left}}}:)?"
        for left in range(1, 5)
    ]
)
_IPV6 = "(?:{})".format(
    "|".join(
        [f"(?:{_H16}:){{7}}{_H16}"]
        + [
            f"{_H16}(?::{_H16}){{{left - 1}}}::" + (f"(?:{_H16}(?::{_H16}){{0,{6 - left}}})?")
            for left in range(1, 7)
        ]
        + [f"(?:{_H16}:){{7}}:", f"::(?:{_H16}(?::{_H16}){{0,6}})?"]
        # The last two groups may be written as IPv4.
        + [f"(?:(?:{_H16}:){{6}}|{_IPV6_BEFORE_IPV4}){_IPV4}"]
    )
)
_PCHAR = r"(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})"
_PATH = rf"(?:/{_PCHAR}*)*"
_TAIL = rf"(?:\?(?:{_PCHAR}|[/?])*)?(?:#(?:{_PCHAR}|[/?])*)?"
_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?"
_URI = (
    r"(?:[A-Za-z][A-Za-z0-9+.-]*://"
    rf"{_NAME}(?::[0-9]{{1,5}})?{_PATH}{_TAIL}|(?:mailto|urn|tel|data):{_PCHAR}+)"
)
_ATEXT = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]"
_EMAIL = rf"{_ATEXT}+(?:\.{_ATEXT}+)*@(?:[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*\.)+[A-Za-z]{{2,}}"

PATTERNS: Mapping[str, str] = MappingProxyType(
    {
        "date": _DATE,
        "time": _TIME + _ZONE,
        "date-time": f"{_DATE}T{_TIME}{_ZONE}",
        "duration": r"P(?:[0-9]+W|(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)"
        r"(?:T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S))?"
        r"|T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S))",
        "email": _EMAIL,
        "idn-email": _EMAIL,
        "hostname": _HOST,
        "idn-hostname": rf"{_PLAIN_LABEL}(?:\.{_PLAIN_LABEL}){{0,5}}",
        "ipv4": _IPV4,
        "ipv6": _IPV6,
        "uuid": "[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}",
        "uri": _URI,
        "iri": _URI,
        "uri-reference": rf"(?:{_URI}|{_PATH}{_TAIL})",
        "iri-reference": rf"(?:{_URI}|{_PATH}{_TAIL})",
        "json-pointer": r"(?:/(?:[^/~]|~[01])*)*",
        "relative-json-pointer": r"(?:0|[1-9][0-9]*)(?:#|(?:/(?:[^/~]|~[01])*)*)",
    }
)
"""Format name -> pattern of the whole string."""

UNENFORCED = frozenset({"regex", "uri-template", "password", "byte", "binary"})
"""Formats that are known but that no pattern here expresses."""


@cache
def language(name: str) -> tuple[Required, ...]:
    """The languages of a format of PATTERNS."""
    return parse(f"^(?:{PATTERNS[name]})$")
