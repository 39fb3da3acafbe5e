"""Agent: one member of a real run, with the other members on their own machines."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any, Callable, Dict, List, NoReturn, Optional, Union

import numpy as np
from sklearn.utils.validation import check_array, check_is_fitted

from . import _checks, _core

PathLike = Union[str, "os.PathLike[str]"]


class Agent:
    """Takes part in a real run: this process holds one member's samples, and they do not leave it.

    What `ppdnmf agent` does, from a notebook. The other members may use the command. docs/operating.md goes through a
    whole run: identities, the consortium file, the digits to compare over the telephone.

    Parameters
    ----------
    consortium : path of the file that all members have
    identity : path of this member's .key file
    out : path of the folder for the results and the run's state
    passphrase : str, or a function that returns one (getpass.getpass), default=None
        For a key that was sealed. A function is asked when `fit` begins.
    listen : str, default=None
        ADDR:PORT to bind instead of the address in the consortium file.
    n_threads : int, default=None
        Threads for the arithmetic; None: as many as processors. The result does not depend on it.
    max_wait : int, default=None
        Give up after this many seconds without what is waited for; None: never.
    data_name : str, default=None
        Private runs, which need it: what these samples are called in the ledger of budgets (docs/privacy.md).
    ledger : path, default=None
        Private runs: that ledger; None: beside the identity, NAME.ledger.
    exact_anyway : bool, default=False
        Take part in a run with exact totals although the ledger knows some of the samples from private runs.
    show, reference : str, default='auto'; path, default=None
        What the report draws components as, and a file of known ones to match them with, as in `NMF.report`.
    prune, intervals : default=None, 0
        What is worked out for the own samples' coordinates, as in `NMF.exposures`.
    verbose : int, default=0
        1 prints what the agent says and every tenth iteration, more prints each.
    known : path, default=None
        The file with the components that the consortium file keeps, if it keeps some; a component is a column there.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The common components; the features are in the consortium's order.
    coordinates_ : ndarray of shape (n_samples, n_components)
        The own samples' coordinates; nobody else has them.
    low_, high_ : ndarrays of shape (n_samples, n_components), with `intervals`: the ends of 95 % intervals
    run_ : dict, what run.json holds
    history_ : dict of ndarrays with an entry per iteration: 'iteration', 'rounds', 'relative_error', 'own_error', ...
    n_components_, n_features_in_, n_iter_ : int
    feature_names_in_ : ndarray of shape (n_features,), if the consortium or the samples have names
    reconstruction_err_ : float
        ||X - W H|| of this member's own samples.
    stopped_because_ : str
    notes_ : list of str, sentences for whoever runs the agent

    Examples
    --------
    >>> agent = Agent(consortium="trial.toml", identity="a.key", out="run1")
    >>> agent
    Agent(consortium='trial.toml', identity='a.key', out='run1')
    >>> agent.fit([[1.0, 2.0]])
    Traceback (most recent call last):
    OSError: trial.toml: cannot be opened: No such file or directory

    Notes
    -----
    No estimator of scikit-learn's: a run with others cannot be cloned, pickled or repeated by a grid search.
    """

    components_: np.ndarray
    coordinates_: np.ndarray
    history_: Dict[str, np.ndarray]
    n_components_: int
    n_features_in_: int
    n_iter_: int
    reconstruction_err_: float

    def __init__(
        self,
        consortium: PathLike,
        identity: PathLike,
        out: PathLike,
        *,
        passphrase: Union[None, str, Callable[[], str]] = None,
        listen: Optional[str] = None,
        n_threads: Optional[int] = None,
        max_wait: Optional[int] = None,
        data_name: Optional[str] = None,
        ledger: Optional[PathLike] = None,
        exact_anyway: bool = False,
        show: str = "auto",
        reference: Optional[PathLike] = None,
        prune: Any = None,
        intervals: int = 0,
        verbose: int = 0,
        known: Optional[PathLike] = None,
    ) -> None:
        self.consortium = os.fspath(consortium)
        self.identity = os.fspath(identity)
        self.out = os.fspath(out)
        self.listen = listen
        self.n_threads = n_threads
        self.max_wait = max_wait
        self.data_name = data_name
        self.ledger = None if ledger is None else os.fspath(ledger)
        self.exact_anyway = exact_anyway
        self.show = show
        self.reference = None if reference is None else os.fspath(reference)
        self.prune = prune
        self.intervals = intervals
        self.verbose = verbose
        self.known = None if known is None else os.fspath(known)
        self._ask = _asking(passphrase)

    def fit(
        self, X: Any, y: Any = None, *, persons: Any = None, callback: Optional[_checks.Callback] = None
    ) -> "Agent":
        """Takes part until the run has ended. Waits for the other members as long as it has to.

        Ctrl-C ends it with KeyboardInterrupt, and the same call continues the run; so it does in another process with
        the same samples, files and folder. In a folder whose run has ended it returns that run's result.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The own samples. A pandas frame's columns are put in the consortium's order by name.
        y : ignored
        persons : array-like of shape (n_samples,), default=None
            Private runs: whose each sample is. The noise then covers a person's samples together; a person that another
            member knows, too, counts twice.
        callback : called with a dict at every change: 'phase', 'iteration', 'rounds', 'relative_error', 'own_error', 'bytes',
            'waiting_for', 'because'. Its answer does not matter: one member cannot end everybody's run.

        Returns
        -------
        self
        """
        if callback is not None and not callable(callback):
            raise ValueError(f"callback must be callable, not {callback!r}")
        # Whether NaN may be a missing entry is the consortium's to say.
        samples = check_array(X, dtype=np.float64, force_all_finite="allow-nan")
        wait = 0 if self.max_wait is None else _checks.whole_number("max_wait", self.max_wait, 1)
        threads = _checks.threads_of("n_threads", self.n_threads)
        part, draws = _checks.exposure_options(self.prune, self.intervals)
        secret = self._ask()
        result = _core.run_agent(
            samples,
            consortium=self.consortium,
            identity=self.identity,
            out=self.out,
            passphrase=None if secret is None else secret.encode(),
            listen=self.listen or "",
            threads=threads,
            max_wait=wait,
            data_name=self.data_name or "",
            ledger=self.ledger or "",
            known=self.known or "",
            exact_anyway=bool(self.exact_anyway),
            persons=_checks.persons_of(persons, samples),
            feature_names=_names(getattr(X, "columns", None)),
            sample_names=_names(getattr(X, "index", None)),
            show=self.show,
            reference=self.reference or "",
            prune=part,
            intervals=draws,
            callback=_shown(self.verbose, callback),
            log=print if self.verbose else None,
        )
        self._keep(result)
        return self

    def transform(self, X: Any) -> np.ndarray:
        """The best nonnegative coordinates of samples in the components: exact least squares; nobody is asked.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            A pandas frame's columns are put in order by name.

        Returns
        -------
        W : ndarray of shape (n_samples, n_components)
        """
        check_is_fitted(self)
        if _names(getattr(X, "columns", None)) and hasattr(self, "feature_names_in_"):
            missing = [name for name in self.feature_names_in_ if name not in X.columns]
            if missing:
                raise ValueError(f"the samples have no feature {missing[0]!r}; {len(missing)} are missing")
            X = X[list(self.feature_names_in_)]
        allowed = self.run_["parameters"].get("missing") == "nan"
        samples = check_array(X, dtype=np.float64, force_all_finite="allow-nan" if allowed else True)
        samples = _checks.with_gaps(samples, None, allowed, "Agent (input X)", whole_features=False)
        threads = _checks.threads_of("n_threads", self.n_threads)
        loss = "kullback-leibler" if self.run_["parameters"].get("loss") == "poisson" else "frobenius"
        l1, l2 = (float(self.run_["parameters"].get(name, 0)) for name in ("l1_y", "l2_y"))
        return _core.coordinates(self.components_, samples, threads=threads, beta_loss=loss, l1=l1, l2=l2)[0]

    def __repr__(self) -> str:
        return f"Agent(consortium={self.consortium!r}, identity={self.identity!r}, out={self.out!r})"

    def _refuse(self, *_: Any) -> NoReturn:
        raise TypeError("an agent is not copied or pickled: it may hold a passphrase, and its run is in its folder")

    __reduce__ = __reduce_ex__ = __copy__ = __deepcopy__ = __getstate__ = _refuse

    def _keep(self, result: Dict[str, Any]) -> None:
        folder = Path(self.out)
        with open(folder / "history.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.run_: Dict[str, Any] = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        whole = ("iteration", "rounds", "bytes")
        names = list(rows[0]) if rows else []
        self.history_ = {
            name: np.array([row[name] for row in rows]).astype(np.int64 if name in whole else np.float64) for name in names
        }
        self.components_ = result["components"]
        self.coordinates_ = result["coordinates"]
        for name in ("low", "high"):
            if (folder / f"Y_{name}.npy").exists():
                setattr(self, f"{name}_", np.load(folder / f"Y_{name}.npy").T)
        self.n_components_, self.n_features_in_ = self.components_.shape
        self.n_iter_ = len(rows)
        if result["feature_names"]:
            self.feature_names_in_ = np.array(result["feature_names"], dtype=object)
        self.reconstruction_err_ = float(np.sqrt(result["squared_error"]))
        self.stopped_because_: str = self.run_["stopped_because"]
        self.notes_: List[str] = result["notes"]


def _asking(passphrase: Union[None, str, Callable[[], str]]) -> Callable[[], Optional[str]]:
    """A closure, so that no listing of attributes shows it."""
    if callable(passphrase):
        return passphrase
    given: Optional[str] = passphrase
    return lambda: given


def _names(labels: Any) -> List[str]:
    """A frame's names; numbers, which pandas gives where there are none, do not count."""
    names = [] if labels is None or callable(labels) else list(labels)
    return names if all(isinstance(name, str) for name in names) else []


def _shown(verbose: int, callback: Optional[_checks.Callback]) -> Optional[_checks.Callback]:
    if not verbose:
        return callback
    every = 10 if verbose is True or verbose == 1 else 1
    last = {"phase": "", "iteration": 0}

    def show(line: dict) -> None:
        if line["phase"] != last["phase"] or (line["iteration"] != last["iteration"] and line["iteration"] % every == 0):
            waiting = f", waiting for {', '.join(line['waiting_for'])}" if line["waiting_for"] else ""
            reached = f", iteration {line['iteration']}: relative error {line['relative_error']:.6f}" if line["iteration"] else ""
            print(f"Agent {line['phase']}{reached}{waiting}")
        last.update(phase=line["phase"], iteration=line["iteration"])
        if callback is not None:
            callback(line)

    return show
