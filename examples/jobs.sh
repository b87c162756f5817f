# Sourced by the examples whose instances share a scheduled job.

. "$(dirname "${BASH_SOURCE[0]}")/build.sh"

# two_instances NAME: of a service whose start is a function of the caller; one is killed while it runs its job.
two_instances() {
  local name=$1 killed other
  declare -A pids
  build
  folder=$(scratch "$name")
  reports=$folder/reports
  : >"$reports"

  start A
  start B
  await_reports 3 '.'

  killed=$(running)
  kill -9 "${pids[$killed]}"
  wait "${pids[$killed]}" 2>/dev/null || true
  echo "$name: killed $killed while it ran the job"
  other=$(tr AB BA <<<"$killed")
  await_reports $(($(reports_of "$other") + 2)) "$other"

  # Asked to end, it ends its job first.
  kill "${pids[$other]}"
  wait "${pids[$other]}" || true
  awk -v killed="$killed" -v name="$name" '
    $1 == "begin" && running != "" && running != killed { exit wrong = 1 }
    $1 == "begin" { running = $2 }
    $1 == "end" && running != $2 { exit wrong = 1 }
    $1 == "end" { running = ""; reports++ }
    END {
      if (wrong || running != "") {
        print name ": WRONG: two instances ran the job at once, see " FILENAME
        exit 1
      }
      print name ": " reports " reports, never two at once; when one instance was killed, the other went on"
    }' "$reports"
}

# await_reports N INSTANCE: until it, a pattern, has written that many.
await_reports() {
  until [[ $(reports_of "$2") -ge $1 ]]; do
    sleep 0.1
  done
}

reports_of() {
  grep -c "^end $1" "$reports" || true
}

# The instance that runs the job now.
running() {
  local last=
  until [[ $last == begin* ]]; do
    sleep 0.1
    last=$(tail -n 1 "$reports")
  done
  printf '%s' "${last#begin }"
}
