"""What finding slots means: filters, the same in Python and in SQL, and how important a slot is."""
