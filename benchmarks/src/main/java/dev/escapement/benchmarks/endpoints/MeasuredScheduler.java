package dev.escapement.benchmarks.endpoints;

/** Something that makes calls at their time, until it is closed. */
interface MeasuredScheduler extends AutoCloseable {

    /**
     * What it did so far, as it knows it.
     *
     * @param statements that it sent to its database; -1 if it does not count them
     * @param recorded runs whose end is written down
     * @param lastRecordedMicros when the last of them was
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

    /** Takes on a timetable; returns when everything is in place. */
    void start(Timetable timetable) throws Exception;

    Counters counters();

    @Override
    void close();
}
