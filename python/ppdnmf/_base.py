"""What the two estimators share: everything after the components are known."""

from __future__ import annotations

import os
import tempfile
import textwrap
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, TypeVar, Union

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted

from . import _checks, _core


# What the docstrings of both estimators say, in place of a line with its name in angle brackets.
_DOCUMENTED = {
    "ranks": """\
ranks : pair of ints, default=None
    With n_components='auto': the smallest and the largest number of components; None: 2 to 20, or as many as the data
    allow.
""",
    "known": """\
known : array-like or DataFrame of shape (n_known, n_features), default=None
    Components that stay as they are, to the bit, and come first; the others are found beside them. A DataFrame's
    index names them, and its columns are matched with the features of X by name.
""",
    "verbose": """\
verbose : int, default=0
    1 prints every tenth iteration, more prints each.
""",
    "n_jobs": """\
n_jobs : int, default=None
    Threads; None and -1: all processors. The result does not depend on it.
""",
    "search": """\
stability_ : ndarray of shape (n_components_,), with n_components='auto'
    The mean cosine between a component and what the counted runs found of it, 1 at most.
candidates_ : list of dicts, with n_components='auto'
    For every rank that was tried 'rank', 'loss', 'stability', 'silhouettes' and 'components'.
reason_ : str, with n_components='auto'
    Why so many components were chosen.
feature_names_in_ : ndarray of shape (n_features,), if X had names
""",
}
_Class = TypeVar("_Class", bound=type)


def documented(**entries: str) -> Callable[[_Class], _Class]:
    """Completes a class's docstring with what both estimators share, and with further entries."""

    def complete(of: _Class) -> _Class:
        if of.__doc__ is not None:  # with python -OO there is none
            for name, text in {**_DOCUMENTED, **entries}.items():
                of.__doc__ = of.__doc__.replace(f"    <{name}>\n", textwrap.indent(text.rstrip("\n"), "    ") + "\n")
        return of

    return complete


class Exposures(NamedTuple):
    """Coordinates of samples, and how sure they are."""

    W: np.ndarray
    low: Optional[np.ndarray]
    high: Optional[np.ndarray]
    measures: Dict[str, float]
    before: Optional[Dict[str, float]]


def _reference_of(reference: Any) -> "_core.Reference":
    if isinstance(reference, (str, os.PathLike)):
        return _core.Reference(path=os.fspath(reference), components=None, names=[], feature_names=[])
    values = check_array(reference, dtype=np.float64)
    named = hasattr(reference, "columns") and hasattr(reference, "index")
    features = [str(name) for name in reference.columns] if named else []
    if named and not all(isinstance(name, str) for name in reference.columns):
        features = []
    return _core.Reference(
        path="",
        components=values,
        names=[str(name) for name in reference.index] if named else [],
        feature_names=features,
    )


def lent(X: Any) -> Any:
    """Samples as the extension module takes them: an array, or the entries of a CSR matrix, neither copied."""
    if not sparse.issparse(X):
        return X
    return _core.SparseSamples(X.indptr, X.indices, X.data, X.shape[1])


class Factorizer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Exact coordinates in the components of a fit. Samples are rows."""

    components_: np.ndarray
    n_components_: int
    n_jobs: Optional[int]
    n_components: Union[int, str, None]
    ranks: Any

    def _checked(self, X: Any, reset: bool, mask: Any = None) -> np.ndarray:
        """Nonnegative float64, finite but for NaN where an entry is missing; a float64 array of any order passes without a
        copy, unless there is a mask. What is sparse stays sparse, as CSR."""
        allowed = _checks.one_of("missing", getattr(self, "missing", "refuse"), ("refuse", "nan")) == "nan"
        X = self._validate_data(
            X,
            accept_sparse="csr",
            dtype=np.float64,
            reset=reset,
            force_all_finite="allow-nan" if allowed or mask is not None else True,
        )
        if sparse.issparse(X):
            return _checks.tidy_sparse(X, mask, f"{type(self).__name__} (input X)")
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
        return _core.coordinates(
            self.components_,
            lent(X),
            threads=self._threads(),
            beta_loss=self._loss(),
            l1=l1,
            l2=l2,
            shrink=getattr(self, "_shrink", None),
        )

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

    def exposures(self, X: Any, *, prune: Any = None, intervals: int = 0, random_state: Any = 1) -> Exposures:
        """The coordinates of samples, without components that do not pay and with intervals, the components as they are.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        prune : float or True, default=None
            Of a sample's components the one is dropped without which its loss rises least, as long as it rises by at most
            this part of what it is with all of them; then the next. True: 0.04. None: none is dropped.
        intervals : int, default=0
            Draws behind 95 % intervals, at least 20; 0: no intervals. Under the Kullback-Leibler divergence samples of
            whole numbers are drawn anew from Poisson distributions, others by their residuals with random signs.
        random_state : int, RandomState instance or None, default=1
            Of the draws: the same seed gives the same bytes.

        Returns
        -------
        Exposures
            `W`, `low` and `high` of shape (n_samples, n_components) (the last two None without intervals); `measures`, a
            dict with the active components per sample (those with more than 1 % of it) and the cosine between a sample
            and what the components make of it; `before`, the same before components were dropped, or None.
        """
        check_is_fitted(self)
        part, draws = _checks.exposure_options(prune, intervals)
        result = _core.exposures(
            self.components_,
            lent(self._checked(X, reset=False)),
            threads=self._threads(),
            beta_loss=self._loss(),
            prune=part,
            intervals=draws,
            seed=_checks.seed_of(random_state),
        )
        return Exposures(result["coordinates"], result["low"], result["high"], result["measures"], result["before"])

    def match(self, reference: Any) -> List[Tuple[Optional[str], Optional[float]]]:
        """The components beside those of a catalogue, one-to-one, so that the sum of their cosines is the largest.

        Parameters
        ----------
        reference : path, DataFrame or array-like of shape (n_references, n_features)
            A file has features as rows and a named column for each reference. A frame has features as columns, in any
            order, and the references' names as its index.

        Returns
        -------
        list of (name, cosine), one for each component; (None, None) where the catalogue has fewer
        """
        check_is_fitted(self)
        return _core.match(self.components_, feature_names=self._feature_names(), reference=_reference_of(reference))

    def _feature_names(self) -> List[str]:
        return [str(name) for name in getattr(self, "feature_names_in_", [])]

    def report(
        self,
        path: Union[str, "os.PathLike[str]"],
        *,
        image: Optional[Tuple[int, int]] = None,
        show: str = "auto",
        reference: Any = None,
    ) -> None:
        """Writes the page that the command line writes: convergence, network, components, parameters.

        Parameters
        ----------
        path : str or path, the HTML file; it needs nothing beside it
        image : (height, width), default=None
            The features are the pixels of images, column after column: components are shown as images.
        show : {'auto', 'signatures', 'topics', 'curves', 'images'}, default='auto'
            What components are drawn as; 'auto' guesses from the features' names.
        reference : as for match, default=None
            A catalogue whose components stand beside those that were found.
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
                feature_names=self._feature_names(),
                image=None if image is None else (int(image[0]), int(image[1])),
                show=show,
                reference=None if reference is None else _reference_of(reference),
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
        self._shrink = result.get("shrink")
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
