"""Semiosis reads prompts and artworks as graphs of meaning and measures how much of the meaning survives."""
