"""The paper, one idea a file, in its order: from masks to the whole encoder-decoder."""
