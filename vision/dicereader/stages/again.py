"""Look again, as at faces of the usual size, at places that the detector takes for dice and the closer look does not.

Where a place is too far out of size, the closer look corrects it the wrong way. The dice of a picture are of one size,
and the others tell it.
"""

from dataclasses import replace

import numpy as np

from dicereader.stages.closeup import look_closer
from dicereader.stages.rectify import View
from dicereader.stages.worth import Weighed, joined, right_size, weigh

LIKELY = 0.4
"""Places that the detector finds this likely are worth another look."""

WELL = 0.9
"""What speaks for a place, with its size, when all is well with it."""

OTHER_SIZE = 0.6
"""Places whose size's logarithm is further than this from the usual one's are something else."""


def look_again(view: View, weighed: Weighed, usual: float) -> Weighed:
    """The places, in their order; those that look more like a die when they begin at the usual half edge, so."""
    score = weighed.worth * right_size(view, weighed.half, usual)
    off = np.abs(np.log(weighed.half / usual))
    poor = np.flatnonzero((score < WELL) & (weighed.seen.places.likely > LIKELY) & (off < OTHER_SIZE))
    if not len(poor):
        return weighed
    places = weighed.seen.places.take(poor)
    scale = (usual / places.half)[:, None]
    again = weigh(look_closer(view, replace(places, u=places.u * scale, v=places.v * scale)))
    better = again.worth * right_size(view, again.half, usual) > score[poor]
    index = np.arange(len(score))
    index[poor[better]] = len(score) + np.flatnonzero(better)
    return joined(weighed, again).take(index)
