package dev.escapement.process.runner;

import dev.escapement.process.os.BootId;
import dev.escapement.process.os.ProcessTable;
import dev.escapement.process.os.ProgramLookup;
import dev.escapement.process.run.Digests;
import dev.escapement.process.run.RunFolder;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Starts supervisors, each in a session of its own, so that what ends the server, or the terminal that it was started
 * from, does not end them.
 */
final class SupervisorLauncher {

    private static final String SCRIPT_RESOURCE = "supervisor.sh";
    private static final String EPOCH_VARIABLE = "ESCAPEMENT_EPOCH";
    private static final int BLOCK_BYTES = 512;
    private static final String PERL_SETSID = "use POSIX; POSIX::setsid(); exec @ARGV or die $!";

    private final List<String> command;
    private final Map<String, String> environment;
    private final BootId bootId;
    private final long logLimitBlocks;

    private SupervisorLauncher(List<String> command, Map<String, String> environment, BootId boot, long blocks) {
        this.command = List.copyOf(command);
        this.environment = Map.copyOf(environment);
        this.bootId = boot;
        this.logLimitBlocks = blocks;
    }

    /** Puts the supervisor's script into a folder, under a name that changes with it: shells read while they run. */
    static SupervisorLauncher install(Path folder, Map<String, String> environment, BootId boot, long logLimit)
            throws IOException {
        byte[] text = readScript();
        String digest = Digests.sha256(new String(text, StandardCharsets.UTF_8));
        Path script = folder.resolve("supervisor-" + digest.substring(0, 12) + ".sh");
        if (!Files.exists(script)) {
            Path written = Files.createTempFile(folder, "supervisor-", ".tmp");
            Files.write(written, text);
            Files.move(written, script, StandardCopyOption.ATOMIC_MOVE);
        }
        List<String> command = new ArrayList<>(sessionCommand(new ProgramLookup(environment.getOrDefault("PATH", ""))));
        command.addAll(List.of("sh", script.toAbsolutePath().toString()));
        return new SupervisorLauncher(command, environment, boot, Math.max(1, logLimit / BLOCK_BYTES));
    }

    static byte[] readScript() throws IOException {
        try (InputStream resource = SupervisorLauncher.class.getResourceAsStream(SCRIPT_RESOURCE)) {
            if (resource == null) {
                throw new IOException(SCRIPT_RESOURCE + " is missing in this program: build it again");
            }
            return resource.readAllBytes();
        }
    }

    /** macOS has no setsid program, but a Perl that can do it. Without either, the session stays the server's. */
    private static List<String> sessionCommand(ProgramLookup programs) {
        if (programs.find("setsid").isPresent()) {
            return List.of("setsid");
        }
        return programs.find("perl").isPresent() ? List.of("perl", "-e", PERL_SETSID) : List.of();
    }

    /**
     * Starts the supervisor of a run and hears whether it began.
     *
     * @return empty if another one had begun, or the run was removed
     * @throws IOException if it could not begin; it may be tried again
     */
    Optional<Process> launch(RunFolder folder, String uid, Optional<Instant> leaseUntil, long epoch)
            throws IOException {
        List<String> words = new ArrayList<>(command);
        words.add(bootId.id());
        words.add(leaseUntil.map(until -> Long.toString(until.getEpochSecond())).orElse("-"));
        words.add(Long.toString(logLimitBlocks));
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(folder.path().toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(environment);
        builder.environment().put(ProcessTable.RUN_VARIABLE, uid);
        // Known only now; what the tasks see of the request was written when the run was prepared.
        builder.environment().put(EPOCH_VARIABLE, Long.toString(epoch));
        builder.environment().put(ProcessTable.ROLE_VARIABLE, ProcessTable.SUPERVISOR_ROLE);
        Process process = builder.start();
        String heard;
        try (InputStream ear = process.getInputStream()) {
            heard = new String(ear.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
        return switch (heard) {
            case "begun" -> Optional.of(process);
            case "late" -> Optional.empty();
            default ->
                throw new IOException("the supervisor of run %s did not begin: %s"
                        .formatted(uid, heard.isEmpty() ? "it ended without a word" : heard));
        };
    }
}
