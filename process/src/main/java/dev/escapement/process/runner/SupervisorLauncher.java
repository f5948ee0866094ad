package dev.escapement.process.runner;

import dev.escapement.common.Digests;
import dev.escapement.process.os.BootId;
import dev.escapement.process.os.ProcessTable;
import dev.escapement.process.os.TaskEnvironment;
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

/** Starts supervisors, each in its own session, so that signals to the server or its terminal do not reach them. */
record SupervisorLauncher(List<String> command, TaskEnvironment environment, BootId bootId, long logLimitBlocks) {

    private static final String SCRIPT_RESOURCE = "supervisor.sh";
    private static final String EPOCH_VARIABLE = "ESCAPEMENT_EPOCH";
    private static final int BLOCK_BYTES = 512;
    private static final String PERL_SETSID = "use POSIX; POSIX::setsid(); exec @ARGV or die $!";

    /**
     * Writes the supervisor script to a folder. Its name contains a digest, because a shell reads a script while it
     * runs and would be confused by a changed one.
     */
    static SupervisorLauncher install(Path folder, TaskEnvironment environment, BootId bootId, long logLimit)
            throws IOException {
        byte[] text = readScript();
        Path script = folder.resolve("supervisor-" + Digests.sha256Hex(text, 6) + ".sh");
        if (!Files.exists(script)) {
            Path written = Files.createTempFile(folder, "supervisor-", ".tmp");
            Files.write(written, text);
            Files.move(written, script, StandardCopyOption.ATOMIC_MOVE);
        }
        List<String> command = new ArrayList<>(sessionCommand(environment));
        command.addAll(List.of("sh", script.toAbsolutePath().toString()));
        return new SupervisorLauncher(command, environment, bootId, Math.max(1, logLimit / BLOCK_BYTES));
    }

    static byte[] readScript() throws IOException {
        try (InputStream resource = SupervisorLauncher.class.getResourceAsStream(SCRIPT_RESOURCE)) {
            if (resource == null) {
                throw new IOException(SCRIPT_RESOURCE + " is missing from the class path: rebuild the program");
            }
            return resource.readAllBytes();
        }
    }

    /** macOS has no setsid, but Perl can do it. Without either, supervisors share the session of the server. */
    private static List<String> sessionCommand(TaskEnvironment environment) {
        if (environment.find("setsid").isPresent()) {
            return List.of("setsid");
        }
        return environment.find("perl").isPresent() ? List.of("perl", "-e", PERL_SETSID) : List.of();
    }

    /**
     * Starts the supervisor of a run and waits until it reports whether it acquired the run.
     *
     * @return empty if another supervisor acquired the run, or the run was removed, or the supervisor was killed after
     *     it acquired the run
     * @throws IOException if the supervisor could not start; the call may be retried
     */
    Optional<Process> launch(RunFolder folder, String uid, Optional<Instant> leaseUntil, long epoch)
            throws IOException {
        List<String> arguments = new ArrayList<>(command);
        String lease =
                leaseUntil.map(until -> Long.toString(until.getEpochSecond())).orElse("-");
        arguments.addAll(List.of(bootId.id(), lease, Long.toString(logLimitBlocks)));
        ProcessBuilder builder = new ProcessBuilder(arguments)
                .directory(folder.path().toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true);
        Map<String, String> variables = builder.environment();
        variables.clear();
        variables.putAll(environment.variables());
        variables.put(ProcessTable.RUN_VARIABLE, uid);
        // Not part of the plan, because the epoch is not known when the run is prepared.
        variables.put(EPOCH_VARIABLE, Long.toString(epoch));
        variables.put(ProcessTable.ROLE_VARIABLE, ProcessTable.SUPERVISOR_ROLE);
        Process process = builder.start();
        String reply;
        try (InputStream output = process.getInputStream()) {
            reply = new String(output.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
        if (reply.equals("begun")) {
            return Optional.of(process);
        }
        // A late supervisor may be killed before it replies, together with what is left of a run that has just ended.
        if (reply.equals("late") || folder.owner().isPresent()) {
            return Optional.empty();
        }
        String problem = reply.isEmpty() ? "it exited without output" : reply;
        throw new IOException("the supervisor of run %s did not start: %s".formatted(uid, problem));
    }
}
