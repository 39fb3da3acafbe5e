"""What both estimators ask of their arguments. Every refusal is a sentence that names the argument."""

from __future__ import annotations

import numbers
from typing import Any, Callable, List, Optional, Tuple

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, check_array, check_non_negative

LARGEST_SEED = 2**32 - 1
USUAL_PRUNE = 0.04
FEWEST_DRAWS = 20


MOST_RANKS = 20  # what n_components='auto' looks up to, if nobody says


def is_integer(value: Any) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)  # NumPy's bool is no Integral


def whole_number(name: str, value: Any, least: int) -> int:
    if not is_integer(value):
        raise ValueError(f"{name} must be a whole number, not {value!r}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, not {value}")
    return int(value)


def threads_of(name: str, value: Any) -> int:
    """None and -1 stand for all processors, which the extension module calls 0."""
    return 0 if value is None or (is_integer(value) and value == -1) else whole_number(name, value, 1)


def real_number(name: str, value: Any, least: float, below: float) -> float:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise ValueError(f"{name} must be a number, not {value!r}")
    number = float(value)
    if not least <= number < below:
        raise ValueError(f"{name} must be in [{least}, {below}), not {value}")
    return number


def one_of(name: str, value: Any, choices: tuple) -> Any:
    if not any(value is choice or (isinstance(value, str) and value == choice) for choice in choices):
        raise ValueError(f"{name} must be one of {', '.join(repr(c) for c in choices)}, not {value!r}")
    return value


def seed_of(random_state: Any) -> int:
    """An int is the seed itself, so that `--seed` of the command line gives the same bytes; anything else draws one."""
    if is_integer(random_state):
        if not 0 <= random_state <= LARGEST_SEED:
            raise ValueError(f"random_state must be from 0 to {LARGEST_SEED}, not {random_state}")
        return int(random_state)
    return int(check_random_state(random_state).randint(LARGEST_SEED + 1, dtype=np.uint32))


def exposure_options(prune: Any, intervals: Any) -> Tuple[float, int]:
    """(part, draws), both 0 where nothing is wanted."""
    part = 0.0
    if prune is not None and prune is not False:
        part = USUAL_PRUNE if prune is True else real_number("prune", prune, 0, 1)
    draws = whole_number("intervals", intervals, 0)
    if 0 < draws < FEWEST_DRAWS:
        raise ValueError(f"intervals must be 0 or at least {FEWEST_DRAWS} draws, not {draws}")
    return part, draws


def persons_of(persons: Any, samples: np.ndarray) -> List[str]:
    """One name for each sample; an empty list if nobody said."""
    if persons is None:
        return []
    names = [str(person) for person in np.asarray(persons, dtype=object).ravel()]
    if len(names) != samples.shape[0]:
        raise ValueError(f"persons must name one person for each of the {samples.shape[0]} samples, not {len(names)}")
    return names


def with_gaps(X: np.ndarray, mask: Any, nan_allowed: bool, what: str, whole_features: bool) -> np.ndarray:
    """X with NaN where an entry is missing; the others must be there, and not negative."""
    if mask is not None:
        mask = np.asarray(mask)
        if mask.shape != X.shape or mask.dtype != bool:
            raise ValueError(f"mask must be an array of booleans of the shape {X.shape}, True where an entry is missing")
        if not nan_allowed and np.isnan(X[~mask]).any():
            raise ValueError("X has NaN where the mask has an entry: mask it, or say missing='nan'")
        X = np.where(mask, np.nan, X)
    elif not nan_allowed or not np.isnan(X).any():
        check_non_negative(X, what)
        return X
    missing = np.isnan(X)
    if (X < 0).any():
        raise ValueError(f"Negative values in data passed to {what}")
    for axis, name in ((1, "sample"), (0, "feature"))[: 2 if whole_features else 1]:
        empty = np.flatnonzero(missing.all(axis=axis))
        if len(empty):
            raise ValueError(f"all entries of {name} {empty[0]} are missing: leave it out")
    return X


def tidy_sparse(X: Any, mask: Any, what: str) -> Any:
    """A CSR matrix whose rows have their entries in order, none twice and none zero: X itself if it is one."""
    if mask is not None or np.isnan(X.data).any():
        raise ValueError("missing entries need dense samples: an entry that a sparse matrix does not have is a zero")
    if X.shape[1] > np.iinfo(np.int32).max:
        raise ValueError(f"sparse samples may have at most {np.iinfo(np.int32).max} features, not {X.shape[1]}")
    check_non_negative(X, what)
    if not X.has_canonical_format or (X.data == 0).any():
        X = X.copy()
        X.sum_duplicates()
        X.eliminate_zeros()
    return X


def weights_of(sample_weight: Any, X: np.ndarray) -> Optional[np.ndarray]:
    """How often each sample counts; None if nobody said."""
    if sample_weight is None:
        return None
    weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
    if not np.isfinite(weights).all() or (weights < 0).any():
        raise ValueError("sample_weight must be finite and not negative")
    if not (weights > 0).any():
        raise ValueError("sample_weight is zero for every sample: there is nothing to factorise")
    return weights


def components_for(n_components: Any, n_samples: int, n_features: int) -> int:
    """None means as many as there are features, as in scikit-learn."""
    return n_features if n_components is None else whole_number("n_components", n_components, 1)


def known_components(known: Any, n_features: int, feature_names: Any) -> Tuple[Optional[np.ndarray], List[str]]:
    """Components that stay, one in each row, and their names: a DataFrame's index, else numbers."""
    if known is None:
        return None, []
    names = [f"known {k + 1}" for k in range(len(known))]
    if hasattr(known, "index") and hasattr(known, "columns"):
        names = [str(name) for name in known.index]
        if feature_names is not None and all(isinstance(name, str) for name in known.columns):
            missing = [name for name in feature_names if name not in known.columns]
            unknown = [name for name in known.columns if name not in set(feature_names)]
            if missing or unknown:
                raise ValueError(f"known must have the features of X: {(missing or unknown)[0]!r} is in one of them only")
            known = known[list(feature_names)]
    known = check_array(known, dtype=np.float64, input_name="known")
    check_non_negative(known, "NMF (input known)")
    if known.shape[1] != n_features:
        raise ValueError(f"known has {known.shape[1]} features, but X has {n_features}")
    if len(set(names)) < len(names):
        raise ValueError("two rows of known have the same name")
    return known, names


def searches(n_components: Any) -> bool:
    return isinstance(n_components, str) and n_components == "auto"


def ranks_for(ranks: Any, n_samples: int, n_features: int) -> str:
    """The range in which n_components='auto' looks, as the table of settings spells it."""
    most = min(n_samples, n_features)
    if ranks is None:
        least, largest = 2, min(MOST_RANKS, most)
    else:
        try:
            least, largest = ranks
        except (TypeError, ValueError):
            raise ValueError(f"ranks must be two whole numbers, the smaller one first, not {ranks!r}") from None
        least, largest = whole_number("ranks[0]", least, 1), whole_number("ranks[1]", largest, 1)
    if least >= largest:
        raise ValueError(f"ranks must be two whole numbers, the smaller one first, not ({least}, {largest})")
    if largest > most:
        raise ValueError(
            f"ranks=({least}, {largest}) is more than the data allow: n_samples={n_samples} and n_features={n_features} "
            f"give at most {most}"
        )
    return f"{least}-{largest}"


def edges_of(topology: Any) -> List[Tuple[int, int]]:
    try:
        edges = [(first, second) for first, second in topology]
    except (TypeError, ValueError):
        raise ValueError(f"topology must be a name or a list of pairs of agents, not {topology!r}") from None
    return [(whole_number("an agent in topology", a, 0), whole_number("an agent in topology", b, 0)) for a, b in edges]


Callback = Callable[[dict], Any]


def progress(name: str, verbose: Any, callback: Optional[Callback]) -> Optional[Callback]:
    """What is called after every iteration: prints for `verbose`, then asks the callback whether to end here."""
    if callback is not None and not callable(callback):
        raise ValueError(f"callback must be callable, not {callback!r}")
    if not verbose:
        return callback
    every = 10 if verbose is True or verbose == 1 else 1

    def show(row: dict) -> Any:
        if row["iteration"] % every == 0:
            network = f", disagreement {row['disagreement']:.2e}" if row["rounds"] else ""
            print(f"{name} iteration {row['iteration']}: relative error {row['relative_error']:.6f}{network}")
        return callback(row) if callback is not None else None

    return show
