"""What a session printed, marked line by line: a copy leaves it out, with the ends of its lines."""

import re

BLOCK = re.compile(r"(?<=<code>)(?:(?!</code>).)*(?=</code></pre>)", re.DOTALL)
# A line without a prompt.
PRINTED = re.compile(r'^(?!<span class="gp">)(?:<span class="go">(.*)</span>|(.*))\n', re.M)


def with_marked_output(html: str) -> str:
    r"""Return the page with each line of output in a span of its own, as the style sheet needs it.

    >>> with_marked_output('<pre><code><span class="gp">$ </span>go\nno\n</code></pre>')[40:-13]
    '<span class="go">no\n</span>'
    """
    return BLOCK.sub(_session, html)


def _session(code: re.Match[str]) -> str:
    return PRINTED.sub(_line, code[0]) if '<span class="gp">' in code[0] else code[0]


def _line(line: re.Match[str]) -> str:
    return f'<span class="go">{line[1] or line[2] or ""}\n</span>'
