"""The pictures of the sample study: one module per prompt, and modules for shapes that they share."""
