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
 * Runs a {@link RecordingHttpServer} in a process of its own. Prints its ports; then reads commands, one per line, and
 * answers each with a line: {@code delay MILLIS}, {@code count}, {@code clear}, {@code write FILE}.
 */
public final class RecordingHttpServerMain {

    private RecordingHttpServerMain() {}

    /** Argument: the number of ports. */
    public static void main(String[] args) throws Exception {
        RecordingHttpServer sink = new RecordingHttpServer(Integer.parseInt(args[0]));
        Thread serving = new Thread(
                () -> {
                    try {
                        sink.serve();
                    } catch (IOException broken) {
                        throw new IllegalStateException("the sink failed", broken);
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

    private static String executeCommand(RecordingHttpServer sink, String[] command) throws Exception {
        CompletableFuture<List<RecordedCall>> recorded = new CompletableFuture<>();
        sink.execute(() -> {
            recorded.complete(List.copyOf(sink.recordedCalls()));
            switch (command[0]) {
                case "delay" -> sink.setDelay(Long.parseLong(command[1]));
                case "clear" -> sink.recordedCalls().clear();
                default -> {
                    // Reads only.
                }
            }
        });
        List<RecordedCall> calls = recorded.get();
        if (command[0].equals("write")) {
            write(Path.of(command[1]), calls);
        }
        return Integer.toString(calls.size());
    }

    private static void write(Path file, List<RecordedCall> calls) throws IOException {
        try (Writer out = Files.newBufferedWriter(file)) {
            for (RecordedCall call : calls) {
                out.write(call.epochMicros() + " " + call.path() + " " + call.key() + "\n");
            }
        }
    }
}
