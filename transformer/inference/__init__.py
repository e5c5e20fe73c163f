"""From weights to translations: decoding, scores, and the trained model that comes along."""
