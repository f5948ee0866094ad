package dev.escapement.cli.command.notification;

import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.command.ResourceCommand;
import dev.escapement.cli.output.NotificationView;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "notifications",
        aliases = "notification",
        description = "Lists notifications, newest first, or shows one.",
        footer = {
            "  escapement get notifications --severity critical",
            "  escapement get notifications --phase failed --target node/worker-node-1"
        })
@ExitCodes.Documented(ExitCodes.NOT_FOUND)
public final class GetNotificationsCommand extends ResourceCommand<NotificationView> {

    /** Values of {@code --phase}. */
    enum NotificationPhase {
        Pending,
        Sending,
        Sent,
        PartiallySent,
        Retrying,
        Failed
    }

    /** Values of {@code --severity}. */
    enum SeverityFilter {
        info,
        warning,
        critical
    }

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "Show only this notification.")
    private Optional<String> name = Optional.empty();

    @Option(
            names = "--phase",
            paramLabel = "PHASE",
            description = "Only notifications in this phase: ${COMPLETION-CANDIDATES}.")
    private Optional<NotificationPhase> phase = Optional.empty();

    @Option(
            names = "--severity",
            paramLabel = "SEVERITY",
            description = "Only notifications of this severity: ${COMPLETION-CANDIDATES}.")
    private Optional<SeverityFilter> severity = Optional.empty();

    @Option(names = "--target", paramLabel = "TARGET", description = "Only notifications about this target.")
    private Optional<String> target = Optional.empty();

    @Mixin
    private final LimitOptions limit = new LimitOptions();

    GetNotificationsCommand() {
        super(NotificationView::of, NotificationView::name, NotificationView::buildTable);
    }

    @Override
    protected int execute(ApiClient api) {
        ApiPath list = ApiPath.of("notifications")
                .withParameter("phase", phase.map(Enum::name))
                .withParameter("severity", severity.map(Enum::name))
                .withParameter("target", target);
        String none = list.query().isEmpty() ? "no notifications" : "no notifications match";
        Optional<ApiPath> one = name.map(given -> ApiPath.of("notifications", given));
        print(api, new Query(one, list, Optional.of(none)), limit);
        return ExitCodes.OK;
    }
}
