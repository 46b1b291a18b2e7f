"""Whether a stretch of text that looks sensitive is: check digits, possible dates and prefixes, random-looking keys.

Each check is given the stretch and the whole text, both in ASCII digits. Identity, social security and card numbers
are validated by python-stdnum, telephone numbers by phonenumberslite; both are loaded when first needed.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date
from functools import cache

from yinji.language.sensitive_rules import data

Check = Callable[[str, str], bool]

REGIONS = ("CN", "US", "GB", "AU", "HK", "TW", "SG", "IN", "DE", "FR", "JP")
"""Whose national numbers are recognised without a country code, in order."""
PROVINCES = re.compile(r"1[1-5]|2[123]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[123]|9\d")
"""First digits of resident identity numbers (GB/T 2260; 83 residents from Taiwan, 9 from abroad)."""
CARDS = re.compile(
    r"62\d{14,17}|4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}"
    r"|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|(?:6011|64[4-9]\d|65\d\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}"
    r"|(?:50|5[6-8]|6[0137])\d{14,17}|9[0-9]\d{14,17}|(?:60|81|82)\d{14}"
)
"""Length by first digits: UnionPay, Visa, Mastercard, American Express, Diners, Discover, JCB, Maestro, RuPay."""
_DATE = re.compile(r"(?:19|20)\d\d([-/.])\d{1,2}\1\d{1,2}|\d{1,2}:\d\d")
_NAME = re.compile(
    r"[A-Za-z]+(?:_[A-Za-z]+)+|\d+(?:\.\d+)?%|[A-Za-z]+-[A-Za-z]+|\d{1,2}-\d{1,2}|v?\d+(?:\.\d+)+|[a-z]+(?:\.[a-z]+)+"
    r"|[*_]*[A-Za-z\x27-]+[!:*?._]+|[*_]+[A-Za-z\x27-]+"
)
_PLACEHOLDER = re.compile(
    r"[*x.?#_-]+|\$\{?\w+\}?|%\w+%|(?:your|my|the|some|example|sample|dummy)[-_].*|.*://.*|process\.env.*|os\.\w+.*|\W+",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}")
_NAMED = re.compile(r"[\u4e00-\u9fff]{2,}")
_NOT_NINO = frozenset({"BG", "GB", "KN", "NK", "NT", "TN", "ZZ"})


NEAR = 60
"""Characters before and behind a value that may tell what it is."""
_SENTENCE_END = re.compile(r"[\n\u3002\uff01\uff1f!?;\uff1b]+|\.(?=\s|$)")
_NUMBERS = re.compile(r"\d{4,}")
_COUNTED = re.compile(r"[(\uff08]\d{1,3}[)\uff09]")
"""A small number in brackets, which nobody types."""
_TYPED = re.compile(r"(?<![!-~])(?=[!-~]*\d)[!-~]{4,}")
_MODEL = re.compile(
    r"[a-z]?[A-Z][a-z]+\d{1,4}|[A-Z]{2,}[a-z]*-?\d+\w*|[a-z]{1,3}\d{1,2}|\d+[A-Z][a-z]+|\d+-[a-z]+|\d+(?:st|nd|rd|th|am|pm|k|gb|mb|ms|px|kg|km|x)"
)
_THING = re.compile(r"[A-Za-z-]+[#*^~]\d+|\d+%[A-Za-z]+|[\w.-]+@[\d.^~]+|[A-Za-z0-9]+(?:[*^][A-Za-z0-9]+)+")
"""A product's name or a measure: "Windows11", "AC1750", "mp3", "24th"."""


@cache
def _words(name: str) -> re.Pattern[str]:
    return re.compile(data()["words"][name], re.IGNORECASE)


def _digits(value: str) -> str:
    return re.sub(r"[^0-9A-Za-z]", "", value)


def is_resident(value: str, text: str) -> bool:
    """Resident identity number of GB 11643: a possible birthday, and the ISO 7064 mod 11-2 check character."""
    from stdnum.cn import ric

    number = _digits(value).upper()
    if len(number) != 18 or not _is_born(number[6:14]) or not PROVINCES.match(number):
        return False
    return bool(ric.calc_check_digit(number) == number[17])


def is_resident_said(value: str, text: str) -> bool:
    """One with a wrong check character where the text says that it is somebody's, and not an example."""
    number = _digits(value)
    return bool(PROVINCES.match(number)) and _is_born(number[6:14]) and not _words("made_up").search(text)


def is_resident_old(value: str, text: str) -> bool:
    """The number of fifteen digits that went before it, which has no check digit."""
    number = _digits(value)
    return len(number) == 15 and PROVINCES.match(number) is not None and _is_born("19" + number[6:12])


def _is_born(day: str) -> bool:
    try:
        return 1900 <= date(int(day[:4]), int(day[4:6]), int(day[6:])).year <= 2099
    except ValueError:
        return False


def is_social(value: str, text: str) -> bool:
    """American social security number that may have been issued."""
    from stdnum.us import ssn

    return bool(ssn.is_valid(value))


def is_social_shape(value: str, text: str) -> bool:
    """Where the text says that it is one, an impossible number may still be somebody's, mistyped."""
    number = _digits(value)
    return len(number) == 9 and number[:3] not in ("000", "666") and len(set(number)) > 1


def is_nino(value: str, text: str) -> bool:
    """British National Insurance number; without its spaces only where the text speaks of one."""
    named = _words("nino").search(text)
    return value[:2].upper() not in _NOT_NINO and bool(named or value.count(" ") >= 3)


def is_foreign(value: str, text: str) -> bool:
    """Identity numbers of Hong Kong, Taiwan, Singapore; Canadian and Indian ones by their check digits."""
    number = _digits(value).upper()
    if number.isdigit():
        return len(number) in (9, 12) and _foreign_digits(number, text)
    if len(number) == 10:
        return _is_taiwan(number)
    return (
        number[0] in "STFGM"
        if len(number) == 9 and number[-1].isalpha() and number[1].isdigit()
        else _is_hong_kong(number)
    )


def _foreign_digits(number: str, text: str) -> bool:
    if len(number) == 12:
        from stdnum.in_ import aadhaar

        return "aadhaar" in text.lower() and bool(aadhaar.is_valid(number))
    from stdnum.ca import sin

    return bool(re.search(r"\bSIN\b|social insurance", text)) and bool(sin.is_valid(number))


def _is_hong_kong(number: str) -> bool:
    letters = re.match(r"[A-Z]{1,2}", number)
    if letters is None or len(number) - letters.end() != 7:
        return False
    signs = number.rjust(9)
    total = sum(
        weight * (36 if sign == " " else int(sign, 36)) for weight, sign in zip(range(9, 1, -1), signs, strict=False)
    )
    return (total + int(signs[8], 36)) % 11 == 0


def _is_taiwan(number: str) -> bool:
    first = "ABCDEFGHJKLMNPQRSTUVXYWZIO".find(number[0]) + 10
    total = first // 10 + 9 * (first % 10)
    total += sum(int(digit) * weight for digit, weight in zip(number[1:], (8, 7, 6, 5, 4, 3, 2, 1, 1), strict=True))
    return total % 10 == 0


def is_passport(value: str, text: str) -> bool:
    """Near the word, and, when it is digits alone, with no other label in between."""
    at = text.find(value)
    before = _words("passport").split(text[max(0, at - 80) : at])
    if len(before) > 1:
        return not value[0].isdigit() or (len(before[-1]) <= 48 and not _words("other_label").search(before[-1]))
    return bool(_words("passport").search(text[at + len(value) : at + len(value) + 16]))


def is_card(value: str, text: str) -> bool:
    """A payment card's length for its first digits, and its check digit."""
    return CARDS.fullmatch(_digits(value)) is not None and is_luhn(value, text)


def is_card_said(value: str, text: str) -> bool:
    """One with a wrong check digit where the text says that it is a card's, and not an example."""
    return CARDS.fullmatch(_digits(value)) is not None and not _words("made_up").search(text)


def is_luhn(value: str, text: str) -> bool:
    """The check digit of ISO/IEC 7812, annex B."""
    from stdnum import luhn

    number = _digits(value)
    return 13 <= len(number) <= 19 and len(set(number)) > 1 and bool(luhn.is_valid(number))


def is_iban(value: str, text: str) -> bool:
    """An account number of ISO 13616: the remainder of all its signs by 97 is 1."""
    number = _digits(value)
    return 15 <= len(number) <= 34 and int("".join(str(int(sign, 36)) for sign in number[4:] + number[:4])) % 97 == 1


def is_account(value: str, text: str) -> bool:
    """Where the text speaks of a bank; that of a shop or a game is a name."""
    return bool(_words("bank").search(text))


def is_mobile(value: str, text: str) -> bool:
    return len(set(value[-8:])) > 1


def is_phone(value: str, text: str) -> bool:
    """A number that a numbering plan allows and that belongs to somebody: no free, shared-cost or company line."""
    import phonenumbers

    if _words("no_phone").search(text[max(0, (at := text.find(value)) - 40) : at]):
        return False
    free = phonenumbers.PhoneNumberType
    public = (free.TOLL_FREE, free.SHARED_COST, free.PREMIUM_RATE, free.UAN)
    said = re.sub(r"^(?:00|(?=86[ -]))", "+", value.strip())
    for region in (None,) if said.startswith("+") else REGIONS:
        try:
            number = phonenumbers.parse(said, region)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_valid_number(number) or (region is None and phonenumbers.is_possible_number(number)):
            return phonenumbers.number_type(number) not in public
    return False


def is_phone_said(value: str, text: str) -> bool:
    """A local number where the text says that it is one."""
    return len(set(_digits(value))) > 2


def is_village(value: str, text: str) -> bool:
    """With a name: "社区3组" could be any."""
    return not _words("unnamed").match(value)


def is_numbered(value: str, text: str) -> bool:
    """With a number that is not its code's: "Church Lane, Burford OX18 4SD" has none."""
    return any(map(str.isdigit, value.rpartition(",")[0]))


def is_housed(value: str, text: str) -> bool:
    """With a name, and where somebody lives or gets mail, or in two districts: any building has floors and doors."""
    name = _NAMED.match(value)
    if name is None or _words("no_home").search(value):
        return False
    near = text[max(0, (at := text.find(value)) - 16) : at]
    return bool(_words("housed").search(near)) or len(_words("district").findall(name[0])) > 1


def is_plate(value: str, text: str) -> bool:
    return any(sign.isdigit() for sign in value[2:]) and any(sign.isalpha() for sign in value)


def is_one_time(value: str, text: str) -> bool:
    """No year."""
    return not re.fullmatch(r"19[5-9]\d|20[0-3]\d", value)


def is_bare_code(value: str, text: str) -> bool:
    """What follows the word alone is a code to log in with, unless it is another kind of code."""
    before = text[: text.find(value)].lower()
    if _words("locked").search(_SENTENCE_END.split(before)[-1]):
        return False
    return not _is_other_code(before)


def _is_other_code(before: str) -> bool:
    """Whether the last code that is spoken of is for something else than logging in."""
    return bool(_words("other_code").search(before[: before.rfind("code") + 5]))


def is_backup(value: str, text: str) -> bool:
    """One of the codes of a list."""
    at = text.find(value)
    return bool(_words("backup").search(text[max(0, at - 120) : at]))


def is_told_code(value: str, text: str) -> bool:
    """The only number of a sentence that speaks of a code to log in with."""
    around = _told(value, text, _NUMBERS)
    if around is None or not is_one_time(value, text) or _words("picture").search(around):
        return False
    return bool(_words("told_code").search(around)) and not _is_other_code(around.lower())


def is_told_secret(value: str, text: str) -> bool:
    """The only thing that could be typed in a sentence that speaks of a password or of a lock."""
    if not is_one_time(value, text) or not is_secret(value, text) or _MODEL.fullmatch(value):
        return False
    around = _told(value, text if value.isdigit() else _COUNTED.sub(" ", text), _TYPED)
    return bool(_words("told_secret").search(around)) if around is not None else _is_called_secret(value, text)


def _is_called_secret(value: str, text: str) -> bool:
    """Whether the word for a password stands between the value and whatever else is typed before it."""
    if value.isdigit():
        return False
    said = _SENTENCE_END.split(text[max(0, text.find(value) - NEAR) : text.find(value)])[-1]
    between = _TYPED.split(said)[-1]
    return bool(_words("password").search(between)) and not _words("not_told").search(said)


def is_told_quoted(value: str, text: str) -> bool:
    """What stands in quotes in a sentence about a password, with a digit in it."""
    around = _told(value, text, _TYPED)
    if around is None or not is_secret(value, text) or _words("no_lock").search(around):
        return False
    return any(sign.isdigit() for sign in value) and bool(_words("told_secret").search(around))


def is_told_lock(value: str, text: str) -> bool:
    """The only number of a sentence about what is locked, in which nothing is paid, counted or ordered."""
    around = _told(value, text, _NUMBERS)
    if around is None or not is_one_time(value, text) or _words("no_lock").search(around):
        return False
    return bool(_words("told_lock").search(around))


def is_jumble(value: str, text: str) -> bool:
    """No address, no number of a thing ("issue#12"), no formula, and nothing that stands for a value."""
    if _PLACEHOLDER.fullmatch(value) or _ADDRESS.fullmatch(value) or _THING.fullmatch(value):
        return False
    return is_secret(value, text)


def _told(value: str, text: str, others: re.Pattern[str]) -> str | None:
    """The sentence around the value, its place a blank; None where it has another value, or says what this one is."""
    at = text.find(value)
    before = _SENTENCE_END.split(text[max(0, at - NEAR) : at])[-1]
    after = _SENTENCE_END.split(text[at + len(value) : at + len(value) + NEAR])[0]
    if others.search(before) or others.search(after) or _words("not_told").search(before):
        return None
    return f"{before} {after}"


def is_secret(value: str, text: str) -> bool:
    """A value, not the name of one, a date, a version, or what stands for a value."""
    bare = value.strip("\"'`")
    if _PLACEHOLDER.fullmatch(bare) or _DATE.match(bare) or _NAME.fullmatch(bare) or _ADDRESS.fullmatch(bare):
        return False
    return not bare.isdigit() or bool(_words("unlocks").search(text))


def is_typed(value: str) -> bool:
    """What somebody may type at a lock, and no model, date or version."""
    return any(map(str.isdigit, value)) and not _MODEL.fullmatch(value) and is_secret(value, "code")


def is_login(value: str, text: str) -> bool:
    """Letters and something else: what stands behind a user's name and a stroke."""
    return is_secret(value, text) and any(map(str.isalpha, value)) and not value.isalpha()


def is_random(value: str, text: str) -> bool:
    """Signs of three sorts with an entropy that words do not have; no path, no hash (those are lower case)."""
    body = value.rstrip("=")
    sorts = (str.isupper, str.islower, str.isdigit)
    if not all(any(map(sort, body)) for sort in sorts) or body.count("/") > 3 or body.count("-") > 4:
        return False
    return _entropy(body) >= 3.5


def _entropy(text: str) -> float:
    """Shannon's, in bits a sign."""
    return -sum(n / len(text) * math.log2(n / len(text)) for n in Counter(text).values())


CHECKS: Mapping[str, Check] = {
    "resident": is_resident,
    "resident_said": is_resident_said,
    "resident_old": is_resident_old,
    "social": is_social,
    "social_shape": is_social_shape,
    "nino": is_nino,
    "foreign": is_foreign,
    "passport": is_passport,
    "card": is_card,
    "card_said": is_card_said,
    "luhn": is_luhn,
    "iban": is_iban,
    "account": is_account,
    "mobile": is_mobile,
    "phone": is_phone,
    "phone_said": is_phone_said,
    "plate": is_plate,
    "village": is_village,
    "numbered": is_numbered,
    "housed": is_housed,
    "one_time": is_one_time,
    "bare_code": is_bare_code,
    "backup": is_backup,
    "told_code": is_told_code,
    "told_secret": is_told_secret,
    "told_quoted": is_told_quoted,
    "told_lock": is_told_lock,
    "jumble": is_jumble,
    "secret": is_secret,
    "login": is_login,
    "random": is_random,
}
