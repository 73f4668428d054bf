"""What happens around every call, whichever door it came by: arrival, audit, counts, errors."""
