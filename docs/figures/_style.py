"""Colours and sizes that every figure shares.

The colours are stand-ins: the build replaces each by a CSS variable of the site, so that one
SVG serves the light and the dark theme.
"""

INK = "#010203"  # text and lines: the page's own text colour
PAPER = "#010204"  # the page's background
ACCENT = "#010205"  # what the figure is about
SECOND = "#010206"  # what it is compared with
MUTED = "#010207"  # everything else

HEATMAP = "viridis"
WIDE = (6.4, 3.2)  # inches; text is set for a page column of 640 px
SQUARE = (4.0, 3.6)
