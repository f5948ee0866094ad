package dev.escapement.process.catalogue;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks parameter names: valid environment variables without a meaning for shells and loaders. */
final class ParameterNameRules {

    private static final Pattern NAME_PATTERN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");

    private static final List<String> RESERVED_PREFIXES = List.of("ESCAPEMENT_", "LD_", "DYLD_", "LC_", "BASH");

    private static final Set<String> RESERVED_NAMES = Set.of("""
        TARGET_RESOURCE PATH HOME LANG LANGUAGE TZ TMPDIR IFS ENV CDPATH PWD OLDPWD SHELL SHLVL
        SHELLOPTS USER LOGNAME HOSTNAME PPID UID EUID GID EGID GROUPS USERNAME RANDOM SRANDOM SECONDS
        LINENO OPTIND OPTARG OPTERR PIPESTATUS FUNCNAME DIRSTACK POSIXLY_CORRECT PS1 PS2 PS3 PS4 _\
        """.split("\\s+", -1));

    private ParameterNameRules() {}

    /** Returns the problem of a name; empty if it is valid. */
    static Optional<String> findProblem(String name) {
        if (!NAME_PATTERN.matcher(name).matches()) {
            return Optional.of("must be letters, digits and underscores, and not start with a digit:"
                    + " it becomes an environment variable");
        }
        boolean reserved =
                RESERVED_NAMES.contains(name) || RESERVED_PREFIXES.stream().anyMatch(name::startsWith);
        return reserved
                ? Optional.of("is reserved for the system, shells or Escapement: choose another name")
                : Optional.empty();
    }
}
