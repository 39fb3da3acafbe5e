"""What the two estimators share: everything after the components are known."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Optional, Tuple, Union

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted

from . import _checks, _core


class Factorizer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Exact coordinates in the components of a fit. Samples are rows."""

    components_: np.ndarray
    n_components_: int
    n_jobs: Optional[int]
    n_components: Union[int, str, None]
    ranks: Any

    def _checked(self, X: Any, reset: bool, mask: Any = None) -> np.ndarray:
        """Dense, nonnegative float64, finite but for NaN where an entry is missing; a float64 array of any order passes
        without a copy, unless there is a mask."""
        allowed = _checks.one_of("missing", getattr(self, "missing", "refuse"), ("refuse", "nan")) == "nan"
        X = self._validate_data(
            X, dtype=np.float64, reset=reset, force_all_finite="allow-nan" if allowed or mask is not None else True
        )
        return _checks.with_gaps(X, mask, allowed, f"{type(self).__name__} (input X)", whole_features=reset)

    def _threads(self) -> int:
        return _checks.threads_of("n_jobs", self.n_jobs)

    def _loss(self) -> str:
        """The loss as the extension module spells it."""
        names = {2: "frobenius", 1: "kullback-leibler"}
        loss = getattr(self, "beta_loss", "frobenius")
        return loss if isinstance(loss, str) else names.get(loss, repr(loss))

    def _coordinates(self, X: np.ndarray) -> Tuple[np.ndarray, float, float]:
        l1, l2 = self._coordinate_penalties(X.shape[1])
        return _core.coordinates(self.components_, X, threads=self._threads(), beta_loss=self._loss(), l1=l1, l2=l2)

    def _coordinate_penalties(self, n_features: int) -> Tuple[float, float]:
        """On coordinates: times their sum, and half of it times their squares."""
        raise NotImplementedError

    def transform(self, X: Any, mask: Any = None) -> np.ndarray:
        """The best nonnegative coordinates of samples in the components: exact least squares, not iterated; under the
        Kullback-Leibler divergence iterated until nothing changes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        mask : array-like of shape (n_samples, n_features), default=None
            True where an entry is missing: the coordinates are those that fit the others. With missing='nan' NaN says so,
            too.

        Returns
        -------
        W : ndarray of shape (n_samples, n_components)
        """
        check_is_fitted(self)
        return self._coordinates(self._checked(X, reset=False, mask=mask))[0]

    def inverse_transform(self, W: Any) -> np.ndarray:
        """W @ components_, the samples that have these coordinates.

        Parameters
        ----------
        W : array-like of shape (n_samples, n_components)

        Returns
        -------
        X : ndarray of shape (n_samples, n_features)
        """
        check_is_fitted(self)
        W = check_array(W, dtype=np.float64)
        if W.shape[1] != self.n_components_:
            raise ValueError(f"W has {W.shape[1]} columns, but there are {self.n_components_} components")
        return W @ self.components_

    def score(self, X: Any, y: Any = None) -> float:
        """The part of the samples' squared norm that the components explain: 1 - ||X - W H||² / ||X||².

        1 is best; W are the coordinates that `transform` gives. Larger is better, as GridSearchCV expects.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored
        """
        check_is_fitted(self)
        _, squared_error, squared_norm = self._coordinates(self._checked(X, reset=False))
        return 1.0 - squared_error / squared_norm if squared_norm > 0 else 1.0

    def report(self, path: Union[str, "os.PathLike[str]"], *, image: Optional[Tuple[int, int]] = None) -> None:
        """Writes the page that the command line writes: convergence, network, components, parameters.

        Parameters
        ----------
        path : str or path, the HTML file; it needs nothing beside it
        image : (height, width), default=None
            The features are the pixels of images, column after column: components are shown as images.
        """
        check_is_fitted(self)
        if image is not None and (len(image) != 2 or image[0] * image[1] != self.n_features_in_):
            raise ValueError(f"image={image!r} must be (height, width) with {self.n_features_in_} pixels")
        path = Path(path)
        if not path.parent.is_dir():
            raise FileNotFoundError(f"{path.parent} is no folder")
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".report") as folder:
            _core.write_report(
                folder,
                record=self.run_,
                history={name: column.tolist() for name, column in self.history_.items()},
                components=self.components_,
                feature_names=[str(name) for name in getattr(self, "feature_names_in_", [])],
                image=None if image is None else (int(image[0]), int(image[1])),
            )
            os.replace(Path(folder) / "report.html", path)

    @property
    def _n_features_out(self) -> int:
        return self.components_.shape[0]

    def _more_tags(self) -> dict:
        return {"requires_positive_X": True}

    def _wanted_components(self, n_samples: int, n_features: int) -> Union[int, str]:
        """A number, or a range in which it is looked for."""
        if _checks.searches(self.n_components):
            return _checks.ranks_for(self.ranks, n_samples, n_features)
        if self.ranks is not None:
            raise ValueError(f"ranks is for n_components='auto', not for n_components={self.n_components!r}")
        return _checks.components_for(self.n_components, n_samples, n_features)

    def _keep(self, result: dict) -> np.ndarray:
        """The attributes that every fit leaves; returns the coordinates."""
        self.components_ = result["components"]
        self.n_components_ = self.components_.shape[0]
        divergence = result.get("divergence")
        self.reconstruction_err_ = float(np.sqrt(result["squared_error"] if divergence is None else 2 * divergence))
        self.history_ = {name: np.asarray(column) for name, column in result["history"].items()}
        self.n_iter_ = len(self.history_["iteration"])
        self.run_ = result["record"]
        self.stopped_because_ = self.run_["stopped_because"]
        if "search" in result:
            search = result["search"]
            self.stability_ = np.asarray(search["stability"])
            self.candidates_ = search["candidates"]
            self.reason_ = search["reason"]
        return result["coordinates"]
