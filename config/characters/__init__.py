"""The characters that come with the house: one YAML file each."""
