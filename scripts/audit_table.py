"""The rows of an audit as a Markdown table: audit_table.py out/audit/audit.json"""

import json
import sys


def value(row):
    if row["measure"].startswith("AUC"):
        return f"{row['value']:.2f} ({row['low']:.2f} to {row['high']:.2f})"
    shown = f"{row['value']:.3g}"
    return f"{shown}, found in {100 * row['found']:.0f} %" if row.get("found", 0) > 0 else shown


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = json.load(file)["rows"]
    print("| attack | scheme | attacker | measure | value | best guess | seeds | a real run accepts it | broken |")
    print("|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        print("|", " | ".join([row["attack"], row["scheme"], row["position"], row["measure"], value(row), f"{row['baseline']:.3g}",
                               str(row["seeds"]), "yes" if row["accepted"] else "no", "**yes**" if row["broken"] else "no"]), "|")


if __name__ == "__main__":
    main()
