"""Tests of the values."""
