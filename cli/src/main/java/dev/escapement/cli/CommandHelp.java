package dev.escapement.cli;

import dev.escapement.cli.command.ClientCommand;
import dev.escapement.cli.command.service.ServiceCommand;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Adds the parts that every command's help shares: {@code --help}, and the exit codes with their meanings. */
final class CommandHelp {

    private CommandHelp() {}

    static void addTo(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        if (command.getCommand() instanceof ServiceCommand<?> service) {
            service.addSettingOptions(spec);
        }
        if (spec.optionsMap().get("--help") == null) {
            spec.addOption(OptionSpec.builder("-h", "--help")
                    .usageHelp(true)
                    .description("Show this help.")
                    .build());
        }
        DocumentedExitCodes own = spec.userObject().getClass().getAnnotation(DocumentedExitCodes.class);
        if (own != null) {
            spec.usageMessage()
                    .exitCodeListHeading("%nExit codes:%n")
                    .exitCodeList(describeExitCodes(command, own.value()));
        }
        command.getSubcommands().values().forEach(CommandHelp::addTo);
    }

    private static Map<String, String> describeExitCodes(CommandLine command, int[] own) {
        TreeSet<Integer> codes = new TreeSet<>();
        if (command.getParent() == null) {
            codes.addAll(ExitCodes.MEANINGS.keySet());
        } else {
            for (int code : own) {
                codes.add(code);
            }
            codes.add(ExitCodes.USAGE);
            codes.add(ExitCodes.INTERNAL_ERROR);
            if (command.getCommand() instanceof ClientCommand) {
                codes.add(ExitCodes.UNAUTHORIZED);
                codes.add(ExitCodes.UNREACHABLE);
                codes.add(ExitCodes.SERVER_ERROR);
            }
        }
        Map<String, String> lines = new LinkedHashMap<>();
        codes.forEach(code -> lines.put("%3d".formatted(code), ExitCodes.MEANINGS.getOrDefault(code, "")));
        return lines;
    }
}
