"""`transformer` and `python -m transformer`: the command line."""

from transformer.cli import main

if __name__ == "__main__":
    main()
