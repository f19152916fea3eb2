"""Conversations for the eye: every token with its role and kind, in colour and in plain text."""

import re

from bpe_lessons import Tokenizer, show
from bpe_lessons.chat import TEMPLATES, parts, tokens

MESSAGES = [{"role": "system", "content": "Be $1."}, {"role": "user", "content": "<b>你</b>"}]
CHATML = TEMPLATES["ChatML"]
OWN = Tokenizer((), special_tokens=CHATML.special)


def test_a_conversation_beside_its_table():
    stream = tokens(MESSAGES, CHATML, OWN)
    picture = show.conversation(stream, OWN.vocabulary)
    lines = picture.text.splitlines()
    assert lines[0].split() == ["id", "token", "message", "part"]
    assert [line.split()[0] for line in lines[1:]] == [str(token.id) for token in stream]
    assert lines[1].split() == ["256", "<|im_start|>", "system", "special"]
    assert lines[2].split() == ["115", "s", "system", "text"]
    assert [line.split()[-1] for line in lines[1:]] == [token.kind for token in stream]
    # The three kinds differ by their edge, the roles by their colour; nothing of a text becomes HTML.
    assert picture.html.count("2px solid") == 5
    assert picture.html.count("1px dashed") == len([token for token in stream if token.kind == "text"])
    assert len(set(re.findall(r'span style="background:(#\w+)', picture.html))) == 3
    assert "<b>" not in picture.html and "$1" not in picture.html
    for style in re.findall(r'style="([^"]*)"', picture.html):
        assert ("background:" in style) <= (";color:" in style)


def test_a_plain_list():
    stream = tokens(MESSAGES, CHATML, OWN)
    assert show.listed(stream, OWN.vocabulary).text == show.conversation(stream, OWN.vocabulary).text


def test_the_same_conversation_under_each_template():
    picture = show.written({name: parts(MESSAGES, template) for name, template in TEMPLATES.items()})
    blocks = picture.text.split("\n\n")
    assert [block.split()[0] for block in blocks] == list(TEMPLATES)
    assert blocks[1].splitlines()[0] == "Llama-2  <s>[INST]␣<<SYS>>\\n"
    assert [line.strip() for line in blocks[3].splitlines()][1:] == [
        "Be␣$1.\\n",
        "\\n",
        "<b>你</b><end_of_turn>\\n",
        "<start_of_turn>model\\n",
    ]
    assert picture.html.count("<tr>") == 4 and "<b>" not in picture.html


def test_a_content_that_is_empty_or_ends_in_a_newline():
    messages = [{"role": "user", "content": ""}, {"role": "assistant", "content": "a\n"}]
    text = show.written({"ChatML": parts(messages, CHATML, reply=False)}).text
    assert [line.strip() for line in text.splitlines()] == [
        "ChatML   <|im_start|>user\\n",
        "<|im_end|>\\n",
        "<|im_start|>assistant\\n",
        "a\\n",
        "<|im_end|>\\n",
    ]
