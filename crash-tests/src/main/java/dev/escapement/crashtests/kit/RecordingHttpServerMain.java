package dev.escapement.crashtests.kit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * {@link RecordingHttpServer} in a process of its own. Prints its ports; then takes orders, one a line, and answers
 * each with a line: {@code delay MILLIS}, {@code count}, {@code clear}, {@code write FILE}.
 */
public final class RecordingHttpServerMain {

    private RecordingHttpServerMain() {}

    /** Argument: how many ports. */
    public static void main(String[] args) throws Exception {
        RecordingHttpServer sink = new RecordingHttpServer(Integer.parseInt(args[0]));
        Thread serving = new Thread(
                () -> {
                    try {
                        sink.serve();
                    } catch (IOException broken) {
                        throw new IllegalStateException("the sink is broken", broken);
                    }
                },
                "sink");
        serving.setDaemon(true);
        serving.start();
        System.out.println(
                String.join(",", sink.ports().stream().map(String::valueOf).toList()));
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println(executeCommand(sink, line.split(" ", 2)));
            }
        }
    }

    private static String executeCommand(RecordingHttpServer sink, String[] order) throws Exception {
        CompletableFuture<List<RecordedCall>> seen = new CompletableFuture<>();
        sink.execute(() -> {
            seen.complete(List.copyOf(sink.recordedCalls()));
            switch (order[0]) {
                case "delay" -> sink.setDelay(Long.parseLong(order[1]));
                case "clear" -> sink.recordedCalls().clear();
                default -> {
                    // Only looks.
                }
            }
        });
        List<RecordedCall> arrivals = seen.get();
        if (order[0].equals("write")) {
            write(Path.of(order[1]), arrivals);
        }
        return Integer.toString(arrivals.size());
    }

    private static void write(Path file, List<RecordedCall> arrivals) throws IOException {
        try (Writer out = Files.newBufferedWriter(file)) {
            for (RecordedCall arrival : arrivals) {
                out.write(arrival.epochMicros() + " " + arrival.path() + " " + arrival.key() + "\n");
            }
        }
    }
}
