package dev.escapement.benchmarks.endpoints;

/**
 * What is set of db-scheduler.
 *
 * @param threads each is busy with one call until that has ended and is written down
 * @param connections to the database
 * @param lower fetches more when fewer than this times the threads are waiting
 * @param upper fetches so many times the threads at most
 * @param pollMillis looks so often when there was nothing
 */
record DbSchedulerSettings(int threads, int connections, double lower, double upper, long pollMillis) {

    static DbSchedulerSettings parse(String text) {
        String[] parts = text.split(",", -1);
        return new DbSchedulerSettings(
                Integer.parseInt(parts[0]),
                Integer.parseInt(parts[1]),
                Double.parseDouble(parts[2]),
                Double.parseDouble(parts[3]),
                Long.parseLong(parts[4]));
    }

    String format() {
        return threads + "," + connections + "," + lower + "," + upper + "," + pollMillis;
    }

    @Override
    public String toString() {
        return "lock-and-fetch(%s, %s), %d threads, %d connections, polling every %d ms"
                .formatted(lower, upper, threads, connections, pollMillis);
    }
}
