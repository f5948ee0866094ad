# The tasks of clean-disk. What they share lies in a folder that belongs to this run alone.
set -eu
scratch=${TMPDIR:-/tmp}/escapement-$ESCAPEMENT_RUN

case $1 in
find)
    mkdir -p "$scratch"
    i=0
    while [ "$i" -lt "$FILES" ]; do
        i=$((i + 1))
        echo old >"$scratch/$i.log"
    done
    sleep "$PAUSE"
    echo "found $FILES old files on $TARGET_RESOURCE"
    ;;
remove)
    sleep "$PAUSE"
    rm -f "$scratch"/*.log
    echo "removed $FILES old files from $TARGET_RESOURCE"
    ;;
verify)
    sleep "$PAUSE"
    rmdir "$scratch"
    echo "$TARGET_RESOURCE has space again"
    ;;
esac
