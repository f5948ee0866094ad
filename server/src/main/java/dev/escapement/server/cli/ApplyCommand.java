package dev.escapement.server.cli;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.ApiFailure;
import dev.escapement.server.cli.text.Printable;
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
@ExitsWith({ExitCodes.OK, ExitCodes.CONFLICT})
final class ApplyCommand extends ClientCommand {

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            required = true,
            description = "The file, or - for standard input; may be given several times.")
    private List<String> files = new ArrayList<>();

    @Option(names = "--dry-run", description = "Only say whether the files are right; ask nothing.")
    private boolean dryRun;

    @Mixin
    private final Namespace namespace = new Namespace();

    @Mixin
    private final Output output = new Output();

    ApplyCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    int ask(ApiClient api) {
        Manifest manifest = new Manifest(namespace.name());
        files.forEach(file -> manifest.read(InputFile.name(file), InputFile.read(file, surroundings)));
        if (!manifest.problems().isEmpty()) {
            manifest.problems()
                    .forEach(problem -> terminal.err().println("escapement apply: " + Printable.line(problem)));
            terminal.err().println("escapement apply: nothing was asked for");
            return ExitCodes.USAGE;
        }
        int exitCode = ExitCodes.OK;
        for (Manifest.Item item : manifest.items()) {
            int one = dryRun ? say(item, "valid (dry run)") : send(api, item);
            exitCode = exitCode == ExitCodes.OK ? one : exitCode;
        }
        return exitCode;
    }

    private int send(ApiClient api, Manifest.Item item) {
        ObjectNode document = new JsonMapper().valueToTree(item.document());
        document.withObject("/metadata").put("namespace", item.asked().ref().namespace());
        document.remove("status");
        try {
            Submission submission = Submission.send(api, document);
            return output.print(
                            submission.execution().document(),
                            item.asked().ref().name(),
                            terminal)
                    ? ExitCodes.OK
                    : say(item, submission.created() ? "created" : "unchanged");
        } catch (ApiFailure failure) {
            terminal.err()
                    .println("escapement apply: %s: %s".formatted(Printable.line(item.where()), failure.getMessage()));
            return ExitCodes.of(failure);
        }
    }

    private int say(Manifest.Item item, String what) {
        terminal.line(Printable.line("execution %s %s".formatted(item.asked().ref(), what)));
        return ExitCodes.OK;
    }
}
