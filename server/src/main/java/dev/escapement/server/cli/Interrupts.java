package dev.escapement.server.cli;

/** Ctrl-C, and what else asks the process to end. */
@FunctionalInterface
interface Interrupts {

    /** Runs the action if it happens before the registration is closed. The process ends when the action has. */
    Registration onInterrupt(Runnable action);

    /** Ends the interest. */
    interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    /** The real ones. */
    static Interrupts ofThisProcess() {
        return action -> {
            Thread hook = new Thread(action, "interrupted");
            Runtime.getRuntime().addShutdownHook(hook);
            return () -> {
                try {
                    Runtime.getRuntime().removeShutdownHook(hook);
                } catch (IllegalStateException alreadyEnding) {
                    // Then it runs, or has run.
                }
            };
        };
    }
}
