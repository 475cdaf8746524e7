"""How well searches did by what people said of their results, and which threshold that speaks for."""
