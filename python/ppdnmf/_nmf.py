"""NMF: the factorisation on one machine."""

from __future__ import annotations

import warnings
from typing import Any, Optional

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_array, check_non_negative

from . import _checks, _core
from ._base import Factorizer


class NMF(Factorizer):
    """Nonnegative matrix factorisation, X ~ W H, in least squares or under the Poisson loss.

    A drop-in for `sklearn.decomposition.NMF` where it can be: the same arguments, methods and attributes. What is not
    offered (other losses, penalties, SVD starts, sparse input) is refused with a ValueError that says so, never ignored.

    Parameters
    ----------
    n_components : int, default=None
        Number of components, at most min(n_samples, n_features); None: n_features.
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
    alpha_W, alpha_H, l1_ratio : default=0.0, 'same', 0.0
        Must leave the penalties at zero.
    verbose : int, default=0
        1 prints every tenth iteration, more prints each.
    shuffle : bool, default=False
        Must be False.
    n_init : int, default=1
        Number of short starts; the one with the smallest error is continued.
    normalise : {'l1', 'l2'}, default=None
        Divide every sample by its sum or its length, so that only its shape counts; W comes in units of the data.
    cap : float, default=None
        Scale samples whose total is above this quantile of all totals down to it, as 0.75; W comes in units of the data.
    missing : {'refuse', 'nan'}, default='refuse'
        'nan': NaN stands for an entry that is missing. The fit, `transform` and all errors are over the others. A mask
        given to `fit` or `transform` does the same without it.
    n_jobs : int, default=None
        Threads; None and -1: all processors. The result does not depend on it.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
    n_components_, n_features_in_, n_iter_ : int
    feature_names_in_ : ndarray of shape (n_features,), if X had names
    reconstruction_err_ : float, ||X - W H||; as scikit-learn has it, sqrt(2 D(X, W H)) under the divergence D
    history_ : dict of ndarrays with an entry per iteration: 'iteration', 'relative_error', 'seconds', ...
    stopped_because_ : 'tolerance', 'iterations', or 'request' (a callback returned a true value)

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
        n_components: Optional[int] = None,
        *,
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
        n_init: int = 1,
        normalise: Optional[str] = None,
        cap: Optional[float] = None,
        missing: str = "refuse",
        n_jobs: Optional[int] = None,
    ) -> None:
        self.n_components = n_components
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
        X : array-like of shape (n_samples, n_features)
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
        n_components = _checks.components_for(self.n_components, *fitted.shape)
        result = _core.factorize(
            fitted,
            n_components=n_components,
            seed=_checks.seed_of(self.random_state),
            solver=self.solver,
            beta_loss=self._loss(),
            starts=_checks.whole_number("n_init", self.n_init, 1),
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
        if self.alpha_W != 0 or self.alpha_H not in ("same", 0):
            raise ValueError(
                f"penalties are not offered: alpha_W must be 0, not {self.alpha_W!r}, and alpha_H 'same' or 0, not "
                f"{self.alpha_H!r}"
            )
        if self.l1_ratio != 0:
            raise ValueError(f"penalties are not offered: l1_ratio must be 0, not {self.l1_ratio!r}")
        if self.shuffle:
            raise ValueError("shuffle=True is not offered: coordinates are visited in a fixed order")
