"""The tests of Semiosis, one folder for each package."""
