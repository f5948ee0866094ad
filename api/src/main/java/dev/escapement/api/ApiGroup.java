package dev.escapement.api;

/** The group and the version of the resources. */
public final class ApiGroup {

    /** The API group of all resources. */
    public static final String GROUP = "kubernaut.ai";

    /** The version of all resources. */
    public static final String VERSION = "v1alpha1";

    /** The value of the field {@code apiVersion}. */
    public static final String API_VERSION = GROUP + "/" + VERSION;

    /** The annotation that cancels an execution; its value names who cancelled it. */
    public static final String CANCELLED_BY = GROUP + "/cancelled-by";

    private ApiGroup() {}
}
