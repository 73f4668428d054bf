"""What went wrong in a turn: five steps, from the raw output to the tokens."""
