#!/usr/bin/env python3
"""Manual pages and bash completion, from what the program itself says: its commands' --help and its table of settings.

    scripts/packages/manual.py build/ppdnmf FOLDER      FOLDER/man1/ppdnmf*.1 and FOLDER/ppdnmf.bash

For build/ppdnmf-mpi likewise; build/ppdnmf beside it is asked which schemes know an option.
The date of the pages is SOURCE_DATE_EPOCH, or today.
"""
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

WIDTH = 30  # the column at which --help begins what an option means
SECTIONS = ("Positionals:", "Options:", "Subcommands:")


@dataclass
class Option:
    names: list       # ["-h", "--help"], or the one name of a positional argument
    value: str        # "TEXT", "sum|moments"; empty: a flag
    notes: list       # "required", "default: 1", ...
    meaning: str

    def choices(self):
        if re.fullmatch(r"[a-z0-9-]+(\|[a-z0-9-]+)+", self.value):
            return self.value.split("|")
        return []


@dataclass
class Command:
    path: tuple       # () for the program, ("identity", "new")
    about: str
    usage: str
    program: str      # "ppdnmf", "ppdnmf-mpi"
    positionals: list = field(default_factory=list)
    options: list = field(default_factory=list)
    commands: list = field(default_factory=list)
    footer: list = field(default_factory=list)   # lines

    def name(self):
        return "-".join((self.program,) + self.path)

    def typed(self):
        return " ".join((self.program,) + self.path)


def say(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def entries(lines):
    """(head, meaning) of each line of a section; a long head has its meaning on the next line."""
    found = []
    for line in lines:
        if line.startswith(" " * WIDTH) and found:
            head, meaning = found[-1]
            found[-1] = (head, f"{meaning} {line.strip()}".strip())
        elif len(line) > WIDTH and line[WIDTH - 1] == " " and line[WIDTH] != " ":
            found.append((line[:WIDTH].strip(), line[WIDTH:].strip()))
        else:
            found.append((line.strip(), ""))
    return found


def long_heads(lines):
    """Joins what only looks like head and meaning: a head that is followed by a line of its own has none beside it."""
    out = []
    for i, line in enumerate(lines):
        follows = i + 1 < len(lines) and lines[i + 1].startswith(" " * WIDTH)
        out.append(re.sub(r"(?<=\S) ", "\x00", line) if follows else line)
    return out


def read_option(head, meaning):
    head = head.replace("\x00", " ")
    notes = []
    names, _, rest = head.partition(" ")
    if rest.endswith("REQUIRED"):
        notes.append("required")
        rest = rest[: -len("REQUIRED")].strip()
    if found := re.search(r"\s*Needs: (.*)$", rest):
        notes.append(f"with {found[1]}")
        rest = rest[: found.start()]
    if found := re.search(r":\w+ in \[(\S+) - (\S+)\]", rest):
        notes.append(f"from {found[1]} to {found[2]}")
        rest = rest[: found.start()] + rest[found.end():]
    if found := re.search(r":\{(.*?)\}", rest):
        rest = found[1].replace(",", "|") + rest[found.end():]
    if found := re.search(r"=([^=\]]*)$", rest):
        notes.append(f"default: {found[1]}")
        rest = rest[: found.start()]
    if rest.endswith("..."):
        notes.append("one or more")
        rest = rest[:-3].strip()
    return Option(names.split(","), rest.strip(), notes, meaning)


def read_command(program, path):
    lines = say(program, *path, "--help").splitlines()
    command = Command(path, lines[0].strip(), next(line for line in lines if line.startswith("Usage: "))[7:],
                      Path(program).name)
    end = next((i for i, line in enumerate(lines) if line.startswith("Example: ")), len(lines))
    command.footer = lines[end:]
    section, parts = None, {name: [] for name in SECTIONS}
    for line in lines[2:end]:
        if line.startswith("    -"):  # a group in a group: its meanings stand where all do
            parts["Options:"].append(("  " + line[4:WIDTH]).ljust(WIDTH) + line[WIDTH:])
        elif line.startswith(("  [", "  Options:")):
            continue
        elif line.startswith("  "):
            parts[section].append(line)
        elif line.endswith(":"):  # options may stand in groups under headings of their own
            section = line if line in SECTIONS else "Options:"
    command.positionals = [read_option(*entry) for entry in entries(long_heads(parts["Positionals:"]))]
    command.options = [read_option(*entry) for entry in entries(long_heads(parts["Options:"]))]
    command.commands = [read_command(program, path + (entry[0],)) for entry in entries(parts["Subcommands:"])]
    return command


def schemes_of(program):
    """Which schemes know a setting, as the table of settings has it: {"--loss": "sum, moments"}."""
    found = {}
    for line in say(Path(program).with_name("ppdnmf"), "settings", "--markdown", "command-line").splitlines()[2:]:
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        found[cells[0].strip("`").split()[0]] = cells[2].replace("`", "")
    return found


def every(command):
    yield command
    for one in command.commands:
        yield from every(one)


# --- manual pages -------------------------------------------------------------------------------------------------------

def plain(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("~", "\\(ti").replace("^", "\\(ha")
    return "\\&" + text if text.startswith(".") else text


def described(option, schemes):
    head = ", ".join(f"\\fB{plain(name)}\\fR" for name in option.names)
    if option.value:
        head += f" \\fI{plain(option.value)}\\fR"
    text = option.meaning[:1].upper() + option.meaning[1:]
    text += "" if text.endswith((".", "?")) or not text else "."
    if option.notes:
        text += " (" + "; ".join(option.notes) + ")"
    known = next((schemes[name] for name in option.names if name in schemes), None)
    if known and known != "all":
        text += f" Schemes: {known}."
    return f".TP\n{head}\n{plain(text.strip())}\n"


def manual_page(command, root, schemes, date):
    out = f'.TH {command.name().upper()} 1 {date} "ppdnmf {root.version}" "User Commands"\n.SH NAME\n'
    out += f"{plain(command.name())} \\- {plain(command.about[:1].lower() + command.about[1:])}\n"
    out += f".SH SYNOPSIS\n.B {plain(command.typed())}\n{plain(command.usage.removeprefix(command.program).strip()[len(' '.join(command.path)):].strip())}\n"
    if command.positionals:
        out += ".SH ARGUMENTS\n" + "".join(described(option, schemes) for option in command.positionals)
    if command.commands:
        out += ".SH COMMANDS\n"
        for one in command.commands:
            out += f".TP\n\\fB{plain(one.path[-1])}\\fR\n{plain(one.about)}: see \\fB{plain(one.name())}\\fR(1).\n"
    out += ".SH OPTIONS\n" + "".join(described(option, schemes) for option in command.options)
    examples = [line[9:] for line in command.footer if line.startswith(("Example: ", " " * 9))]
    out += ".SH EXAMPLE\n.nf\n" + "".join(f"{plain(line)}\n" for line in examples) + ".fi\n" if examples else ""
    out += ".SH EXIT STATUS\n"
    for line in root.footer:
        if found := re.fullmatch(r"  (\d+) +(.*)", line):
            out += f".TP\n.B {found[1]}\n{plain(found[2])}\n"
    others = [one.name() for one in every(root) if one is not command and len(one.path) <= max(1, len(command.path))
              and (one.path[:1] == command.path[:1] or not one.path or not command.path)]
    out += ".SH SEE ALSO\n" + ",\n".join(f"\\fB{plain(name)}\\fR(1)" for name in others) + "\n"
    out += ".PP\nThe pages in \\fI/usr/share/doc/ppdnmf/docs\\fR say what is promised, to whom, and how a run between organisations goes.\n"
    return out


# --- completion ---------------------------------------------------------------------------------------------------------

COMPLETION = """# bash completion for %(program)s; made by scripts/packages/manual.py
%(function)s() {
  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" command="" word i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    word="${COMP_WORDS[i]}"
    case "$command/$word" in
%(paths)s) command="$command/$word" ;;
    esac
  done
  case "$command $previous" in
%(values)s
  esac
  case "$command" in
%(words)s
  esac
}
complete -F %(function)s %(program)s
"""


def completion(root):
    paths, values, words = [], [], []
    for command in every(root):
        path = "".join("/" + part for part in command.path)
        if path:
            paths.append(f'"{path}"')
        for option in command.options:
            pattern = " | ".join(f'"{path} {name}"' for name in option.names)
            if option.choices():
                values.append(f'    {pattern}) COMPREPLY=($(compgen -W "{" ".join(option.choices())}" -- "$current")); return ;;')
            elif option.value and not option.value.startswith("["):
                values.append(f'    {pattern}) COMPREPLY=($(compgen -f -- "$current")); compopt -o filenames 2>/dev/null; return ;;')
        names = [name for option in command.options for name in option.names if name.startswith("--")]
        names += [one.path[-1] for one in command.commands]
        files = ' COMPREPLY+=($(compgen -f -- "$current")); compopt -o filenames 2>/dev/null;' if command.positionals else ""
        words.append(f'    "{path}") COMPREPLY=($(compgen -W "{" ".join(names)}" -- "$current"));{files} ;;')
    return COMPLETION % {"program": root.program, "function": "_" + root.program.replace("-", "_"),
                         "paths": " | ".join(paths).join(("      ", "")), "values": "\n".join(values), "words": "\n".join(words)}


def read_program(program):
    root = read_command(program, ())
    root.version = say(program, "--version").split()[-1]
    return root


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    date = time.strftime("%Y-%m-%d", time.gmtime(seconds))
    root, schemes = read_program(program), schemes_of(program)
    (folder / "man1").mkdir(parents=True, exist_ok=True)
    for command in every(root):
        (folder / "man1" / f"{command.name()}.1").write_text(manual_page(command, root, schemes, date))
    (folder / f"{root.program}.bash").write_text(completion(root))


if __name__ == "__main__":
    main()
