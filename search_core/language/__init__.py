"""What texts are made of: Korean morphemes, names, sentences, dates, addresses, invisible characters."""
