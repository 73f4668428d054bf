"""Tests of what is found in prompts."""
