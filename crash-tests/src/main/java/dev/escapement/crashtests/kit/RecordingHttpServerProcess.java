package dev.escapement.crashtests.kit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Those who are called, in a process of their own. */
public final class RecordingHttpServerProcess implements AutoCloseable {

    private final ChildJvm process;
    private final Path callsFile;
    private final List<Integer> ports;

    /** Starts it. */
    public RecordingHttpServerProcess(Path folder, int ports) throws IOException {
        this.callsFile = folder.resolve("arrivals.txt");
        this.process = new ChildJvm(
                RecordingHttpServerMain.class, folder.resolve("sink.log"), List.of(Integer.toString(ports)));
        this.ports = Arrays.stream(process.readLine().split(",", -1))
                .map(Integer::valueOf)
                .toList();
    }

    /** Where it listens. */
    public List<Integer> ports() {
        return ports;
    }

    /** From now on, answers take so long. */
    public void setDelay(long millis) throws IOException {
        process.sendCommand("delay " + millis);
    }

    /** How many calls there were. */
    public int callCount() throws IOException {
        return Integer.parseInt(process.sendCommand("count"));
    }

    /** Forgets them. */
    public void clear() throws IOException {
        process.sendCommand("clear");
    }

    /** All calls, in the order in which they came. */
    public List<RecordedCall> recordedCalls() throws IOException {
        process.sendCommand("write " + callsFile);
        try (Stream<String> lines = Files.lines(callsFile)) {
            return lines.map(RecordedCall::parse).toList();
        }
    }

    @Override
    public void close() throws IOException {
        process.close();
    }
}
