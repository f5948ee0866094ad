package dev.escapement.cli.command.endpoint;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a server found wrong with what files say, with the lines of the files. */
final class ServerProblemLocator {

    /** {@code items[3] (health): timeout is …}; the words after it begin with the path of a field. */
    private static final Pattern ITEM_PROBLEM = Pattern.compile("items\\[(\\d{1,9})](?: \\([^)]*\\))?:? (.*)");

    private ServerProblemLocator() {}

    /** Each with its file and line, where the server says which of the endpoints it is about. */
    static List<String> withLocation(List<String> problems, List<EndpointFileEntry> entries) {
        return problems.stream().map(problem -> withLocation(problem, entries)).toList();
    }

    private static String withLocation(String problem, List<EndpointFileEntry> entries) {
        Matcher of = ITEM_PROBLEM.matcher(problem);
        if (of.matches() && Integer.parseInt(of.group(1)) < entries.size()) {
            return entries.get(Integer.parseInt(of.group(1))).withLocation(of.group(2));
        }
        return problem;
    }
}
