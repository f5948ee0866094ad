package dev.escapement.server.config;

/** Describes the settings of the gate's policy for the documentation. */
final class PolicyDescriptions {

    private PolicyDescriptions() {}

    static String of(String key) {
        return switch (key) {
            case "cooldown-period" -> "how long a workflow that completed on a target is not run there again";
            case "base-cooldown-period" -> "backoff after the first execution that could not start";
            case "max-cooldown-period" -> "maximum backoff after executions that could not start";
            case "max-backoff-exponent" -> "how many times the backoff doubles at most";
            case "max-consecutive-failures" ->
                "after this many consecutive executions that could not start, the target must be cleared";
            case "failure-scope" ->
                "`target`: failures block every workflow on the target; `workflow`: only the same workflow";
            case "reset-on-delete" -> "whether deleting an execution removes its failure from the ledger";
            default -> throw new IllegalArgumentException("the policy setting " + key + " has no description");
        };
    }
}
