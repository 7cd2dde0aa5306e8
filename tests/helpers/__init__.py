"""What several test files need, written once: `from tests.helpers.tensors import random`."""
