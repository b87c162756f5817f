# What the launcher of the repository and that of an installation have in common. They read it; by itself it does
# nothing.
#
# All variables begin with il_: a shell hands on what it sets to a variable that it was given, and the program is to
# find its environment as it was.
# il_work is the folder of the lock and the logs, il_directory that of what is made for the classes of il_classpath.

fail() {
  printf 'interlock: %s\n' "$1" >&2
  exit 70
}

# Fails unless all these programs are there. A shell says of none that it was missing whose output it takes.
need() {
  for il_tool; do
    command -v "$il_tool" >/dev/null || fail "there is no $il_tool on the PATH, which is ${PATH-not set}; add the folder of the system's programs, as /usr/bin, to it"
  done
}

# Variables from which a JVM takes options: they are meant for the program.
il_options="JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JDK_AOT_VM_OPTIONS OPENJ9_JAVA_OPTIONS IBM_JAVA_OPTIONS"

# Replaces this shell by a JVM of ours, which starts without those variables, and in a directory that there is: without
# one no JVM starts. If it is the JVM that starts the program, it finds the variables as il_kept_JAVA_TOOL_OPTIONS and
# so on.
become_java() {
  for il_option in $il_options; do
    eval "[ -z \"\${$il_option+x}\" ] || { export \"il_kept_$il_option=\$$il_option\"; unset $il_option; }"
  done
  if ! [ "${PWD:-/dev/null}" -ef . ] 2>/dev/null && [ -z "$(pwd -P 2>/dev/null)" ]; then
    cd /
    # So a relative path is not taken for one below the root.
    set -- -Duser.dir=/dev/null "$@"
  fi
  exec "$il_java" "$@"
}

# Sets java, home and version, without starting a JVM where the JDK describes itself in a file, as all do that are new
# enough.
find_java() {
  need readlink
  il_java=${JAVA_HOME:+$JAVA_HOME/bin/java}
  il_java=${il_java:-$(command -v java)}
  [ -n "$il_java" ] && [ -x "$il_java" ] || fail "no Java found (${JAVA_HOME:+JAVA_HOME is $JAVA_HOME; }PATH is $PATH); install Java 17 or later"
  il_home=$(readlink -f "$il_java")
  il_home=${il_home%/bin/java}
  il_version=
  il_runtime=
  if [ -r "$il_home/release" ]; then
    while IFS='="' read -r il_key il_quote il_value il_rest; do
      case $il_key in
        JAVA_VERSION) il_version=$il_value ;;
        JAVA_RUNTIME_VERSION) il_runtime=$il_value ;;
      esac
    done <"$il_home/release"
  else
    need sed
    il_version=$(become_java -version 2>&1 | sed -n 's/.*version "\([^"]*\)".*/\1/p')
  fi
  il_major=${il_version%%[!0-9]*}
  [ "${il_major:-0}" -ge 17 ] || fail "Java ${il_version:-of unknown version} at $il_java is too old; install Java 17 or later, or set JAVA_HOME"
  # A run is too short for compiling most methods, for moving the archive to a random address, and for the data of all
  # locales, which the driver of SQLite would have read: the command prints no names of days, and groups no digits.
  il_flags="-XX:TieredStopAtLevel=1 -XX:CompileThresholdScaling=5 -XX:+UseSerialGC -Xmx256m -XX:-UsePerfData -Xlog:disable -XX:+DisplayVMOutputToStderr -XX:-MaxFDLimit -XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0 -Djava.locale.providers=FALLBACK -Dsun.net.inetaddr.ttl=5"
  # Java 25 archives what it has found out about the classes, too.
  il_train=-XX:ArchiveClassesAtExit
  [ "$il_major" -lt 25 ] || il_train=-XX:AOTCacheOutput
  # From 24 on Java prints a warning when the driver of SQLite loads its native library.
  [ "$il_major" -lt 24 ] || il_flags="$il_flags --enable-native-access=ALL-UNNAMED"
}

# The jars of a folder: the command itself, the module of its default store, what else is ours, and the libraries. Java
# opens them in this order to look for the provider of a store, and an archive of classes is only good for the class path
# that it was made with.
find_jars() {
  il_classpath=
  for il_jar in "$1"/interlock-cli-*.jar "$1"/interlock-jdbc-*.jar "$1"/interlock-*.jar "$1"/*.jar; do
    case :$il_classpath: in
      *:"$il_jar":*) ;;
      *) [ ! -f "$il_jar" ] || il_classpath=$il_classpath${il_classpath:+:}$il_jar ;;
    esac
  done
}

# Whether this user may make anything here. Asked in a process of its own, for a shell ends when a redirection of exec
# fails.
may_write() {
  mkdir -p "$il_work" 2>/dev/null && [ -w "$il_work" ] && (exec 9>>"$il_work/lock") 2>/dev/null
}

# Sets il_taken to a descriptor that is free, or fails. A shell can name those below 10, and those that are open belong
# to the program.
take_free() {
  for il_taken in 3 4 5 6 7 8 9; do
    [ -e "/dev/fd/$il_taken" ] || return 0
  done
  return 1
}

# One process makes what is missing, others wait for it. The lock of flock ends with its process, however that ends.
lock() {
  if command -v flock >/dev/null; then
    take_free
    il_lock=$il_taken
    eval "exec $il_lock>>\"\$il_work/lock\""
    flock "$il_lock"
  else
    il_lock=
    take "$il_work/lock.pid"
    trap 'rm -f "$il_work/lock.pid"' EXIT
    trap 'exit 130' HUP INT TERM
  fi
}

# A link is made and says whose it is in one step, so that there is never a lock of nobody. One that is left behind is
# removed under a lock of its own, with the
# dead owner in its name: two who both have seen it would otherwise remove the next one's, too.
take() {
  until ln -s $$ "$1" 2>/dev/null; do
    il_owner=$(readlink "$1")
    # With our own number the dead one was another process.
    if [ "$il_owner" = $$ ] || { [ -n "$il_owner" ] && ! kill -0 "$il_owner" 2>/dev/null; }; then
      discard "$1" "$il_owner"
    else
      sleep 1
    fi
  done
}

discard() {
  take "$1-$2"
  [ "$(readlink "$1")" != "$2" ] || rm -f "$1"
  rm -f "$1-$2"
}

unlock() {
  if [ -n "$il_lock" ]; then
    eval "exec $il_lock>&-"
  else
    rm -f "$il_work/lock.pid"
    trap - EXIT HUP INT TERM
  fi
}

# An archive of the classes that a run loads, for this version of Java: with it the start takes half the time.
train() {
  # Somebody else's classes have to do without.
  mkdir -p "$il_directory/native" 2>/dev/null && [ -w "$il_directory" ] || return 0
  il_training=$(mktemp -d "$il_directory/training.XXXXXX" 2>/dev/null) && [ -n "$il_training" ] || return 0
  # In a shell of its own, for it leaves a starter behind, as a start does.
  (
    il_starter=
    leave_starter run warmup -- true
    # shellcheck disable=SC2086 # flags is a list
    become_java $il_flags "$il_train=$il_training/classes.jsa" ${il_starter:+"-Dinterlock.starter=$il_starter"} \
      -cp "$il_classpath" dev.interlock.cli.Warmup "$il_directory/native" "$il_training"
  ) >"$il_work/training.log" 2>&1 </dev/null
  # Without an archive the command works as well, only slower: an empty one says that there is no use in trying again.
  [ -s "$il_training/classes.jsa" ] || true >"$il_training/classes.jsa"
  mv "$il_training/classes.jsa" "$il_archive"
  rm -rf "$il_training"
}

has_archive() {
  il_archive=$il_directory/classes-${il_runtime:-$il_version}.jsa
  [ -f "$il_archive" ]
}

# Leaves a shell behind that starts the programs of run and lead: they are to find everything as this script does, and
# what Java starts has QUIT blocked, no descriptors above 2 and more of them allowed. Sets il_starter to the descriptors
# of Java's ends of two pipes: requests and reports. It is empty where this cannot be done, and Java starts the programs.
leave_starter() {
  [ -r /proc/self/stat ] && read -r il_stat </proc/self/stat && open_pipe || return 0
  il_requests=$il_taken
  if ! { open_pipe && il_reports=$il_taken && take_free; }; then
    eval "exec $il_requests<&- $il_taken<&-"
    return 0
  fi
  il_input=$il_taken
  # What a shell does not wait for has no standard input of its own, so it is kept under another number.
  [ ! -e /dev/fd/0 ] || eval "exec $il_input<&0"
  serve "$@" &
  # Only the starter can write reports, so that Java sees its end.
  eval "exec $il_input<&- $il_reports</dev/fd/$il_reports"
  il_starter=$il_requests$il_reports
}

# Sets il_taken to both ends of a new pipe. A shell makes one for a short document, and who opens that again may write.
# Nothing of it is in the file system, and so nothing can be left behind there, or be opened by others.
open_pipe() {
  take_free || return
  eval "exec $il_taken<<END

END
"
  # Some shells write a file instead.
  if [ -p "/dev/fd/$il_taken" ] && eval "command exec $il_taken<>/dev/fd/$il_taken" 2>/dev/null; then
    read -r il_line <&"$il_taken"
  else
    eval "exec $il_taken<&-"
    return 1
  fi
}

# The starter. The class Starter says what it is asked for, and what it answers.
serve() {
  if [ -e "/dev/fd/$il_input" ]; then
    eval "exec <&$il_input $il_input<&-"
  else
    exec <&-
  fi
  # Only Java can write requests, so that this shell sees the end of Java.
  eval "exec $il_requests</dev/fd/$il_requests $il_reports>/dev/fd/$il_reports"
  # Those that are sent to all that run here. Whether one ends the program is the program's affair.
  trap '' $il_signals
  find_ignored
  # shellcheck disable=SC2086 # it is a list
  env $il_defaults true 2>/dev/null || exit
  # A shell reports when a signal has ended a program.
  il_error=
  if [ -e /dev/fd/2 ]; then
    take_free
    il_error=$il_taken
    eval "exec $il_error>&2 2>/dev/null"
  fi
  while read -r il_words il_token <&"$il_requests" && [ -n "$il_words" ] && IFS= read -r il_store <&"$il_requests"; do
    launch "$@"
    echo $? >&"$il_reports"
  done
}

il_signals="HUP PIPE ALRM TERM USR1 USR2"

# A shell ignores INT and QUIT in what it does not wait for, and most cannot take that back, but env can. Those that
# were ignored before remain so.
find_ignored() {
  # From the third field on: the second is a name, which may contain anything.
  # shellcheck disable=SC2086 # it is a list
  set -- ${il_stat##*) }
  il_defaults=
  [ $((${31} & 2)) -ne 0 ] || il_defaults=--default-signal=INT
  [ $((${31} & 4)) -ne 0 ] || il_defaults="$il_defaults --default-signal=QUIT"
}

# Becomes the program, which is what stands at the end of the command line.
launch() (
  shift $(($# - il_words - 1))
  export "INTERLOCK_NAME=$1" "INTERLOCK_TOKEN=$il_token" "INTERLOCK_STORE=$il_store"
  shift
  [ "$1" != -- ] || shift
  # shellcheck disable=SC2086 # it is a list
  trap - $il_signals
  read -r il_pid il_line </proc/self/stat
  echo "$il_pid" >&"$il_reports"
  eval "exec $il_requests<&- $il_reports>&- ${il_error:+2>&$il_error $il_error>&-}"
  # env would take the name of such a program for a variable.
  case $1 in
    *=*) set -- sh -c 'exec "$0" "$@"' "$@" ;;
  esac
  # shellcheck disable=SC2086 # it is a list
  exec env $il_defaults -- "$@"
)

# Java opens every jar. With too few descriptors it fails in the middle of what it does, and says something else.
check_files() {
  il_files=$(ulimit -n)
  case $il_files in
    *[!0-9]*) ;;
    *) [ "$il_files" -ge 128 ] || fail "only $il_files files may be open at a time here, and interlock needs 128; raise the limit, as by ulimit -n 1024" ;;
  esac
}

# Replaces this shell.
start() {
  check_files
  il_starter=
  case ${1-} in
    run | lead) leave_starter "$@" ;;
  esac
  # Named an archive that is not there, Java would do without its own, too.
  has_archive || il_archive=
  il_terminals=
  for il_descriptor in 0 1 2; do
    [ -t "$il_descriptor" ] && il_terminals=$il_terminals$il_descriptor
  done
  # Java reads its arguments in the encoding of the locale: in UTF-8, whatever the locale here is. The program that it
  # runs gets LC_ALL back as it was.
  il_locale=${LC_ALL+=$LC_ALL}
  export LC_ALL=C.UTF-8
  # shellcheck disable=SC2086 # flags is a list
  become_java $il_flags ${il_archive:+"-XX:SharedArchiveFile=$il_archive" "-Dinterlock.archive=$il_archive"} -Dinterlock.terminals="$il_terminals" \
    ${il_starter:+"-Dinterlock.starter=$il_starter"} \
    -Dinterlock.lc_all="$il_locale" -Dorg.sqlite.lib.path="$il_directory/native" -cp "$il_classpath${INTERLOCK_CLASSPATH:+:$INTERLOCK_CLASSPATH}" dev.interlock.cli.Main "$@"
}
