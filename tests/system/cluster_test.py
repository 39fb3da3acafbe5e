"""ppdnmf-mpi: several processes of one site with the columns of one matrix. The bytes are those of one process."""

import contextlib
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time
import unittest
from pathlib import Path

from network import Agent, Network
from support import PROGRAM, TestCase, run, wait_for, write_npy

TOP = Path(__file__).resolve().parents[2]
MPI = str(Path(PROGRAM).resolve().parent / "ppdnmf-mpi")
# Two processors, perhaps root, and no network but loopback. Without the last one processes beyond two would have no columns.
ALONE = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
         "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
         "OMPI_MCA_btl": "self,vader", "OMPI_MCA_oob_tcp_if_include": "lo",
         "PPDNMF_MPI_PROCESSORS": "8"}
ROWS, COLUMNS = 150, 8000  # eight leaves
SHORT = ["--rank", "3", "--iterations", "6", "--tolerance", "0", "--quiet"]


def command(processes, *arguments):
    return ["mpirun", "-n", str(processes), MPI, *map(str, arguments)]


# As if every process were on a machine of its own.
APART = {**ALONE, "PPDNMF_MPI_ONE_MACHINE": "0"}


def several(processes, *arguments, env=None, **options):
    return subprocess.run(command(processes, *arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          stdin=subprocess.DEVNULL, timeout=240, check=False, env=env or ALONE, **options)


def children(pid):
    """The processes that mpirun started, in their order."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1]) == pid:
                found.append(int(entry.name))
        except OSError:
            pass  # it has ended
    return sorted(found)


def factors(out):
    return [(Path(out) / name).read_bytes() for name in ("X.npy", "Y.npy")]


class Cluster(TestCase):
    @classmethod
    def setUpClass(cls):
        """One matrix for all tests: counts, three in ten of them zero."""
        draw = random.Random(3)
        cls.shared = Path(os.environ.get("TMPDIR", "/tmp")) / f"ppdnmf_cluster_{os.getpid()}"
        cls.shared.mkdir()
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        cls.columns = [[max(0, draw.randrange(-3, 8)) for _ in range(ROWS)] for _ in range(COLUMNS)]
        cls.data = cls.write(cls.shared / "Z.npy", cls.columns)

    @staticmethod
    def write(path, columns):
        """Column after column, as bytes: numbers of one byte each are read like all others."""
        header = repr({"descr": "|u1", "fortran_order": True, "shape": (len(columns[0]), len(columns))})
        header += " " * (-(len(header) + 11) % 64) + "\n"
        path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                         b"".join(bytes(column) for column in columns))
        return path

    def one(self, *arguments, name="one"):
        out = self.folder / name
        self.succeed("factorize", *arguments, "--out", out)
        return factors(out)

    def check(self, processes, *arguments, out=None, env=None):
        out = out or self.folder / f"of-{processes}"
        done = several(processes, "factorize", *arguments, "--out", out, env=env)
        self.assertEqual(done.returncode, 0, done.stderr)
        return factors(out)

    def test_one_to_four_processes_have_the_bytes_of_one_program(self):
        wanted = self.one(self.data, *SHORT)
        for processes in (1, 2, 3, 4):
            self.assertEqual(self.check(processes, self.data, *SHORT), wanted, f"{processes} processes")
        for processes in (2, 3):
            found = self.check(processes, self.data, *SHORT, out=self.folder / f"apart-{processes}", env=APART)
            self.assertEqual(found, wanted, f"{processes} processes apart")
        one_processor = {**ALONE, "PPDNMF_MPI_PROCESSORS": "1"}
        self.assertEqual(self.check(3, self.data, *SHORT, out=self.folder / "crowded", env=one_processor), wanted)

    def test_so_they_have_where_x_is_as_large_as_the_data(self):
        """Everything that is as long as X goes through memory in common, or through messages in several pieces."""
        draw = random.Random(5)
        rows = [bytes(draw.choices(range(5), weights=(6, 1, 1, 1, 1), k=256)) for _ in range(256)]
        tall = self.write(self.folder / "tall.npy", [b"".join(draw.sample(rows, 32)) for _ in range(256)])
        options = [tall, "--rank", "12", "--iterations", "6", "--tolerance", "0", "--quiet"]
        wanted = self.one(*options)
        for processes, env in ((2, ALONE), (4, ALONE), (3, APART)):
            found = self.check(processes, *options, "--threads", "2", out=self.folder / f"tall-{processes}", env=env)
            self.assertEqual(found, wanted, f"{processes} processes")

    def test_so_they_have_under_the_poisson_loss_and_of_sparse_files(self):
        sparse = self.shared / "sparse.mtx"
        lines = [f"{row + 1} {column + 1} {value}" for column, values in enumerate(self.columns[:6000])
                 for row, value in enumerate(values) if value > 6]
        sparse.write_text("\n".join(["%%MatrixMarket matrix coordinate integer general",
                                     f"{ROWS} 6000 {len(lines)}", *lines, ""]))
        self.assertEqual(self.check(3, sparse, *SHORT), self.one(sparse, *SHORT))
        poisson = [sparse, *SHORT, "--loss", "poisson"]
        self.assertEqual(self.check(2, *poisson, out=self.folder / "poisson"), self.one(*poisson, name="one-poisson"))

    def test_files_of_a_pattern_come_in_the_order_of_their_numbers_wherever_they_are(self):
        """Each process has a folder of its own, as on machines without a common file system."""
        folders = [self.folder / "first", self.folder / "second"]
        for folder in folders:
            folder.mkdir()
        parts, before = [], 0
        for number in range(1, 13):
            end = COLUMNS * number // 12
            parts.append((f"part-{number}.npy", self.columns[before:end]))
            before = end
        for number, (name, columns) in enumerate(parts):
            self.write(folders[number % 2] / name, columns)
        out = self.folder / "out-parts"
        arguments = [MPI, "factorize", "part-*.npy", *SHORT, "--out", str(out)]
        done = subprocess.run(["mpirun", "-n", "1", "-wdir", str(folders[0]), *arguments,
                               ":", "-n", "1", "-wdir", str(folders[1]), *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ALONE, timeout=240, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(factors(out), self.one(self.data, *SHORT))

    def test_whoever_is_killed_the_same_command_goes_on_to_the_same_bytes(self):
        options = [self.data, "--rank", "4", "--iterations", "1200", "--tolerance", "0", "--quiet"]
        wanted = self.one(*options)
        out = self.folder / "killed"
        again = command(3, "factorize", *options, "--checkpoint-seconds", "0", "--out", out)
        checkpoint = out / "checkpoint.bin"
        draw = random.Random(1)
        for kill in range(10):
            before = checkpoint.stat().st_ino if checkpoint.exists() else None
            with subprocess.Popen(again, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=ALONE) as process:
                self.assertTrue(wait_for(lambda: process.poll() is not None or
                                         (checkpoint.exists() and checkpoint.stat().st_ino != before)))
                time.sleep(0.05 * draw.random())
                ranks = children(process.pid)
                self.assertEqual(len(ranks), 3, f"it had ended before it was killed for the {kill + 1}th time")
                os.kill(ranks[kill % 3], signal.SIGKILL)
                _, errors = process.communicate(timeout=60)
                self.assertNotEqual(process.returncode, 0, errors)
                # mpirun's words, or process 0's, which has a second for them before it is killed, too.
                self.assertRegex(errors, "exited on signal 9|the same command goes on")
            self.assertEqual(sorted(p.name for p in out.iterdir() if not p.name.startswith(".")), ["checkpoint.bin"])
        done = subprocess.run(again, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ALONE, timeout=240,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(factors(out), wanted)
        self.assertFalse(checkpoint.exists())
        self.assertEqual([p.name for p in out.iterdir() if p.name.startswith(".")], [])

    def test_a_run_that_is_told_to_stop_leaves_a_checkpoint(self):
        options = [self.data, "--rank", "3", "--iterations", "100000", "--tolerance", "0", "--quiet"]
        patient = command(2, "factorize", *options, "--out", self.out)
        patient[1:1] = ["--mca", "odls_base_sigkill_timeout", "10"]
        with subprocess.Popen(patient, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=ALONE) as process:
            self.assertTrue(wait_for(self.out.exists))
            time.sleep(0.2)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=120)
            self.assertNotEqual(process.returncode, 0)
        self.assertIn(f"interrupted; the same command goes on from {self.out / 'checkpoint.bin'}", errors)
        self.assertEqual([path.name for path in self.out.iterdir()], ["checkpoint.bin"])

    def test_a_process_that_is_still_at_work_when_the_run_is_told_to_stop_is_waited_for(self):
        options = [self.data, "--rank", "3", "--iterations", "100000", "--tolerance", "0", "--quiet"]
        with subprocess.Popen(command(2, "factorize", *options, "--out", self.out), stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, env=ALONE) as process:
            self.assertTrue(wait_for(self.out.exists))
            time.sleep(0.2)
            first, second = children(process.pid)
            os.kill(second, signal.SIGSTOP)
            os.kill(first, signal.SIGTERM)
            too_late = threading.Timer(200, os.kill, (second, signal.SIGKILL))
            too_late.start()
            errors = ""
            for line in process.stderr:
                errors += line
                if "is still at work" in line:
                    break
            too_late.cancel()
            self.assertIn(f"one is still at work; the same command goes on from what was saved in {self.out}", errors)
            self.assertIsNone(process.poll())
            os.kill(second, signal.SIGCONT)
            errors += process.communicate(timeout=60)[1]
            self.assertNotEqual(process.returncode, 0)
        self.assertIn(f"interrupted; the same command goes on from {self.out / 'checkpoint.bin'}", errors)
        self.assertEqual([path.name for path in self.out.iterdir()], ["checkpoint.bin"])

    def test_on_a_busy_machine_the_sentence_comes_as_soon(self):
        """Stopped in the middle of a message, too: X is long, and every process as if alone on its machine."""
        draw = random.Random(6)
        rows = [bytes(draw.choices(range(5), k=256)) for _ in range(256)]
        tall = self.write(self.folder / "tall.npy", [b"".join(draw.sample(rows, 80)) for _ in range(128)])
        options = [tall, "--rank", "20", "--iterations", "100000", "--tolerance", "0", "--threads", "1", "--quiet"]
        hogs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 * (os.cpu_count() or 1))]
        try:
            for turn in range(3):
                out = self.folder / f"busy-{turn}"
                with subprocess.Popen(command(2, "factorize", *options, "--out", out), stdout=subprocess.DEVNULL,
                                      stderr=subprocess.PIPE, text=True, env=APART) as process:
                    self.assertTrue(wait_for(out.exists))
                    time.sleep(0.5 + 0.05 * draw.random())
                    first, second = children(process.pid)
                    os.kill(second, signal.SIGSTOP)
                    os.kill(first, signal.SIGTERM)
                    told = time.monotonic()
                    too_late = threading.Timer(60, os.kill, (first, signal.SIGKILL))
                    too_late.start()
                    said = process.stderr.readline()
                    waited = time.monotonic() - told
                    too_late.cancel()
                    for rank in (first, second):
                        with contextlib.suppress(ProcessLookupError):
                            os.kill(rank, signal.SIGKILL)
                    process.stderr.read()
                self.assertIn("is still at work", said)
                self.assertLess(waited, 8)
        finally:
            for hog in hogs:
                hog.kill()
                hog.wait()

    def refuse_several(self, code, words, *arguments):
        done = several(2, "factorize", *arguments, "--out", self.out)
        self.assertEqual(done.returncode, code, done.stderr)
        own = [line for line in done.stderr.splitlines() if line.startswith("ppdnmf-mpi: ")]
        self.assertEqual(len(own), 1, done.stderr)
        self.assertIn(words, own[0])
        self.assertFalse(self.out.exists())

    def test_bad_input_is_one_sentence(self):
        other = self.write(self.folder / "other.npy", [column[:70] for column in self.columns[:90]])
        self.refuse_several(3, "has 150 rows and", self.data, other, *SHORT)
        self.refuse_several(4, "there is no such file", self.folder / "none-*.npy", *SHORT)
        negative = write_npy(self.folder / "negative.npy", [[1.0] * 200, [1.0] * 150 + [-1.0] * 50])
        self.refuse_several(3, "50 entries are negative, the first at row 2", negative, *SHORT)
        torn = self.folder / "torn.npy"
        torn.write_bytes(self.data.read_bytes()[:-5])
        self.refuse_several(4, "it is not complete", torn, *SHORT)
        self.refuse_several(2, "--solver", self.data, *SHORT, "--solver", "admm")
        self.refuse_several(2, "--on-disk", self.data, *SHORT, "--on-disk")
        self.refuse_several(2, "rank 200000 is larger", self.data, "--rank", "200000")

    def test_the_script_of_the_page_works_as_it_stands(self):
        page = (TOP / "docs" / "cluster.md").read_text()
        script = re.search(r"```sh\n(#!/bin/bash\n.*?)```", page, re.S).group(1)
        (self.folder / "counts.slurm").write_text(script)
        data = self.folder / "data"
        data.mkdir()
        for number in (1, 2, 3):
            self.write(data / f"part-{number}.npy", self.columns[1000 * number:1000 * (number + 1)])
        path = f"{Path(MPI).parent}:{os.environ['PATH']}"
        done = subprocess.run(["bash", "counts.slurm"], cwd=self.folder, env={**ALONE, "PATH": path, "SLURM_NTASKS": "2"},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=240, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertTrue((self.folder / "out" / "counts" / "report.html").is_file(), done.stdout)


class ManyMachines(Agent):
    """A member that takes part with two processes. mpirun passes on no descriptor, so it is followed by its results."""

    def start(self, crash="", program=None):
        del crash, program
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(["mpirun", "-n", "2", *self.command(MPI)], stdin=subprocess.DEVNULL, stdout=log,
                                            stderr=log, env=ALONE)
        self.code = None
        self.starts += 1
        return self


class Members(TestCase):
    def test_a_member_of_three_is_several_processes_and_one_of_them_is_killed(self):
        draw = random.Random(4)
        data = write_npy(self.folder / "Z.npy", [[max(0, draw.randrange(-2, 6)) for _ in range(2700)] for _ in range(300)])
        network = Network(self.folder, data, ["--rank", 3, "--iterations", 30, "--seed", 2], 3, linger=20)
        self.addCleanup(network.stop)
        member = network.agents[1] = ManyMachines(network, 1)
        network.start()
        for kill in range(2):
            rounds = network.progress()
            network.until(lambda before=rounds: network.progress() > before + 3, what="progress")
            ranks = children(member.process.pid)
            self.assertEqual(len(ranks), 2, network.story())
            os.kill(ranks[1 - kill], signal.SIGKILL)
            self.assertNotEqual(member.wait(), 0)
            member.start()
        network.finish()
        self.assertEqual(network.factors(), [network.simulated()] * 3)
        own = self.folder / "simulated" / "agents" / "1"
        self.assertEqual((member.out / "Y.npy").read_bytes(), (own / "Y.npy").read_bytes())
        self.assertIn("going on with the run in this folder", member.said())


if __name__ == "__main__":
    unittest.main()
