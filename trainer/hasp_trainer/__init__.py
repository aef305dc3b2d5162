"""Weighted SFT and DPO on TRL, and the training jobs of HASP Studio."""
