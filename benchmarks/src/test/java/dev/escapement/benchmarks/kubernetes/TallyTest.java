package dev.escapement.benchmarks.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.benchmarks.kubernetes.Call.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TallyTest {

    private static final String TARGET = "wfe-cf0cc089293b1165";
    private static final String STATUS =
            line("one", "update", "workflowexecutions\",\"subresource\":\"status", "wfe-1");

    private static String line(String user, String verb, String resource, String name) {
        return ("{\"kind\":\"Event\",\"level\":\"Metadata\",\"stage\":\"ResponseComplete\",\"requestURI\":\"/apis\","
                        + "\"verb\":\"%s\",\"user\":{\"username\":\"%s\"},\"objectRef\":{\"resource\":\"%s\",\"name\":\"%s\"},"
                        + "\"responseStatus\":{\"code\":200},\"stageTimestamp\":\"2026-01-02T03:04:05.678901Z\"}")
                .formatted(verb, user, resource, name);
    }

    private static Call call(String verb, String resource, String name) {
        return Call.parse(line("one", verb, resource, name));
    }

    @Test
    void aLineSaysWhoAskedWhatAndWhenItWasAnswered() {
        assertThat(Call.parse(STATUS))
                .isEqualTo(new Call(
                        "one",
                        "update",
                        "workflowexecutions/status",
                        "wfe-1",
                        200,
                        Instant.parse("2026-01-02T03:04:05.678901Z")));
        assertThatThrownBy(() -> Call.parse("{")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void eventsLeasesAndWatchesAreNeitherWritesNorReads() {
        assertThat(call("create", "events", "e").kind()).isEqualTo(Kind.EVENT);
        assertThat(call("update", "leases", "l").kind()).isEqualTo(Kind.LEASE);
        assertThat(call("watch", "pods", "").kind()).isEqualTo(Kind.WATCH);
        assertThat(call("list", "pods", "").kind()).isEqualTo(Kind.READ);
        assertThat(call("delete", "pods", "p").kind()).isEqualTo(Kind.WRITE);
    }

    @Test
    void everyWriteOfAnExecutionIsFoundByItsTarget() {
        Tally tally = new Tally(List.of(
                Call.parse(STATUS),
                call("create", "remediationtargets", TARGET),
                call("create", "pipelineruns", TARGET + "-0123456789"),
                call("get", "workflowexecutions", "wfe-1"),
                call("create", "remediationtargets", "wfe-0000000000000000")));
        assertThat(tally.most(Kind.WRITE, Map.of("wfe-1", TARGET))).isEqualTo(3);
        assertThat(tally.most(Kind.READ, Map.of("wfe-1", TARGET))).isEqualTo(1);
        assertThat(tally.count(Kind.WRITE)).isEqualTo(4);
        assertThat(tally.detail(Kind.WRITE))
                .isEqualTo("create pipelineruns 1, create remediationtargets 2, update workflowexecutions/status 1");
    }

    @Test
    void aLogIsReadFromAMarkOnForOneUserWithoutALineThatIsHalfWritten(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("audit.log");
        AuditLog log = new AuditLog(file, "one");
        assertThat(log.mark()).isZero();
        Files.writeString(file, STATUS + "\n");
        long mark = log.mark();
        Files.writeString(
                file,
                line("other", "get", "pods", "one") + "\n" + line("one", "get", "pods", "p") + "\n{\"user\":\"one\"",
                StandardOpenOption.APPEND);
        assertThat(log.since(mark)).containsExactly(call("get", "pods", "p"));
        assertThat(log.since(0)).hasSize(2);
    }
}
