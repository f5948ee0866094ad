package dev.escapement.governor.failure;

/**
 * Why an execution failed. The constants are the codes that the resource's schema allows, spelled as they are there.
 */
public enum FailureReason {
    /** A container was killed because it used more memory than it may. */
    OOMKilled("it ran out of memory", "raise the memory limit, or give it less to do at once"),
    /** The run, a task or a step took longer than it may. */
    DeadlineExceeded(
            "it did not finish in time", "see what it was waiting for, and raise the timeout if it only needs longer"),
    /** Rights, admission or pod security stood in the way. */
    Forbidden(
            "it was not allowed",
            "check the rights of the service account and the admission rules of the execution namespace"),
    /** Quota, node capacity or disk were used up. */
    ResourceExhausted("there was no room for it", "free quota or capacity, or ask for less"),
    /** Something that the run refers to does not exist or does not fit. */
    ConfigurationError(
            "what it refers to is missing or wrong",
            "check the workflow's id, version and bundle, its parameters, and the objects and commands that it names"),
    /** The image of a container could not be had. */
    ImagePullBackOff(
            "an image could not be pulled", "check the image's name and digest, the registry and the pull secret"),
    /** A task ended with an error of its own. */
    TaskFailed("a task failed", "read the log of the task for the cause"),
    /** The executor could not set the run up. */
    PipelineRunCreationFailed(
            "its run could not be set up", "check that the executor is installed and healthy, and what it said"),
    /** Somebody else removed the run. */
    PipelineRunDeleted(
            "its run was deleted from outside", "find out who deleted it, and cancel the execution instead next time"),
    /** The execution's own specification is wrong. */
    ValidationError("its specification is not valid", "correct the specification and create a new execution"),
    /** A person or a program asked for it to stop. */
    Cancelled("it was cancelled", "create a new execution if it is still wanted"),
    /** The facts do not tell. */
    Unknown("the cause is not known", "look at the run, its tasks and their logs");

    private final String description;
    private final String advice;

    FailureReason(String story, String advice) {
        this.description = story;
        this.advice = advice;
    }

    /** What happened, as a clause that has the run as its subject. */
    String description() {
        return description;
    }

    /** What to try, as a clause without a full stop. */
    public String advice() {
        return advice;
    }
}
