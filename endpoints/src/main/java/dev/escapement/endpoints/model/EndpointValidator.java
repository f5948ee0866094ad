package dev.escapement.endpoints.model;

/** What a URL and a header must be like to be saved. Each says what is wrong by an {@link IllegalArgumentException}. */
public interface EndpointValidator {

    /** Refuses a URL that can never be called. */
    void checkUrl(String url);

    /** Refuses a header that would change what is sent and how, or that cannot be sent at all. */
    void checkHeader(String name, String value);

    /** Refuses a key that does not sign. */
    void checkSigningKey(String key);
}
