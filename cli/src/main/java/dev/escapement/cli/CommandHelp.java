package dev.escapement.cli;

import dev.escapement.cli.command.ContextCommand;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Adds what the help of every command has: {@code --help}, a heading above the examples, and the exit codes. */
final class CommandHelp {

    private CommandHelp() {}

    static void addTo(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        // A command with an alias is visited twice.
        if (spec.optionsMap().get("--help") == null) {
            if (command.getCommand() instanceof ContextCommand executable) {
                executable.addSharedOptions(spec);
            }
            spec.addOption(OptionSpec.builder("-h", "--help")
                    .usageHelp(true)
                    .description("Show this help.")
                    .build());
        }
        addExamplesHeading(spec.usageMessage());
        if (command.getParent() == null || command.getCommand() instanceof ContextCommand) {
            spec.usageMessage().exitCodeListHeading("%nExit codes:%n").exitCodeList(describeExitCodes(command));
        }
        command.getSubcommands().values().forEach(CommandHelp::addTo);
    }

    /** Puts a heading above the examples and empty lines between the sections, unless the command has its own. */
    private static void addExamplesHeading(UsageMessageSpec usage) {
        List<String> examples = List.of(usage.footer());
        if (examples.isEmpty() || examples.get(0).isEmpty()) {
            return;
        }
        usage.description(append(List.of(usage.description()), List.of("")));
        usage.footer(append(List.of("", examples.size() == 1 ? "Example:" : "Examples:"), examples));
    }

    private static String[] append(List<String> lines, List<String> more) {
        return Stream.concat(lines.stream(), more.stream()).toArray(String[]::new);
    }

    private static Map<String, String> describeExitCodes(CommandLine command) {
        Set<Integer> codes = new TreeSet<>(Set.of(ExitCodes.OK, ExitCodes.USAGE, ExitCodes.INTERNAL_ERROR));
        for (Class<?> type = command.getCommand().getClass(); type != null; type = type.getSuperclass()) {
            ExitCodes.Documented documented = type.getAnnotation(ExitCodes.Documented.class);
            if (documented != null) {
                IntStream.of(documented.value()).forEach(codes::add);
            }
        }
        if (command.getParent() == null) {
            codes.addAll(ExitCodes.MEANINGS.keySet());
        }
        Map<String, String> lines = new LinkedHashMap<>();
        codes.forEach(code -> lines.put("%3d".formatted(code), ExitCodes.MEANINGS.getOrDefault(code, "")));
        return lines;
    }
}
