"""The settings of a network: arguments, defaults and documentation from the one table that the command line has, too."""

from __future__ import annotations

import inspect
import numbers
import textwrap
from typing import Any, Callable, Dict, List

from . import _core

TABLE: List[Dict[str, Any]] = [row for row in _core.settings_table() if row["name"] != "n_components"]
NAMES = [row["name"] for row in TABLE]


def take(model: Any, given: Dict[str, Any]) -> None:
    """Leaves every setting as an attribute, as scikit-learn expects of a constructor: unchecked and unchanged."""
    for row in TABLE:
        setattr(model, row["name"], given.pop(row["name"], row["default"]))
    for name in given:
        raise TypeError(f"{type(model).__name__}() got an unexpected keyword argument {name!r}")


def said(model: Any) -> Dict[str, Any]:
    """What differs from its default; the scheme always, since an estimator says which it means."""
    values = {row["name"]: _plain(getattr(model, row["name"])) for row in TABLE}
    return {row["name"]: values[row["name"]] for row in TABLE if row["name"] == "scheme" or not _is_default(row, values[row["name"]])}


def _is_default(row: Dict[str, Any], value: Any) -> bool:
    default = row["default"]
    return value is default or (type(value) in (int, float, str) and default is not None and value == default)


def _plain(value: Any) -> Any:
    """NumPy's numbers as Python's."""
    if isinstance(value, bool):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    return float(value) if isinstance(value, numbers.Real) else value


def sign(function: Callable[..., None]) -> Callable[..., None]:
    """The function with the settings as keyword arguments in its signature, which scikit-learn and help() read."""
    parameters = list(inspect.signature(function).parameters.values())
    own = [p for p in parameters if p.kind is not inspect.Parameter.VAR_KEYWORD]
    settings = [inspect.Parameter(row["name"], inspect.Parameter.KEYWORD_ONLY, default=row["default"]) for row in TABLE]
    setattr(function, "__signature__", inspect.Signature(own + settings))
    return function


def documentation() -> str:
    """An entry for each setting, for the section Parameters of a docstring."""
    return "\n".join(_entry(row) for row in TABLE)


def _entry(row: Dict[str, Any]) -> str:
    kind = "{" + ", ".join(repr(word) for word in row["words"]) + "}" if row["words"] else row["kind"]
    schemes = "" if row["known_to_neighbours"] else "scheme='sum' or 'moments': "
    if not row["known_to_sum"]:
        schemes = "Between neighbours: "
    automatic = f" None: {row['automatic']}." if row["automatic"] else ""
    text = textwrap.fill(f"{schemes}{row['meaning']}.{automatic}", 110)
    return f"{row['name']} : {kind}, default={row['default']!r}\n" + textwrap.indent(text, "    ")
