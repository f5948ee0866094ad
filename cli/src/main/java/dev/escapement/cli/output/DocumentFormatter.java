package dev.escapement.cli.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalText;
import org.yaml.snakeyaml.DumperOptions;

/**
 * Documents for machines, complete. Where one has characters that are not seen as what they are, all that is not ASCII
 * is escaped: nothing is lost, and nothing happens to a terminal that it is shown on.
 */
public final class DocumentFormatter {

    private DocumentFormatter() {}

    /** As JSON, indented. */
    public static String toJson(JsonNode document, Terminal terminal) {
        return write(
                document, toJson(document, terminal, JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT)));
    }

    /** As JSON on one line. */
    public static String toJsonLine(JsonNode document, Terminal terminal) {
        return write(document, toJson(document, terminal, JsonMapper.builder()));
    }

    private static JsonMapper toJson(JsonNode document, Terminal terminal, JsonMapper.Builder mapper) {
        return needsAscii(document, terminal)
                ? mapper.enable(JsonWriteFeature.ESCAPE_NON_ASCII).build()
                : mapper.build();
    }

    /** As YAML, as {@code apply -f} reads it. */
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
        return write(document, new YAMLMapper(factory));
    }

    /** A parameter is a text, also if it looks like a number, in whatever way YAML writes numbers and times. */
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
        if (node.isTextual()) {
            return TerminalText.containsInvisible(node.textValue());
        }
        boolean inNames = node.isObject()
                && node.properties().stream().anyMatch(field -> TerminalText.containsInvisible(field.getKey()));
        if (inNames) {
            return true;
        }
        for (JsonNode child : node) {
            if (containsInvisible(child)) {
                return true;
            }
        }
        return false;
    }

    private static String write(JsonNode document, ObjectMapper mapper) {
        try {
            return mapper.writeValueAsString(document).stripTrailing();
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree could not be written", impossible);
        }
    }
}
