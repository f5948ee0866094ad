package dev.escapement.server.settings;

import java.nio.file.Path;

/**
 * A text that somebody gave for a setting.
 *
 * @param text as it was written
 * @param origin where
 * @param base what relative paths in it start from
 */
record Given(String text, Origin origin, Path base) {}
