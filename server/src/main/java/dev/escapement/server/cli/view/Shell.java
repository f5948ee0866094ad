package dev.escapement.server.cli.view;

import dev.escapement.server.cli.text.Printable;

/** Words for a command line that somebody may copy: what others wrote must not become a command. */
final class Shell {

    private Shell() {}

    /** As it is if no shell could take it for something else, in quotes otherwise. */
    static String word(String text) {
        String plain = Printable.line(text);
        return plain.matches("[A-Za-z0-9._/:@%+=-]+") ? plain : "'" + plain.replace("'", "'\\''") + "'";
    }
}
