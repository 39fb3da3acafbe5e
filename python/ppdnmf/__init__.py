"""Nonnegative matrix factorisation on one machine and by several holders of samples who keep them to themselves.

>>> import numpy as np
>>> from ppdnmf import NMF
>>> samples = np.random.default_rng(1).random((20, 3)) @ np.random.default_rng(2).random((3, 8))
>>> NMF(n_components=3, random_state=1).fit_transform(samples).shape
(20, 3)

`NMF` and `DistributedNMF` are scikit-learn estimators; `Agent` takes part in a real run; `ppdnmf.paillier` encrypts whole arrays of integers.
"""

from ._agent import Agent
from ._base import Exposures
from ._core import __version__
from ._distributed import AgentResult, DistributedNMF
from ._nmf import NMF
from . import paillier

__all__ = ["Agent", "AgentResult", "DistributedNMF", "Exposures", "NMF", "__version__", "paillier"]
