package dev.escapement.cli.command.execution;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.api.execution.WorkflowExecution;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiException;
import dev.escapement.cli.command.DocumentCommand;
import dev.escapement.cli.command.YamlDocument;
import dev.escapement.cli.option.InputFile;
import dev.escapement.cli.option.NamespaceOption;
import dev.escapement.common.Json;
import dev.escapement.common.SafeText;
import dev.escapement.engine.execution.Execution;
import dev.escapement.server.document.DocumentParser;
import dev.escapement.server.document.DocumentParser.DocumentException;
import dev.escapement.server.document.ExecutionRequestParser;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "apply",
        description = {
            "Creates the executions in YAML or JSON files; the format is the one for kubectl.",
            "",
            "A file may hold several documents, separated by lines of three dashes. If any document is invalid,",
            "nothing is sent. Applying a file again changes nothing. A spec is immutable: the same name with a",
            "different spec is rejected."
        },
        footer = {
            "  escapement apply -f executions.yaml",
            "  escapement apply --dry-run -f executions.yaml",
            "  escapement get execution one -o yaml | sed 's/name: one/name: two/' | escapement apply -f -"
        })
@ExitCodes.Documented(ExitCodes.CONFLICT)
public final class ApplyCommand extends DocumentCommand {

    private static final int MAX_SHOWN_KIND_LENGTH = 100;
    private static final int MAX_DOCUMENT_LENGTH = 1 << 20;

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            required = true,
            description = "File, or - for standard input; repeatable.")
    private List<String> files = new ArrayList<>();

    @Option(names = "--dry-run", description = "Only check the files; send nothing.")
    private boolean dryRun;

    @Mixin
    private final NamespaceOption namespace = new NamespaceOption();

    private final List<Item> items = new ArrayList<>();

    /** One line per problem, with file, document and line; all are collected before anything is sent. */
    private final List<String> problems = new ArrayList<>();

    private final Set<String> seenNames = new HashSet<>();

    /**
     * One execution.
     *
     * @param location file and document, for messages
     * @param document as written in the file
     * @param request the parsed document
     */
    private record Item(String location, Map<String, Object> document, Execution request) {}

    @Override
    protected int execute(ApiClient api) {
        files.forEach(file -> read(InputFile.displayName(file), InputFile.read(file, context)));
        if (!problems.isEmpty()) {
            problems.forEach(problem -> terminal.printError("escapement apply: " + problem));
            terminal.printError("escapement apply: no execution was created");
            return ExitCodes.USAGE;
        }
        int exitCode = ExitCodes.OK;
        for (Item item : items) {
            int itemCode = dryRun ? printResult(item, "valid (dry run)") : submit(api, item);
            exitCode = exitCode == ExitCodes.OK ? itemCode : exitCode;
        }
        return exitCode;
    }

    private int submit(ApiClient api, Item item) {
        ObjectNode document = Json.mapper().valueToTree(item.document());
        document.withObject("/metadata").put("namespace", item.request().ref().namespace());
        document.remove("status");
        try {
            ExecutionSubmission submission = ExecutionSubmission.submit(api, document);
            return output.printIfMachineReadable(
                            submission.execution().document(),
                            item.request().ref().name(),
                            terminal)
                    ? ExitCodes.OK
                    : printResult(item, submission.created() ? "created" : "unchanged");
        } catch (ApiException failure) {
            terminal.printError("escapement apply: %s: %s".formatted(item.location(), failure.getMessage()));
            return ExitCodes.forFailure(failure);
        }
    }

    private int printResult(Item item, String result) {
        terminal.printSafeLine("execution %s %s".formatted(item.request().ref(), result));
        return ExitCodes.OK;
    }

    private void read(String source, String text) {
        int before = items.size() + problems.size();
        for (YamlDocument part : YamlDocument.split(text)) {
            String location = "%s, document %d (line %d)".formatted(source, part.number(), part.line());
            if (part.text().length() > MAX_DOCUMENT_LENGTH) {
                // The server would reject it, and parsing could take minutes.
                problems.add("%s: document has %d characters: the maximum is %d"
                        .formatted(location, part.text().length(), MAX_DOCUMENT_LENGTH));
                continue;
            }
            try {
                add(location, DocumentParser.read(part.textWithLineOffset(), part.format()));
            } catch (DocumentException malformed) {
                problems.add("%s, document %d: %s".formatted(source, part.number(), malformed.getMessage()));
            }
        }
        if (items.size() + problems.size() == before) {
            problems.add(source + ": contains no document");
        }
    }

    private void add(String location, Map<String, Object> document) {
        if (document.get("kind") instanceof String kind
                && kind.endsWith("List")
                && document.get("items") instanceof List<?> list) {
            int number = 0;
            for (Object item : list) {
                number++;
                addOne(location + ", item " + number, item);
            }
        } else {
            addOne(location, document);
        }
    }

    private void addOne(String location, Object item) {
        try {
            items.add(parse(location, item));
        } catch (IllegalArgumentException invalid) {
            problems.add(location + ": " + invalid.getMessage());
        }
    }

    private Item parse(String location, Object item) {
        if (!(item instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException("not an object with keys and values");
        }
        Map<String, Object> document = YamlDocument.withStringKeys(map);
        Object kind = document.getOrDefault("kind", "");
        if (!kind.equals(WorkflowExecution.KIND)) {
            String shown = SafeText.quote(kind.toString(), MAX_SHOWN_KIND_LENGTH);
            throw new IllegalArgumentException(
                    "kind is %s: only %s can be applied".formatted(shown, WorkflowExecution.KIND));
        }
        if (!(document.get("metadata") instanceof Map<?, ?> metadata) || metadata.get("name") == null) {
            throw new IllegalArgumentException("metadata.name is missing: apply needs a name, so that applying a"
                    + " file twice creates the execution once");
        }
        Execution request = ExecutionRequestParser.parse(document, namespace.name(), "0", Instant.EPOCH);
        String name = request.ref().namespace() + "/" + request.ref().name();
        if (!seenNames.add(name)) {
            throw new IllegalArgumentException("duplicate execution " + name);
        }
        return new Item(location, document, request);
    }
}
