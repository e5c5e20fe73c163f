"""Links into the playground name a state of it, as #layer=2&head=1: no anchor of the page."""

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files


def on_env(env: object, config: MkDocsConfig, files: Files) -> None:
    """Keep MkDocs from looking for them; docs/checks/links.py knows what a state may be."""
    for file in files.documentation_pages():
        anchors = (file.page and file.page.links_to_anchors) or {}
        for targets in anchors.values():
            for state in [anchor for anchor in targets if "=" in anchor]:
                del targets[state]
