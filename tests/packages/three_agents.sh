#!/usr/bin/env bash
# Three members of a private run on this machine, by the commands of docs/operating.md, with the files of a demo.
# usage: three_agents.sh DEMO      ppdnmf is on the PATH; works in ./agents
set -euo pipefail
demo="$(realpath "$1")"
mkdir agents && cd agents
port=$((20000 + $$ % 10000))
for site in a b c; do ppdnmf identity new --name "$site" --out "keys-$site" --quiet; done
ppdnmf consortium new --member "keys-a/a.pub@127.0.0.1:$port" --member "keys-b/b.pub@127.0.0.1:$((port + 1))" --member keys-c/c.pub \
  --topology complete --rank 4 --row-names "$demo/channels.txt" --columns 600 --out trial.toml
ppdnmf consortium check trial.toml | tail -3
running=()
for site in a b c; do
  echo 'data ward7 epsilon 4 delta 1e-6' >>"keys-$site/$site.ledger"
  ppdnmf agent --consortium trial.toml --identity "keys-$site/$site.key" --data "$demo/${site^}.csv" --data-name ward7 \
    --out "run-$site" --quiet &
  running+=($!)
done
for process in "${running[@]}"; do wait "$process"; done
cmp run-a/X.npy run-b/X.npy
cmp run-a/X.npy run-c/X.npy
ppdnmf log verify run-a/run.log run-b/run.log run-c/run.log --consortium trial.toml
echo "three agents have the same X"
