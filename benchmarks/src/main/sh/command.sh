# Shared by the commands of this module, which source it with the main class and their arguments, and define usage.
set -euo pipefail

main=$1
shift
case "${1-}" in
  --help) usage; exit 0 ;;
  --quick | '') ;;
  *) usage >&2; exit 2 ;;
esac

cd "$(dirname "${BASH_SOURCE[0]}")/../../../.."
echo "Building escapement-benchmarks and what it needs (no tests)"
mvn --batch-mode --quiet --projects benchmarks --also-make -DskipTests -Dspotless.check.skip package || exit 2
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -cp 'benchmarks/target/classes:benchmarks/target/lib/*' \
  "dev.escapement.benchmarks.$main" "$@"
