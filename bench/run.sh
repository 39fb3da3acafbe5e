#!/usr/bin/env bash
# Every measurement that the documentation quotes, one line per program. usage: bench/run.sh
set -euo pipefail
cd "$(dirname "$0")/.."
build/crypto_bench
build/agent_step
/usr/bin/python3 -B bench/encrypted_rounds.py
/usr/bin/python3 -B bench/solver_vs_sklearn.py
/usr/bin/python3 -B bench/sum_rounds.py
/usr/bin/python3 -B bench/poisson.py
/usr/bin/python3 -B bench/gaps.py
/usr/bin/python3 -B bench/site_effects.py
/usr/bin/python3 -B bench/scale.py
/usr/bin/python3 -B bench/cluster.py
/usr/bin/python3 -B bench/agents_overhead.py
PYTHONPATH=build/python /usr/bin/python3 -B bench/python_vs_sklearn.py
PYTHONPATH=build/python /usr/bin/python3 -B bench/penalties_vs_sklearn.py
PYTHONPATH=build/python /usr/bin/python3 -B bench/paillier_vs_gmpy2.py
