package dev.escapement.server.cli;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a server found wrong with what files say, with the lines of the files. */
final class ServerProblems {

    /** {@code items[3] (health): timeout is …}; the words after it begin with the path of a field. */
    private static final Pattern OF_AN_ITEM = Pattern.compile("items\\[(\\d{1,9})](?: \\([^)]*\\))?:? (.*)");

    private ServerProblems() {}

    /** Each with its file and line, where the server says which of the endpoints it is about. */
    static List<String> located(List<String> problems, List<EndpointEntry> entries) {
        return problems.stream().map(problem -> located(problem, entries)).toList();
    }

    private static String located(String problem, List<EndpointEntry> entries) {
        Matcher of = OF_AN_ITEM.matcher(problem);
        if (of.matches() && Integer.parseInt(of.group(1)) < entries.size()) {
            return entries.get(Integer.parseInt(of.group(1))).located(of.group(2));
        }
        return problem;
    }
}
