package dev.escapement.server.config;

import java.nio.file.Path;

/**
 * The unparsed value of a setting.
 *
 * @param base the folder that relative paths are resolved against
 */
record RawSetting(String text, SettingOrigin origin, Path base) {}
