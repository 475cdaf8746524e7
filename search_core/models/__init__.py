"""What runs or asks a model."""
