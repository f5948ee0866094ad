package dev.escapement.cli.command.notification;

import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.command.DocumentCommand;
import dev.escapement.cli.output.NotificationView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "notification",
        aliases = "notifications",
        description = "Shows the text of a notification, its channels, and each attempt to send it.",
        footer = "  escapement describe notification nr-1f0c3a5b7d9e2468ace013579bdf")
@ExitCodes.Documented(ExitCodes.NOT_FOUND)
public final class DescribeNotificationCommand extends DocumentCommand {

    @Parameters(paramLabel = "NAME", description = "Name of the notification.")
    private String name = "";

    @Override
    protected int execute(ApiClient api) {
        NotificationView notification = NotificationView.of(api.get(ApiPath.of("notifications", name)));
        print(notification.document(), notification.name(), () -> notification.print(terminal, now()));
        return ExitCodes.OK;
    }
}
