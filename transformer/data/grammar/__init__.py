"""A synchronous grammar: every rule writes the English and the Chinese at the same time.

What one language leaves open is decided once, so that the English decides the Chinese:

- "the" is 那 with a measure word, but nothing at places and before 老師 and 老闆;
- "you" is one person (你), "they" are people (他們), "it" is an animal (牠);
- a time said first comes first in Chinese, unless it would be taken with what follows (昨天那位
  老師 is yesterday's); any other follows the subject;
- a relative clause that begins with who does it stands before 這, 那 and numbers (貓看見的那條魚),
  unless the verb before it could be done to that one (買那三條貓看見的魚); any other clause stands
  behind the measure word (那位喜歡貓的農夫);
- what will happen has a time (明天會游泳), since 會 alone says that one can.
"""

from transformer.data.grammar.sentences import LONGEST, Grammar

__all__ = ["LONGEST", "Grammar"]
