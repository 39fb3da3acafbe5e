"""The experiments as a process: what they leave, resuming, bad input. Small versions of them."""

import csv
import html
import json
import os
import re
import signal
import subprocess
import time
import unittest

from support import PROGRAM, TestCase, low_rank, run, write_npy

USAGE, DATA, FILE = 2, 3, 4
SYNTHETIC = ["experiment", "synthetic", "--quick", "--trials", "1"]
CURVES = ["nmse_as_printed", "nmse_corrected", "disagreement", "error_on_all_data", "error_over_rounds"]


class Experiment(TestCase):
    def check_figures(self, out, names):
        page = (out / "experiment.html").read_text()
        self.assertFalse("<script" in page)
        for name in names:
            for ending, start in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("csv", b"")):
                content = (out / f"{name}.{ending}").read_bytes()
                self.assertTrue(content.startswith(start) and len(content) > 50, f"{name}.{ending}")
            self.assertTrue(f'href="{name}.png"' in page, name)
        self.assertEqual([p.name for p in out.iterdir() if p.name.startswith(".") or p.name == "checkpoint.bin"], [])
        # Without the pictures: a failing test should be readable.
        words = html.unescape(re.sub(r'src="data:[^"]*"', "", page))
        return words, json.loads((out / "experiment.json").read_text())

    def tables(self, out):
        return {p.name: p.read_bytes() for p in out.glob("*.csv")}

    @unittest.skipIf(os.environ.get("PPDNMF_SANITIZE"), "2048-bit keys take minutes under a sanitizer")
    def test_synthetic_and_its_interruption(self):
        whole = self.folder / "whole"
        done = self.succeed(*SYNTHETIC, "--seed", 2, "--threads", 2, "--out", whole)
        page, record = self.check_figures(whole, CURVES)
        self.assertIn("s left", done.stderr)
        self.assertTrue(record["encrypted_check"]["same_bits"])
        self.assertIn("gave the same bits", page)
        with open(whole / "summary.csv", newline="", encoding="utf-8") as file:
            rows = {row["variant"]: row for row in csv.DictReader(file)}
        self.assertEqual(len(rows), 14)
        centre = rows["centralised"]
        printed = rows["as_printed_1e6"]
        self.assertGreater(float(printed["disagreement_mean"]), 0.3)
        self.assertLess(float(printed["nmse_mean"]), float(centre["nmse_mean"]))
        self.assertLess(float(rows["corrected_1e3"]["ratio_to_centralised_mean"]), 1.01)
        self.assertGreater(float(rows["corrected_1e1"]["ratio_to_centralised_mean"]), 1.005)
        self.assertEqual(rows["defaults"]["rounds"], "300")
        self.assertEqual((rows["sum"]["rounds"], rows["sum"]["n_max"]), ("50", ""))
        self.assertEqual(float(rows["sum"]["disagreement_p90"]), 0)
        self.assertLess(float(rows["sum"]["ratio_to_centralised_mean"]), 1.01)
        self.assertIn("masked sums", page)

        command = [PROGRAM, *SYNTHETIC, "--seed", "2", "--threads", "1", "--out", str(self.out)]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        process.stderr.readline()  # a run has ended
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn("--resume", errors.splitlines()[-1])
        self.assertEqual([p.name for p in self.out.iterdir()], ["checkpoint.bin"])

        refused = run(*SYNTHETIC, "--seed", 2, "--out", self.out)
        self.assertEqual(refused.returncode, FILE, refused.stderr)
        other = run(*SYNTHETIC, "--seed", 3, "--out", self.out, "--resume")
        self.assertEqual(other.returncode, USAGE, other.stderr)
        content = (self.out / "checkpoint.bin").read_bytes()
        (self.out / "checkpoint.bin").write_bytes(content[:-5])
        damaged = run(*SYNTHETIC, "--seed", 2, "--out", self.out, "--resume")
        self.assertEqual(damaged.returncode, FILE, damaged.stderr)
        self.assertIn("checkpoint", damaged.stderr)
        (self.out / "checkpoint.bin").write_bytes(content)

        self.succeed(*SYNTHETIC, "--seed", 2, "--out", self.out, "--resume")
        self.assertEqual(self.tables(self.out), self.tables(whole))

    @unittest.skipIf(os.environ.get("PPDNMF_SANITIZE"), "2048-bit keys take minutes under a sanitizer")
    def test_faces_made_by_the_program_are_called_so(self):
        done = self.succeed("experiment", "faces", "--quick", "--rank", 12, "--agents", 4, "--out", self.out)
        page, record = self.check_figures(self.out, [*CURVES, "faces", "basis", "joining"])
        self.assertIn("not the paper's", done.stderr)
        self.assertIn("not the paper's", page)
        self.assertIn("CBCL Face Database #1", page)
        self.assertTrue(record["stand_in_data"])
        self.assertTrue(record["encrypted_check"]["same_bits"])
        self.assertLess(record["joining"][0]["together"], min(record["joining"][0]["alone"]))
        again = run("experiment", "faces", "--quick", "--out", self.out)
        self.assertEqual(again.returncode, FILE)
        self.assertIn("--force", again.stderr)

    def images(self, height=6, width=5, count=12):
        folder = self.folder / "images"
        folder.mkdir()
        for n in range(count):
            pixels = bytes((17 * n + 5 * t * (n % 3 + 1)) % 256 for t in range(height * width))
            (folder / f"face{n:05}.pgm").write_bytes(f"P5\n{width} {height}\n255\n".encode() + pixels)
        return folder

    @unittest.skipIf(os.environ.get("PPDNMF_SANITIZE"), "2048-bit keys take minutes under a sanitizer")
    def test_a_folder_of_images(self):
        self.succeed("experiment", "faces", "--quick", "--data", self.images(), "--rank", 3, "--agents", 3, "--out", self.out)
        _, record = self.check_figures(self.out, ["faces", "basis", "joining"])
        self.assertFalse(record["stand_in_data"])
        with open(self.out / "faces.csv", newline="", encoding="utf-8") as file:
            originals = [row for row in csv.DictReader(file) if row["cell"] == "#1 original"]
        self.assertEqual(len(originals), 30)

    def test_joining(self):
        data = write_npy(self.folder / "Z.npy", low_rank(12, 30, 3))
        arguments = ["experiment", "joining", "--data", data, "--rank", 3, "--agents", 5, "--trials", 3]
        done = self.succeed(*arguments, "--json", "--out", self.out)
        _, record = self.check_figures(self.out, ["joining"])
        self.assertEqual(json.loads(done.stdout), record)
        self.assertEqual(len(record["joining"]), 3)
        self.assertEqual(record["joining"][0]["held_out"], 6)
        other = self.folder / "one thread"
        quiet = self.succeed(*arguments, "--threads", 1, "--quiet", "--out", other)
        self.assertEqual(quiet.stdout + quiet.stderr, "")
        self.assertEqual(self.tables(other), self.tables(self.out))

    def test_bad_input_gets_a_sentence(self):
        data = write_npy(self.folder / "Z.npy", low_rank(6, 8, 2))
        large = write_npy(self.folder / "large.npy", [[300.0, 1.0], [2.0, 3.0], [1.0, 1.0], [5.0, 1.0]])
        negative = write_npy(self.folder / "negative.npy", [[-1.0, 1.0], [2.0, 3.0]])
        self.refuse(USAGE, "--image", "experiment", "faces", "--data", data)
        self.refuse(USAGE, "--image", "experiment", "faces", "--data", data, "--image", "4x4")
        self.refuse(DATA, ["300", "255"], "experiment", "faces", "--data", large, "--rank", 1, "--agents", 2)
        self.refuse(FILE, "missing.npy", "experiment", "faces", "--data", self.folder / "missing.npy")
        self.refuse(USAGE, "rank 7", "experiment", "joining", "--data", data, "--rank", 7, "--agents", 2)
        self.refuse(USAGE, "held out", "experiment", "joining", "--data", data, "--rank", 2, "--agents", 8, "--quiet")
        self.refuse(USAGE, "9 agents", "experiment", "joining", "--data", data, "--rank", 2, "--agents", 9)
        self.refuse(DATA, "--clip-negative", "experiment", "joining", "--data", negative, "--rank", 1, "--agents", 2)
        self.refuse(USAGE, "--trials", "experiment", "synthetic", "--trials", 0)
        self.refuse(USAGE, "--rank", "experiment", "joining", "--data", data)
        refused = run("experiment", "synthetic", "--resume", "--out", self.out)
        self.assertEqual(refused.returncode, FILE, refused.stderr)
        self.assertFalse(self.out.exists())
        for arguments in (["experiment"], ["experiment", "paint"]):
            done = run(*arguments)
            self.assertEqual(done.returncode, USAGE, done.stderr)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)

    def test_help_has_an_example(self):
        for name in ([], ["synthetic"], ["faces"], ["joining"]):
            done = self.succeed("experiment", *name, "--help")
            self.assertIn("Example: ppdnmf experiment " + " ".join(name), done.stdout)


if __name__ == "__main__":
    unittest.main()
