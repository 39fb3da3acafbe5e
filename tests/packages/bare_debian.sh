#!/usr/bin/env bash
# Installs what `make package` made into Debian bases that have nothing but what debootstrap puts there, as root:
#   - the tarball, by a plain user: version, a demo without gnuplot, three agents by the commands of docs/operating.md
#     (of which a shell takes what it needs, since there is no Python);
#   - the Debian packages: a manual page is read, completion answers, the page's own test runs (tests/system), Python
#     imports the module, a program is built against the libraries; then all is purged, and nothing but data is left;
#   - the tarball in a newer base.
# usage: bare_debian.sh [OUT [WORK [NEWER]]]      out/package, out/bare, trixie; bases in WORK are used again
# apt and debootstrap take everything from where this machine's apt does.
set -euo pipefail
root="$(cd "$(dirname "$0")/../.." && pwd)"
out="$(realpath "${1:-$root/out/package}")"
work="${2:-$root/out/bare}"
newer="${3-trixie}"
mkdir -p "$work"
work="$(realpath "$work")"
mounted=()

leave() {
  for place in "${mounted[@]}"; do umount -l "$place" || true; done
}
trap leave EXIT

say() { printf '\n== %s\n' "$*"; }

# A copy of the base NAME of SUITE in $work/NAME, with a plain user and what programs expect to be mounted.
make_base() {
  local suite="$1" name="$2"
  if [ ! -d "$work/base-$suite" ]; then
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
  mount -t proc proc "$work/$name/proc"
  mounted+=("$work/$name/proc")
  mount --rbind /dev "$work/$name/dev" && mount --make-rslave "$work/$name/dev"
  mounted+=("$work/$name/dev")
}

as_guest() { chroot "$work/$1" su - guest -c "$2"; }

# What a plain user can do with the tarball alone.
use_tarball() {
  local name="$1" home="$work/$1/home/guest"
  cp "$out"/ppdnmf-*-linux-*.tar.gz "$home/"
  as_guest "$name" 'tar xzf ppdnmf-*.tar.gz && mv ppdnmf-*/ moved && moved/bin/ppdnmf --version'
  as_guest "$name" '! ldd moved/bin/ppdnmf | grep "not found"'
  as_guest "$name" 'moved/bin/ppdnmf demo --out demo 2>&1' | tee "$work/$name-demo.log"
  grep -q 'note: report.html has no picture: gnuplot cannot be started' "$work/$name-demo.log"
  cp "$root/tests/packages/three_agents.sh" "$home/"
  as_guest "$name" 'PATH=$HOME/moved/bin:$PATH bash three_agents.sh demo'
  as_guest "$name" 'rm -rf moved demo agents ppdnmf-*.tar.gz && ls -A | grep -v "^\." || true'
}

# All that bears the name outside of home folders and apt's own records of what it did.
traces() {
  find "$work/$1" -xdev \( -path "$work/$1/home" -o -path "$work/$1/root" -o -path "$work/$1/var/log" -o -path "$work/$1/var/cache" \
    -o -path "$work/$1/proc" -o -path "$work/$1/dev" \) -prune -o -iname '*ppdnmf*' -print
}

say "the tarball in a bare Debian 12"
make_base bookworm bare
use_tarball bare

say "the packages in a bare Debian 12"
make_base bookworm installed
mkdir "$work/installed/root/packages"
cp "$out"/*.deb "$work/installed/root/packages/"
export DEBIAN_FRONTEND=noninteractive
chroot "$work/installed" apt-get update -qq
chroot "$work/installed" sh -c 'apt-get install -y -qq --no-install-recommends /root/packages/ppdnmf_*.deb' >"$work/install.log" 2>&1
as_guest installed 'ppdnmf --version'
chroot "$work/installed" sh -c 'apt-get install -y -qq --no-install-recommends man-db bash-completion g++ cmake make /root/packages/*.deb' >>"$work/install.log" 2>&1
# A minimal base leaves manual pages out (path-exclude); what the package has is read where it was not.
chroot "$work/installed" sh -c 'dpkg-deb --fsys-tarfile /root/packages/ppdnmf_*.deb | tar -xO ./usr/share/man/man1/ppdnmf-agent.1.gz | gunzip >/tmp/ppdnmf-agent.1'
as_guest installed 'man --warnings -l /tmp/ppdnmf-agent.1 2>man.warnings | tee man.text | head -20; test ! -s man.warnings; grep -q -e --consortium man.text'
as_guest installed '. /usr/share/bash-completion/completions/ppdnmf; COMP_WORDS=(ppdnmf agent --conso) COMP_CWORD=2 _ppdnmf; test "${COMPREPLY[*]}" = --consortium'
mkdir -p "$work/installed/home/guest/source/tests"
cp -r "$root/tests/system" "$work/installed/home/guest/source/tests/"
cp -r "$root/docs" "$root/examples/cpp" "$work/installed/home/guest/source/"
as_guest installed 'cd source && PPDNMF=/usr/bin/ppdnmf python3 -B tests/system/operating_test.py Operating.test_a_private_run_from_nothing_to_a_report_at_every_site'
as_guest installed "python3 -c 'import numpy, ppdnmf; Z = numpy.random.default_rng(1).random((40, 6)); print(ppdnmf.NMF(n_components=2, random_state=1).fit(Z).components_.shape)'"
as_guest installed 'cmake -S source/cpp -B source/made >/dev/null && cmake --build source/made >/dev/null && source/made/add_encrypted'
say "purged"
chroot "$work/installed" apt-get purge -y -qq ppdnmf libppdnmf-dev python3-ppdnmf >>"$work/install.log" 2>&1
left="$(traces installed)"
if [ -n "$left" ]; then echo "left behind: $left" >&2; exit 1; fi
echo "nothing is left"

if [ -n "$newer" ]; then
  say "the tarball in $newer"
  make_base "$newer" newer
  use_tarball newer
fi
say "all of it works"
