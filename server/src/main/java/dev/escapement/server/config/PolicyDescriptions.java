package dev.escapement.server.config;

/** The gate's settings in a few words each. */
final class PolicyDescriptions {

    private PolicyDescriptions() {}

    static String of(String key) {
        return switch (key) {
            case "cooldown-period" -> "how long a workflow that completed on a target does not run there again";
            case "base-cooldown-period" -> "wait after the first execution that could not start";
            case "max-cooldown-period" -> "longest wait after executions that could not start";
            case "max-backoff-exponent" -> "how often that wait doubles at most";
            case "max-consecutive-failures" ->
                "after so many executions in a row that could not start, a person must clear";
            case "failure-scope" ->
                "`target`: failures stop every workflow on the target; `workflow`: only the same one";
            case "reset-on-delete" -> "whether deleting an execution makes the ledger forget its failure";
            default -> throw new IllegalArgumentException("the policy setting " + key + " has no description");
        };
    }
}
