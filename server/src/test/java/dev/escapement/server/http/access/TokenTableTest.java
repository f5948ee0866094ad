package dev.escapement.server.http.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.server.StartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenTableTest {

    private static final String DIGEST = TokenTable.digest("the token of ann");

    @Test
    void findsCallerOfToken() {
        TokenTable table =
                TokenTable.parse("tokens:\n- {name: ann, sha256: %s, rights: [run, view]}".formatted(DIGEST));
        Caller ann = table.findToken("the token of ann").orElseThrow().caller();
        assertThat(ann.name()).isEqualTo("ann");
        assertThat(ann.proven()).isTrue();
        assertThat(Right.format(ann.effectiveRights())).isEqualTo("view, run");
        assertThat(table.findToken("another")).isEmpty();
        assertThat(table.findToken(DIGEST)).isEmpty();
    }

    @Test
    void adminIncludesAllRightsOfPeople() {
        Caller admin = TokenTable.parse("tokens:\n- {name: ann, sha256: %s, rights: [admin]}".formatted(DIGEST))
                .entries()
                .get(0)
                .caller();
        assertThat(admin.effectiveRights()).containsExactly(Right.VIEW, Right.RUN, Right.CLEAR, Right.ADMIN);
    }

    @Test
    void refusesInvalidEntriesWithAllProblems() {
        String yaml = """
                tokens:
                - {name: "a b", sha256: 12, rights: [view]}
                - {name: ann, sha256: %1$s, rights: [fly]}
                - {name: ann, sha256: %1$s, rights: []}
                - {name: ben, sha256: %1$s, rights: [view], token: secret}
                """.formatted(DIGEST);
        assertThatThrownBy(() -> TokenTable.parse(yaml))
                .hasMessageContaining("tokens[0]: name is \"a b\"")
                .hasMessageContaining("tokens[0]: sha256 must be 64")
                .hasMessageContaining("tokens[1]: right \"fly\" does not exist")
                .hasMessageContaining("tokens[2]: rights must be a list")
                .hasMessageContaining("tokens[2]: name ann is used twice")
                .hasMessageContaining("tokens[3] must have exactly the fields")
                .message()
                .doesNotContain(DIGEST)
                .doesNotContain("secret");
    }

    @Test
    void refusesFileThatOthersCanRead(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("tokens.yaml");
        Files.writeString(file, "tokens: []");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> new TokensFile(file))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("accessible to other users (rw-r--r--): use chmod 600");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        try (TokensFile opened = new TokensFile(file)) {
            assertThat(opened.get().entries()).isEmpty();
        }
    }
}
