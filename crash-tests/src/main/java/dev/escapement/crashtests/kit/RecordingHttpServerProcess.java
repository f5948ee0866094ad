package dev.escapement.crashtests.kit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** A {@link RecordingHttpServer} in a process of its own. */
public final class RecordingHttpServerProcess implements AutoCloseable {

    private final ChildJvm process;
    private final Path callsFile;
    private final List<Integer> ports;

    public RecordingHttpServerProcess(Path folder, int ports) throws IOException {
        this.callsFile = folder.resolve("calls.txt");
        this.process = new ChildJvm(
                RecordingHttpServerMain.class, folder.resolve("sink.log"), List.of(Integer.toString(ports)));
        this.ports = Arrays.stream(process.readLine().split(",", -1))
                .map(Integer::valueOf)
                .toList();
    }

    public List<Integer> ports() {
        return ports;
    }

    /** Sets the delay of later responses, in milliseconds. */
    public void setDelay(long millis) throws IOException {
        process.sendCommand("delay " + millis);
    }

    public int callCount() throws IOException {
        return Integer.parseInt(process.sendCommand("count"));
    }

    /** Removes all recorded calls. */
    public void clear() throws IOException {
        process.sendCommand("clear");
    }

    /** Returns all calls, in the order of their arrival. */
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
