"""A synchronous grammar: every rule writes the English and the Chinese at the same time.

What one language leaves open is decided once, so that the English decides the Chinese:

- "the" is 那 with a measure word, but bare at places and for the subject of a relative clause;
- "you" is one person (你), "they" are people (他們), "it" is an animal (牠);
- a time said first comes first in Chinese, any other follows the subject;
- a relative clause stands before 這 and 那, but after a bare number;
- there is no 了 in a relative clause that lacks its object, and none after "not".
"""

from transformer.data.grammar.sentences import Grammar

__all__ = ["Grammar"]
