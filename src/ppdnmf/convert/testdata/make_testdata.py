#!/usr/bin/env python3
"""Makes the HDF5 files beside it, with h5py (Debian's python3-h5py): AnnData's layout by hand, and 10x Genomics'.

The matrix has 4 genes (rows) and 3 cells (columns); AnnData has cells x genes.
"""
import pathlib

import h5py
import numpy as np

HERE = pathlib.Path(__file__).parent
GENES = ["ENSG1", "ENSG2", "ENSG3", "ENSG4"]
CELLS = ["cell-a", "cell-b", "cell-c"]
# cells x genes
X = np.array([[0, 1.5, 0, 2], [3, 0, 0, 0], [0, 0.25, 4, 0]])
VALUES = np.array([1.5, 2, 3, 0.25, 4])
GENE_OF = np.array([1, 3, 0, 1, 2])
CELL_STARTS = np.array([0, 2, 3, 5])
# by genes
BY_GENE = np.array([3, 1.5, 0.25, 4, 2])
CELL_OF = np.array([1, 0, 2, 2, 0])
GENE_STARTS = np.array([0, 1, 3, 4, 5])


def variable(names):
    return np.array(names, dtype=h5py.string_dtype())


def tables(file, fixed=False):
    for name, names in (("obs", CELLS), ("var", GENES)):
        group = file.create_group(name)
        group.attrs["encoding-type"] = "dataframe"
        group.attrs["_index"] = "_index" if fixed else "names"
        group[group.attrs["_index"]] = np.array(names, dtype="S8") if fixed else variable(names)


def sparse(file, kind, data, indices, starts, compression=None):
    group = file.create_group("X")
    group.attrs["encoding-type"] = kind
    group.attrs["encoding-version"] = "0.1.0"
    group.attrs["shape"] = np.array(X.shape)
    for name, values in (("data", data), ("indices", indices), ("indptr", starts)):
        group.create_dataset(name, data=values, compression=compression, shuffle=compression is not None,
                             chunks=compression and (2,))


def new(name):
    return h5py.File(HERE / name, "w", track_order=False)


with new("csr.h5ad") as f:
    sparse(f, "csr_matrix", VALUES.astype("f4"), GENE_OF.astype("i4"), CELL_STARTS.astype("i4"), "gzip")
    tables(f)
with new("csc.h5ad") as f:
    sparse(f, "csc_matrix", BY_GENE, CELL_OF.astype("i8"), GENE_STARTS.astype("i8"))
    tables(f, fixed=True)
with new("dense.h5ad") as f:
    f.create_dataset("X", data=X.astype("f4"), chunks=(2, 2), compression="gzip")
    f["X"].attrs["encoding-type"] = "array"
    tables(f)
with new("old.h5ad") as f:  # before AnnData 0.7
    group = f.create_group("X")
    group.attrs["h5sparse_format"] = "csr"
    group.attrs["h5sparse_shape"] = np.array(X.shape)
    group["data"], group["indices"], group["indptr"] = VALUES, GENE_OF, CELL_STARTS
with new("10x.h5") as f:
    group = f.create_group("matrix")
    group["data"] = (4 * VALUES).astype("i4")
    group["indices"], group["indptr"] = GENE_OF.astype("i8"), CELL_STARTS.astype("i8")
    group["shape"] = np.array([4, 3], dtype="i4")
    group["barcodes"] = np.array(CELLS, dtype="S6")
    features = group.create_group("features")
    features["id"] = np.array(GENES, dtype="S5")
    features["name"] = np.array(["A", "B", "C", "D"], dtype="S1")


def broken(name, **changes):
    parts = {"kind": "csr_matrix", "data": VALUES, "indices": GENE_OF, "starts": CELL_STARTS, **changes}
    with new(f"broken_{name}.h5ad") as f:
        sparse(f, **parts)
        tables(f)


broken("outside", indices=np.array([1, 4, 0, 1, 2]))
broken("negative", indices=np.array([1, -1, 0, 1, 2]))
broken("indptr", starts=np.array([0, 3, 2, 5]))
broken("short_indptr", starts=np.array([0, 2, 5]))
broken("lengths", indices=GENE_OF[:4])
broken("kind", kind="lil_matrix")
broken("text", data=variable(["a", "b", "c", "d", "e"]))
broken("twice", indices=np.array([1, 1, 0, 2, 1]))  # unsorted, and one place twice: read all the same
with new("broken_complex.h5ad") as f:
    f["X"] = X.astype("c16")
with new("broken_nothing.h5ad") as f:
    f["Y"] = X
with new("broken_elsewhere.h5ad") as f:
    f["X"] = h5py.ExternalLink("dense.h5ad", "X")
with new("broken_external.h5ad") as f:
    f.create_dataset("X", shape=X.shape, dtype="f8", external=[("elsewhere.bin", 0, h5py.h5f.UNLIMITED)])
with new("broken_names.h5ad") as f:
    sparse(f, "csr_matrix", VALUES, GENE_OF, CELL_STARTS)
    f.create_group("var").attrs["_index"] = "missing"
with new("broken_lzf.h5ad") as f:
    f.create_dataset("X", data=X, compression="lzf", chunks=(2, 2))
with new("broken_soft.h5ad") as f:
    f["layers/counts"] = X
    f["X"] = h5py.SoftLink("/layers/counts")
# Files that stand for much more than they hold.
with new("broken_unwritten.h5ad") as f:
    f.create_dataset("X", shape=(1 << 14, (1 << 14) - 1), dtype="f8", chunks=(1024, 1024))
with new("broken_unwritten_entries.h5ad") as f:
    many = 1 << 27
    group = f.create_group("X")
    group.attrs["encoding-type"] = "csr_matrix"
    group.attrs["shape"] = np.array(X.shape)
    for name in ("data", "indices"):
        group.create_dataset(name, shape=(many,), dtype="i4", chunks=(1 << 16,), compression="gzip")
    group["indptr"] = np.array([0, 2, 3, many])
# A hundred names of cells, all in the one place of the first.
CELLS_OF_BOMB = 100
with new("broken_long_names.h5ad") as f:
    f["X"] = np.ones((CELLS_OF_BOMB, 4), dtype="u1")
    group = f.create_group("obs")
    group["_index"] = variable(["x" * 2000] + [""] * (CELLS_OF_BOMB - 1))
    place = group["_index"].id.get_offset()
whole = bytearray((HERE / "broken_long_names.h5ad").read_bytes())
whole[place : place + 16 * CELLS_OF_BOMB] = CELLS_OF_BOMB * whole[place : place + 16]
(HERE / "broken_long_names.h5ad").write_bytes(whole)
