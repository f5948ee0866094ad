# Runs the tasks of one run and outlives the server that started it. POSIX sh, started in the folder of the run as
#
#   sh supervisor.sh BOOT LEASE LIMIT
#
# BOOT: id of the current boot. LEASE: time in seconds since 1970 after which the first task may not start, or "-".
# LIMIT: maximum output, in blocks of 512 bytes.
# Writes "begun" or "late" to standard output, which the server reads, and then nothing more.
#
# The folder contains "plan" (what to run). These files are created in this order:
#   begun      symbolic link to "PID TICKS BOOT": the owner of the run. Created once, by the first that tries.
#   log        output of the tasks
#   N.begun    task N was started, at the time of the file. Without it, task N never ran.
#   N.refused  task N could not be started, and why
#   N.ended    how task N ended, at the time of the file: "exit CODE" or "signal NUMBER"
#   over       outcome in one word: no further task will start, but processes of the tasks may be left
#   result     the same, when no process holds the log open any more
# The server creates "stop" to prevent further tasks.

# Signals to the whole process group are meant for the tasks, which reset these traps below.
trap '' HUP INT QUIT TERM PIPE XFSZ

folder=$PWD
boot=$1
lease=$2
limit=$3

ticks=-
if read -r stat 2>/dev/null <"/proc/$$/stat"; then
    # The second field is the program name in parentheses and may contain any character.
    set -- ${stat##*) }
    ticks=${20}
fi

# Creating a link is atomic: exactly one of two supervisors starts, and the server can find it again.
if ! problem=$(ln -s "$$ $ticks $boot" begun 2>&1); then
    if [ -L begun ]; then echo late; else echo "$problem"; fi
    exit 0
fi
echo begun
exec >/dev/null 2>&1 </dev/null

# After the link: the server creates the link too before it removes a run, and deletes the plan before the link.
[ -f plan ] || exit 0
. ./plan

# Keeps the first bytes of its input. Reads all of it, so that no task blocks or fails on output.
keep_output() {
    if ! (
        ulimit -f "$limit"
        exec cat >>log
    ); then
        echo "[escapement: the output is longer than $((limit * 512)) bytes; the rest is not kept]" >>log
        exec cat >/dev/null
    fi
}

# "stop" is a file, or on a full disk a dangling symbolic link.
must_stop() { [ -e "$1/stop" ] || [ -L "$1/stop" ]; }

# Sets problem to the reason and message why a program cannot be started; to nothing if it can.
check_program() {
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

# Called by the plan in a subshell: replaces it by the program. Arguments: working directory, program, arguments.
become() {
    cd "$1" || refuse "NotExecutable the working directory $1 cannot be entered"
    shift
    check_program "$1"
    [ -z "$problem" ] || refuse "$problem"
    # The server creates "stop" before it scans the processes: either it is seen here, or the scan finds this process.
    must_stop "$folder" && exit 0
    : >"$folder/$task.begun" || exit 0
    set_environment
    unset ESCAPEMENT_ROLE OLDPWD
    exec "$@"
}

run_tasks() {
    outcome=succeeded
    # The last check of the lease: without it nothing may be started.
    if [ "$lease" != - ] && [ "$(date +%s)" -ge "$lease" ]; then
        outcome=late
        tasks=0
    fi
    task=0
    while [ "$task" -lt "$tasks" ]; do
        task=$((task + 1))
        if must_stop .; then break; fi
        print_header "$task"
        # The shell reports a signal on standard error; only that distinguishes it from an exit code above 128.
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

# Without "over" the subshell that runs the tasks was killed, and their outcome is unknown.
mv over result
