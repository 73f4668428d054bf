"""What a model asks of its memory, and what it is told: arguments in, receipts out. Never a body."""
