package dev.escapement.benchmarks.endpoints;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Those who are called, in a process of their own. */
public final class SinkProcess implements AutoCloseable {

    private final Child child;
    private final Path log;
    private final List<Integer> ports;

    /** Starts it. */
    public SinkProcess(Path folder, int ports) throws IOException {
        this.log = folder.resolve("arrivals.txt");
        this.child = new Child(SinkMain.class, folder.resolve("sink.log"), List.of(Integer.toString(ports)));
        this.ports =
                Arrays.stream(child.hear().split(",", -1)).map(Integer::valueOf).toList();
    }

    /** Where it listens. */
    public List<Integer> ports() {
        return ports;
    }

    /** From now on, answers take so long. */
    public void delay(long millis) throws IOException {
        child.order("delay " + millis);
    }

    /** How many calls there were. */
    public int count() throws IOException {
        return Integer.parseInt(child.order("count"));
    }

    /** Forgets them. */
    public void clear() throws IOException {
        child.order("clear");
    }

    /** All calls, in the order in which they came. */
    public List<Arrival> arrivals() throws IOException {
        child.order("write " + log);
        try (Stream<String> lines = Files.lines(log)) {
            return lines.map(Arrival::parse).toList();
        }
    }

    @Override
    public void close() throws IOException {
        child.close();
    }
}
