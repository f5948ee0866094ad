package dev.escapement.cli;

import dev.escapement.cli.command.ClientCommand;
import dev.escapement.cli.command.service.ServiceCommand;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What every command's help has: how to ask for it, and the exit codes from the one table of what they mean. */
final class CommandHelp {

    private CommandHelp() {}

    static void addTo(CommandLine command) {
        if (command.getCommand() instanceof ServiceCommand<?> serving) {
            serving.addSettingOptions(command.getCommandSpec());
        }
        if (command.getCommandSpec().optionsMap().get("--help") == null) {
            command.getCommandSpec().addOption(createHelpOption());
        }
        DocumentedExitCodes own =
                command.getCommandSpec().userObject().getClass().getAnnotation(DocumentedExitCodes.class);
        if (own != null) {
            command.getCommandSpec()
                    .usageMessage()
                    .exitCodeListHeading("%nExit codes:%n")
                    .exitCodeList(describeExitCodes(command, own.value()));
        }
        command.getSubcommands().values().forEach(CommandHelp::addTo);
    }

    private static OptionSpec createHelpOption() {
        return OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Show this help.")
                .build();
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
