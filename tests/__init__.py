"""The tests of Semiosis, one package per room."""
