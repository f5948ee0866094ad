package dev.escapement.cli.command;

import static dev.escapement.cli.SimulatedServer.error;
import static dev.escapement.cli.SimulatedServer.json;
import static dev.escapement.cli.SimulatedServer.stream;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.escapement.cli.ClientCommandTestBase;
import dev.escapement.cli.ExitCodes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GetCommandTest extends ClientCommandTestBase {

    private static final String ONE = executionJson("one", "default", "{\"phase\":\"Completed\"}");
    private static final String TWO = executionJson(
            "two",
            "payment",
            "{\"phase\":\"Skipped\",\"skipDetails\":{\"reason\":\"ResourceBusy\",\"message\":\"held by one\"}}");
    private static final String HELD_TARGET = """
            {"metadata":{"name":"wfe-0123456789abcdef"},"spec":{"targetResource":"node/n"},
             "status":{"state":"Held","epoch":7,"holder":{"name":"one","namespace":"default","workflowId":"w","startedAt":"2026-11-15T11:59:00Z"},
             "retry":{"consecutiveFailures":2,"nextAllowedExecution":"2026-11-15T12:04:00Z","last":{"name":"zero","namespace":"default","completedAt":"2026-11-15T11:50:00Z","reason":"ConfigurationError"}}}}""";

    GetCommandTest(@TempDir Path home) throws IOException {
        super(home);
        server.respondTo("GET /api/v1/executions", listJson("", ONE, TWO))
                .respondTo("GET /api/v1/targets", listJson("", HELD_TARGET));
    }

    private static String executionJson(String name, String namespace, String status) {
        return """
                {"metadata":{"name":"%s","namespace":"%s","uid":"u-%1$s","creationTimestamp":"2026-11-15T11:57:00Z"},
                 "spec":{"workflowRef":{"workflowId":"w"},"targetResource":"node/n"},"status":%s}""".formatted(name, namespace, status);
    }

    private static String listJson(String token, String... items) {
        return "{\"items\":[%s],\"metadata\":{\"continue\":\"%s\"}}".formatted(String.join(",", items), token);
    }

    @Test
    void printsExecutionTableWithNonDefaultNamespaces() {
        assertThat(cli.run("get", "executions")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out().lines())
                .containsExactly(
                        "NAME         WORKFLOW  TARGET  PHASE      REASON        AGE",
                        "one          w         node/n  Completed  -             3m",
                        "payment/two  w         node/n  Skipped    ResourceBusy  3m");
    }

    @Test
    void sendsFiltersAsQueryParameters() {
        cli.run(
                "get",
                "wfe",
                "-n",
                "payment",
                "--phase",
                "SKIPPED",
                "--workflow",
                "w w",
                "--target",
                "node/n",
                "--limit",
                "7");
        assertThat(server.requests())
                .containsExactly(
                        "GET /api/v1/executions?namespace=payment&phase=Skipped&workflow=w%20w&target=node%2Fn&limit=7");
        assertThat(cli.run("get", "executions", "--phase", "Done")).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err()).contains("expected one of [Pending, Running, Completed, Failed, Skipped]");
    }

    @Test
    void readsPagesUpToLimitAndReportsMore() {
        server.respondTo("GET /api/v1/executions", json(200, listJson("next", ONE, TWO)));
        assertThat(cli.run("get", "executions", "--limit", "3")).isEqualTo(ExitCodes.OK);
        assertThat(server.requests())
                .containsExactly("GET /api/v1/executions?limit=3", "GET /api/v1/executions?limit=1&continue=next");
        server.respondTo(
                "GET /api/v1/executions",
                json(200, listJson("a", ONE)),
                json(200, listJson("b", TWO)),
                json(200, listJson("")));
        assertThat(cli.run("get", "executions", "--all", "-o", "name")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out().lines()).containsExactly("one", "two");
        server.respondTo("GET /api/v1/executions", json(200, listJson("a", ONE)));
        cli.run("get", "executions", "--limit", "1");
        assertThat(cli.err()).contains("showing the first 1; use --limit N or --all");
    }

    @Test
    void stopsPagingWhenContinueTokenRepeats() {
        server.respondTo("GET /api/v1/executions", json(200, listJson("same", ONE)));
        assertThat(cli.run("get", "executions", "--all", "-o", "name")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out().lines()).containsExactly("one", "one");
    }

    @Test
    void printsUnchangedDocumentsAsJsonAndYaml() throws IOException {
        cli.run("get", "executions", "-o", "json");
        assertThat(new JsonMapper().readTree(cli.out()).at("/items/1")).isEqualTo(new JsonMapper().readTree(TWO));
        cli.run("get", "executions", "-o", "yaml");
        assertThat(new YAMLMapper().readTree(cli.out()).at("/items/0")).isEqualTo(new JsonMapper().readTree(ONE));
        server.respondTo("GET /api/v1/executions/one", ONE);
        cli.run("get", "execution", "one", "-o", "json");
        assertThat(new JsonMapper().readTree(cli.out())).isEqualTo(new JsonMapper().readTree(ONE));
        assertThat(server.requests()).last().isEqualTo("GET /api/v1/executions/one?namespace=default");
    }

    @Test
    void quotesYamlStringsThatLookLikeOtherTypes() throws IOException {
        String odd =
                "{\"a\":\"1\",\"b\":\"true\",\"c\":\"null\",\"d\":\"no\",\"e\":\"1.5\",\"f\":\"- x\",\"g\":\"two\\nlines\",\"h\":\"é\\u0007\",\"i\":\"2026-11-15T12:00:00Z\",\"j\":\"0x1f\",\"k\":\"~\",\"l\":\"\"}";
        server.respondTo("GET /api/v1/executions/one", odd);
        cli.run("get", "execution", "one", "-o", "yaml");
        assertThat(new YAMLMapper().readTree(cli.out())).isEqualTo(new JsonMapper().readTree(odd));
        assertThat(cli.out()).doesNotContain("\u0007").startsWith("a: \"1\"");
    }

    @Test
    void printsEmptyListMessageToStandardError() {
        server.respondTo("GET /api/v1/executions", listJson(""));
        assertThat(cli.run("get", "executions", "--phase", "failed")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out()).isEmpty();
        assertThat(cli.err()).isEqualToIgnoringNewLines("no executions match");
    }

    @Test
    void usesColoursOnlyOnColourTerminal() {
        cli.run("get", "executions");
        assertThat(cli.out()).doesNotContain("\u001b");
        cli.colour = true;
        cli.run("get", "executions");
        assertThat(cli.out()).contains("\u001b[32mCompleted\u001b[0m");
    }

    @Test
    void encodesNamesThatLookLikePaths() {
        assertThat(cli.run("get", "execution", "../targets?x")).isEqualTo(ExitCodes.NOT_FOUND);
        assertThat(server.requests()).containsExactly("GET /api/v1/executions/..%2Ftargets%3Fx?namespace=default");
        assertThat(cli.run("get", "execution", "..")).isEqualTo(ExitCodes.NOT_FOUND);
        assertThat(server.requests()).last().isEqualTo("GET /api/v1/executions/%2E%2E?namespace=default");
        assertThat(cli.run("get", "execution", "")).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    void watchPrintsRowPerChangeAndReconnects() {
        server.respondTo("GET /api/v1/events", stream("""
                                id: 1
                                event: WorkflowSkipped
                                data: {"execution":{"name":"two","namespace":"payment"},"workflow":"w","target":"node/n"}

                                event: Progress
                                data: {"execution":{"name":"two","namespace":"payment"}}

                                id: 2
                                event: ExecutionDeleted
                                data: {"execution":{"name":"gone","namespace":"payment"}}

                                """), error(401, "enough"))
                .respondTo("GET /api/v1/executions/two", TWO);
        assertThat(cli.run("get", "executions", "--watch")).isEqualTo(ExitCodes.UNAUTHORIZED);
        assertThat(cli.out().lines())
                .containsExactly(
                        "NAME         WORKFLOW  TARGET  PHASE      REASON        AGE",
                        "one          w         node/n  Completed  -             3m",
                        "payment/two  w         node/n  Skipped    ResourceBusy  3m",
                        "payment/two  w         node/n  Skipped    ResourceBusy  3m");
    }

    @Test
    void printsTargetTableWithHolderAndNextAllowedTime() {
        assertThat(cli.run("get", "targets", "--state", "failing", "-o", "wide"))
                .isEqualTo(ExitCodes.OK);
        assertThat(server.requests()).containsExactly("GET /api/v1/targets?state=failing&limit=50");
        assertThat(cli.out())
                .contains(
                        "node/n",
                        "Held",
                        "one",
                        "2026-11-15T12:04:00Z (in 4m)",
                        "wfe-0123456789abcdef",
                        "ConfigurationError zero, 10m ago");
        cli.run("get", "targets", "-o", "name");
        assertThat(cli.out()).isEqualToIgnoringNewLines("node/n");
    }

    @Test
    void reportsInvalidWorkflowFiles() {
        server.respondTo(
                "GET /api/v1/workflows",
                "{\"items\":[{\"id\":\"w\",\"version\":\"1\",\"description\":\"cleans\",\"tasks\":[{},{}],\"parameters\":[{\"name\":\"A\",\"required\":true},{\"name\":\"B\"}]}],\"problems\":[{\"file\":\"x.yaml\",\"message\":\"no id\"}]}");
        assertThat(cli.run("get", "workflows")).isEqualTo(ExitCodes.OK);
        assertThat(cli.out().lines())
                .containsExactly(
                        "ID  VERSION  TASKS  PARAMETERS  DESCRIPTION", "w   1        2      A*,B        cleans");
        assertThat(cli.err()).isEqualToIgnoringNewLines("invalid workflow file x.yaml: no id");
    }

    @Test
    void rejectsGetAndDescribeWithoutKind() {
        assertThat(cli.run("get")).isEqualTo(ExitCodes.USAGE);
        assertThat(cli.err()).contains("missing subcommand: name one of executions, targets, workflows");
        assertThat(cli.run("describe")).isEqualTo(ExitCodes.USAGE);
        assertThat(List.of("get", "describe")).allSatisfy(command -> {
            assertThat(cli.run(command, "--help")).isEqualTo(ExitCodes.OK);
            assertThat(cli.out()).contains("Examples:");
        });
    }
}
