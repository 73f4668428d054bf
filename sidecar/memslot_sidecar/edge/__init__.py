"""The edge to the model: what the texts are that go to it, and what is known of each turn."""
