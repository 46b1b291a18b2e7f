"""What a user of Yinji calls; ``yinji.build`` opens it."""

from yinji.engine.keeping import Forgotten, Undone
from yinji.engine.memory import Memory
from yinji.engine.writing import Progress

__all__ = ["Forgotten", "Memory", "Progress", "Undone"]
