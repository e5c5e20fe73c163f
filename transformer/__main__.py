"""`python -m transformer`: the command line."""

from transformer.cli import main

main()
