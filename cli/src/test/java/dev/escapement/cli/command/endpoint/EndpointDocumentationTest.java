package dev.escapement.cli.command.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.http.CallResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The documentation of endpoints agrees with the code. */
class EndpointDocumentationTest {

    private static final Path ROOT = Path.of("..");

    private static List<String> readFirstColumn(String document, String title) throws IOException {
        List<String> lines =
                Files.readString(ROOT.resolve("docs").resolve(document)).lines().toList();
        int start = lines.indexOf(lines.stream()
                .filter(line -> line.startsWith("| " + title + " |"))
                .findFirst()
                .orElseThrow());
        return lines.subList(start + 2, lines.size()).stream()
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.split("\\|", -1)[1].strip().replace("`", ""))
                .toList();
    }

    @Test
    void guideListsEveryField() throws IOException {
        EndpointFileParser files = new EndpointFileParser();
        files.read("x", "unknown: 1\nname: a\nurl: https://a.example\ninterval: 1m\n");
        String known = Pattern.compile("\\(fields: (.*)\\)")
                .matcher(files.problems.get(0))
                .results()
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow();
        assertThat(readFirstColumn("endpoints.md", "field")).containsExactlyInAnyOrder(known.split(", "));
    }

    /** An aborted call is repeated, so no run is recorded with that failure. */
    @Test
    void schedulingPageListsEveryFailure() throws IOException {
        assertThat(readFirstColumn("concepts/scheduling.md", "failure"))
                .containsExactlyElementsOf(Stream.of(CallResult.Failure.values())
                        .filter(failure -> failure != CallResult.Failure.ABORTED)
                        .map(Enum::name)
                        .toList());
    }

    @Test
    void examplesAreValidEndpoints() throws IOException {
        EndpointFileParser files = new EndpointFileParser();
        try (Stream<Path> examples = Files.list(ROOT.resolve("examples/endpoints"))) {
            for (Path example : examples.sorted().toList()) {
                files.read(example.toString(), Files.readString(example));
            }
        }
        assertThat(files.problems).isEmpty();
        assertThat(files.entries)
                .extracting(EndpointFileParser.EndpointFileEntry::name)
                .containsExactly("health", "nightly-report", "gateway-live", "gateway-ready");
    }
}
