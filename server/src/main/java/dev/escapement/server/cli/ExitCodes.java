package dev.escapement.server.cli;

/**
 * What the program's exit codes mean. Scripts depend on them: they only ever get company. The launcher takes 69 for
 * itself, when it never got as far as the program.
 */
final class ExitCodes {

    /** It worked, and where there was a question the answer is yes. */
    static final int OK = 0;

    /** It worked, and the answer is no. */
    static final int NO = 1;

    /** The command was not understood or a value was refused; nothing was done. */
    static final int USAGE = 2;

    /** A bug in the program. */
    static final int INTERNAL = 70;

    private ExitCodes() {}
}
