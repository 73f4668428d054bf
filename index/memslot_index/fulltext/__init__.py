"""Full text: finding documents by their words, in English and in languages that write no spaces."""
