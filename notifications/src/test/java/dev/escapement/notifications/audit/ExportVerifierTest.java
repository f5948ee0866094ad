package dev.escapement.notifications.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.common.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExportVerifierTest {

    private final List<String> lines = new ArrayList<>(
            ChainSamples.chain(9).stream().map(ChainEntry::toLine).toList());

    private List<String> verify() {
        ExportVerifier verifier = new ExportVerifier();
        lines.forEach(verifier::addLine);
        assertThat(verifier.problemCount() > 0).isEqualTo(!verifier.problems().isEmpty());
        return verifier.problems().stream().map(ChainProblem::message).toList();
    }

    @Test
    void acceptsAnExportFromAnyEntryOn() {
        assertThat(verify()).isEmpty();
        lines.subList(0, 4).clear();
        assertThat(verify()).isEmpty();
        lines.clear();
        assertThat(verify()).isEmpty();
    }

    @Test
    void findsEveryChangedCharacterOfALine() {
        String line = lines.get(4);
        for (int i = 0; i < line.length(); i++) {
            StringBuilder changed = new StringBuilder(line);
            changed.setCharAt(i, changed.charAt(i) == '1' ? '2' : '1');
            lines.set(4, changed.toString());
            assertThat(verify()).describedAs("character " + i).isNotEmpty();
        }
    }

    @Test
    void findsRemovedRepeatedAndMovedLines() {
        String third = lines.remove(2);
        assertThat(verify()).containsExactly("entry 3 was removed");
        lines.add(5, third);
        assertThat(verify()).containsExactly("entry 3 was moved: it stands after entry 6");
        lines.add(2, third);
        assertThat(verify()).containsExactly("entry 3 was inserted: it stands after entry 6");
    }

    @Test
    void namesUnreadableLines() {
        lines.set(3, "no entry");
        assertThat(verify()).contains("line 4 was changed: it is not a line of an export", "entry 4 was removed");
    }

    @Test
    void lineOfTheServerIsTheLineOfTheEntry() {
        ChainEntry entry = ChainSamples.chain(1).get(0);
        Map<String, Object> document = Json.toMap(entry.toDocument());
        assertThat(AuditLines.toLine(document)).isEqualTo(entry.toLine());
    }

    @Test
    void cloudEventHasTheRecordAsData() {
        ChainEntry entry = ChainSamples.chain(1).get(0);
        Map<String, Object> event =
                Json.toMap(Json.read(AuditLines.toCloudEvent(Json.toMap(entry.toDocument())), Map.class));
        assertThat(event)
                .containsEntry("specversion", "1.0")
                .containsEntry("id", "id-1")
                .containsEntry("type", "dev.escapement.audit.WorkflowSkipped")
                .containsEntry("subject", "node/worker-1")
                .containsEntry("data", Json.toMap(entry.record()));
    }
}
