"""The campaign: mutated model files, hostile tables, kills and odd environments. `make hostile` runs it."""
