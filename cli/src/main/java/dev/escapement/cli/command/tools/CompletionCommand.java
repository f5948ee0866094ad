package dev.escapement.cli.command.tools;

import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.command.ContextCommand;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "completion",
        description = "Prints a script that makes a shell complete commands, options and values.",
        footer = {
            "  source <(escapement completion bash)          in this shell",
            "  escapement completion bash > ~/.local/share/bash-completion/completions/escapement",
            "  source <(escapement completion zsh)           in zsh"
        })
public final class CompletionCommand extends ContextCommand {

    /** Supported shells. */
    enum Shell {
        BASH,
        ZSH
    }

    @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
    private Shell shell = Shell.BASH;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        String script = AutoComplete.bash("escapement", spec.root().commandLine());
        if (shell == Shell.ZSH) {
            // The script is for bash; zsh runs it after loading bashcompinit.
            terminal.out().println("autoload -U +X compinit && compinit");
            terminal.out().println("autoload -U +X bashcompinit && bashcompinit");
        }
        terminal.out().print(script);
        return ExitCodes.OK;
    }
}
