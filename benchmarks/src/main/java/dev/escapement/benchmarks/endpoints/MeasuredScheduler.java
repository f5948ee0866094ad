package dev.escapement.benchmarks.endpoints;

/** A scheduler that makes the calls of a timetable until it is closed. */
interface MeasuredScheduler extends AutoCloseable {

    /**
     * Its own counters.
     *
     * @param statements SQL statements; -1 if it does not count them
     * @param recorded runs whose end is recorded
     * @param lastRecordedMicros when the last of them was recorded, in microseconds since 1970
     */
    record Counters(long statements, long recorded, long lastRecordedMicros) {

        String format() {
            return statements + " " + recorded + " " + lastRecordedMicros;
        }

        static Counters parse(String line) {
            String[] parts = line.split(" ", -1);
            return new Counters(Long.parseLong(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2]));
        }

        Counters since(Counters earlier) {
            return new Counters(
                    statements < 0 ? statements : statements - earlier.statements,
                    recorded - earlier.recorded,
                    lastRecordedMicros);
        }
    }

    /** Starts with a timetable; returns when all endpoints are created. */
    void start(Timetable timetable) throws Exception;

    Counters counters();

    @Override
    void close();
}
