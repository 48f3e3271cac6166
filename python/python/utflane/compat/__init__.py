"""Drop-in functions of other packages. docs/python.md tells where their results differ."""
