"""Pure translations of the trail into formats that other tools read."""
