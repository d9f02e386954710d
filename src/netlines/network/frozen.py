"""What makes a value of arrays unchangeable, also after pickling."""

from __future__ import annotations

from typing import Any

import numpy as np


class Frozen:
    """The base of frozen dataclasses with arrays."""

    def _freeze(self, *names: str, dtype: Any = None, ndmin: int = 0) -> None:
        """Replace attributes that are not None by read-only copies as arrays."""
        for name in names:
            if getattr(self, name) is not None:
                array = np.array(getattr(self, name), dtype=dtype, ndmin=ndmin)
                array.setflags(write=False)
                object.__setattr__(self, name, array)

    def __post_init__(self) -> None:
        """Freeze and check the attributes."""

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields alone: what was made of them is made again."""
        fields = getattr(self, "__dataclass_fields__", {})
        return {name: value for name, value in self.__dict__.items() if name in fields}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()
