package dev.escapement.server.config;

/** What the settings of the policy mean, for the documentation and the help. */
final class PolicyDescriptions {

    private PolicyDescriptions() {}

    static String of(String key) {
        return switch (key) {
            case "cooldown-period" -> "how long a workflow that completed on a target is not run there again";
            case "base-cooldown-period" -> "backoff after the first execution that could not start, from `200ms`";
            case "max-cooldown-period" -> "maximum backoff after executions that could not start";
            case "max-backoff-exponent" -> "how many times the backoff doubles at most";
            case "max-consecutive-failures" ->
                "after this many consecutive executions that could not start, the target must be cleared";
            case "failure-scope" ->
                "what executions that could not start hold back (backoff and limit): `target`: every workflow on the"
                        + " target; `workflow`: only the same workflow";
            case "block-scope" ->
                "what an execution that ran and failed blocks until the target is cleared: `target`: every workflow on"
                        + " the target; `workflow`: only the same workflow";
            case "reset-on-delete" -> "whether deleting an execution removes its failure from the ledger";
            case "executor-timeout" -> "how long an executor may be unavailable before an execution fails";
            case "max-waiting" -> "how many executions may wait for a target";
            default -> throw new IllegalArgumentException("the policy setting " + key + " has no description");
        };
    }
}
