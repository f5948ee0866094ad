package dev.escapement.cli.command.audit;

import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.command.CommandGroup;
import dev.escapement.cli.command.DocumentCommand;
import dev.escapement.cli.command.ResourceCommand;
import dev.escapement.cli.output.AuditView;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "audit",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        description = {
            "Shows, exports and verifies the audit trail: one record for everything that happened to an execution or a",
            "target, with who requested it. Each record has the hash of the one before, so that a change is found."
        },
        footer = {
            "  escapement audit list --target node/worker-1",
            "  escapement audit show 5d41402abc4b2a76b9719d911017c592",
            "  escapement audit export > audit.jsonl",
            "  escapement audit verify",
            "  escapement audit verify audit.jsonl"
        },
        subcommands = {
            AuditCommand.AuditListCommand.class,
            AuditCommand.AuditShowCommand.class,
            AuditExportCommand.class,
            AuditVerifyCommand.class,
            AuditDeadLettersCommand.class
        })
public final class AuditCommand extends CommandGroup {

    @Command(
            name = "list",
            description = {"Lists records, newest first."},
            footer = {
                "  escapement audit list",
                "  escapement audit list --execution fix-1 -o wide",
                "  escapement audit list --type BlockCleared --actor anna --since 2026-11-01T00:00:00Z",
                "  escapement audit list --all -o json | jq -r '.items[].record.event_type' | sort | uniq -c"
            })
    static final class AuditListCommand extends ResourceCommand<AuditView> {

        @Option(names = "--target", paramLabel = "TARGET", description = "Only records of this target.")
        private Optional<String> target = Optional.empty();

        @Option(
                names = "--execution",
                paramLabel = "NAME",
                description = "Only records of this execution: NAME in the namespace default, or NAMESPACE/NAME.")
        private Optional<String> execution = Optional.empty();

        @Option(
                names = "--type",
                paramLabel = "TYPE",
                description = "Only records of this type, such as WorkflowSkipped.")
        private Optional<String> type = Optional.empty();

        @Option(names = "--actor", paramLabel = "NAME", description = "Only what this person or program requested.")
        private Optional<String> actor = Optional.empty();

        @Option(names = "--since", paramLabel = "TIME", description = "Only records from this time on.")
        private Optional<Instant> since = Optional.empty();

        @Option(names = "--until", paramLabel = "TIME", description = "Only records before this time.")
        private Optional<Instant> until = Optional.empty();

        @Mixin
        private LimitOptions limits = new LimitOptions();

        AuditListCommand() {
            super(AuditView::of, AuditView::id, AuditView::buildTable);
        }

        @Override
        protected int execute(ApiClient api) {
            ApiPath path = ApiPath.of("audit")
                    .withParameter("target", target)
                    .withParameter("execution", execution)
                    .withParameter("type", type)
                    .withParameter("actor", actor)
                    .withParameter("since", since.map(Instant::toString))
                    .withParameter("until", until.map(Instant::toString));
            String emptyMessage = path.query().isEmpty() ? "no audit records yet" : "no audit records match";
            print(api, new Query(Optional.empty(), path, Optional.of(emptyMessage)), limits);
            return ExitCodes.OK;
        }
    }

    @Command(
            name = "show",
            description = {"Shows one record with all details and its place in the chain."},
            footer = {
                "  escapement audit show 5d41402abc4b2a76b9719d911017c592",
                "  escapement audit show 5d41402abc4b2a76b9719d911017c592 -o json"
            })
    @ExitCodes.Documented(ExitCodes.NOT_FOUND)
    static final class AuditShowCommand extends DocumentCommand {

        @Parameters(paramLabel = "ID", description = "The id of the record.")
        private String id = "";

        @Override
        protected int execute(ApiClient api) {
            AuditView view = AuditView.of(api.get(ApiPath.of("audit", id)));
            print(view.document(), view.id(), () -> view.print(terminal, now()));
            return ExitCodes.OK;
        }
    }
}
