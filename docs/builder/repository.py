"""Where the project is kept: the addresses of its files and problems, and how pip finds it.

The address is a setting; without it there are no such links. Paths are those of GitHub, which other
hosts know too.
"""

from dataclasses import dataclass
from urllib.parse import quote, urlencode

BRANCH = "main"


@dataclass(frozen=True)
class Repository:
    """A repository, such as https://github.com/OWNER/NAME; false without an address."""

    address: str

    def __bool__(self) -> bool:
        """Whether anyone said where it is."""
        return bool(self.address)

    def source(self, file: str) -> str:
        """Return the address of a file, as it is written.

        >>> Repository("https://github.com/OWNER/NAME").source("docs/en/index.md")
        'https://github.com/OWNER/NAME/blob/main/docs/en/index.md?plain=1'
        """
        plain = "?plain=1" if file.endswith(".md") else ""  # not what it looks like
        return f"{self.address}/blob/{BRANCH}/{quote(file)}{plain}"

    def edit(self, file: str) -> str:
        """Return where a file is changed."""
        return f"{self.address}/edit/{BRANCH}/{quote(file)}"

    def report(self, title: str, text: str) -> str:
        """Return where a problem is reported, with its first words."""
        words = urlencode({"title": title, "body": text}, quote_via=quote)
        return f"{self.address}/issues/new?{words}"

    @property
    def install(self) -> str:
        """What pip installs: without an address, the folder that the notebook is in.

        >>> Repository("https://github.com/OWNER/NAME").install, Repository("").install
        ('git+https://github.com/OWNER/NAME', '-e .')
        """
        return f"git+{self.address}" if self.address else "-e ."
