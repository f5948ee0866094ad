package dev.escapement.cli;

/** Notifies of Ctrl-C and of other signals that stop the process. */
public interface ShutdownSignals {

    /** Runs the action on a signal unless the registration was closed before; the process exits after the action. */
    Registration onInterrupt(Runnable action);

    /** Like {@link #onInterrupt}, for services that run until they are stopped: the process exits with code 0. */
    default Registration onStop(Runnable action) {
        return onInterrupt(() -> {
            action.run();
            // Without this the exit code is 128 + signal, which a supervisor counts as a failure.
            Runtime.getRuntime().halt(ExitCodes.OK);
        });
    }

    /** Removes the action when closed. */
    interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    static ShutdownSignals ofThisProcess() {
        return ShutdownSignals::addShutdownHook;
    }

    private static Registration addShutdownHook(Runnable action) {
        Thread hook = new Thread(action, "interrupted");
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException alreadyShuttingDown) {
            return () -> {};
        }
        return () -> {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException alreadyShuttingDown) {
                // The hook runs, or has run.
            }
        };
    }
}
