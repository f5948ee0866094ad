package dev.escapement.benchmarks.endpoints;

/** Something that makes calls at their time, until it is closed. */
interface Subject extends AutoCloseable {

    /**
     * What it did so far, as it knows it.
     *
     * @param statements that it sent to its database; -1 if it does not count them
     * @param recorded runs whose end is written down
     * @param lastRecordedMicros when the last of them was
     */
    record Tally(long statements, long recorded, long lastRecordedMicros) {

        String write() {
            return statements + " " + recorded + " " + lastRecordedMicros;
        }

        static Tally read(String line) {
            String[] parts = line.split(" ", -1);
            return new Tally(Long.parseLong(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2]));
        }

        Tally since(Tally earlier) {
            return new Tally(
                    statements < 0 ? statements : statements - earlier.statements,
                    recorded - earlier.recorded,
                    lastRecordedMicros);
        }
    }

    /** Takes on a timetable; returns when everything is in place. */
    void begin(Timetable timetable) throws Exception;

    Tally tally();

    @Override
    void close();
}
