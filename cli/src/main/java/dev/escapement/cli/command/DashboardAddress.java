package dev.escapement.cli.command;

import dev.escapement.cli.CommandContext;
import dev.escapement.server.RunningService;
import dev.escapement.server.config.Settings;
import java.net.URI;

/** Selects the address of the dashboard that a command prints when its server is up. */
public final class DashboardAddress {

    /** Kubernetes sets this variable in every container. */
    private static final String POD_VARIABLE = "KUBERNETES_SERVICE_HOST";

    private DashboardAddress() {}

    /**
     * Returns the address with a code that logs a browser in, but only if a person reads it on a terminal of the
     * machine that can reach it. Output of a service or a pod is stored in logs, whose readers must not get all rights.
     */
    public static URI of(RunningService service, Settings settings, CommandContext context) {
        boolean readByOwner = context.terminal().interactive()
                && settings.isLoopbackOnly()
                && context.environmentVariable(POD_VARIABLE).isEmpty();
        return readByOwner ? service.loginAddress() : service.address().resolve("/");
    }
}
