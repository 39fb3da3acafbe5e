"""NMF: the factorisation on one machine."""

from __future__ import annotations

import warnings
from typing import Any, Dict, Optional, Sequence, Tuple, Union

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_array, check_non_negative

from . import _checks, _core
from ._base import Factorizer, documented, lent

# Six starts of 20 iterations, and eighty or more for the best of them.
SMALL = 2**16
STARTS_OF_SMALL = 6
ITERATIONS_FOR_STARTS = 200
TOLERANCE_FOR_STARTS = 1e-4


@documented()
class NMF(Factorizer):
    """Nonnegative matrix factorisation, X ~ W H, in least squares or under the Poisson loss.

    A drop-in for `sklearn.decomposition.NMF` where it can be: the same arguments, methods and attributes. What is not
    offered (other losses, SVD starts) is refused with a ValueError that says so, never ignored.

    Parameters
    ----------
    n_components : int or 'auto', default=None
        Number of components; None: n_features. Above min(n_samples, n_features) no factors are the only ones. 'auto': the
        number is looked for in `ranks`, by `n_init` starts of each rank on resampled data (10 if it is 'auto' or 1); `tol` has no
        meaning then, `max_iter` is that of each start (40 if it is 200), and there are neither penalties nor `known`.
    <ranks>
    init : {'random', 'custom'}, default=None
        None and 'random': components uniform in (0, 1) from `random_state`. 'custom': `H` of fit; a `W` is checked and
        not needed, since a fit begins with the best W for its H.
    solver : {'cd', 'admm'}, default='cd'
        Coordinate descent, or the paper's ADMM to compare with.
    beta_loss : {'frobenius', 2, 'kullback-leibler', 1}, default='frobenius'
        Least squares, or for counts the generalised Kullback-Leibler divergence (solver='cd'). `transform` and the
        coordinates of a fit are those of the loss.
    tol : float, default=1e-4
        End when ten iterations lower the error by less than this part of it; 0: never.
    max_iter : int, default=200
        At most this many iterations.
    random_state : int, RandomState instance or None, default=None
        An int is the seed: the same seed gives the same bytes, here and with `ppdnmf factorize --seed`.
    alpha_W : float, default=0.0
        Penalty on the coordinates (solver='cd'). As in scikit-learn, what is minimised is the loss (half of the squared
        error, or the divergence) and alpha_W n_features (l1_ratio ||W||_1 + (1 - l1_ratio) ||W||² / 2), and the same of
        alpha_H, n_samples and H.
    alpha_H : float or 'same', default='same'
        Penalty on the components; 'same': alpha_W. Where one of the two is 0 and the other is not, the factor without a
        penalty is held at length one while fitting, each component, or its coordinates in all samples: it could be made
        ever longer otherwise, and the other one shorter, until no penalty were left.
    l1_ratio : float, default=0.0
        The part of the penalties that is on sums, from 0 to 1; the rest is on squares.
    <verbose>
    shuffle : bool, default=False
        Must be False.
    n_init : int or 'auto', default='auto'
        Number of short starts; the one with the smallest error is continued, and the iterations of all count. 'auto': 6 for
        small samples (at most 65,536 numbers, random starts, solver='cd', max_iter at least 200, tol at most 1e-4), which
        end in poor minima most easily, and else 1.
    normalise : {'l1', 'l2'}, default=None
        Divide every sample by its sum or its length, so that only its shape counts; W comes in units of the data.
    cap : float, default=None
        Scale samples whose total is above this quantile of all totals down to it, as 0.75; W comes in units of the data.
    missing : {'refuse', 'nan'}, default='refuse'
        'nan': NaN stands for an entry that is missing. The fit, `transform` and all errors are over the others. A mask
        given to `fit` or `transform` does the same without it.
    <known>
    <n_jobs>

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
    n_components_, n_features_in_, n_iter_ : int
    <search>
    reconstruction_err_ : float, ||X - W H||; as scikit-learn has it, sqrt(2 D(X, W H)) under the divergence D
    history_ : dict of ndarrays with an entry per iteration: 'iteration', 'relative_error', 'seconds', ...
    stopped_because_ : 'tolerance', 'iterations', 'known' (there was nothing else to find), or 'request' (a callback
        returned a true value)

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1, 1], [2, 1], [3, 1.2], [4, 1], [5, 0.8], [6, 1]])
    >>> model = NMF(n_components=2, random_state=0)
    >>> W = model.fit_transform(X)
    >>> np.allclose(W @ model.components_, X, atol=1e-2)
    True
    >>> model.transform([[10, 2]]).shape
    (1, 2)
    """

    def __init__(
        self,
        n_components: Union[int, str, None] = None,
        *,
        ranks: Optional[Sequence[int]] = None,
        init: Optional[str] = None,
        solver: str = "cd",
        beta_loss: Any = "frobenius",
        tol: float = 1e-4,
        max_iter: int = 200,
        random_state: Any = None,
        alpha_W: float = 0.0,
        alpha_H: Any = "same",
        l1_ratio: float = 0.0,
        verbose: int = 0,
        shuffle: bool = False,
        n_init: Union[int, str] = "auto",
        normalise: Optional[str] = None,
        cap: Optional[float] = None,
        missing: str = "refuse",
        n_jobs: Optional[int] = None,
        known: Any = None,
    ) -> None:
        self.n_components = n_components
        self.ranks = ranks
        self.init = init
        self.solver = solver
        self.beta_loss = beta_loss
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.alpha_W = alpha_W
        self.alpha_H = alpha_H
        self.l1_ratio = l1_ratio
        self.verbose = verbose
        self.shuffle = shuffle
        self.n_init = n_init
        self.normalise = normalise
        self.cap = cap
        self.missing = missing
        self.n_jobs = n_jobs
        self.known = known

    def fit(self, X: Any, y: Any = None, **params: Any) -> "NMF":
        """Learns the components of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored
        **params : as for fit_transform

        Returns
        -------
        self
        """
        self.fit_transform(X, **params)
        return self

    def fit_transform(
        self,
        X: Any,
        y: Any = None,
        W: Any = None,
        H: Any = None,
        callback: Optional[_checks.Callback] = None,
        sample_weight: Any = None,
        mask: Any = None,
    ) -> np.ndarray:
        """Learns the components of X and returns its coordinates, the same as fit(X).transform(X).

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            A CSR matrix of float64 is read where it lies; the result is that of the same array, to the bit.
        y : ignored
        W : array-like of shape (n_samples, n_components), with init='custom': checked, not needed
        H : array-like of shape (n_components, n_features), with init='custom': the first components
        callback : called after every iteration with a dict of its measures; a true answer ends the fit there
        sample_weight : array-like of shape (n_samples,), default=None
            How often each sample counts, in the components and in the errors of `history_`; its coordinates do not depend
            on it. A sample of weight zero has coordinates, too.
        mask : array-like of shape (n_samples, n_features), default=None
            True where an entry is missing.

        Returns
        -------
        W : ndarray of shape (n_samples, n_components)
        """
        self._refuse_what_is_not_offered(mask)
        X = self._checked(X, reset=True, mask=mask)
        weights = _checks.weights_of(sample_weight, X)
        fitted = X if weights is None or (weights > 0).all() else X[weights > 0]
        known, names = _checks.known_components(self.known, X.shape[1], getattr(self, "feature_names_in_", None))
        n_components = self._wanted_components(*fitted.shape)
        if isinstance(n_components, str):
            return self._search(X, fitted, n_components, weights, W is not None or H is not None, callback)
        result = _core.factorize(
            lent(fitted),
            n_components=n_components,
            seed=_checks.seed_of(self.random_state),
            solver=self.solver,
            beta_loss=self._loss(),
            penalties=self._penalties(*X.shape),
            known=known,
            known_names=names,
            starts=self._starts(fitted),
            first_components=self._first_components(W, H, X.shape[0], n_components),
            max_iter=_checks.whole_number("max_iter", self.max_iter, 1),
            tol=_checks.real_number("tol", self.tol, 0, 1),
            threads=self._threads(),
            callback=_checks.progress("NMF", self.verbose, callback),
            normalise=self.normalise,
            cap=None if self.cap is None else _checks.real_number("cap", self.cap, 1e-6, 1),
            weights=[] if weights is None else weights[weights > 0].tolist(),
        )
        coordinates = self._keep(result)
        if fitted is not X:
            coordinates = self._coordinates(X)[0]
        if self.stopped_because_ == "iterations" and self.tol > 0:
            warnings.warn(
                f"The fit ended after max_iter={self.max_iter} iterations: more of them would improve it.",
                ConvergenceWarning,
            )
        return coordinates

    def _starts(self, fitted: Any) -> int:
        """The number of starts of a fit with one number of components."""
        if not (isinstance(self.n_init, str) and self.n_init == "auto"):
            return _checks.whole_number("n_init", self.n_init, 1)
        enough = _checks.whole_number("max_iter", self.max_iter, 1) >= ITERATIONS_FOR_STARTS
        exact = _checks.real_number("tol", self.tol, 0, 1) <= TOLERANCE_FOR_STARTS
        small = fitted.shape[0] * fitted.shape[1] <= SMALL and self.init != "custom" and self.solver == "cd"
        return STARTS_OF_SMALL if small and enough and exact else 1

    def _alphas(self) -> Tuple[float, float, float]:
        """alpha_W, alpha_H and l1_ratio, checked."""
        largest = float("inf")
        alpha_W = _checks.real_number("alpha_W", self.alpha_W, 0, largest)
        alpha_H = alpha_W if self.alpha_H == "same" else _checks.real_number("alpha_H", self.alpha_H, 0, largest)
        ratio = self.l1_ratio if self.l1_ratio == 1 else _checks.real_number("l1_ratio", self.l1_ratio, 0, 1)
        return alpha_W, alpha_H, float(ratio)

    def _penalties(self, n_samples: int, n_features: int) -> Dict[str, float]:
        """As the command line calls them: X are the components there, and Y the coordinates."""
        alpha_W, alpha_H, ratio = self._alphas()
        on_W, on_H = alpha_W * n_features, alpha_H * n_samples
        return {"l1_x": on_H * ratio, "l2_x": on_H * (1 - ratio), "l1_y": on_W * ratio, "l2_y": on_W * (1 - ratio)}

    def _coordinate_penalties(self, n_features: int) -> Tuple[float, float]:
        penalties = self._penalties(1, n_features)
        return penalties["l1_y"], penalties["l2_y"]

    def _search(
        self,
        X: np.ndarray,
        fitted: np.ndarray,
        ranks: str,
        weights: Optional[np.ndarray],
        custom: bool,
        callback: Optional[_checks.Callback],
    ) -> np.ndarray:
        """The number of components, looked for by one agent that has all samples."""
        if self.solver != "cd" or self.init == "custom" or custom:
            raise ValueError("n_components='auto' needs solver='cd' and random starts")
        if self.known is not None or any(self._alphas()[:2]):
            raise ValueError("n_components='auto' needs components that are all found, and no penalties")
        settings: Dict[str, Any] = {"n_components": ranks, "scheme": "sum", "beta_loss": self._loss()}
        if not (isinstance(self.n_init, str) and self.n_init == "auto"):
            settings["n_init"] = _checks.whole_number("n_init", self.n_init, 1)
        if self.max_iter != 200:
            settings["max_iter"] = _checks.whole_number("max_iter", self.max_iter, 1)
        for name in ("normalise", "cap", "missing"):
            if getattr(self, name) not in (None, "refuse"):
                settings[name] = getattr(self, name)
        result = _core.run_network(
            [lent(fitted)],
            seed=_checks.seed_of(self.random_state),
            topology="line",
            threads=self._threads(),
            settings=settings,
            persons=[],
            known=None,
            known_names=[],
            weights=[] if weights is None else weights[weights > 0].tolist(),
            callback=_checks.progress("NMF", self.verbose, callback),
        )
        coordinates, result["squared_error"], _ = _core.coordinates(
            result["components"], lent(X), threads=self._threads(), beta_loss=self._loss()
        )
        if self._loss() != "frobenius":
            result["divergence"] = _core.divergence(result["components"], lent(X), coordinates)
        result["coordinates"] = coordinates
        return self._keep(result)

    def _first_components(self, W: Any, H: Any, n_samples: int, n_components: int) -> Optional[np.ndarray]:
        if self.init != "custom":
            if W is not None or H is not None:
                raise ValueError(f"W and H are for init='custom', not for init={self.init!r}")
            return None
        if H is None:
            raise ValueError("init='custom' needs the first components: H")
        for name, matrix, shape in (("H", H, (n_components, self.n_features_in_)), ("W", W, (n_samples, n_components))):
            if matrix is None:
                continue
            matrix = check_array(matrix, dtype=np.float64, input_name=name)
            check_non_negative(matrix, f"NMF (input {name})")
            if matrix.shape != shape:
                raise ValueError(f"{name} has the shape {matrix.shape}, but must have {shape}")
        return np.asarray(H, dtype=np.float64)

    def _refuse_what_is_not_offered(self, mask: Any) -> None:
        if self.init not in (None, "random", "custom"):
            raise ValueError(f"init={self.init!r} is not offered: 'random' and 'custom' are")
        if self.solver not in ("cd", "admm"):
            raise ValueError(f"solver={self.solver!r} is not offered: 'cd' and 'admm' are")
        if self.beta_loss not in ("frobenius", 2, "kullback-leibler", 1):
            raise ValueError(f"beta_loss={self.beta_loss!r} is not offered: 'frobenius' and 'kullback-leibler' are")
        _checks.one_of("normalise", self.normalise, (None, "l1", "l2"))
        if self.cap is not None and self.normalise is not None:
            raise ValueError("cap has no meaning beside normalise, which makes all samples equally large: leave out one")
        if self.solver == "admm" and (self.missing != "refuse" or mask is not None):
            raise ValueError("missing entries are not offered with solver='admm': choose solver='cd'")
        if self.solver == "admm" and self._loss() != "frobenius":
            raise ValueError(f"beta_loss={self.beta_loss!r} is not offered with solver='admm': choose solver='cd'")
        alpha_W, alpha_H, _ = self._alphas()
        if self.solver == "admm" and (alpha_W > 0 or alpha_H > 0 or self.known is not None):
            raise ValueError("penalties and known components are not offered with solver='admm': choose solver='cd'")
        if self.shuffle:
            raise ValueError("shuffle=True is not offered: coordinates are visited in a fixed order")
