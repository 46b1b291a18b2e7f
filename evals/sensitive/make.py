# /// script
# requires-python = ">=3.11"
# dependencies = ["python-stdnum>=2.0"]
# ///
"""Which numbers, keys and addresses stand in the cases: made from a fixed seed, put into `sentences.*.txt`.

Run `python make.py` beside the sentences to write `zh.jsonl` and `en.jsonl` again; the same sentences give
the same bytes. A sentence draws from a seed of its own, so that adding one changes no other case.
"""

from __future__ import annotations

import hashlib
import json
import re
import string
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from stdnum import ean, isbn, luhn
from stdnum.cn import ric, uscc
from stdnum.us import ssn

FOLDER = Path(__file__).parent
SPLIT_SALT = "yinji-1321"
LATER = ("late", "fresh", "last", "paste", "said", "blind", "talk", "chat", "daily")
"""What was written later, by the third part of its id (``dev`` for the first of it): to build with."""
HALVED = ("daily",)
"""Of these one half, drawn like the first cases, is ``held`` back to count with."""
SLOT = re.compile(r"⟦(?P<type>[a-z_]+)(?P<optional>\?)?(?:\.(?P<form>\w+)|=(?P<words>[^⟧]+))?⟧")
REPEAT = re.compile(r"(\d)\| ")
WIDE = str.maketrans({chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F)})
HEX = "0a1b2c3d4e5f6789"
LETTERS_AND_DIGITS = "aB0cD1eF2gH3iJ4kL5mN6oP7qR8sT9uV0wX1yZ2"
PLATE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"

Make = Callable[[Random], str]


def digits(rng: Random, count: int) -> str:
    return "".join(rng.choices(string.digits, k=count))


def shaped(rng: Random, shape: str) -> str:
    """`N` becomes a digit, `L` a letter of a number plate; all else stands."""
    signs = {"N": string.digits, "L": PLATE_LETTERS}
    return "".join(rng.choice(signs[sign]) if sign in signs else sign for sign in shape)


def counting(rng: Random, count: int, alphabet: str = LETTERS_AND_DIGITS) -> str:
    """A key's body that anyone sees is made up: the alphabet in order, from a place drawn by chance."""
    start = rng.randrange(len(alphabet))
    return "".join(alphabet[(start + i) % len(alphabet)] for i in range(count))


def grouped(number: str, sizes: tuple[int, ...], sign: str) -> str:
    ends = [sum(sizes[: i + 1]) for i in range(len(sizes))]
    return sign.join(number[end - size : end] for end, size in zip(ends, sizes, strict=True))


def until(rng: Random, make: Make, right: Callable[[str], bool]) -> str:
    while not right(found := make(rng)):
        pass
    return found


def mobile(rng: Random, sign: str = "") -> str:
    prefix = rng.choice(("138", "139", "150", "158", "177", "186", "188", "133", "199", "152"))
    return grouped(prefix + digits(rng, 8), (3, 4, 4), sign)


def us_phone(rng: Random, form: str) -> str:
    """555-0100 to 555-0199 are kept for fiction."""
    area = rng.choice(("212", "415", "617", "312", "206", "512"))
    return form.format(area=area, line=f"01{digits(rng, 2)}")


def old_date(number: str) -> bool:
    return 1 <= int(number[8:10]) <= 12 and 1 <= int(number[10:12]) <= 31


def identity(rng: Random) -> str:
    """A valid Chinese number that nobody has: the order codes 996 to 999 were kept for people over a hundred."""
    return until(rng, possible_identity, ric.is_valid)


def possible_identity(rng: Random) -> str:
    """One whose region may not have existed yet in the year of birth."""
    region = rng.choice(("110101", "310104", "440305", "330106", "510104", "420106", "320102", "610113"))
    birth = f"{rng.randint(1962, 2004)}{rng.randint(1, 12):02}{rng.randint(1, 28):02}"
    head = f"{region}{birth}{rng.randint(996, 999)}"
    return head + ric.calc_check_digit(head + "0")


def identity_x(rng: Random) -> str:
    return until(rng, identity, lambda number: number.endswith("X"))


def old_identity(rng: Random) -> str:
    number = identity(rng)
    return number[:6] + number[8:17]


def broken_identity(rng: Random) -> str:
    number = identity(rng)
    return until(rng, lambda r: number[:17] + digits(r, 1), lambda made: not ric.is_valid(made) and made[17] != "X")


def social(rng: Random, sign: str) -> str:
    number = until(rng, lambda r: f"{r.randint(100, 665)}{r.randint(10, 99)}{r.randint(1000, 9999)}", ssn.is_valid)
    return grouped(number, (3, 2, 4), sign)


def insurance(rng: Random, sign: str) -> str:
    number = rng.choice(("AB", "CE", "JG", "HK", "PW", "SX", "LM")) + digits(rng, 6) + rng.choice("ABCD")
    return grouped(number, (2, 2, 2, 2, 1), sign)


def card(rng: Random, prefixes: tuple[str, ...], length: int) -> str:
    prefix = rng.choice(prefixes)
    head = prefix + digits(rng, length - 1 - len(prefix))
    return luhn.validate(head + luhn.calc_check_digit(head))


def union(rng: Random, length: int = 19) -> str:
    return card(rng, ("622202", "621700", "622848", "621661", "622588"), length)


def visa(rng: Random) -> str:
    published = rng.choice(("4111111111111111", "4242424242424242", "4012888888881881"))
    return rng.choice((published, card(rng, ("400000", "424242"), 16)))


def master(rng: Random) -> str:
    published = rng.choice(("5555555555554444", "5105105105105100"))
    return rng.choice((published, card(rng, ("520082", "222300"), 16), card(rng, ("510510",), 16)))


def amex(rng: Random) -> str:
    return rng.choice(("378282246310005", "371449635398431"))


def broken_card(rng: Random) -> str:
    return until(rng, lambda r: "62" + digits(r, r.choice((14, 17))), harmless)


def harmless(number: str) -> bool:
    """Whether no checksum would take it for a card or an identity card."""
    bare = re.sub(r"\D", "", number)
    dated = len(bare) == 15 and old_date(bare)
    return not luhn.is_valid(bare) and not ric.is_valid(bare) and not dated


def order(rng: Random) -> str:
    amazon = f"{rng.randint(111, 114)}-{digits(rng, 7)}-{digits(rng, 7)}"
    return rng.choice((amazon, str(rng.randint(2, 4)) + digits(rng, 18), f"2024{digits(rng, 10)}"))


def book(rng: Random) -> str:
    head = rng.choice(("9787", "9780")) + digits(rng, 8)
    return isbn.format(head + ean.calc_check_digit(head))


def barcode(rng: Random) -> str:
    head = rng.choice(("690", "692")) + digits(rng, 9)
    return head + ean.calc_check_digit(head)


def handset(rng: Random) -> str:
    head = rng.choice(("35", "86")) + digits(rng, 12)
    return head + luhn.calc_check_digit(head)


def tracking(rng: Random) -> str:
    return rng.choice(("SF1", "YT8", "JD01")) + digits(rng, 12)


def company(rng: Random) -> str:
    head = f"914403{rng.randint(10, 99)}MA5F{digits(rng, 5)}"
    return uscc.validate(head + uscc.calc_check_digit(head))


def commit(rng: Random, length: int) -> str:
    made = until(rng, lambda r: "".join(r.choices("0123456789abcdef", k=length)), lambda text: not text.isdigit())
    return made if any(sign.isdigit() for sign in made) else f"7{made[1:]}"


def uuid(rng: Random) -> str:
    return grouped(commit(rng, 32), (8, 4, 4, 4, 12), "-")


def token(rng: Random) -> str:
    head = rng.choice(("eyJzdWIiOiJ0ZXN0LXVzZXIifQ", "eyJzdWIiOiIxMjM0NTY3ODkwIn0"))
    return f"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.{head}.{counting(rng, 43)}"


def private_key(rng: Random) -> str:
    kind = rng.choice(("RSA ", "OPENSSH ", "EC ", ""))
    body = "\n".join(counting(rng, 64) for _ in range(3))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{body}\n-----END {kind}PRIVATE KEY-----"


def one_time(rng: Random, length: int) -> str:
    return until(rng, lambda r: digits(r, length), lambda made: made[:2] not in ("19", "20") and len(set(made)) > 2)


def email(rng: Random, form: str = "{name}{number}@example.{top}") -> str:
    name = rng.choice(("zhang.wei", "lin_xiao", "hemin", "tess.moran", "joe-park", "emma.h", "xiaoyu", "liam", "ops"))
    return form.format(name=name, number=rng.choice(("", "88", "2024", "7")), top=rng.choice(("com", "org", "net")))


def written(*choices: str) -> Make:
    return lambda rng: rng.choice(choices)


def zh_address(rng: Random) -> str:
    place, road = rng.choice(
        (
            ("杭州市西湖区", "文三路"),
            ("成都市武侯区", "科华北路"),
            ("北京市海淀区", "知春路"),
            ("武汉市洪山区", "珞喻路"),
            ("南京市鼓楼区", "中央路"),
            ("西安市雁塔区", "小寨东路"),
            ("江苏省苏州市姑苏区", "干将东路"),
            ("广东省深圳市福田区", "福华三路"),
        )
    )
    estate = rng.choice(("翠苑新村", "金桂花园", "阳光家园", "锦绣华庭", "水岸名都", "和平小区"))
    number, block, room = rng.randint(8, 680), rng.randint(1, 28), f"{rng.randint(1, 26)}0{rng.randint(1, 6)}"
    return rng.choice(
        (
            f"{place}{road}{number}号{estate}{block}幢{rng.randint(1, 4)}单元{room}室",
            f"{place}{road}{number}号{estate}{block}栋{room}",
            f"{place}{estate}{block}号楼{rng.randint(1, 4)}单元{room}",
            f"{place}{road}{number}号",
            f"浦东新区{rng.choice(('张杨路', '潍坊路', '浦建路'))}{number}弄{block}号{room}室",
            f"{place[-3:]}{road}{number}号{block}号楼{room}室",
        )
    )


def en_address(rng: Random) -> str:
    street = rng.choice(("Maple", "Elmwood", "Juniper", "Harbor View", "Acacia", "Station", "Chestnut", "Mill"))
    number, flat = rng.randint(2, 1900), rng.randint(1, 40)
    city = rng.choice(("Austin, TX 78704", "Portland, OR 97202", "Madison, WI 53703", "Denver, CO 80203"))
    town = rng.choice(("Leeds LS6 3HN", "London N16 8BX", "Bristol BS3 4DN", "Edinburgh EH9 1QR"))
    kind = rng.choice(("Street", "Ave", "Road", "Lane", "Drive", "St", "Rd"))
    return rng.choice(
        (
            f"{number} {street} {kind}, {city}",
            f"{number} {street} {kind} Apt {flat}B, {city}",
            f"{number} {street} {kind}, Unit {flat}, {city}",
            f"{number % 200 + 1} {street} {kind}, {town}",
            f"Flat {flat}, {number % 200 + 1} {street} {kind}, {town}",
            f"{number} {street} {kind} #{flat}",
        )
    )


def zh_plate(rng: Random, sign: str = "", shapes: tuple[str, ...] = ("NNNNN", "NLNNN")) -> str:
    return f"{rng.choice('京沪粤浙苏川鄂陕鲁湘')}{rng.choice('ABCDE')}{sign}{shaped(rng, rng.choice(shapes))}"


PASSWORDS = written(
    "Mao2023!",
    "abc12345",
    "qwer@1234",
    "Sunshine#88",
    "woaini520",
    "Tr0ub4dor&3",
    "p@ssw0rd!23",
    "LaoWang_2024",
    "hunter2",
    "88886666",
    "Xk9$mQ2v",
    "ilovecats99",
    "Qingdao-2019",
    "N0tMyBday",
)
URL_PASSWORDS = written("s3cr3tPw", "Pg_2024x", "redis6379pw", "hT7-kk2Q", "shopAdmin1")

MAKERS: dict[str, Make] = {
    "phone.plain": mobile,
    "phone.space": lambda rng: mobile(rng, " "),
    "phone.dash": lambda rng: mobile(rng, "-"),
    "phone.dot": lambda rng: mobile(rng, "."),
    "phone.plain86": lambda rng: f"+86{mobile(rng)}",
    "phone.intl": lambda rng: rng.choice((f"+86 {mobile(rng, ' ')}", f"0086-{mobile(rng)}", f"+86-{mobile(rng)}")),
    "phone.land": lambda rng: shaped(rng, rng.choice(("010-8NNN NNNN", "021-58NNNNNN", "(0755)82NN-NNNN"))),
    "phone.hk": lambda rng: shaped(rng, "+852 5123 4NNN"),
    "phone.full": lambda rng: mobile(rng).translate(WIDE),
    "phone.usparen": lambda rng: us_phone(rng, "({area}) 555-{line}"),
    "phone.usdash": lambda rng: us_phone(rng, "{area}-555-{line}"),
    "phone.usdot": lambda rng: us_phone(rng, "{area}.555.{line}"),
    "phone.usintl": lambda rng: us_phone(rng, "+1 {area} 555 {line}"),
    "phone.usplain": lambda rng: us_phone(rng, "{area}555{line}"),
    "phone.uk": lambda rng: shaped(rng, rng.choice(("020 7946 0NNN", "0131 496 0NNN", "+44 20 7946 0NNN"))),
    "phone.ukmobile": lambda rng: shaped(rng, rng.choice(("07400 123NNN", "+44 7400 123NNN", "07400123NNN"))),
    "phone.au": lambda rng: rng.choice(("+61 491 570 156", "0491 570 157", "+61 491 570 158")),
    "id_card.plain": identity,
    "id_card.x": identity_x,
    "id_card.lowerx": lambda rng: identity_x(rng).lower(),
    "id_card.old": old_identity,
    "id_card.space": lambda rng: grouped(identity(rng), (6, 8, 4), " "),
    "id_card.dash": lambda rng: grouped(identity(rng), (6, 8, 4), "-"),
    "id_card.full": lambda rng: identity(rng).translate(WIDE),
    "id_card.ssn": lambda rng: social(rng, "-"),
    "id_card.ssnspace": lambda rng: social(rng, " "),
    "id_card.ssnplain": lambda rng: social(rng, ""),
    "id_card.ssnfull": lambda rng: social(rng, "-").translate(WIDE),
    "id_card.nino": lambda rng: insurance(rng, ""),
    "id_card.ninospace": lambda rng: insurance(rng, " "),
    "bank_card.union": union,
    "bank_card.union16": lambda rng: union(rng, 16),
    "bank_card.visa": visa,
    "bank_card.master": master,
    "bank_card.discover": written("6011111111111117", "6011000990139424"),
    "bank_card.diners": written("30569309025904", "38520000023237"),
    "bank_card.amex": amex,
    "bank_card.amexspace": lambda rng: grouped(amex(rng), (4, 6, 5), " "),
    "bank_card.space": lambda rng: rng.choice(
        (grouped(union(rng), (4, 4, 4, 4, 3), " "), grouped(visa(rng), (4, 4, 4, 4), " "))
    ),
    "bank_card.dash": lambda rng: grouped(master(rng), (4, 4, 4, 4), "-"),
    "bank_card.full": lambda rng: union(rng).translate(WIDE),
    "passport.cn": lambda rng: shaped(rng, rng.choice(("ENNNNNNNN", "GNNNNNNNN"))),
    "passport.new": lambda rng: shaped(rng, rng.choice(("EANNNNNNN", "EBNNNNNNN", "EJNNNNNNN"))),
    "passport.us": lambda rng: f"5{digits(rng, 8)}",
    "passport.usnew": lambda rng: f"A{digits(rng, 8)}",
    "passport.uk": lambda rng: f"{rng.choice('1237')}{digits(rng, 8)}",
    "passport.full": lambda rng: shaped(rng, "ENNNNNNNN").translate(WIDE),
    "email.plain": email,
    "email.tag": lambda rng: email(rng, "{name}+shop{number}@example.{top}"),
    "email.sub": lambda rng: email(rng, "{name}@mail.cs.example.{top}"),
    "email.dot": lambda rng: email(rng, "{name}.old@example.{top}"),
    "email.full": lambda rng: email(rng).translate(WIDE),
    "email.qq": lambda rng: f"99999{digits(rng, 6)}@qq.com",
    "email.163": lambda rng: f"nobody_real_{digits(rng, 3)}@163.com",
    "address.zh": zh_address,
    "address.en": en_address,
    "secret.password": PASSWORDS,
    "secret.zhpass": written("nicaibudao2024", "xiaomao-5kg", "天王盖地虎001", "chabuduodele!1"),
    "secret.phrase": written("correct-horse-battery", "nicetry2024", "marmalade+toast7", "BlueKettle!9"),
    "secret.urlpass": URL_PASSWORDS,
    "secret.door": lambda rng: shaped(rng, rng.choice(("NNNN#", "*NNNN#", "NNNNN#"))),
    "secret.pin": lambda rng: one_time(rng, 4),
    "secret.pin6": lambda rng: one_time(rng, 6),
    "secret.pin6b": lambda rng: one_time(rng, 6),
    "secret.combo": lambda rng: shaped(rng, "3N-0N-1N"),
    "secret.openai": lambda rng: rng.choice((f"sk-proj-{counting(rng, 48)}", f"sk-{counting(rng, 48)}")),
    "secret.dashscope": lambda rng: f"sk-{counting(rng, 32, HEX)}",
    "secret.anthropic": lambda rng: f"sk-ant-api03-{counting(rng, 93)}AA",
    "secret.github": lambda rng: rng.choice(
        (f"ghp_{counting(rng, 36)}", f"github_pat_{counting(rng, 22)}_{counting(rng, 59)}")
    ),
    "secret.aws": lambda rng: f"AKIA{counting(rng, 16, 'A2B3C4D5E6F7GHIJ')}",
    "secret.awssecret": lambda rng: f"{counting(rng, 19)}/{counting(rng, 20)}",
    "secret.aliyun": lambda rng: f"LTAI5t{counting(rng, 18)}",
    "secret.alisecret": lambda rng: counting(rng, 30),
    "secret.tencent": lambda rng: f"AKID{counting(rng, 32)}",
    "secret.uuid": uuid,
    "secret.jwt": token,
    "secret.pem": private_key,
    "secret.hex32": lambda rng: counting(rng, 32, HEX),
    "secret.slack": lambda rng: f"xoxb-{digits(rng, 12)}-{digits(rng, 12)}-{counting(rng, 24)}",
    "secret.dingtalk": lambda rng: f"SEC{counting(rng, 64, HEX)}",
    "secret.hf": lambda rng: f"hf_{counting(rng, 34)}",
    "secret.google": lambda rng: f"AIzaSy{counting(rng, 33)}",
    "secret.npm": lambda rng: f"npm_{counting(rng, 36)}",
    "secret.telegram": lambda rng: f"7{digits(rng, 9)}:AA{counting(rng, 33)}",
    "secret.gitlab": lambda rng: f"glpat-{counting(rng, 20)}",
    "secret.sendgrid": lambda rng: f"SG.{counting(rng, 22)}.{counting(rng, 43)}",
    "secret.stripe": lambda rng: f"sk_live_{counting(rng, 24)}",
    "secret.azure": lambda rng: f"{counting(rng, 86)}==",
    "otp.six": lambda rng: one_time(rng, 6),
    "otp.four": lambda rng: one_time(rng, 4),
    "otp.space": lambda rng: grouped(one_time(rng, 6), (3, 3), " "),
    "otp.full": lambda rng: one_time(rng, 6).translate(WIDE),
    "otp.g": lambda rng: f"G-{one_time(rng, 6)}",
    "otp.backup": lambda rng: f"{commit(rng, 4)}-{commit(rng, 4)}",
    "plate.plain": zh_plate,
    "plate.cn": zh_plate,
    "plate.dot": lambda rng: zh_plate(rng, "·"),
    "plate.space": lambda rng: zh_plate(rng, " "),
    "plate.full": lambda rng: zh_plate(rng).translate(WIDE),
    "plate.new": lambda rng: zh_plate(rng, shapes=("DNNNNN", "FNNNNN", "DLNNNN")),
    "plate.us": lambda rng: shaped(rng, rng.choice(("7LLLNNN", "8LLLNNN", "LLL-NNNN"))),
    "plate.uk": lambda rng: shaped(rng, rng.choice(("LL19 LLL", "LL72 LLL", "LL68LLL"))),
    "none.git40": lambda rng: commit(rng, 40),
    "none.git7": lambda rng: commit(rng, 7),
    "none.sha256": lambda rng: commit(rng, 64),
    "none.uuid": uuid,
    "none.order": lambda rng: until(rng, order, harmless),
    "none.tracking": lambda rng: until(rng, tracking, harmless),
    "none.isbn": lambda rng: until(rng, book, harmless),
    "none.ean": lambda rng: until(rng, barcode, harmless),
    "none.badid": lambda rng: until(rng, broken_identity, harmless),
    "none.badcard": broken_card,
    "none.millis": lambda rng: until(rng, lambda r: f"17{digits(r, 11)}", harmless),
    "none.imei": lambda rng: until(rng, handset, lambda number: not old_date(number)),
    "none.uscc": company,
    "none.hotline": lambda rng: shaped(rng, rng.choice(("400-82N-NNNN", "400 66N NNNN", "4008-NNN-NNN"))),
    "none.tollfree": lambda rng: shaped(rng, rng.choice(("1-800-555-01NN", "0800 555 01NN"))),
    "none.sshpub": lambda rng: f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA{counting(rng, 44)}",
}
ANY_FORM: dict[str, dict[str, tuple[str, ...]]] = {
    "zh": {
        "phone": ("plain", "plain", "space", "dash", "intl", "plain86", "full"),
        "id_card": ("plain", "x", "space", "full"),
        "bank_card": ("union", "space", "visa", "dash"),
        "passport": ("cn", "new"),
        "email": ("plain", "tag", "sub"),
        "address": ("zh",),
        "otp": ("six", "four", "space"),
        "plate": ("plain", "dot", "new", "space"),
    },
    "en": {
        "phone": ("usparen", "usdash", "usdot", "usintl", "usplain", "uk", "ukmobile", "au"),
        "bank_card": ("visa", "master", "space", "dash", "amexspace"),
        "passport": ("us", "uk", "usnew"),
        "email": ("plain", "tag", "sub"),
        "address": ("en",),
        "otp": ("six", "four", "space"),
        "plate": ("us", "uk"),
    },
}
HERE = {"en": {"phone.us": ("usparen", "usdash", "usdot"), "phone.intl": ("usintl",), "phone.full": ("usdash",)}}


def split(identity: str) -> str:
    """`dev`, `test` or `held`; copies of a sentence (the same id up to the dot) stay together."""
    stem = identity.partition(".")[0]
    when = stem.split("-")[2]
    if when in ("dev", *LATER) and when not in HALVED:
        return "dev"
    other = "held" if when in HALVED else "test"
    return ("dev", other)[hashlib.sha256(f"{SPLIT_SALT}:{stem}".encode()).digest()[0] % 2]


def made(kind: str, form: str | None, lang: str, rng: Random) -> str:
    forms = HERE.get(lang, {}).get(f"{kind}.{form}") or ((form,) if form else ANY_FORM[lang][kind])
    text = MAKERS[f"{kind}.{rng.choice(forms)}"](rng)
    return text.translate(WIDE) if lang == "en" and form == "full" and text.isascii() else text


def case(sentence: str, copy: int, lang: str, when: str) -> dict[str, object]:
    rng = Random(f"{lang}:{sentence}:{copy}")
    text, spans, position = "", [], 0
    for slot in SLOT.finditer(sentence):
        text += sentence[position : slot.start()].replace("⏎", "\n")
        words = slot["words"] or made(slot["type"], slot["form"], lang, rng)
        span = {"start": len(text), "end": len(text) + len(words), "type": slot["type"]}
        spans.append(span | ({"optional": True} if slot["optional"] else {}))
        text, position = text + words, slot.end()
    text += sentence[position:].replace("⏎", "\n")
    name = f"sensitive-{lang}-{when}{hashlib.sha256(sentence.encode()).hexdigest()[:8]}.{copy}"
    return {"id": name, "lang": lang, "split": split(name), "text": text, "spans": spans}


def cases(lang: str) -> Iterator[dict[str, object]]:
    """The first sentences, and those that were written later (``LATER``)."""
    for when, key in (("", ""), (".more", "dev-"), *((f".{name}", f"{name}-") for name in LATER)):
        yield from cases_of(f"sentences{when}.{lang}.txt", lang, key)


def cases_of(file: str, lang: str, when: str) -> Iterator[dict[str, object]]:
    for line in (FOLDER / file).read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("# "):
            continue
        repeat = REPEAT.match(line)
        for copy in range(1, (int(repeat[1]) if repeat else 1) + 1):
            yield case(line[repeat.end() if repeat else 0 :], copy, lang, when)


def main() -> None:
    for lang in ("zh", "en"):
        lines = [json.dumps(one, ensure_ascii=False) for one in cases(lang)]
        (FOLDER / f"{lang}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
