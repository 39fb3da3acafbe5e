#!/usr/bin/env bash
# Three instances of ppdnmf-agent@ on a machine that systemd has booted, made ready as docs/installing.md says; as root.
# One is killed while it waits for the last, and has to go on by itself. Ends with "three services have the same X".
set -euo pipefail
cd "$(mktemp -d)"
ppdnmf demo --out demo --quiet
for site in a b c; do ppdnmf identity new --name "$site" --out keys --quiet; done
ppdnmf consortium new --member keys/a.pub@127.0.0.1:25461 --member keys/b.pub@127.0.0.1:25462 --member keys/c.pub \
  --topology complete --rank 4 --row-names demo/channels.txt --columns 600 --out trial.toml >/dev/null
for site in a b c; do
  mkdir -p "/etc/ppdnmf/$site" "/var/lib/ppdnmf/$site"
  cp trial.toml "/etc/ppdnmf/$site/consortium.toml"
  install -m 0600 "keys/$site.key" "/etc/ppdnmf/$site/identity.key"
  cp "demo/${site^}.csv" "/var/lib/ppdnmf/$site/data.csv"
  echo "data ward-$site epsilon 4 delta 1e-6" >>/var/lib/ppdnmf/budget.ledger
  echo "OPTIONS=--data-name ward-$site --linger 5" >"/etc/ppdnmf/$site/agent.conf"
done
systemctl start ppdnmf-agent@a ppdnmf-agent@b
until ppdnmf status /var/lib/ppdnmf/a/run | grep -q 'no connection to c'; do sleep 0.2; done
systemctl kill --signal=KILL ppdnmf-agent@a
systemctl start ppdnmf-agent@c
for site in a b c; do
  for _ in $(seq 60); do
    sleep 1
    if ! systemctl is-active --quiet "ppdnmf-agent@$site" && [ -f "/var/lib/ppdnmf/$site/run/run.json" ]; then break; fi
  done
  test "$(systemctl show --property=Result --value "ppdnmf-agent@$site")" = success
  cmp "/var/lib/ppdnmf/$site/run/X.npy" /var/lib/ppdnmf/a/run/X.npy
done
test "$(systemctl show --property=NRestarts --value ppdnmf-agent@a)" -ge 1 || journalctl --no-pager -u ppdnmf-agent@a | grep -q 'Scheduled restart job'
grep -c spent /var/lib/ppdnmf/budget.ledger | grep -qx 3
test "$(stat -c %a /var/lib/private)" = 700
systemd-analyze security ppdnmf-agent@a | tail -1
echo "three services have the same X"
