"""Checks of arguments: an error names the argument, its value and what was expected."""


def check_integer(name: str, value: object, least: int) -> None:
    """Refuse what is not an integer, or below the least one.

    Args:
        name: What the value is called.
        value: The value.
        least: The smallest that is allowed.

    Raises:
        TypeError: If the value is not an integer.
        ValueError: If it is below `least`.

    Example:
        >>> check_integer("num_heads", 0, least=1)
        Traceback (most recent call last):
        ...
        ValueError: num_heads must be at least 1: got 0
    """
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} must be an integer: got {value!r}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}: got {value}")


def check_not_text(name: str, value: object) -> None:
    """Refuse one string where a list of strings belongs: it would be read letter by letter.

    Args:
        name: What the value is called.
        value: The value.

    Raises:
        TypeError: If the value is a string.

    Example:
        >>> check_not_text("sentences", "the cat")
        Traceback (most recent call last):
        ...
        TypeError: sentences must be a list of strings: got the string 'the cat'
    """
    if isinstance(value, str):
        raise TypeError(f"{name} must be a list of strings: got the string {value!r}")
