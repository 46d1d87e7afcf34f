"""Array types of the package, and records that are kept as parallel arrays."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Values = NDArray[np.float32]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

FaceNumbers = NDArray[np.int64]
"""Faces, each from 1 to 6."""


@dataclass(frozen=True, eq=False)
class Records:
    """Records kept as parallel arrays: the first axis of every field counts the records.

    A field is an array or holds such records itself.
    """

    def __len__(self) -> int:
        return len(self._columns()[0])

    def take(self, index: Ints | Bools) -> Self:
        """Return the records that an index or a mask selects, in its order."""
        return type(self)(*(part.take(index) if isinstance(part, Records) else part[index] for part in self._columns()))

    def join(self, *others: Self) -> Self:
        """Return these records followed by the others."""
        columns = zip(*(each._columns() for each in (self, *others)), strict=True)  # noqa: SLF001 - of this class
        return type(self)(
            *(part[0].join(*part[1:]) if isinstance(part[0], Records) else np.concatenate(part) for part in columns)
        )

    def _columns(self) -> list[Any]:
        return [getattr(self, name) for name in self.__dataclass_fields__]  # `fields` is slower
