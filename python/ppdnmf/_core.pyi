"""The extension module. Internal: the package checks what it passes here."""

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

__version__: str

class SparseSamples:
    def __init__(self, indptr: np.ndarray, indices: np.ndarray, data: np.ndarray, n_features: int) -> None: ...

Samples = Union[np.ndarray, SparseSamples]

def factorize(
    samples: Samples,
    *,
    n_components: int,
    seed: int,
    solver: str,
    beta_loss: str,
    penalties: Dict[str, float],
    starts: int,
    first_components: Optional[np.ndarray],
    known: Optional[np.ndarray],
    known_names: List[str],
    max_iter: int,
    tol: float,
    threads: int,
    callback: Optional[Callable[[dict], Any]] = ...,
    normalise: Optional[str] = ...,
    cap: Optional[float] = ...,
    weights: List[float] = ...,
) -> Dict[str, Any]: ...
def coordinates(
    components: np.ndarray,
    samples: Samples,
    *,
    threads: int,
    beta_loss: str = ...,
    l1: float = ...,
    l2: float = ...,
    shrink: Optional[np.ndarray] = ...,
) -> Tuple[np.ndarray, float, float]: ...
def exposures(
    components: np.ndarray,
    samples: Samples,
    *,
    threads: int,
    beta_loss: str,
    prune: float,
    intervals: int,
    seed: int,
) -> Dict[str, Any]: ...
def divergence(components: np.ndarray, samples: Samples, coordinates: np.ndarray) -> float: ...
def run_network(
    parts: Sequence[Samples],
    *,
    seed: int,
    topology: Union[str, List[Tuple[int, int]]],
    threads: int,
    settings: Dict[str, Any],
    persons: List[str],
    known: Optional[np.ndarray],
    known_names: List[str],
    weights: List[float] = ...,
    callback: Optional[Callable[[dict], Any]] = ...,
) -> Dict[str, Any]: ...
def run_agent(
    samples: np.ndarray,
    *,
    consortium: str,
    identity: str,
    out: str,
    passphrase: Optional[bytes],
    listen: str,
    threads: int,
    max_wait: int,
    data_name: str,
    ledger: str,
    known: str,
    exact_anyway: bool,
    persons: List[str],
    feature_names: List[str],
    sample_names: List[str],
    show: str,
    reference: str,
    prune: float,
    intervals: int,
    callback: Optional[Callable[[dict], Any]] = ...,
    log: Optional[Callable[[str], Any]] = ...,
) -> Dict[str, Any]: ...
def settings_table() -> List[Dict[str, Any]]: ...
def write_report(
    folder: str,
    *,
    record: dict,
    history: dict,
    components: np.ndarray,
    feature_names: List[str],
    image: Optional[Tuple[int, int]],
    show: str,
    reference: Optional[Reference],
) -> List[str]: ...
def match(
    components: np.ndarray, *, feature_names: List[str], reference: Reference
) -> List[Tuple[Optional[str], Optional[float]]]: ...

class Reference:
    def __init__(
        self, *, path: str, components: Optional[np.ndarray], names: List[str], feature_names: List[str]
    ) -> None: ...

class PublicKey:
    @staticmethod
    def decode(data: bytes, bits: int, profile: str) -> PublicKey: ...
    def encode(self) -> bytes: ...
    @property
    def bits(self) -> int: ...
    @property
    def profile(self) -> str: ...
    def same_as(self, other: PublicKey) -> bool: ...
    def encrypt(self, values: np.ndarray, slot_bits: int) -> Encrypted: ...

class PrivateKey:
    @staticmethod
    def generate(bits: int, profile: str) -> PrivateKey: ...
    @staticmethod
    def decode_secret(data: bytes, bits: int, profile: str) -> PrivateKey: ...
    def encode_secret(self) -> bytes: ...
    @property
    def public_key(self) -> PublicKey: ...
    def encrypt(self, values: np.ndarray, slot_bits: int) -> Encrypted: ...
    def decrypt(self, encrypted: Encrypted) -> np.ndarray: ...

class Encrypted:
    @staticmethod
    def decode(owner: PublicKey, data: bytes, count: int, slot_bits: int) -> Encrypted: ...
    def encode(self) -> bytes: ...
    @property
    def count(self) -> int: ...
    @property
    def slot_bits(self) -> int: ...
    @property
    def public_key(self) -> PublicKey: ...
    def add(self, other: Encrypted) -> Encrypted: ...
    def multiply(self, factor: int) -> Encrypted: ...
    def negate(self) -> Encrypted: ...
