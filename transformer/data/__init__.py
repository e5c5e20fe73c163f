"""From sentences to batches: a grammar that writes pairs, files of pairs, a tokenizer."""
