"""Strings for property tests: what people write and what trips tokenizers."""

from hypothesis import strategies as st

# Libraries differ in the newest Unicode, so only characters that this Python knows.
ASSIGNED = st.characters(exclude_categories=["Cn", "Co", "Cs"])
FRAGMENTS = st.sampled_from(
    [
        *(
            "the",
            " the",
            "The",
            "THE",
            "don't",
            "we'LL",
            "it’s",
            "'s",
            " 'S",
            "hello_world",
            "camelCase",
            "x=>y",
        ),
        *(
            " ",
            "  ",
            "   ",
            "\t",
            "\n",
            "\r\n",
            "\n\n  ",
            " \n",
            "\u00a0",
            "\u3000",
            "\u2028",
            "\x1c",
            "\x85",
        ),
        *("1", "12", "1234567", "3.14", "１２３", "½", "Ⅻ", "²", "٣"),
        *("我爱这座城市", "的", "，", "。", "你好world", "カタカナ", "한국어", "𠮷"),
        *(
            "हिन्दी",
            "ไทย",
            "العربية",
            "Ünïcödé",
            "e\u0301",
            "ſ",
            "ǅ",
            "🚲",
            "👩🏽‍🔧",
            "🇩🇪",
            "\u200d",
            "\ufeff",
        ),
        *("...", "!!", "//", "/", "$x$", "<|im_start|>", "#include", "\\n", "(a)", "—", "«»"),
    ]
)
TEXTS = st.one_of(
    st.lists(FRAGMENTS, max_size=12).map("".join),
    st.text(ASSIGNED, max_size=30),
    st.lists(st.one_of(FRAGMENTS, ASSIGNED), max_size=12).map("".join),
)
