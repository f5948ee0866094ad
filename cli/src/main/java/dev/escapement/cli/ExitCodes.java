package dev.escapement.cli;

import dev.escapement.cli.client.ApiException;
import dev.escapement.server.StartException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Exit codes of the program. Scripts depend on them: new codes may be added, existing ones never change. */
public final class ExitCodes {

    public static final int OK = 0;
    public static final int NO = 1;
    public static final int USAGE = 2;
    public static final int FAILED_BEFORE_EXECUTION = 3;
    public static final int FAILED_DURING_EXECUTION = 4;
    public static final int NOT_FOUND = 5;
    public static final int CONFLICT = 6;
    public static final int UNAUTHORIZED = 7;
    public static final int UNREACHABLE = 8;
    public static final int SERVER_ERROR = 9;
    public static final int ADDRESS_IN_USE = 10;
    public static final int DATA_UNUSABLE = 11;
    public static final int DATABASE_UNUSABLE = 12;
    public static final int CLUSTER_UNUSABLE = 13;
    public static final int LEASE_LOST = 14;

    /** Returned by the launcher script only. */
    static final int LAUNCHER_FAILED = 69;

    static final int INTERNAL_ERROR = 70;
    public static final int INTERRUPTED = 130;

    /** Every code with its meaning, as the help and the documentation list it. */
    static final Map<Integer, String> MEANINGS;

    static {
        Map<Integer, String> meanings = new LinkedHashMap<>();
        meanings.put(OK, "success; to a question: yes; with --wait: Completed, or the endpoint run succeeded");
        meanings.put(NO, "to a question: no; with --wait: Skipped, or the endpoint run failed");
        meanings.put(USAGE, "invalid command or value; nothing was changed");
        meanings.put(FAILED_BEFORE_EXECUTION, "with --wait: Failed before any part of it ran");
        meanings.put(
                FAILED_DURING_EXECUTION,
                "with --wait: Failed after some of it ran, or may have run; the target is blocked until cleared");
        meanings.put(NOT_FOUND, "no such execution, target, workflow, endpoint, run, notification or channel");
        meanings.put(CONFLICT, "the name is already used with a different content, or the endpoint is paused");
        meanings.put(UNAUTHORIZED, "unauthorized: the token is missing or wrong, or lacks the right");
        meanings.put(UNREACHABLE, "server unreachable, or the connection was lost");
        meanings.put(SERVER_ERROR, "server error, or the address is not an Escapement server");
        meanings.put(ADDRESS_IN_USE, "cannot listen: the port is in use, or the address is not of this machine");
        meanings.put(DATA_UNUSABLE, "the data folder is not writable, or another server uses it");
        meanings.put(DATABASE_UNUSABLE, "the database is damaged, unreachable, or newer than the program");
        meanings.put(CLUSTER_UNUSABLE, "the cluster is unreachable, refuses access, or lacks the custom resources");
        meanings.put(LEASE_LOST, "the operator lost its lease or its watches; start it again");
        meanings.put(LAUNCHER_FAILED, "launcher: the build failed, or no Java was found");
        meanings.put(INTERNAL_ERROR, "internal error (a bug)");
        meanings.put(INTERRUPTED, "interrupted (Ctrl-C); an execution that was waited for continues");
        MEANINGS = Collections.unmodifiableMap(meanings);
    }

    private ExitCodes() {}

    /** Lists for the help the exit codes of a command that its base class and other commands do not have. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    public @interface Documented {
        int[] value();
    }

    public static int forFailure(ApiException failure) {
        return switch (failure.kind()) {
            case UNREACHABLE -> UNREACHABLE;
            case UNAUTHORIZED -> UNAUTHORIZED;
            case NOT_FOUND -> NOT_FOUND;
            case CONFLICT -> CONFLICT;
            case INVALID_REQUEST -> USAGE;
            case SERVER_ERROR -> SERVER_ERROR;
        };
    }

    public static int forFailure(StartException failure) {
        return switch (failure.reason()) {
            case ADDRESS -> ADDRESS_IN_USE;
            case DATA_FOLDER, DATA_FOLDER_IN_USE -> DATA_UNUSABLE;
            case DATABASE -> DATABASE_UNUSABLE;
            case WORKFLOWS -> USAGE;
            case CLUSTER -> CLUSTER_UNUSABLE;
        };
    }
}
