package dev.escapement.cli.command.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.api.audit.AuditVerification;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.command.ContextCommand;
import dev.escapement.cli.command.ProgressLine;
import dev.escapement.cli.option.ConnectionOptions;
import dev.escapement.cli.option.InputFile;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.common.Json;
import dev.escapement.notifications.audit.ChainProblem;
import dev.escapement.notifications.audit.ExportVerifier;
import dev.escapement.notifications.audit.KeptCheckpoints;
import dev.escapement.notifications.audit.KeptCheckpoints.ChainLink;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "verify",
        sortOptions = false,
        description = {
            "Verifies the hash chain of the audit trail, and names every entry that was changed, removed, inserted or moved.",
            "",
            "Without a file the server verifies its trail, with its head and its checkpoints. With a file, an export is",
            "verified without a server. A chain that was computed again as a whole is found only with --checkpoints:",
            "an older export, or lines `Audit checkpoint` of the log, that were kept elsewhere."
        },
        footer = {
            "  escapement audit verify",
            "  escapement audit verify -o json",
            "  escapement audit verify audit.jsonl",
            "  escapement audit verify --checkpoints audit-of-last-month.jsonl",
            "  escapement audit export | escapement audit verify -"
        })
@ExitCodes.Documented({ExitCodes.NO, ExitCodes.UNAUTHORIZED, ExitCodes.UNREACHABLE, ExitCodes.SERVER_ERROR})
public final class AuditVerifyCommand extends ContextCommand {

    private static final int LINES_PER_PROGRESS = 100_000;

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "Verify this export, or standard input for -, instead of the trail of the server.")
    private Optional<String> file = Optional.empty();

    @Option(
            names = "--checkpoints",
            paramLabel = "FILE",
            description =
                    "Compare with the hashes in this file: an older export, lines of the log, or a response of /api/v1/audit/checkpoints.")
    private Optional<String> checkpoints = Optional.empty();

    @Mixin
    private final ConnectionOptions connection = new ConnectionOptions();

    private final OutputOption output = new OutputOption();

    /** The sum of all parts. */
    private record Result(long verified, long last, long problemCount, List<AuditVerification.Problem> problems) {}

    @Override
    public void addSharedOptions(CommandSpec spec) {
        spec.addMixin("output", CommandSpec.forAnnotatedObject(output));
    }

    @Override
    public Integer call() {
        KeptCheckpoints kept = checkpoints.map(this::readCheckpoints).orElseGet(KeptCheckpoints::new);
        Result result = file.map(name -> verifyFile(name, kept))
                .orElseGet(() -> verifyServer(connection.createClient(context), kept));
        ObjectNode document = Json.mapper().createObjectNode();
        document.put("verified", result.verified).put("last", result.last).put("problemCount", result.problemCount);
        document.set("problems", Json.mapper().valueToTree(result.problems));
        String verdict = result.problemCount == 0 ? "valid" : "invalid";
        if (!output.printIfMachineReadable(document, verdict, terminal)) {
            result.problems.forEach(problem -> terminal.printSafeLine(Objects.toString(problem.message(), "")));
            terminal.printSafeLine(String.format(
                    Locale.ROOT,
                    "%s: verified=%d last=%d problems=%d",
                    verdict,
                    result.verified,
                    result.last,
                    result.problemCount));
        }
        return result.problemCount == 0 ? ExitCodes.OK : ExitCodes.NO;
    }

    private KeptCheckpoints readCheckpoints(String name) {
        KeptCheckpoints kept = new KeptCheckpoints();
        try (BufferedReader reader = InputFile.open(name, context)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                kept.addLine(line);
            }
        } catch (IOException unreadable) {
            throw unreadable(name, unreadable);
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException("%s cannot be used: %s".formatted(name, invalid.getMessage()), invalid);
        }
        if (kept.hashes().isEmpty()) {
            throw new IllegalArgumentException(
                    "%s has no checkpoints: it must have lines of an export, or lines `Audit checkpoint` of the log"
                            .formatted(name));
        }
        return kept;
    }

    private static IllegalArgumentException unreadable(String name, IOException cause) {
        return new IllegalArgumentException(
                "%s cannot be read: %s".formatted(name, ConnectionOptions.describeFailure(cause)));
    }

    private static Optional<ChainLink> firstFrom(ApiClient api, long sequence) {
        JsonNode found = api.get(ApiPath.of("audit", "export")
                        .withParameter("after", Long.toString(sequence - 1))
                        .withParameter("limit", "1"))
                .at("/items/0");
        return found.isMissingNode()
                ? Optional.empty()
                : Optional.of(new ChainLink(
                        found.path("sequence").asLong(), found.path("hash").asText()));
    }

    private Result verifyServer(ApiClient api, KeptCheckpoints kept) {
        Result result = new Result(0, 0, 0, List.of());
        try (ProgressLine progress = progress("audit trail")) {
            AuditVerification part;
            ApiPath path = ApiPath.of("audit", "verification");
            do {
                part = ClientJson.read(api.get(path), AuditVerification.class);
                result = add(result, part);
                progress.show("%d of %d entries".formatted(result.last, number(part.head())));
                path = ApiPath.of("audit", "verification")
                        .withParameter("after", Long.toString(result.last))
                        .withParameter("hash", Optional.ofNullable(part.hash()));
            } while (!Boolean.TRUE.equals(part.finished()) && number(part.verified()) > 0);
        }
        Optional<ChainProblem> rewritten = kept.findProblem(sequence -> firstFrom(api, sequence));
        if (rewritten.isPresent()) {
            List<AuditVerification.Problem> problems = new ArrayList<>(result.problems);
            problems.add(toDocument(rewritten.get()));
            return new Result(result.verified, result.last, result.problemCount + 1, problems);
        }
        return result;
    }

    private static Result add(Result sum, AuditVerification part) {
        List<AuditVerification.Problem> problems = new ArrayList<>(sum.problems);
        problems.addAll(part.problems());
        return new Result(
                sum.verified + number(part.verified()),
                number(part.sequence()),
                sum.problemCount + number(part.problemCount()),
                problems);
    }

    private static long number(@Nullable Long value) {
        return value == null ? 0 : value;
    }

    private Result verifyFile(String name, KeptCheckpoints kept) {
        ExportVerifier verifier = new ExportVerifier(kept.hashes());
        try (BufferedReader reader = InputFile.open(name, context);
                ProgressLine progress = progress(InputFile.displayName(name))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                verifier.addLine(line);
                if (verifier.lines() % LINES_PER_PROGRESS == 0) {
                    progress.show(verifier.lines() + " entries");
                }
            }
        } catch (IOException unreadable) {
            throw unreadable(name, unreadable);
        }
        verifier.finish();
        return new Result(
                verifier.lines(),
                verifier.lastSequence(),
                verifier.problemCount(),
                verifier.problems().stream().map(AuditVerifyCommand::toDocument).toList());
    }

    private static AuditVerification.Problem toDocument(ChainProblem problem) {
        return new AuditVerification.Problem(problem.sequence(), problem.kind().name(), problem.message(), Map.of());
    }

    private ProgressLine progress(String subject) {
        return new ProgressLine(
                context, terminal.interactive() && output.isHumanReadable(), subject, "verification interrupted");
    }
}
