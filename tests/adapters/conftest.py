"""The same embedders as the conformance tests use."""

from tests.conformance.conftest import e5, e5_c, e5_cache

__all__ = ["e5", "e5_c", "e5_cache"]
