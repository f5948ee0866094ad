package dev.escapement.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Properties that the build writes into the jar. */
public final class BuildInfo {

    private BuildInfo() {}

    public static String version() {
        Properties build = new Properties();
        try (InputStream in = BuildInfo.class.getResourceAsStream("build.properties")) {
            if (in == null) {
                throw new IllegalStateException("the jar has no build.properties");
            }
            build.load(in);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return build.getProperty("version", "unknown");
    }
}
