# Sourced by the examples. Needs JDK 17 or later and Maven 3.8 or later; works without a network after the first build.

EXAMPLES=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly EXAMPLES
# Options of a JVM that does not live for long.
readonly QUICK=(-XX:TieredStopAtLevel=1 -XX:+UseSerialGC)
# What a run has started ends with it.
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT

# Builds all examples, and what they need of the tree around, unless no source has changed since.
build() {
  local stamp=$EXAMPLES/target/built log=$EXAMPLES/target/build.log
  mkdir -p "$EXAMPLES/target"
  (
    # One build at a time.
    flock 9
    if is_built "$stamp"; then
      return
    fi
    echo 'examples: building (once)' >&2
    # Sources that change meanwhile are newer than this.
    touch "$stamp.new"
    if ! mvn -q -B -f "$EXAMPLES/pom.xml" -Dmaven.test.skip=true -Dspotless.check.skip=true \
      -pl "$(modules)" -am package >"$log" 2>&1 </dev/null; then
      grep -a ERROR "$log" | head -n 5 >&2
      echo "examples: the build has failed; all of its output is in $log" >&2
      return 70
    fi
    mv "$stamp.new" "$stamp"
  ) 9>"$EXAMPLES/target/lock"
}

# is_built STAMP: whether all sources are older.
is_built() {
  [[ -e $1 && -z $(find "$EXAMPLES/.." -name target -prune -o \
    -type f \( -path '*/src/main/*' -o -name pom.xml \) -newer "$1" -print -quit) ]]
}

# Those of the examples, as Maven takes them.
modules() {
  local pom
  for pom in "$EXAMPLES"/*/pom.xml; do
    printf '%s,' "$(basename "$(dirname "$pom")")"
  done
}

java_command() {
  printf '%s' "${JAVA_HOME:+$JAVA_HOME/bin/}java"
}

# class_path MODULE
class_path() {
  printf '%s' "$EXAMPLES/$1/target/$1.jar:$EXAMPLES/$1/target/lib/*"
}

# harness CLASS ARGUMENT...: takes the place of this shell.
harness() {
  exec "$(java_command)" "${QUICK[@]}" -Dinterlock.target="$EXAMPLES/target" -cp "$(class_path harness)" \
    dev.interlock.examples."$@"
}

# scratch NAME: an empty folder for a run.
scratch() {
  rm -rf "$EXAMPLES/target/$1"
  mkdir -p "$EXAMPLES/target/$1"
  printf '%s' "$EXAMPLES/target/$1"
}
