package dev.escapement.server.http.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Reads the table of the documentation that says which right allows what. */
public final class AccessMatrix {

    /** An operation with all rights that allow it. */
    public record Operation(String method, String path, Set<Right> rights) {}

    private AccessMatrix() {}

    public static List<Operation> read() throws IOException {
        List<Operation> operations = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("..", "docs", "rest.md"))) {
            String[] cells = line.split("\\s*\\|\\s*", -1);
            if (cells.length == 8 && cells[2].matches("`[A-Z]+ /.*`")) {
                Set<Right> rights = EnumSet.noneOf(Right.class);
                int column = 3;
                for (Right right : Right.values()) {
                    if (cells[column].equals("yes")) {
                        rights.add(right);
                    }
                    column++;
                }
                String[] operation = cells[2].replace("`", "").split(" ", 2);
                operations.add(new Operation(operation[0], operation[1], rights));
            }
        }
        return operations;
    }
}
