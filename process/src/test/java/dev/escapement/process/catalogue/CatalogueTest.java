package dev.escapement.process.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.ExecutionSpec.ExecutionConfig;
import dev.escapement.engine.execution.ExecutionSpec.WorkflowRef;
import dev.escapement.process.catalogue.Workflow.WorkflowTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CatalogueTest {

    private final Path folder;
    private final Catalogue catalogue;

    CatalogueTest(@TempDir Path folder) {
        this.folder = folder;
        this.catalogue = new Catalogue(folder);
    }

    private void writeFile(String name, String... lines) throws IOException {
        Files.writeString(folder.resolve(name), String.join("\n", lines) + "\n");
    }

    private void writeWorkflow(String file, String id, String version) throws IOException {
        writeFile(file, "id: " + id, "version: '" + version + "'", "tasks: [{name: a, command: [\"true\"]}]");
    }

    private List<String> problemTexts() {
        return catalogue.problems().stream().map(CatalogueProblem::toString).toList();
    }

    @Test
    void readsAllFieldsOfWorkflow() throws IOException {
        writeFile(
                "clean.yaml",
                "id: clean-disk",
                "version: 1.10",
                "description: Frees space.",
                "timeout: 10m",
                "parameters:",
                "  - {name: LIMIT, type: integer, required: true, description: How much.}",
                "  - {name: MODE, enum: [soft, hard], default: soft}",
                "  - {name: NAME, pattern: '[a-z]+'}",
                "tasks:",
                "  - {name: find, command: [find, /tmp, -size, 5], timeout: 30s}",
                "  - {name: drop, command: [./drop.sh], workingDirectory: scripts}");
        assertThat(problemTexts()).isEmpty();
        Workflow workflow = catalogue.find("clean-disk", "").orElseThrow();
        assertThat(workflow.label()).isEqualTo("clean-disk 1.10");
        assertThat(workflow.description()).isEqualTo("Frees space.");
        assertThat(workflow.timeout()).isEqualTo(Duration.ofMinutes(10));
        assertThat(workflow.parameters()).extracting(WorkflowParameter::name).containsExactly("LIMIT", "MODE", "NAME");
        assertThat(workflow.parameters().get(0).required()).isTrue();
        assertThat(workflow.parameters().get(1).defaultValue()).contains("soft");
        assertThat(workflow.tasks())
                .containsExactly(
                        new WorkflowTask(
                                "find",
                                List.of("find", "/tmp", "-size", "5"),
                                Optional.of(Duration.ofSeconds(30)),
                                folder),
                        new WorkflowTask("drop", List.of("./drop.sh"), Optional.empty(), folder.resolve("scripts")));
    }

    @Test
    void readsOnlyYamlFilesThatAreNotHidden() throws IOException {
        for (String file : List.of("a.yml", "b.yaml", ".c.yaml", ".yaml", "d.yaml~", "e.json")) {
            writeWorkflow(file, file.replaceAll("[^a-z]", ""), "1");
        }
        assertThat(catalogue.workflows()).extracting(Workflow::id).containsExactlyInAnyOrder("ayml", "byaml");
        assertThat(problemTexts()).isEmpty();
    }

    @Test
    void defaultTimeoutIsThirtyMinutes() throws IOException {
        writeWorkflow("a.yaml", "a", "1");
        assertThat(catalogue.workflows()).extracting(Workflow::timeout).containsExactly(Duration.ofMinutes(30));
    }

    @Test
    void reportsAllProblemsWithTheirPosition() throws IOException {
        writeFile(
                "bad.yaml",
                "id: clean disk",
                "timeout: soon",
                "owner: me",
                "parameters:",
                "  - {name: PATH}",
                "  - {name: 2ND, type: text}",
                "  - {name: COUNT, type: integer, default: many}",
                "  - {name: COUNT, required: true, default: x}",
                "tasks:",
                "  - {name: a, command: echo hi}",
                "  - {name: a, command: [-x], comand: [y]}",
                "  - []");
        assertThat(catalogue.workflows()).isEmpty();
        assertThat(problemTexts())
                .containsExactly(
                        "bad.yaml: line 3: unknown key \"owner\": valid keys are id, version, description, timeout,"
                                + " parameters, tasks",
                        "bad.yaml: line 1, id: must be letters, digits, dots, dashes and underscores, at most 253",
                        "bad.yaml: line 5, parameters[0].name: \"PATH\" is reserved for the system, shells or"
                                + " Escapement: choose another name",
                        "bad.yaml: line 6, parameters[1].name: \"2ND\" must be letters, digits and underscores, and not"
                                + " start with a digit: it becomes an environment variable",
                        "bad.yaml: line 6, parameters[1].type: is \"text\": write string, integer, number, boolean or"
                                + " duration",
                        "bad.yaml: line 7, parameters[2].default: is \"many\": it must be a whole number such as 3"
                                + " (integer)",
                        "bad.yaml: line 8, parameters[3].name: \"COUNT\" is used by an earlier parameter: choose"
                                + " another",
                        "bad.yaml: line 8, parameters[3].default: is never used, because the parameter is required:"
                                + " remove one of the two",
                        "bad.yaml: line 10, tasks[0].command: must be a list",
                        "bad.yaml: line 10, tasks[0].command: must be a list that starts with a program, such as"
                                + " [sh, scripts/drain.sh]",
                        "bad.yaml: line 11, tasks[1]: unknown key \"comand\": valid keys are name, command, timeout,"
                                + " workingDirectory",
                        "bad.yaml: line 11, tasks[1].name: \"a\" is used by an earlier task: choose another",
                        "bad.yaml: line 11, tasks[1].command: starts with \"-x\": a program name cannot start with"
                                + " a dash",
                        "bad.yaml: line 12, tasks[2]: must be a mapping with the keys name, command, timeout,"
                                + " workingDirectory",
                        "bad.yaml: line 12, tasks[2].command: must be a list that starts with a program, such as"
                                + " [sh, scripts/drain.sh]",
                        "bad.yaml: line 2, timeout: \"soon\" is not a duration: write 30s, 5m, 1h30m, 250ms, or"
                                + " ISO-8601 such as PT5M");
    }

    @Test
    void reportsYamlSyntaxErrorWithLine() throws IOException {
        writeFile("broken.yaml", "id: a", "tasks: [", "  }");
        assertThat(problemTexts()).singleElement().asString().startsWith("broken.yaml: line 3: not a YAML document");
    }

    @Test
    void reportsDuplicateKey() throws IOException {
        writeFile("twice.yaml", "id: a", "id: b", "tasks: [{name: a, command: [\"true\"]}]");
        assertThat(problemTexts()).containsExactly("twice.yaml: line 2, id: is duplicated: remove one of the two");
    }

    @Test
    void invalidFileDoesNotHideValidOnes() throws IOException {
        writeFile("bad.yaml", "no: workflow");
        writeFile("empty.yaml");
        writeFile("two.yaml", "id: a", "---", "id: b");
        Files.write(folder.resolve("latin.yaml"), new byte[] {'i', 'd', ':', ' ', (byte) 0xE9});
        Files.createDirectory(folder.resolve("folder.yaml"));
        writeFile("notes.txt", "no workflow at all");
        writeWorkflow("good.yaml", "good", "1");
        assertThat(catalogue.workflows()).extracting(Workflow::id).containsExactly("good");
        assertThat(catalogue.problems())
                .extracting(CatalogueProblem::file)
                .contains("bad.yaml", "empty.yaml", "two.yaml", "latin.yaml", "folder.yaml")
                .doesNotContain("notes.txt", "good.yaml");
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void ignoresPipeWithoutWaitingForItsWriter() throws Exception {
        int exitCode = new ProcessBuilder("mkfifo", folder.resolve("pipe.yaml").toString())
                .start()
                .waitFor();
        assertThat(exitCode).isZero();
        writeWorkflow("good.yaml", "good", "1");
        assertThat(catalogue.workflows()).extracting(Workflow::id).containsExactly("good");
        assertThat(problemTexts()).containsExactly("pipe.yaml: is not a regular file: remove it, or rename it");
    }

    @Test
    void doesNotReadBeyondTheLimit() throws IOException {
        Files.write(folder.resolve("large.yaml"), new byte[(1 << 20) + 1]);
        assertThat(problemTexts()).containsExactly("large.yaml: has more than 1048576 bytes, which is the limit");
    }

    @Test
    void followsLinksOnlyInsideOfTheFolder(@TempDir Path elsewhere) throws IOException {
        Path secret = Files.writeString(elsewhere.resolve("shadow"), "root-secret: x");
        Files.createSymbolicLink(folder.resolve("out.yaml"), secret);
        Files.createDirectory(folder.resolve("..data"));
        writeWorkflow("..data/in.yaml", "inside", "1");
        Files.createSymbolicLink(folder.resolve("in.yaml"), Path.of("..data", "in.yaml"));
        assertThat(catalogue.workflows()).extracting(Workflow::id).containsExactly("inside");
        assertThat(problemTexts())
                .containsExactly("out.yaml: is a link to a file outside of the folder: copy the file instead");
        Path linkedFolder = Files.createSymbolicLink(elsewhere.resolve("linked"), folder);
        assertThat(new Catalogue(linkedFolder).workflows())
                .extracting(Workflow::id)
                .containsExactly("inside");
    }

    @Test
    void defaultThatWouldBacktrackForeverIsChecked() throws IOException {
        String value = "a".repeat(3000) + "!";
        writeFile(
                "slow.yaml",
                "id: slow",
                "parameters: [{name: NAME, pattern: '(a+)+', default: '" + value + "'}]",
                "tasks: [{name: a, command: [\"true\"]}]");
        assertThat(problemTexts()).singleElement().asString().contains("parameters[0].default: is \"aaaa");
    }

    @Test
    void firstOfTwoFilesWithSameWorkflowWins() throws IOException {
        writeWorkflow("a.yaml", "same", "1");
        writeWorkflow("b.yaml", "same", "1");
        assertThat(catalogue.workflows()).hasSize(1);
        assertThat(problemTexts())
                .containsExactly(
                        "b.yaml: id: workflow same 1 is already defined in a.yaml: change the id or version of this"
                                + " one");
    }

    @Test
    void findsHighestVersionByDefault() throws IOException {
        writeWorkflow("a.yaml", "w", "1.9");
        writeWorkflow("b.yaml", "w", "1.10");
        writeWorkflow("c.yaml", "w", "1.2");
        assertThat(catalogue.find("w", "").orElseThrow().version()).isEqualTo("1.10");
        assertThat(catalogue.find("w", "1.2").orElseThrow().version()).isEqualTo("1.2");
        assertThat(catalogue.find("w", "2")).isEmpty();
        assertThat(catalogue.find("v", "")).isEmpty();
    }

    @Test
    void rereadsChangedFiles() throws IOException {
        assertThat(catalogue.workflows()).isEmpty();
        writeWorkflow("a.yaml", "first", "1");
        assertThat(catalogue.find("first", "")).isPresent();
        writeWorkflow("a.yaml", "second-one", "1");
        assertThat(catalogue.find("first", "")).isEmpty();
        assertThat(catalogue.find("second-one", "")).isPresent();
        Files.delete(folder.resolve("a.yaml"));
        assertThat(catalogue.workflows()).isEmpty();
    }

    @Test
    void doesNotRereadUnchangedFiles() throws IOException {
        writeWorkflow("a.yaml", "a", "1");
        assertThat(catalogue.find("a", "").orElseThrow())
                .isSameAs(catalogue.find("a", "").orElseThrow());
    }

    @Test
    void reportsMissingFolderUntilItExists() throws IOException {
        Catalogue later = new Catalogue(folder.resolve("later"));
        assertThat(later.workflows()).isEmpty();
        assertThat(later.problems()).singleElement().asString().contains("does not exist");
        Files.createDirectory(folder.resolve("later"));
        assertThat(later.problems()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PATH",
                "LD_PRELOAD",
                "HOME",
                "IFS",
                "ESCAPEMENT_RUN",
                "TARGET_RESOURCE",
                "BASH_ENV",
                "ENV",
                "",
                "a-b",
                "DYLD_INSERT_LIBRARIES",
                "UID",
                "a b",
                "é",
                "A=B",
                "a\nb"
            })
    void refusesReservedParameterNames(String name) {
        assertThat(WorkflowReader.findNameProblem(name)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"SIZE", "size", "_x", "A1", "PATH_PREFIX", "HOMEPAGE"})
    void acceptsOrdinaryParameterNames(String name) {
        assertThat(WorkflowReader.findNameProblem(name)).isEmpty();
    }

    private static ExecutionSpec request(String version, Map<String, String> parameters) {
        return new ExecutionSpec(
                new WorkflowRef("scale", version, "image", ""),
                "node/worker-1",
                new TreeMap<>(parameters),
                Optional.empty(),
                Optional.empty(),
                "",
                ExecutionConfig.DEFAULT);
    }

    @Test
    void declarationNeedsNoTasksAndTakesAnyNames() throws IOException {
        writeFile("scale.yaml", "id: scale", "parameters: [{name: replica-count, type: integer, required: true}]");
        Catalogue declarations = Catalogue.ofDeclarations(folder);

        assertThat(declarations.problems()).isEmpty();
        assertThat(declarations.findParameterProblem(request("1", Map.of("replica-count", "3"))))
                .isEmpty();
        assertThat(declarations.findParameterProblem(request("1", Map.of())))
                .hasValueSatisfying(problem -> assertThat(problem).contains("replica-count is missing"));
        assertThat(problemTexts()).anyMatch(text -> text.contains("tasks")).anyMatch(text -> text.contains("name"));
    }

    @Test
    void undeclaredWorkflowOrVersionIsNotChecked() throws IOException {
        writeFile("scale-2.yaml", "id: scale", "version: '2'", "parameters: [{name: A, required: true}]");
        Catalogue declarations = Catalogue.ofDeclarations(folder);

        assertThat(declarations.findParameterProblem(request("1", Map.of()))).isEmpty();
        assertThat(declarations.findParameterProblem(request("2", Map.of()))).isPresent();
        writeFile("scale.yaml", "id: scale", "parameters: [{name: B, required: true}]");
        assertThat(declarations.findParameterProblem(request("1", Map.of())))
                .hasValueSatisfying(problem -> assertThat(problem).contains("parameter B is missing"));
        assertThat(declarations.findParameterProblem(request("2", Map.of())))
                .hasValueSatisfying(problem -> assertThat(problem).contains("parameter A is missing"));
    }
}
