# Runs the tasks of one run, and outlives the server that started it. POSIX sh, started as
#
#   sh supervisor.sh BOOT LEASE LIMIT
#
# in the folder of the run. BOOT names this boot of the machine. LEASE is the second since the epoch from which on no
# first task may begin, or "-". LIMIT is how much output is kept, in blocks of 512 bytes.
# Standard output is the ear of the server: it hears "begun" or "late", and then nothing more.
#
# The folder holds "plan" (what to run), and gets, in this order:
#   begun      a symbolic link to "PID TICKS BOOT": who runs it. Made once, by whoever comes first; never removed.
#   log        what the tasks print
#   N.begun    task N was let go; its time is when. Without it, task N certainly never ran.
#   N.refused  task N could not be let go, and why
#   N.ended    how task N ended: "exit CODE" or "signal NUMBER"; its time is when
#   over       no further task will begin, with the outcome in one word; processes of the tasks may be left
#   result     the same, once everything that held the log open is gone
# The server makes "stop" if no further task may begin.

# Whatever is sent to the whole group is meant for the tasks; these get the signals back below.
trap '' HUP INT QUIT TERM PIPE XFSZ

folder=$PWD
boot=$1
lease=$2
limit=$3

ticks=-
if read -r stat 2>/dev/null <"/proc/$$/stat"; then
    # The name of the program comes second, in parentheses, and may contain anything.
    set -- ${stat##*) }
    ticks=${20}
fi

# A link is made whole or not at all: of two supervisors exactly one begins, and it can be found again.
if ! problem=$(ln -s "$$ $ticks $boot" begun 2>&1); then
    if [ -L begun ]; then echo late; else echo "$problem"; fi
    exit 0
fi
echo begun
exec >/dev/null 2>&1 </dev/null

# Only now: whoever removes a run that has not begun makes the link too, and removes the plan before the link.
[ -f plan ] || exit 0
. ./plan

# Keeps the beginning of what it hears. It never stops listening, so that no task is stopped by what it prints.
keep_output() {
    if ! (
        ulimit -f "$limit"
        exec cat >>log
    ); then
        echo "[escapement: the output is longer than $((limit * 512)) bytes; the rest is not kept]" >>log
        exec cat >/dev/null
    fi
}

# The mark is a file, or on a full disk a link to nowhere.
must_stop() { [ -e "$1/stop" ] || [ -L "$1/stop" ]; }

# Finds out why a program cannot be let go, as a reason and a text; nothing if it can.
look_for() {
    problem=
    case $1 in
    */*)
        if ! [ -e "$1" ]; then
            problem="CommandNotFound there is no $1 in $PWD"
        elif ! [ -f "$1" ] || ! [ -x "$1" ]; then
            problem="NotExecutable $1 is not an executable file"
        fi
        ;;
    *)
        problem="CommandNotFound there is no program $1 on the server's PATH"
        IFS=:
        set -f
        for place in $PATH; do
            if [ -f "${place:-.}/$1" ] && [ -x "${place:-.}/$1" ]; then problem=; fi
        done
        set +f
        unset IFS
        ;;
    esac
}

refuse() {
    echo "$1" >"$folder/$task.refused"
    echo "[escapement: $1]"
    exit 0
}

# Called by the plan, in a process of its own: becomes the program. Arguments: where, program, arguments.
become() {
    cd "$1" || refuse "NotExecutable the working directory $1 cannot be entered"
    shift
    look_for "$1"
    [ -z "$problem" ] || refuse "$problem"
    # The server makes this mark before it looks whom to stop: either this look sees the mark, or it sees this process.
    must_stop "$folder" && exit 0
    : >"$folder/$task.begun" || exit 0
    set_environment
    unset ESCAPEMENT_ROLE OLDPWD
    exec "$@"
}

run_tasks() {
    outcome=succeeded
    # The last look at the clock: a server that no longer holds its lease lets nothing go.
    if [ "$lease" != - ] && [ "$(date +%s)" -ge "$lease" ]; then
        outcome=late
        tasks=0
    fi
    task=0
    while [ "$task" -lt "$tasks" ]; do
        task=$((task + 1))
        if must_stop .; then break; fi
        print_header "$task"
        # A shell says on its standard error if a signal ended a program, and only that tells it from an exit code.
        {
            (
                trap - HUP INT QUIT TERM PIPE XFSZ
                exec 2>&1
                run_task "$task"
            )
            code=$?
        } 2>signal
        if [ -e "$task.refused" ]; then
            outcome=failed
            break
        elif ! [ -e "$task.begun" ]; then
            outcome=failed
            break
        elif [ "$code" -gt 128 ] && [ -s signal ]; then
            echo "signal $((code - 128))" >"$task.ended"
        else
            echo "exit $code" >"$task.ended"
        fi
        if [ "$code" -ne 0 ]; then
            outcome=failed
            break
        fi
    done
    if must_stop .; then outcome=stopped; fi
    echo "$outcome" >over
}

run_tasks | keep_output

# Without "over" the part that runs the tasks was killed, and nobody knows what they did.
mv over result
