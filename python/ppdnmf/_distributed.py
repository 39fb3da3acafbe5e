"""DistributedNMF: the factorisation by a network of agents, simulated in this process."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import column_or_1d
from sklearn.utils.validation import check_array, check_consistent_length

from . import _checks, _core, _settings
from ._base import Factorizer, documented, lent


@dataclass(frozen=True)
class AgentResult:
    """What one agent holds at the end of a run."""

    label: Any
    """Its group, or its number."""
    samples: np.ndarray
    """Which rows of X are its own."""
    components: np.ndarray
    """Its own copy of the components, of shape (n_components, n_features)."""
    coordinates: np.ndarray
    """Its own samples' coordinates, of shape (its samples, n_components); they never leave it."""
    error: float
    """The relative error of its components on everybody's samples, with the best coordinates."""
    own_part: Optional[np.ndarray] = None
    """With site_effects: what its samples have beside the components, of their shape; it never leaves the agent."""


@documented(settings=_settings.documentation())
class DistributedNMF(Factorizer):
    """Nonnegative matrix factorisation by agents who hold different samples and agree on common components.

    The whole network runs in this process, so it shows what a real one would find and cost; it protects nobody's data.

    Parameters
    ----------
    n_components : int or 'auto', default=None
        Number of components; None: n_features. 'auto': the number is looked for in
        `ranks`, by `n_init` starts of each rank on resampled data (10 if n_init=1).
    <ranks>
    n_agents : int, default=10
        Agents between whom the samples are split evenly, in their order, when fit gets neither `groups` nor a list; fewer
        when there are fewer samples.
    topology : str or list of pairs, default='random:3'
        Who talks to whom: 'random:D' (mean degree D), 'ring', 'line', 'star', 'complete', or edges between agents that
        are numbered from 0.
    <known>
    <settings>
    random_state : int, RandomState instance or None, default=None
        An int is the seed: the same bytes every time, and those of `ppdnmf simulate --seed`.
    <n_jobs>
    <verbose>

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The common components; the mean of the agents', where these differ (scheme='as-printed').
    agents_ : list of AgentResult
    run_ : dict
        The measures and parameters that run.json has: 'relative_error', 'loss', 'nmse', 'disagreement', 'worst_agent_error',
        'rounds', 'bytes_sent', ...
    history_ : dict of ndarrays with an entry per iteration: 'iteration', 'rounds', 'relative_error', 'loss', 'disagreement', ...
    n_components_, n_features_in_, n_iter_ : int
    <search>
    reconstruction_err_ : float
        ||X - W H|| of the common components; sqrt(2 D(X, W H)) under the divergence D, as scikit-learn has it.
    stopped_because_ : str

    Examples
    --------
    >>> import numpy as np
    >>> draw = np.random.default_rng(1)
    >>> samples = draw.random((60, 3)) @ draw.random((3, 8))
    >>> hospital = np.repeat(["north", "south", "west"], 20)
    >>> model = DistributedNMF(n_components=3, random_state=1).fit(samples, groups=hospital)
    >>> [agent.label for agent in model.agents_]
    ['north', 'south', 'west']
    >>> bool(model.run_["relative_error"] < 0.01)
    True
    >>> model.transform(samples[:2]).shape
    (2, 3)

    Notes
    -----
    GridSearchCV and other splitters use `groups` for their own splitting and do not pass it on to fit.
    """

    @_settings.sign
    def __init__(
        self,
        n_components: Union[int, str, None] = None,
        *,
        ranks: Optional[Sequence[int]] = None,
        n_agents: int = 10,
        topology: Union[str, Sequence[Tuple[int, int]]] = "random:3",
        random_state: Any = None,
        n_jobs: Optional[int] = None,
        verbose: int = 0,
        known: Any = None,
        **settings: Any,
    ) -> None:
        self.n_components = n_components
        self.ranks = ranks
        self.n_agents = n_agents
        self.topology = topology
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.known = known
        _settings.take(self, settings)

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        groups: Any = None,
        persons: Any = None,
        sample_weight: Any = None,
        mask: Any = None,
        callback: Optional[_checks.Callback] = None,
    ) -> "DistributedNMF":
        """Runs the network.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or a list of such, one for each agent
        y : ignored
        groups : array-like of shape (n_samples,), default=None
            One agent for each different value, in their sorted order.
        persons : array-like of shape (n_samples,), default=None
            With epsilon: whose each sample is. The noise then covers a person's samples together, those of one agent.
        sample_weight : array-like of shape (n_samples,), default=None
            Without epsilon: how often each sample counts; its coordinates do not depend on it. An agent does not tell its
            weights. Samples of weight zero take no part, and belong to no agent.
        mask : array-like of shape (n_samples, n_features), default=None
            True where an entry is missing. Agents must agree that entries may be: missing='nan'.
        callback : called after every iteration with a dict of its measures; a true answer has the agents end the run

        Returns
        -------
        self
        """
        self._run(X, groups, persons, sample_weight, mask, callback)
        return self

    def fit_transform(
        self,
        X: Any,
        y: Any = None,
        *,
        groups: Any = None,
        persons: Any = None,
        sample_weight: Any = None,
        mask: Any = None,
        callback: Optional[_checks.Callback] = None,
    ) -> np.ndarray:
        """fit(X).transform(X); of a list, the coordinates of its arrays one after the other."""
        return self._run(X, groups, persons, sample_weight, mask, callback)

    def _run(
        self, X: Any, groups: Any, persons: Any, sample_weight: Any, mask: Any, callback: Optional[_checks.Callback]
    ) -> np.ndarray:
        if mask is not None and self.missing != "nan":
            raise ValueError("a mask needs missing='nan': all agents must know that entries may be missing")
        samples, members, labels = self._split(X, groups, mask)
        whose = np.asarray(_checks.persons_of(persons, samples), dtype=object)
        weights = _checks.weights_of(sample_weight, samples)
        if weights is not None and self.epsilon is not None:
            raise ValueError("sample_weight cannot be had in a private run: nobody may count more often than others")
        if weights is not None and not (weights > 0).all():
            members = self._without(weights == 0, members, labels, even=groups is None and not isinstance(X, (list, tuple)))
            labels = labels[: len(members)]
        taking_part = samples.shape[0] if weights is None else int((weights > 0).sum())
        settings = _settings.said(self)
        if "beta_loss" in settings:
            settings["beta_loss"] = self._loss()
        known, names = _checks.known_components(self.known, samples.shape[1], getattr(self, "feature_names_in_", None))
        settings["n_components"] = self._wanted_components(taking_part, samples.shape[1])
        result = _core.run_network(
            [lent(samples[rows]) for rows in members],
            seed=_checks.seed_of(self.random_state),
            topology=self.topology if isinstance(self.topology, str) else _checks.edges_of(self.topology),
            threads=self._threads(),
            settings=settings,
            persons=[person for rows in members for person in whose[rows]] if len(whose) else [],
            weights=[] if weights is None else [weight for rows in members for weight in weights[rows].tolist()],
            known=known,
            known_names=names,
            callback=_checks.progress("DistributedNMF", self.verbose, callback),
        )
        l1, l2 = self._coordinate_penalties(samples.shape[1])
        coordinates, result["squared_error"], _ = _core.coordinates(
            result["components"],
            lent(samples),
            threads=self._threads(),
            beta_loss=self._loss(),
            l1=l1,
            l2=l2,
            shrink=result.get("shrink"),
        )
        if self._loss() != "frobenius":
            result["divergence"] = _core.divergence(result["components"], lent(samples), coordinates)
        result["coordinates"] = coordinates
        self._keep(result)
        self.agents_ = [
            AgentResult(label, np.arange(samples.shape[0])[rows], components, own, error, part)
            for label, rows, components, own, error, part in zip(
                labels,
                members,
                result["agent_components"],
                result["agent_coordinates"],
                self.run_["agent_errors"],
                result["agent_own_parts"],
            )
        ]
        if self.stopped_because_ == "iterations" and settings.get("tol", 0) > 0:
            warnings.warn(
                f"The run ended after {self.n_iter_} iterations, before its tolerance: raise max_iter.", ConvergenceWarning
            )
        return coordinates

    def _without(self, left_out: np.ndarray, members: List[Any], labels: List[Any], even: bool) -> List[Any]:
        """The agents' samples but for those that take no part, as if they had not been given."""
        if even:
            kept = np.flatnonzero(~left_out)
            bounds = _even_bounds(len(kept), min(self.n_agents, len(kept)))
            return [kept[a:b] for a, b in zip(bounds, bounds[1:])]
        own = [np.arange(len(left_out))[rows] for rows in members]
        own = [rows[~left_out[rows]] for rows in own]
        for label, rows in zip(labels, own):
            if not len(rows):
                raise ValueError(f"sample_weight is zero for every sample of agent {label!r}")
        return own

    def _coordinate_penalties(self, n_features: int) -> Tuple[float, float]:
        return float(self.l1_y), float(self.l2_y)

    def _split(self, X: Any, groups: Any, mask: Any) -> Tuple[np.ndarray, List[Any], List[Any]]:
        """All samples, and for each agent its rows and its label."""
        _checks.whole_number("n_agents", self.n_agents, 1)
        if isinstance(X, (list, tuple)) and X and all(getattr(part, "ndim", 0) == 2 for part in X):
            if groups is not None:
                raise ValueError("groups cannot be given with a list of arrays: each of them is an agent already")
            for number, part in enumerate(X):
                if part.shape[1] != X[0].shape[1]:
                    raise ValueError(
                        f"array {number} has {part.shape[1]} features, but array 0 has {X[0].shape[1]}: they must be the same"
                    )
                finite = "allow-nan" if self.missing == "nan" else True
                check_array(part, accept_sparse="csr", dtype=np.float64, input_name=f"array {number}", force_all_finite=finite)
            lengths = [part.shape[0] for part in X]
            samples = self._checked(_stacked(X), reset=True, mask=mask)
            ends = np.cumsum(lengths)
            return samples, [slice(end - n, end) for n, end in zip(lengths, ends)], list(range(len(X)))
        samples = self._checked(X, reset=True, mask=mask)
        if groups is None:
            bounds = _even_bounds(samples.shape[0], min(self.n_agents, samples.shape[0]))
            return samples, [slice(a, b) for a, b in zip(bounds, bounds[1:])], list(range(len(bounds) - 1))
        groups = column_or_1d(groups)
        check_consistent_length(samples, groups)
        labels, members = np.unique(groups, return_inverse=True)
        if len(labels) < 2:
            raise ValueError("groups names one agent only: a network needs two, and NMF is for one")
        return samples, [np.flatnonzero(members == k) for k in range(len(labels))], labels.tolist()


def _even_bounds(n_samples: int, n_agents: int) -> List[int]:
    """As the command line splits: shares that differ by one at most, the larger ones first."""
    share, rest = divmod(n_samples, n_agents)
    return [k * share + min(k, rest) for k in range(n_agents + 1)]


def _stacked(parts: Sequence[Any]) -> Any:
    if all(hasattr(part, "iloc") for part in parts):
        import pandas

        return pandas.concat(parts, ignore_index=True)
    if any(sparse.issparse(part) for part in parts):
        return sparse.vstack([sparse.csr_matrix(part) for part in parts], format="csr")
    return np.vstack([np.asarray(part) for part in parts])
