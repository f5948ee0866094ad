package dev.escapement.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Versions that the build writes into the jars. */
public final class BuildInfo {

    private BuildInfo() {}

    public static String version() {
        return readVersion("build.properties");
    }

    /** Returns the version in a file of properties on the class path. */
    public static String readVersion(String resource) {
        Properties properties = new Properties();
        try (InputStream in = BuildInfo.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("the class path has no " + resource);
            }
            properties.load(in);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return properties.getProperty("version", "unknown");
    }
}
