package dev.escapement.server.config;

import java.nio.file.Path;

/**
 * A text that somebody gave for a setting.
 *
 * @param text as it was written
 * @param origin where
 * @param base what relative paths in it start from
 */
record RawSetting(String text, SettingOrigin origin, Path base) {}
