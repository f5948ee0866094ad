package dev.escapement.architecture.offenders;

import java.time.ZoneId;
import java.util.Locale;
import java.util.Timer;

/** Lets the machine it runs on have a say, or starts something on it. */
public final class EnvironmentOffender {

    private EnvironmentOffender() {}

    static boolean variable(String name) {
        return System.getenv(name) != null;
    }

    static boolean property(String name) {
        return System.getProperty(name) != null;
    }

    static boolean booleanProperty(String name) {
        return Boolean.getBoolean(name);
    }

    static ZoneId zone() {
        return ZoneId.systemDefault();
    }

    static Locale locale() {
        return Locale.getDefault();
    }

    static int processors() {
        return Runtime.getRuntime().availableProcessors();
    }

    static ProcessBuilder process(String command) {
        return new ProcessBuilder(command);
    }

    static Thread thread(Runnable work) {
        return new Thread(work);
    }

    static Timer timer() {
        return new Timer();
    }
}
