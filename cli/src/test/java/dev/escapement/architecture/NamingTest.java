package dev.escapement.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Names and words stay plain: in the whole tree for names, in main code for words. */
class NamingTest {

    private static final Path ROOT = Path.of("..");

    private static List<Path> sources(String kind) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path sources : modules.map(module -> module.resolve(kind))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.walk(sources)) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(found::add);
                }
            }
        }
        return found;
    }

    private static List<Path> allSources() throws IOException {
        List<Path> all = sources("src/main/java");
        all.addAll(sources("src/test/java"));
        assertThat(all).hasSizeGreaterThan(500);
        return all;
    }

    private static List<String> check(List<Path> files, Function<String, List<String>> rule) throws IOException {
        List<String> violations = new ArrayList<>();
        for (Path file : files) {
            rule.apply(Files.readString(file)).forEach(violation -> violations.add(file + ": " + violation));
        }
        return violations;
    }

    @Test
    void everySimpleNameExistsOnce() throws IOException {
        assertThat(NamingRules.duplicateNames(
                        allSources().stream().map(Path::toString).toList()))
                .isEmpty();
    }

    @Test
    void noTypeIsNamedByGerundOrAdjective() throws IOException {
        assertThat(check(allSources(), NamingRules::moodNames)).isEmpty();
    }

    @Test
    void logAndErrorTextsUsePlainWords() throws IOException {
        assertThat(check(sources("src/main/java"), NamingRules::unclearWords)).isEmpty();
    }

    @Test
    void findsDuplicateNames() {
        assertThat(NamingRules.duplicateNames(List.of(
                        "storage/Fleet.java", "process/Fleet.java", "a/package-info.java", "b/package-info.java")))
                .containsExactly("one name, several types: storage/Fleet.java, process/Fleet.java");
    }

    @Test
    void findsGerundsAndAdjectives() {
        assertThat(NamingRules.moodNames("final class Leaving {}\n")).hasSize(1);
        assertThat(NamingRules.moodNames("public record Told(int x) {}\n")).hasSize(1);
        assertThat(NamingRules.moodNames("class CoalescingTask {}\npublic record Setting() {}\n"))
                .isEmpty();
    }

    @Test
    void findsUnclearWordsInStringsOnly() {
        assertThat(NamingRules.unclearWords("log.warn(\"nobody could be told\");"))
                .hasSize(2);
        assertThat(NamingRules.unclearWords("x = \"\"\"\n  the run is let go\n  \"\"\";"))
                .hasSize(1);
        assertThat(NamingRules.unclearWords("// nobody\nString nobody = \"the caller\";"))
                .isEmpty();
    }
}
