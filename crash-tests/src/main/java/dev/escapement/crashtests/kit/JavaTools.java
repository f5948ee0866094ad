package dev.escapement.crashtests.kit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Programs of the JDK that runs this process, and free ports. */
public final class JavaTools {

    private JavaTools() {}

    /** Returns the path of a program of the JDK, such as {@code java}. */
    public static String path(String tool) {
        return Path.of(System.getProperty("java.home"), "bin", tool).toString();
    }

    /** Runs a diagnostic command such as {@code Thread.print} in another JVM and returns its output. */
    public static String jcmd(ProcessHandle jvm, String command) throws IOException {
        Process tool = new ProcessBuilder(path("jcmd"), Long.toString(jvm.pid()), command)
                .redirectErrorStream(true)
                .start();
        return new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
