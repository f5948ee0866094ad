package dev.escapement.cli.command.execution;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiException;
import dev.escapement.cli.command.ClientCommand;
import dev.escapement.cli.option.InputFile;
import dev.escapement.cli.option.NamespaceOption;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.terminal.TerminalText;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Asks for the executions that files describe. */
@Command(
        name = "apply",
        sortOptions = false,
        description = {
            "Asks for the executions that files describe: the same YAML as for kubectl, or JSON.",
            "",
            "A file may hold several documents, separated by lines of three dashes. If anything is wrong with",
            "any of them, nothing is sent. Applying the same again changes nothing; a spec is immutable, so the",
            "same name with another spec is refused.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  escapement apply -f executions.yaml",
            "  escapement apply --dry-run -f executions.yaml",
            "  escapement get execution one -o yaml | sed 's/name: one/name: two/' | escapement apply -f -"
        })
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.CONFLICT})
public final class ApplyCommand extends ClientCommand {

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            required = true,
            description = "The file, or - for standard input; may be given several times.")
    private List<String> files = new ArrayList<>();

    @Option(names = "--dry-run", description = "Only say whether the files are right; ask nothing.")
    private boolean dryRun;

    @Mixin
    private final NamespaceOption namespace = new NamespaceOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    ApplyCommand(CommandContext surroundings) {
        super(surroundings);
    }

    @Override
    protected int execute(ApiClient api) {
        ExecutionManifest manifest = new ExecutionManifest(namespace.name());
        files.forEach(file -> manifest.read(InputFile.displayName(file), InputFile.read(file, context)));
        if (!manifest.problems().isEmpty()) {
            manifest.problems()
                    .forEach(
                            problem -> terminal.err().println("escapement apply: " + TerminalText.singleLine(problem)));
            terminal.err().println("escapement apply: nothing was asked for");
            return ExitCodes.USAGE;
        }
        int exitCode = ExitCodes.OK;
        for (ExecutionManifest.Item item : manifest.items()) {
            int one = dryRun ? printResult(item, "valid (dry run)") : submit(api, item);
            exitCode = exitCode == ExitCodes.OK ? one : exitCode;
        }
        return exitCode;
    }

    private int submit(ApiClient api, ExecutionManifest.Item item) {
        ObjectNode document = new JsonMapper().valueToTree(item.document());
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
            terminal.err()
                    .println("escapement apply: %s: %s"
                            .formatted(TerminalText.singleLine(item.location()), failure.getMessage()));
            return ExitCodes.forFailure(failure);
        }
    }

    private int printResult(ExecutionManifest.Item item, String what) {
        terminal.printLine(TerminalText.singleLine(
                "execution %s %s".formatted(item.request().ref(), what)));
        return ExitCodes.OK;
    }
}
