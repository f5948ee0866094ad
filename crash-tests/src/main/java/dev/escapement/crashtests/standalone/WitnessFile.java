package dev.escapement.crashtests.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A file to which the workflows write when they begin and end, independently of the server. */
record WitnessFile(Path file) {

    /**
     * A line of the file.
     *
     * @param event begin or end
     * @param execution its name
     * @param epochNanos nanoseconds since 1970
     */
    record Line(String event, String execution, String target, long epochNanos) {
        static Line parse(String text) {
            String[] words = text.split(" ", 4);
            return new Line(words[0], words[1], words[2], Long.parseLong(words[3]));
        }
    }

    /** Writes workflows with two tasks, so that a kill can hit between them; the second task sets the exit code. */
    static void writeWorkflows(Path folder) throws IOException {
        Files.createDirectories(folder);
        String writeLine =
                "printf '%s %s %s %s\\n' WHAT \"$NAME\" \"$TARGET_RESOURCE\" \"$(date +%s%N)\" >> \"$WITNESS\"";
        for (String id : List.of("repair", "clean")) {
            Files.writeString(folder.resolve(id + ".yaml"), """
                    id: %s
                    version: "1"
                    description: Records that it ran
                    parameters:
                      - {name: WITNESS, type: string, required: true}
                      - {name: NAME, type: string, required: true}
                      - {name: PAUSE, type: string, default: "0.05"}
                      - {name: CODE, type: integer, default: "0"}
                    tasks:
                      - name: begin
                        command: [sh, -c, '%s; sleep "$PAUSE"']
                      - name: end
                        command: [sh, -c, '%s; exit "$CODE"']
                    timeout: 1m
                    """.formatted(
                            id,
                            writeLine.replace("WHAT", "begin").replace("'", "''"),
                            writeLine.replace("WHAT", "end").replace("'", "''")));
        }
    }

    List<Line> read() throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> !line.isBlank()).map(Line::parse).toList();
        }
    }
}
