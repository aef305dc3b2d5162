"""A student small enough to learn here: made and pre-trained from scratch for the demonstration."""
