package dev.escapement.endpoints.model;

/** Validates parts of an endpoint before it is stored. Methods throw {@link IllegalArgumentException} if invalid. */
public interface EndpointValidator {

    void checkUrl(String url);

    void checkHeader(String name, String value);

    void checkSigningKey(String key);
}
