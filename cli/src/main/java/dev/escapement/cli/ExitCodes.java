package dev.escapement.cli;

import dev.escapement.cli.client.ApiException;
import dev.escapement.server.StartException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the program's exit codes mean. Scripts depend on them: they only ever get company. */
public final class ExitCodes {

    /** It worked, and where there was a question the answer is yes. */
    public static final int OK = 0;

    /** It worked, and the answer is no. */
    public static final int NO = 1;

    /** The command was not understood or a value was refused; nothing was done. */
    public static final int USAGE = 2;

    /** The execution that was waited for failed, and it is certain that nothing of it ran. */
    public static final int FAILED_BEFORE_EXECUTION = 3;

    /** The execution that was waited for failed when some of it had run, or may have. */
    public static final int FAILED_DURING_EXECUTION = 4;

    /** There is no such thing. */
    public static final int NOT_FOUND = 5;

    /** The name is taken by something else, or something that was decided before is in the way. */
    public static final int CONFLICT = 6;

    /** The server does not let this caller do this. */
    public static final int UNAUTHORIZED = 7;

    /** There is no server, or it went away. */
    public static final int UNREACHABLE = 8;

    /** The server had a problem, or what answered is no Escapement. */
    public static final int SERVER_ERROR = 9;

    /** The address to listen on is taken, or not ours. */
    public static final int ADDRESS_IN_USE = 10;

    /** The data folder cannot be used. */
    public static final int DATA_UNUSABLE = 11;

    /** The database cannot be used. */
    public static final int DATABASE_UNUSABLE = 12;

    /** The cluster cannot be used: it is not there, does not let us, lacks our resources, or does not start. */
    public static final int CLUSTER_UNUSABLE = 13;

    /** The operator must not go on, and can be started again at once. */
    public static final int LEASE_LOST = 14;

    /** The launcher never got as far as the program. */
    static final int LAUNCHER_FAILED = 69;

    /** A bug in the program. */
    static final int INTERNAL_ERROR = 70;

    /** Somebody pressed Ctrl-C. */
    public static final int INTERRUPTED = 130;

    /** Every code in the words of the help and of the documentation. */
    static final Map<Integer, String> MEANINGS = createMeanings();

    private ExitCodes() {}

    private static Map<Integer, String> createMeanings() {
        Map<Integer, String> meanings = new LinkedHashMap<>();
        meanings.put(OK, "done; to a question: yes; waited for: Completed, or the run of an endpoint succeeded");
        meanings.put(NO, "to a question: no; waited for: Skipped, or the run of an endpoint failed");
        meanings.put(USAGE, "not understood, or a value was refused; nothing was done");
        meanings.put(FAILED_BEFORE_EXECUTION, "waited for: Failed before anything of it ran");
        meanings.put(
                FAILED_DURING_EXECUTION,
                "waited for: Failed when some of it had run, or may have; its target is blocked");
        meanings.put(NOT_FOUND, "no such execution, target, workflow, endpoint or run");
        meanings.put(CONFLICT, "the name is taken by something else; or the endpoint is paused");
        meanings.put(UNAUTHORIZED, "the server wants a token, or another one");
        meanings.put(UNREACHABLE, "no server there, or it went away");
        meanings.put(SERVER_ERROR, "the server had a problem, or what answered is no Escapement");
        meanings.put(ADDRESS_IN_USE, "the server cannot listen there: the port is in use, or the address not ours");
        meanings.put(DATA_UNUSABLE, "the data folder cannot be written, or another server uses it");
        meanings.put(DATABASE_UNUSABLE, "the database cannot be used: damaged, newer than the program, or not there");
        meanings.put(CLUSTER_UNUSABLE, "no cluster there, or it lacks our resources, or its programs do not start");
        meanings.put(LEASE_LOST, "the operator lost its lease, or cannot watch the cluster any more: start it again");
        meanings.put(LAUNCHER_FAILED, "the launcher could not build, or found no Java");
        meanings.put(INTERNAL_ERROR, "a bug");
        meanings.put(INTERRUPTED, "interrupted (Ctrl-C); an execution that was waited for goes on");
        return Collections.unmodifiableMap(meanings);
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
