"""Paints the sample study's pictures: one module per prompt, over a small vocabulary of forms."""
