package dev.escapement.process.os;

import dev.escapement.process.run.RunClaim.Supervisor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads {@code /proc}. A process belongs to a run if it is in the session of its supervisor, or has the run's uid in
 * its environment: a process may leave the session or clear its environment, but rarely does both.
 */
record LinuxProcessTable(BootId bootId) implements ProcessTable {

    private static final Path PROC = Path.of("/proc");

    /** The fields of {@code /proc/PID/stat} that are used. */
    private record ProcessStat(char state, long session, long startTicks, boolean hasMemory) {
        boolean isAlive() {
            // A process that is exiting has no memory left; a zombie has none either.
            return hasMemory && state != 'Z' && state != 'X';
        }
    }

    static boolean isSupported() {
        return Files.isReadable(PROC.resolve("self/stat")) && Files.isReadable(PROC.resolve("self/environ"));
    }

    @Override
    public boolean isAlive(Supervisor supervisor) {
        return findLive(supervisor).isPresent();
    }

    private Optional<ProcessStat> findLive(Supervisor supervisor) {
        return readStat(supervisor.pid())
                .filter(ProcessStat::isAlive)
                .filter(stat -> supervisor.bootId().equals(bootId.id()))
                .filter(stat -> Long.toString(stat.startTicks()).equals(supervisor.startTicks()));
    }

    @Override
    public Map<String, List<RunProcess>> findProcesses(Collection<RunQuery> runs) {
        Map<Long, String> sessions = new HashMap<>();
        Map<String, String> marks = new HashMap<>();
        long earliest = Long.MAX_VALUE;
        for (RunQuery run : runs) {
            marks.put(ProcessTable.RUN_VARIABLE + "=" + run.uid(), run.uid());
            earliest = Math.min(earliest, startTicks(run.supervisor()));
            long pid = run.supervisor().pid();
            findLive(run.supervisor())
                    .filter(stat -> stat.session() == pid)
                    .ifPresent(leader -> sessions.put(pid, run.uid()));
        }
        Map<String, List<RunProcess>> found = new HashMap<>();
        for (long pid : listPids()) {
            Optional<ProcessStat> stat = readStat(pid).filter(ProcessStat::isAlive);
            // Processes older than all of these runs belong to none of them; that excludes most.
            if (stat.isPresent() && stat.get().startTicks() >= earliest) {
                String bySession = sessions.get(stat.get().session());
                addIfOfRun(found, pid, Optional.ofNullable(bySession), marks);
            }
        }
        return found;
    }

    private static void addIfOfRun(
            Map<String, List<RunProcess>> found, long pid, Optional<String> bySession, Map<String, String> marks) {
        List<String> environment =
                read(pid, "environ").map(text -> List.of(text.split("\0", -1))).orElse(List.of());
        Optional<String> uid = bySession.or(() ->
                environment.stream().filter(marks::containsKey).findFirst().map(marks::get));
        boolean supervising = environment.contains(ROLE_VARIABLE + "=" + SUPERVISOR_ROLE);
        // Checked again: if the process ended meanwhile, its environment was empty and its role is unknown.
        boolean alive = readStat(pid).filter(ProcessStat::isAlive).isPresent();
        if (uid.isPresent() && alive) {
            ProcessHandle.of(pid)
                    .ifPresent(process -> found.computeIfAbsent(uid.get(), run -> new ArrayList<>())
                            .add(new RunProcess(process, supervising)));
        }
    }

    private static long startTicks(Supervisor supervisor) {
        return supervisor.startTicks().matches("\\d{1,18}") ? Long.parseLong(supervisor.startTicks()) : 0;
    }

    private static List<Long> listPids() {
        String[] pids = PROC.toFile().list((folder, name) -> name.charAt(0) >= '1' && name.charAt(0) <= '9');
        return pids == null ? List.of() : Stream.of(pids).map(Long::valueOf).toList();
    }

    private static Optional<ProcessStat> readStat(long pid) {
        return read(pid, "stat").flatMap(line -> {
            // The second field is the program name in parentheses and may contain any character.
            String[] fields = line.substring(line.lastIndexOf(')') + 1).strip().split(" ", -1);
            return fields.length > 20
                    ? Optional.of(new ProcessStat(
                            fields[0].charAt(0),
                            Long.parseLong(fields[3]),
                            Long.parseLong(fields[19]),
                            !fields[20].equals("0")))
                    : Optional.empty();
        });
    }

    private static Optional<String> read(long pid, String file) {
        try {
            byte[] bytes = Files.readAllBytes(PROC.resolve(Long.toString(pid)).resolve(file));
            return Optional.of(new String(bytes, StandardCharsets.ISO_8859_1));
        } catch (IOException goneOrNotOurs) {
            return Optional.empty();
        }
    }
}
