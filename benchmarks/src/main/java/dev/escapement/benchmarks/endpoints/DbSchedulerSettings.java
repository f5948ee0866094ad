package dev.escapement.benchmarks.endpoints;

/**
 * Settings of db-scheduler.
 *
 * @param threads each makes one call at a time and records it
 * @param connections to the database
 * @param lower it fetches more when fewer executions than this factor times the threads are waiting
 * @param upper it fetches at most this factor times the threads
 * @param pollMillis polling interval when nothing is due
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
