package dev.escapement.benchmarks.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.benchmarks.kubernetes.AuditedRequest.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequestTallyTest {

    private static final String TARGET = "wfe-cf0cc089293b1165";
    private static final String STATUS_UPDATE =
            auditLine("one", "update", "workflowexecutions\",\"subresource\":\"status", "wfe-1");

    private static String auditLine(String user, String verb, String resource, String name) {
        return ("{\"kind\":\"Event\",\"level\":\"Metadata\",\"stage\":\"ResponseComplete\",\"requestURI\":\"/apis\","
                        + "\"verb\":\"%s\",\"user\":{\"username\":\"%s\"},\"objectRef\":{\"resource\":\"%s\",\"name\":\"%s\"},"
                        + "\"responseStatus\":{\"code\":200},\"stageTimestamp\":\"2026-01-02T03:04:05.678901Z\"}")
                .formatted(verb, user, resource, name);
    }

    private static AuditedRequest request(String verb, String resource, String name) {
        return AuditedRequest.parse(auditLine("one", verb, resource, name));
    }

    @Test
    void parsesAuditLine() {
        assertThat(AuditedRequest.parse(STATUS_UPDATE))
                .isEqualTo(new AuditedRequest(
                        "one",
                        "update",
                        "workflowexecutions/status",
                        "wfe-1",
                        200,
                        Instant.parse("2026-01-02T03:04:05.678901Z")));
        assertThatThrownBy(() -> AuditedRequest.parse("{")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void classifiesEventsLeasesAndWatchesSeparately() {
        assertThat(request("create", "events", "e").kind()).isEqualTo(Kind.EVENT);
        assertThat(request("update", "leases", "l").kind()).isEqualTo(Kind.LEASE);
        assertThat(request("watch", "pods", "").kind()).isEqualTo(Kind.WATCH);
        assertThat(request("list", "pods", "").kind()).isEqualTo(Kind.READ);
        assertThat(request("delete", "pods", "p").kind()).isEqualTo(Kind.WRITE);
    }

    @Test
    void countsWritesOfExecutionByTarget() {
        RequestTally tally = new RequestTally(List.of(
                AuditedRequest.parse(STATUS_UPDATE),
                request("create", "remediationtargets", TARGET),
                request("create", "pipelineruns", TARGET + "-0123456789"),
                request("get", "workflowexecutions", "wfe-1"),
                request("create", "remediationtargets", "wfe-0000000000000000")));
        assertThat(tally.maxPerTarget(Kind.WRITE, Map.of("wfe-1", TARGET))).isEqualTo(3);
        assertThat(tally.maxPerTarget(Kind.READ, Map.of("wfe-1", TARGET))).isEqualTo(1);
        assertThat(tally.count(Kind.WRITE)).isEqualTo(4);
        assertThat(tally.formatByTitle(Kind.WRITE))
                .isEqualTo("create pipelineruns 1, create remediationtargets 2, update workflowexecutions/status 1");
    }

    @Test
    void readsCompleteLinesOfUserSincePosition(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("audit.log");
        AuditLog log = new AuditLog(file, "one");
        assertThat(log.position()).isZero();
        Files.writeString(file, STATUS_UPDATE + "\n");
        long position = log.position();
        Files.writeString(
                file,
                auditLine("other", "get", "pods", "one") + "\n" + auditLine("one", "get", "pods", "p")
                        + "\n{\"user\":\"one\"",
                StandardOpenOption.APPEND);
        assertThat(log.readSince(position)).containsExactly(request("get", "pods", "p"));
        assertThat(log.readSince(0)).hasSize(2);
    }
}
