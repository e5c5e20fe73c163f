"""What a page may load and run: the site itself, and the inline scripts that the theme wrote."""

import re
from base64 import b64encode
from hashlib import sha256

SCRIPT = re.compile(r"<script(?![^>]*(?:src|json))[^>]*>(.*?)</script>", re.DOTALL)
# Scripts of other hosts, which no page may run: mkdocs-jupyter asks for MathJax and Mermaid.
FOREIGN = re.compile(
    r"""<script[^>]*\bsrc=["']?(?:https?:)?//[^>]*></script>"""
    r"""|<script type="module">(?:(?!</script>).)*?\bimport\b[^;]*?https://.*?</script>""",
    re.DOTALL,
)
# The theme's pictures are data; figures and tables have styles of their own, which run nothing.
RULES = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "object-src 'none'; base-uri 'self'; form-action 'self'; script-src 'self'"
)
CHARSET = re.compile(r'<meta charset="?utf-8"?/?>')


def without_foreign_scripts(html: str) -> str:
    """Return the page without the scripts of other hosts.

    >>> without_foreign_scripts('a<script src="https://x.org/y.js"></script>')
    'a'
    """
    return FOREIGN.sub("", html)


def with_policy(html: str) -> str:
    """Return the page with its policy, which each inline script enters by its hash.

    >>> with_policy("<head><meta charset=utf-8><script>go()</script></head>").count("'sha256-")
    1
    """
    hashes = "".join(f" '{_hash(script)}'" for script in dict.fromkeys(SCRIPT.findall(html)))
    policy = f'<meta http-equiv="Content-Security-Policy" content="{RULES}{hashes}">'
    return CHARSET.sub(lambda charset: charset[0] + policy, html, count=1)


def _hash(script: str) -> str:
    return f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}"
