"""Manual pages and completion are made from what the program says, and say all of it."""

import re
import subprocess
import sys
import unittest
from pathlib import Path

from support import PROGRAM, TestCase, run

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts" / "packages"
GENERATOR = SCRIPTS / "manual.py"
MPI = Path(PROGRAM).resolve().with_name("ppdnmf-mpi")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s#]+)(?:#[^)\s]*)?\)")


def commands(path=()):
    """Every command with its help, the program itself first."""
    text = run(*path, "--help").stdout
    yield path, text
    if "\nSubcommands:\n" in text:
        for name in re.findall(r"^  (\w+) ", text.split("\nSubcommands:\n")[1].split("\n\n")[0], re.M):
            yield from commands((*path, name))


class Manual(TestCase):
    def setUp(self):
        super().setUp()
        subprocess.run([sys.executable, "-B", GENERATOR, PROGRAM, self.folder], check=True, timeout=100)

    def complete(self, *words):
        script = ". \"$1\"; shift; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _ppdnmf; printf '%s\\n' \"${COMPREPLY[@]}\""
        done = subprocess.run(["bash", "-c", script, "bash", self.folder / "ppdnmf.bash", "ppdnmf", *words], check=True, capture_output=True,
                              text=True, timeout=20, cwd=self.folder)
        return set(done.stdout.split())

    def test_every_option_of_every_command_is_in_its_page_and_completed(self):
        seen = 0
        for path, text in commands():
            page = (self.folder / "man1" / f"{'-'.join(('ppdnmf', *path))}.1").read_text().replace("\\-", "-")
            names = re.findall(r"^ {2,4}(?:-\w,)?(--[\w-]+)", text, re.M)
            self.assertIn("--help", names)
            for name in names:
                self.assertIn(f"\\fB{name}\\fR", page, path)
            self.assertEqual(self.complete(*path, "--"), set(names), path)
            self.assertIn(text.splitlines()[0][1:].replace("'", "\\(aq"), page)
            for code in ("0", "7", "130"):
                self.assertIn(f"\n.B {code}\n", page)
            example = text.split("Example: ")[1].split("\nExit codes")[0].rstrip().splitlines()
            for line in example:
                self.assertIn(f"\n{line.strip()}\n", page.replace("\\(aq", "'"), path)
            seen += len(names)
        self.assertGreater(seen, 200)
        self.assertGreater(len(list((self.folder / "man1").iterdir())), 20)

    def test_what_a_page_says_of_an_option(self):
        page = (self.folder / "man1" / "ppdnmf-simulate.1").read_text().replace("\\-", "-")
        self.assertRegex(page, r"\\fB--loss\\fR \\fIsquares\|poisson\\fR\nWhat is minimised: .* \(default: squares\) Schemes: sum, moments\.\n")
        self.assertRegex(page, r"\\fB--rank\\fR \\fIK\\fR\nNumber of columns of X; .* \(required\)\n")
        self.assertRegex(page, r"\\fB--threads\\fR \\fIUINT\\fR\n.* \(from 1 to 1024\)\n")
        self.assertNotIn("\x00", page)

    def test_completion_knows_commands_and_words(self):
        self.assertLessEqual({"simulate", "agent", "identity"}, self.complete(""))
        self.assertEqual(self.complete("iden"), {"identity"})
        self.assertEqual(self.complete("identity", ""), {"new", "renew", "show", "--help"})
        self.assertEqual(self.complete("simulate", "--loss", ""), {"squares", "poisson"})
        (self.folder / "trial.toml").write_text("")
        self.assertEqual(self.complete("agent", "--consortium", "tri"), {"trial.toml"})

    def test_the_program_for_many_machines_has_pages_of_its_own(self):
        if not MPI.exists():
            self.skipTest("ppdnmf-mpi was not built")
        subprocess.run([sys.executable, "-B", GENERATOR, MPI, self.folder], check=True, timeout=100)
        pages = {path.name for path in (self.folder / "man1").glob("ppdnmf-mpi*")}
        self.assertEqual(pages, {"ppdnmf-mpi.1", "ppdnmf-mpi-agent.1", "ppdnmf-mpi-factorize.1"})
        page = (self.folder / "man1" / "ppdnmf-mpi-agent.1").read_text().replace("\\-", "-")
        self.assertIn("\n.B ppdnmf-mpi agent\n[OPTIONS]\n", page)
        self.assertIn("\\fB--data-name\\fR", page)
        self.assertIn("complete -F _ppdnmf_mpi ppdnmf-mpi\n", (self.folder / "ppdnmf-mpi.bash").read_text())

    def test_links_of_the_pages_in_the_packages_lead_somewhere(self):
        """Beside Debian's licence, and with the tarball's, which lies above."""
        sys.path.insert(0, str(SCRIPTS))
        import pages
        for number, licence in enumerate(("copyright", "../../../LICENSE")):
            folder = self.folder / str(number) / "share" / "doc" / "ppdnmf"
            pages.add(folder, licence)
            (folder / licence).write_text("")
            seen = set()
            for page in folder.rglob("*.md"):
                for target in LINK.findall(page.read_text()):
                    if not re.match(r"[a-z]+:", target):
                        self.assertTrue((page.parent / target).exists(), f"{page}: {target}")
                        seen.add(target)
            self.assertLessEqual({licence, "CHANGELOG.md.gz", "docs/operating.md", "CONTRIBUTING.md"}, seen)
            self.assertTrue((folder / "docs" / "images" / "demo.png").stat().st_size > 1000)
            self.assertIn("(src/ppdnmf/wire/envelope.proto)", (SCRIPTS.parents[1] / "docs" / "formats.md").read_text().replace("../", ""))
            self.assertNotIn("](../src", (folder / "docs" / "formats.md").read_text())


if __name__ == "__main__":
    unittest.main()
