#!/usr/bin/env python3
"""Makes the files of this folder with NumPy and SciPy, and the fuzz targets' seeds; the results are committed.

usage: make_testdata.py [SEEDS]     SEEDS: where the folders npy, npz, mat, mtx, csv and pgm go (tests/fuzz/corpus)
Every readable matrix is REAL or COUNTS below, in one of many disguises; the names of those that must be refused start with "bad_".
"""
import os
import shutil
import struct
import sys

import numpy as np
import scipy.io
import scipy.sparse

HERE = os.path.dirname(os.path.abspath(__file__))
REAL = np.array([[0.0, 1.5, 2.0], [3.0, 0.25, 5.0]])
COUNTS = np.array([[0, 1, 2], [3, 4, 120]])
FEW = np.zeros((6, 5))  # one entry in five
FEW[[0, 5, 2, 3, 4, 0], [0, 0, 1, 3, 3, 4]] = [1.5, 2, 0.25, 7, 3, 4]


def path(name):
    return os.path.join(HERE, name)


def npy():
    for kind in ["f8", ">f8", "f4", ">f4", "f2", ">f2"]:
        np.save(path(f"real_{kind.replace('>', 'big_')}.npy"), REAL.astype(kind))
    for kind in ["u1", "i1", "u2", ">u2", "i2", "u4", "i4", ">i4", "u8", ">u8", "i8"]:
        np.save(path(f"counts_{kind.replace('>', 'big_')}.npy"), COUNTS.astype(kind))
    np.save(path("real_fortran.npy"), np.asfortranarray(REAL))
    np.save(path("bool.npy"), COUNTS > 1)
    for version in [(2, 0), (3, 0)]:
        with open(path(f"real_version{version[0]}.npy"), "wb") as file:
            np.lib.format.write_array(file, REAL, version=version)
    np.save(path("vector.npy"), REAL[0])
    np.save(path("bad_scalar.npy"), np.array(1.0))
    np.save(path("bad_three.npy"), REAL.reshape(1, 2, 3))
    np.save(path("bad_object.npy"), np.array([["a", 1]], dtype=object))
    np.save(path("bad_complex.npy"), REAL + 1j)
    np.save(path("bad_record.npy"), np.zeros((2, 2), dtype=[("a", "f8"), ("b", "i4")]))
    np.save(path("bad_text.npy"), np.array([["ab", "c"]]))
    np.save(path("bad_longdouble.npy"), REAL.astype(np.longdouble))
    np.save(path("bad_empty.npy"), np.zeros((0, 3)))


def mat():
    save = scipy.io.savemat
    save(path("real.mat"), {"Z": REAL})
    save(path("real_compressed.mat"), {"Z": REAL, "rank": 3}, do_compression=True)
    save(path("real_sparse.mat"), {"Z": scipy.sparse.csc_matrix(REAL)})
    save(path("real_sparse_compressed.mat"), {"Z": scipy.sparse.csc_matrix(REAL)}, do_compression=True)
    save(path("several.mat"), {"A": REAL, "B": COUNTS, "label": "text", "s": {"x": 1}, "c": np.array([1, "a"], dtype=object),
                               "C3": REAL.reshape(1, 2, 3), "complex_one": REAL + 1j, "logical_one": COUNTS > 1,
                               "a_name_of_more_than_four": REAL.astype("f4")}, do_compression=True)
    for kind in ["u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8"]:
        save(path(f"counts_{kind}.mat"), {"Z": COUNTS.astype(kind)})
    save(path("bad_only_text.mat"), {"label": "text"})
    save(path("bad_version4.mat"), {"Z": REAL}, format="4")
    big_endian_mat()


def big_endian_mat():
    """SciPy writes the machine's byte order only; this is the other one, by the format's description."""
    def element(kind, data):
        return struct.pack(">II", kind, len(data)) + data + b"\0" * (-len(data) % 8)
    flags = element(6, struct.pack(">II", 6, 0))
    dimensions = element(5, struct.pack(">ii", 2, 3))
    name = struct.pack(">HH", 1, 1) + b"Z\0\0\0"
    numbers = element(9, struct.pack(">6d", *REAL.flatten(order="F")))
    header = b"MATLAB 5.0 MAT-file, big-endian".ljust(124) + struct.pack(">H", 0x0100) + b"MI"
    with open(path("real_big_endian.mat"), "wb") as file:
        file.write(header + element(14, flags + dimensions + name + numbers))


def npz():
    for kind in ["csc", "csr", "coo"]:
        for compressed in [True, False]:
            scipy.sparse.save_npz(path(f"few_{kind}{'' if compressed else '_stored'}.npz"),
                                  scipy.sparse.coo_matrix(FEW).asformat(kind), compressed=compressed)
    scipy.sparse.save_npz(path("few_csr_f4.npz"), scipy.sparse.csr_matrix(FEW.astype("f4")))
    wide = scipy.sparse.csc_matrix(FEW)
    np.savez(path("few_csc_i8.npz"), indices=wide.indices.astype("i8"), indptr=wide.indptr.astype("i8"), format="csc",
             shape=wide.shape, data=wide.data)
    scipy.sparse.save_npz(path("real_csc.npz"), scipy.sparse.csc_matrix(REAL))
    # Entries in no order, one of them in three parts, one that comes to nothing, one zero.
    untidy = {"indices": [5, 0, 2, 0, 0, 1, 1, 4, 3, 0, 2], "indptr": [0, 2, 7, 7, 9, 11], "format": "csc", "shape": (6, 5),
              "data": [2, 1.5, 0.25, 1, -1, 0, 0, 3, 7, 4, 0.0]}
    np.savez(path("few_untidy.npz"), **untidy)
    for name, changed in {"row": {"indices": [6] + untidy["indices"][1:]}, "negative": {"indices": [-1] + untidy["indices"][1:]},
                          "falling": {"indptr": [0, 7, 2, 7, 9, 11]}, "short": {"indptr": [0, 2, 7, 7, 9, 10]},
                          "long": {"indptr": [0, 2, 7, 7, 9, 12]}, "lines": {"shape": (6, 4)}, "lengths": {"data": [1.0, 2.0]},
                          "fractions": {"indices": np.array(untidy["indices"]) + 0.5}, "dimensions": {"shape": (6, 5, 1)},
                          "empty": {"shape": (0, 5)}, "sides": {"shape": (-6, 5)}, "complex": {"data": np.ones(11) * 1j}}.items():
        np.savez(path(f"bad_{name}.npz"), **{**untidy, **changed})
    scipy.sparse.save_npz(path("bad_format.npz"), scipy.sparse.dia_matrix(FEW))
    np.savez(path("bad_dense.npz"), Z=REAL)
    save = scipy.io.savemat
    save(path("few_sparse.mat"), {"Z": scipy.sparse.csc_matrix(FEW)}, do_compression=True)
    scipy.io.mmwrite(path("few_coordinate.mtx"), scipy.sparse.coo_matrix(FEW))


def mtx():
    scipy.io.mmwrite(path("real_array.mtx"), REAL, comment="made by SciPy")
    scipy.io.mmwrite(path("real_coordinate.mtx"), scipy.sparse.coo_matrix(REAL))
    scipy.io.mmwrite(path("counts_coordinate.mtx"), scipy.sparse.coo_matrix(COUNTS))
    symmetric = np.array([[1.0, 2.0], [2.0, 3.0]])
    scipy.io.mmwrite(path("symmetric_array.mtx"), symmetric, symmetry="symmetric")
    scipy.io.mmwrite(path("symmetric_coordinate.mtx"), scipy.sparse.coo_matrix(symmetric), symmetry="symmetric")
    scipy.io.mmwrite(path("pattern.mtx"), scipy.sparse.coo_matrix(COUNTS > 1), field="pattern")
    scipy.io.mmwrite(path("bad_complex.mtx"), scipy.sparse.coo_matrix(REAL + 1j))


TEXTS = {
    "plain": "0,1.5,2\n3,.25,5e0\n",
    "both": ",a,b,c\nr1,0,1.5,2\nr2,3,0.25,5\n",
    "corner": "type,a,b,c\r\nr1,0,1.5,2\r\nr2,3,0.25,5\r\n\r\n",
    "r_style": '"a" "b"\n'.replace(" ", ",") + '"r1",1,2\n',
    "quotes": '"","a ""b""","c,d"\n"line\nend",nan,inf\n',
    "semicolon": "\ufeff# note\na;b\n1;-2\n",
    "tabs": "x\ty\n1\t2\n",
    "numbers": '"1","2"\n+1,1e400\n',
}
PGM = {
    "p2.pgm": b"P2\n# a comment\n3 2\n255\n0 128 255\n1 2 3\n",
    "p5.pgm": b"P5 3 2 255\n" + bytes([0, 128, 255, 1, 2, 3]),
    "p5_16.pgm": b"P5\n2 1\n65535\n" + bytes([255, 255, 0, 1]),
    "p2_16.pgm": b"P2 2 1 65535 65535 1\n",
}


def seeds(where):
    for kind in ["npy", "npz", "mat", "mtx", "csv", "pgm"]:
        os.makedirs(os.path.join(where, kind), exist_ok=True)
    for name in os.listdir(HERE):
        kind = name.rsplit(".", 1)[-1]
        if kind in ["npy", "npz", "mat", "mtx"]:
            shutil.copy(path(name), os.path.join(where, kind, name))
    for name, text in TEXTS.items():
        with open(os.path.join(where, "csv", name), "wb") as file:
            file.write(text.encode())
    for name, data in PGM.items():
        with open(os.path.join(where, "pgm", name), "wb") as file:
            file.write(data)


np.random.seed(0)
npy()
npz()
mat()
mtx()
if len(sys.argv) > 1:
    seeds(sys.argv[1])
