#!/usr/bin/env bash
# Installs what `make package` made into bases that have nothing but what debootstrap puts there, as root. Steps:
#   tarball    a plain user of a bare Debian 12: version, a demo without gnuplot, three agents by the commands of
#              docs/operating.md (three_agents.sh: there is no Python)
#   packages   installed in a bare Debian 12: a manual page is read, completion answers, the page's own test runs
#              (tests/system), Python imports the module, two processes share one file's columns, a program is built against the libraries; then all is purged,
#              and nothing that bears the name is left but data
#   service    three instances of the service in a bare Debian 12 that systemd-nspawn boots
#   newer      as tarball, in Debian 13
# usage: bare_debian.sh [OUT [WORK [STEP...]]]      out/package, out/bare, all steps; bases in WORK are used again
# apt and debootstrap take everything from where this machine's apt does.
set -euo pipefail
root="$(cd "$(dirname "$0")/../.." && pwd)"
out="$(realpath "${1:-$root/out/package}")"
work="${2:-$root/out/bare}"
steps=("${@:3}")
[ ${#steps[@]} -gt 0 ] || steps=(tarball packages service newer)
mkdir -p "$work"
work="$(realpath "$work")"
mounted=()
export DEBIAN_FRONTEND=noninteractive

let_go() {
  for place in "${mounted[@]}"; do umount -l "$place" || true; done
  mounted=()
}
trap let_go EXIT

# A copy of the base of SUITE in $work/NAME, with a plain user.
make_base() {
  local suite="$1" name="$2"
  if [ ! -d "$work/base-$suite" ]; then
    rm -rf "$work/base-$suite.part"
    debootstrap --variant=minbase "$suite" "$work/base-$suite.part" >"$work/debootstrap-$suite.log"
    mv "$work/base-$suite.part" "$work/base-$suite"
  fi
  rm -rf --one-file-system "${work:?}/$name"
  cp -a "$work/base-$suite" "$work/$name"
  if [ "$suite" = bookworm ]; then
    rm -rf "$work/$name/etc/apt"
    cp -a /etc/apt "$work/$name/etc/apt"
    cp /etc/resolv.conf /etc/hosts "$work/$name/etc/"
  fi
  chroot "$work/$name" useradd --create-home --shell /bin/bash guest
}

# What programs expect to be there, as long as a step lasts.
mount_in() {
  mount -t proc proc "$work/$1/proc"
  mounted+=("$work/$1/proc")
  mount --rbind /dev "$work/$1/dev"
  mount --make-rslave "$work/$1/dev"
  mounted+=("$work/$1/dev")
}

as_guest() { chroot "$work/$1" su - guest -c "$2"; }

install_in() {
  chroot "$work/$1" sh -c "apt-get update -qq && apt-get install -y -qq --no-install-recommends ${*:2}" >>"$work/$1.log" 2>&1
}

# What a plain user can do with the tarball alone, in a base of SUITE.
use_tarball() {
  local name="$2" home="$work/$2/home/guest"
  make_base "$1" "$name"
  mount_in "$name"
  cp "$out"/ppdnmf-*-linux-*.tar.gz "$root/tests/packages/three_agents.sh" "$home/"
  as_guest "$name" 'tar xzf ppdnmf-*.tar.gz && mv ppdnmf-*/ moved && moved/bin/ppdnmf --version'
  as_guest "$name" '! ldd moved/bin/ppdnmf | grep "not found"'
  as_guest "$name" 'moved/bin/ppdnmf demo --out demo 2>&1' | tee "$work/$name-demo.log"
  grep -q 'note: report.html has no picture: gnuplot cannot be started' "$work/$name-demo.log"
  as_guest "$name" 'PATH=$HOME/moved/bin:$PATH bash three_agents.sh demo'
}

step_tarball() { use_tarball bookworm bare; }
step_newer() { use_tarball trixie newer; }

# All that bears the name outside of home folders and apt's own records of what it did.
traces() {
  find "$work/$1" -xdev \( -path "$work/$1/home" -o -path "$work/$1/root" -o -path "$work/$1/var/log" \
    -o -path "$work/$1/var/cache" -o -path "$work/$1/proc" -o -path "$work/$1/dev" \) -prune -o -iname '*ppdnmf*' -print
}

step_packages() {
  make_base bookworm installed
  mount_in installed
  mkdir "$work/installed/root/packages"
  cp "$out"/*.deb "$work/installed/root/packages/"
  install_in installed '/root/packages/ppdnmf_*.deb'
  as_guest installed 'ppdnmf --version'
  install_in installed '/root/packages/*.deb' man-db g++ cmake make
  # A minimal base may leave manual pages out: what the package has is read from the package.
  chroot "$work/installed" sh -c 'dpkg-deb --fsys-tarfile /root/packages/ppdnmf_*.deb |
    tar -xO ./usr/share/man/man1/ppdnmf-agent.1.gz | gunzip >/home/guest/ppdnmf-agent.1'
  as_guest installed 'MANWIDTH=100 man --warnings -l ppdnmf-agent.1 2>man.warnings >man.text; head -12 man.text
    cat man.warnings >&2; test ! -s man.warnings && grep -q -e --consortium man.text'
  as_guest installed '. /usr/share/bash-completion/completions/ppdnmf
    COMP_WORDS=(ppdnmf agent --conso) COMP_CWORD=2; _ppdnmf; test "${COMPREPLY[*]}" = --consortium'
  mkdir -p "$work/installed/home/guest/source/tests"
  cp -r "$root/tests/system" "$work/installed/home/guest/source/tests/"
  cp -r "$root/docs" "$root/examples/cpp" "$work/installed/home/guest/source/"
  chroot "$work/installed" chown -R guest /home/guest/source
  as_guest installed 'cd source && PPDNMF=/usr/bin/ppdnmf python3 -B tests/system/operating_test.py \
    Operating.test_a_private_run_from_nothing_to_a_report_at_every_site'
  as_guest installed 'python3 -c "import numpy, ppdnmf
Z = numpy.random.default_rng(1).random((40, 6))
assert ppdnmf.NMF(n_components=2, random_state=1).fit(Z).components_.shape == (2, 6)"'
  as_guest installed 'printf "1,2,3,4\n2,3,4,5\n5,4,3,1\n" >few.csv
    mpirun --oversubscribe --mca btl self,vader -n 2 ppdnmf-mpi factorize few.csv --rank 2 --out of_two && test -s of_two/X.npy'
  as_guest installed 'cmake -S source/cpp -B source/made >/dev/null && cmake --build source/made --target add_encrypted >/dev/null &&
    source/made/add_encrypted'
  chroot "$work/installed" apt-get purge -y -qq ppdnmf ppdnmf-mpi libppdnmf-dev python3-ppdnmf >>"$work/installed.log" 2>&1
  local left
  left="$(traces installed)"
  if [ -n "$left" ]; then
    echo "left behind: $left" >&2
    exit 1
  fi
  echo "purged: nothing is left"
}

step_service() {
  make_base bookworm booted
  cp "$out"/ppdnmf_*.deb "$root/tests/packages/three_services.sh" "$work/booted/root/"
  cp "$root/tests/packages/run_and_halt.service" "$work/booted/etc/systemd/system/"
  install_in booted systemd systemd-sysv dbus '/root/ppdnmf_*.deb'
  chroot "$work/booted" systemctl enable run_and_halt.service >>"$work/booted.log" 2>&1
  timeout 300 systemd-nspawn -D "$work/booted" --boot --register=no --keep-unit --console=pipe </dev/null >>"$work/booted.log" 2>&1 || true
  tail -3 "$work/booted/root/said.log"
  tail -1 "$work/booted/root/said.log" | grep -qx 'three services have the same X'
}

for step in "${steps[@]}"; do
  printf '\n== %s\n' "$step"
  "step_$step"
  let_go
done
printf '\n== done: %s\n' "${steps[*]}"
