"""What a turn costs: tokens are counted, booked by what they are for, and compared with a prompt that holds every body."""
