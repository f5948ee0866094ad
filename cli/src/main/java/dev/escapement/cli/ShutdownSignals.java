package dev.escapement.cli;

/** Ctrl-C, and what else asks the process to end. */
public interface ShutdownSignals {

    /** Runs the action if it happens before the registration is closed. The process ends when the action has. */
    Registration onInterrupt(Runnable action);

    /** The same for what is meant to run until it is asked to stop: then that is its success, and exit code 0. */
    Registration onStop(Runnable action);

    /** Ends the interest. */
    interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    /** The real ones. */
    static ShutdownSignals ofThisProcess() {
        return new ShutdownSignals() {
            @Override
            public Registration onInterrupt(Runnable action) {
                return addShutdownHook(action);
            }

            @Override
            public Registration onStop(Runnable action) {
                return addShutdownHook(() -> {
                    action.run();
                    // Otherwise the signal decides on the exit code, and whoever supervises takes it for a failure.
                    Runtime.getRuntime().halt(ExitCodes.OK);
                });
            }
        };
    }

    private static Registration addShutdownHook(Runnable action) {
        Thread hook = new Thread(action, "interrupted");
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException alreadyEnding) {
            return () -> {};
        }
        return () -> {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException alreadyEnding) {
                // Then it runs, or has run.
            }
        };
    }
}
