package dev.escapement.cli.command.tools;

import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.command.CommandGroup;
import dev.escapement.cli.command.ContextCommand;
import dev.escapement.server.http.access.LoginSessions;
import dev.escapement.server.http.access.Right;
import dev.escapement.server.http.access.TokenTable;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "token",
        description = "Creates the tokens of people who use a server.",
        subcommands = TokenCommand.CreateCommand.class)
public final class TokenCommand extends CommandGroup {

    @Command(
            name = "create",
            description = {
                "Creates a token for one person, and prints it with its entry for the tokens file.",
                "",
                "Needs no server. The token is shown only now: give it to that person, who sets ESCAPEMENT_TOKEN or",
                "uses --token-file. The server knows only its digest: add the entry to the file of its setting",
                "tokens-file (chmod 600). The server reads the file again when it changes. A token ends when its entry",
                "is removed."
            },
            footer = {
                "  escapement token create ann --rights view,run",
                "  escapement token create ben --rights view,clear",
                "  escapement token create root --rights admin      includes all other rights",
                "  escapement token create gate --rights proxy,view,run     names the person of each request"
            })
    public static final class CreateCommand extends ContextCommand {

        @Parameters(
                paramLabel = "NAME",
                description = "Name of the person; it is recorded with every action of this token.")
        private String name = "";

        @Option(
                names = "--rights",
                required = true,
                split = ",",
                paramLabel = "RIGHT",
                description =
                        "What the token allows: view, run, clear, admin; proxy for a trusted proxy. Separate several by commas.")
        private List<String> rights = new ArrayList<>();

        @Override
        public Integer call() {
            if (!TokenTable.isValidName(name)) {
                throw new IllegalArgumentException("NAME must be of letters, digits and . _ @ -");
            }
            Set<Right> parsed = EnumSet.noneOf(Right.class);
            for (String word : rights) {
                parsed.add(Right.parse(word)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "--rights has an unknown right: rights are view, run, clear, admin, proxy")));
            }
            String token = LoginSessions.createSecret(new SecureRandom());
            terminal.printLine("Token of " + name + ", shown only now:");
            terminal.printLine("  " + token);
            terminal.printLine("");
            terminal.printLine("Entry for the tokens file of the server, under tokens:");
            terminal.printLine("  - {name: %s, sha256: %s, rights: [%s]}"
                    .formatted(name, TokenTable.digest(token), Right.format(parsed)));
            return ExitCodes.OK;
        }
    }
}
