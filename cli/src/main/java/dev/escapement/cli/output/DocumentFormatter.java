package dev.escapement.cli.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.common.Json;
import dev.escapement.common.SafeText;
import org.yaml.snakeyaml.DumperOptions;

/**
 * Formats documents as JSON and YAML. If a document has invisible characters, everything but ASCII is escaped: nothing
 * is lost, and a terminal shows it safely.
 */
public final class DocumentFormatter {

    private DocumentFormatter() {}

    public static String toJson(JsonNode document, Terminal terminal) {
        return toJson(document, terminal, Json.mapper().writerWithDefaultPrettyPrinter());
    }

    public static String toJsonLine(JsonNode document, Terminal terminal) {
        return toJson(document, terminal, Json.mapper().writer());
    }

    private static String toJson(JsonNode document, Terminal terminal, ObjectWriter writer) {
        return write(
                document, needsAscii(document, terminal) ? writer.with(JsonWriteFeature.ESCAPE_NON_ASCII) : writer);
    }

    /** Formats YAML that {@code apply -f} reads. */
    public static String toYaml(JsonNode document, Terminal terminal) {
        DumperOptions options = new DumperOptions();
        options.setAllowUnicode(!needsAscii(document, terminal));
        options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        options.setSplitLines(false);
        YAMLFactory factory = YAMLFactory.builder()
                .dumperOptions(options)
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                .stringQuotingChecker(new LeadingLetterQuoting())
                .build();
        return write(document, new YAMLMapper(factory).writer());
    }

    /** Quotes every text that YAML might read as a number, a time or a keyword. */
    private static final class LeadingLetterQuoting extends StringQuotingChecker.Default {
        private static final long serialVersionUID = 1;

        @Override
        public boolean needToQuoteValue(String value) {
            return value.isEmpty() || !Character.isLetter(value.charAt(0)) || super.needToQuoteValue(value);
        }
    }

    private static boolean needsAscii(JsonNode document, Terminal terminal) {
        return !terminal.unicode() || containsInvisible(document);
    }

    private static boolean containsInvisible(JsonNode node) {
        return SafeText.containsInvisible(node.asText())
                || node.propertyStream().anyMatch(field -> SafeText.containsInvisible(field.getKey()))
                || node.valueStream().anyMatch(DocumentFormatter::containsInvisible);
    }

    private static String write(JsonNode document, ObjectWriter writer) {
        try {
            return writer.writeValueAsString(document).stripTrailing();
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a JSON tree could not be written", impossible);
        }
    }
}
