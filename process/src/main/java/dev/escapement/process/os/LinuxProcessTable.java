package dev.escapement.process.os;

import dev.escapement.process.run.RunOwner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Processes as {@code /proc} shows them. A run's processes are those of its supervisor's session, and those that carry
 * the run in their environment: one that detaches itself loses its session, one that is given a clean environment loses
 * that, and few lose both.
 */
final class LinuxProcessTable implements ProcessTable {

    private static final Path PROC = Path.of("/proc");

    /** What a line of {@code /proc/PID/stat} says. */
    private record ProcessStat(char state, long session, long startTicks, boolean hasMemory) {
        boolean isAlive() {
            // One that is about to end has a line without memory; one that nobody has asked about yet has one, too.
            return hasMemory && state != 'Z' && state != 'X';
        }
    }

    private final BootId bootId;

    LinuxProcessTable(BootId boot) {
        this.bootId = boot;
    }

    static boolean isSupported() {
        return Files.isReadable(PROC.resolve("self/stat")) && Files.isReadable(PROC.resolve("self/environ"));
    }

    @Override
    public boolean isAlive(RunOwner.Supervisor supervisor) {
        return supervisor.bootId().equals(bootId.id())
                && readStat(supervisor.pid())
                        .filter(ProcessStat::isAlive)
                        .filter(stat -> Long.toString(stat.startTicks()).equals(supervisor.startTicks()))
                        .isPresent();
    }

    @Override
    public Map<String, List<RunProcess>> findProcesses(Collection<RunQuery> runs) {
        Map<Long, String> sessions = new HashMap<>();
        Map<String, String> marks = new HashMap<>();
        long earliest = Long.MAX_VALUE;
        for (RunQuery run : runs) {
            marks.put(ProcessTable.RUN_VARIABLE + "=" + run.uid(), run.uid());
            earliest = Math.min(earliest, startTicks(run.supervisor()));
            if (isAlive(run.supervisor()) && isSessionLeader(run.supervisor())) {
                sessions.put(run.supervisor().pid(), run.uid());
            }
        }
        Map<String, List<RunProcess>> found = new HashMap<>();
        for (long pid : listPids()) {
            Optional<ProcessStat> stat = readStat(pid).filter(ProcessStat::isAlive);
            // Whatever is older than all of these runs belongs to none of them: most processes of a machine.
            if (stat.isPresent() && stat.get().startTicks() >= earliest) {
                addIfOfRun(
                        found, pid, Optional.ofNullable(sessions.get(stat.get().session())), marks);
            }
        }
        return found;
    }

    private static void addIfOfRun(
            Map<String, List<RunProcess>> found, long pid, Optional<String> bySession, Map<String, String> marks) {
        List<String> environment = readEnvironment(pid);
        Optional<String> uid = bySession.or(() ->
                environment.stream().filter(marks::containsKey).findFirst().map(marks::get));
        boolean supervising = environment.contains(ROLE_VARIABLE + "=" + SUPERVISOR_ROLE);
        // Its environment may have been read just after it had ended, and would say nothing about its role.
        boolean alive = readStat(pid).filter(ProcessStat::isAlive).isPresent();
        if (uid.isPresent() && alive) {
            ProcessHandle.of(pid)
                    .ifPresent(process -> found.computeIfAbsent(uid.get(), run -> new ArrayList<>())
                            .add(new RunProcess(process, supervising)));
        }
    }

    private boolean isSessionLeader(RunOwner.Supervisor supervisor) {
        return readStat(supervisor.pid())
                .filter(stat -> stat.session() == supervisor.pid())
                .isPresent();
    }

    private static long startTicks(RunOwner.Supervisor supervisor) {
        return supervisor.startTicks().matches("\\d{1,18}") ? Long.parseLong(supervisor.startTicks()) : 0;
    }

    private static List<Long> listPids() {
        String[] names = PROC.toFile().list((folder, name) -> name.charAt(0) >= '1' && name.charAt(0) <= '9');
        return names == null
                ? List.of()
                : Arrays.stream(names).map(Long::valueOf).toList();
    }

    private static Optional<ProcessStat> readStat(long pid) {
        return read(pid, "stat").flatMap(line -> {
            // The program's name comes second, in parentheses, and may contain anything.
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

    private static List<String> readEnvironment(long pid) {
        return read(pid, "environ").map(text -> List.of(text.split("\0", -1))).orElse(List.of());
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
