package dev.escapement.api;

/** The group and the version of the resources. */
public final class ApiGroup {

    /** The API group of all resources. */
    public static final String GROUP = "kubernaut.ai";

    /** The version of all resources. */
    public static final String VERSION = "v1alpha1";

    /** The value of the field {@code apiVersion}. */
    public static final String API_VERSION = GROUP + "/" + VERSION;

    /** The annotation that names who created an execution. The server sets it; on a cluster a user may. */
    public static final String CREATED_BY = GROUP + "/created-by";

    /** The annotation that cancels an execution; its value names who cancelled it. */
    public static final String CANCELLED_BY = GROUP + "/cancelled-by";

    /** The annotation that clears a target; its value is the reason. It needs {@link #CLEARED_BY} beside it. */
    public static final String CLEAR = GROUP + "/clear";

    /** The annotation that names who clears a target. */
    public static final String CLEARED_BY = GROUP + "/cleared-by";

    private ApiGroup() {}
}
