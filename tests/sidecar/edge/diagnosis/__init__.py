"""Tests of what a diagnosis says."""
