package dev.escapement.cli.command.execution;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiException;
import dev.escapement.cli.command.DocumentCommand;
import dev.escapement.cli.option.InputFile;
import dev.escapement.cli.option.NamespaceOption;
import dev.escapement.common.Json;
import java.util.ArrayList;
import java.util.List;
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

    @Override
    protected int execute(ApiClient api) {
        ExecutionManifest manifest = new ExecutionManifest(namespace.name());
        files.forEach(file -> manifest.read(InputFile.displayName(file), InputFile.read(file, context)));
        if (!manifest.problems().isEmpty()) {
            manifest.problems().forEach(problem -> terminal.printError("escapement apply: " + problem));
            terminal.printError("escapement apply: no execution was created");
            return ExitCodes.USAGE;
        }
        int exitCode = ExitCodes.OK;
        for (ExecutionManifest.Item item : manifest.items()) {
            int itemCode = dryRun ? printResult(item, "valid (dry run)") : submit(api, item);
            exitCode = exitCode == ExitCodes.OK ? itemCode : exitCode;
        }
        return exitCode;
    }

    private int submit(ApiClient api, ExecutionManifest.Item item) {
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

    private int printResult(ExecutionManifest.Item item, String result) {
        terminal.printSafeLine("execution %s %s".formatted(item.request().ref(), result));
        return ExitCodes.OK;
    }
}
