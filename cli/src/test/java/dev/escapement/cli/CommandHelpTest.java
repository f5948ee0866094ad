package dev.escapement.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The help of every command, and its agreement with the documentation. */
class CommandHelpTest {

    private final CommandLineHarness cli;

    CommandHelpTest(@TempDir Path home) {
        cli = new CommandLineHarness(home);
    }

    private List<String> listCommands(String... above) {
        List<String> args = new ArrayList<>(List.of(above));
        args.add("--help");
        cli.run(args.toArray(String[]::new));
        List<String> found = new ArrayList<>();
        String list = cli.out().contains("Commands:") ? cli.out().split("Commands:", 2)[1] : "";
        Pattern.compile("(?m)^  (?!escapement)([a-z]+)[, ]")
                .matcher(list)
                .results()
                .forEach(match -> found.add(match.group(1)));
        return found;
    }

    @Test
    void everyCommandHelpHasExamplesAndExitCodesAndFitsWidth() {
        List<String> commands = listCommands();
        assertThat(commands)
                .contains(
                        "run",
                        "apply",
                        "get",
                        "describe",
                        "logs",
                        "explain",
                        "clear",
                        "cancel",
                        "delete",
                        "events",
                        "endpoint",
                        "runs",
                        "ladder");
        commands.remove("help");
        for (String command : commands) {
            List<String> below = listCommands(command);
            for (String[] path : below.isEmpty()
                    ? new String[][] {{command, "--help"}}
                    : below.stream()
                            .map(sub -> new String[] {command, sub, "--help"})
                            .toArray(String[][]::new)) {
                assertThat(cli.run(path)).isEqualTo(ExitCodes.OK);
                assertThat(cli.out())
                        .describedAs(String.join(" ", path))
                        .contains("Example", "  escapement ", "Exit codes:", "  0   success")
                        .doesNotContain("null", "PARAM");
                assertThat(cli.out().lines()).allMatch(line -> line.length() <= 110);
            }
        }
    }

    @Test
    void documentationListsEveryCommandAndExitCode() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "cli.md"));
        assertThat(readTable(page, "command").keySet().stream().map(name -> name.replace("`", "")))
                .containsExactlyInAnyOrderElementsOf(listCommands());
        Map<String, String> expected = new LinkedHashMap<>();
        ExitCodes.MEANINGS.forEach((code, meaning) -> expected.put(Integer.toString(code), meaning));
        assertThat(readTable(page, "code")).containsExactlyEntriesOf(expected);
    }

    @Test
    void documentationListsEveryEndpointCommand() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "cli.md"));
        assertThat(readTable(page, "of `endpoint`").keySet().stream().map(name -> name.replace("`", "")))
                .containsExactlyElementsOf(listCommands("endpoint"));
    }

    /** Reads the first two columns of the table whose first column has this title. */
    private static Map<String, String> readTable(String page, String title) {
        Map<String, String> rows = new LinkedHashMap<>();
        List<String> lines = page.lines().toList();
        int start = lines.indexOf(lines.stream()
                .filter(line -> line.startsWith("| " + title + " |"))
                .findFirst()
                .orElseThrow());
        for (String line : lines.subList(start + 2, lines.size())) {
            if (!line.startsWith("|")) {
                break;
            }
            String[] cells = line.split("\\|", -1);
            rows.put(cells[1].strip(), cells[2].strip());
        }
        return rows;
    }

    @Test
    void printsCompletionScriptForBashAndZsh() {
        assertThat(cli.run("completion", "bash")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).startsWith("#!/usr/bin/env bash").contains("_complete_escapement", "--namespace");
        assertThat(cli.run("completion", "zsh")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).startsWith("autoload");
        assertThat(cli.run("completion", "fish")).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    void printsVersionAsTextAndJson() {
        assertThat(cli.run("version")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).startsWith("escapement ").contains("Java ");
        assertThat(cli.run("version", "-o", "json")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).contains("\"version\"");
    }
}
