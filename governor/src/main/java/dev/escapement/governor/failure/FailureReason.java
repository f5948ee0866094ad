package dev.escapement.governor.failure;

/** Why an execution failed. The constants are the codes of the resource's schema. */
public enum FailureReason {
    /** A container exceeded its memory limit. */
    OOMKilled("it ran out of memory", "raise the memory limit, or give it less to do at once"),
    /** The run, a task or a step exceeded its timeout. */
    DeadlineExceeded(
            "it did not finish in time", "see what it was waiting for, and raise the timeout if it only needs longer"),
    /** Rights, admission or pod security rejected it. */
    Forbidden(
            "it was not allowed",
            "check the rights of the service account and the admission rules of the execution namespace"),
    /** Quota, node capacity or disk space was exhausted. */
    ResourceExhausted("there was no room for it", "free quota or capacity, or ask for less"),
    /** Something that the run refers to does not exist or is not valid. */
    ConfigurationError(
            "what it refers to is missing or wrong",
            "check the workflow's id, version and bundle, its parameters, and the objects and commands that it names"),
    ImagePullBackOff(
            "an image could not be pulled", "check the image's name and digest, the registry and the pull secret"),
    TaskFailed("a task failed", "read the log of the task for the cause"),
    PipelineRunCreationFailed(
            "its run could not be set up", "check that the executor is installed and healthy, and what it said"),
    PipelineRunDeleted(
            "its run was deleted from outside", "find out who deleted it, and cancel the execution instead next time"),
    ValidationError("its specification is not valid", "correct the specification and create a new execution"),
    Cancelled("it was cancelled", "create a new execution if it is still wanted"),
    Unknown("the cause is not known", "look at the run, its tasks and their logs");

    private final String description;
    private final String advice;

    FailureReason(String description, String advice) {
        this.description = description;
        this.advice = advice;
    }

    /** A clause that has the run as its subject. */
    String description() {
        return description;
    }

    /** What to try, as a clause without a full stop. */
    public String advice() {
        return advice;
    }
}
