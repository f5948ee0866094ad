package dev.escapement.server.endpoint;

import dev.escapement.endpoints.guard.AllowList;
import dev.escapement.endpoints.guard.EndpointUrl;
import dev.escapement.endpoints.http.RequestHeaderRules;
import dev.escapement.endpoints.http.WebhookSigner;
import dev.escapement.endpoints.model.EndpointValidator;
import dev.escapement.storage.SecretText;
import java.util.Map;

/**
 * Rejects endpoints that could never be called when they are saved, by the rules of the call itself. A host name is
 * checked only at the call, by the addresses that it resolves to.
 *
 * @param allowList internal addresses that may be called
 */
record EndpointCallRules(AllowList allowList) implements EndpointValidator {

    @Override
    public void checkUrl(String url) {
        check("url", () -> EndpointUrl.parse(url).requireAllowed(allowList));
    }

    @Override
    public void checkHeader(String name, String value) {
        check("headers", () -> RequestHeaderRules.check(Map.of(name, value)));
    }

    @Override
    public void checkSigningKey(String key) {
        check("signingKey", () -> WebhookSigner.withKey(SecretText.of(key)));
    }

    /** Removes the name of the field from a message: the reader of the document adds it. */
    private static void check(String field, Runnable rule) {
        try {
            rule.run();
        } catch (IllegalArgumentException invalid) {
            String message = String.valueOf(invalid.getMessage());
            String prefix = field + ": ";
            throw new IllegalArgumentException(
                    message.startsWith(prefix) ? message.substring(prefix.length()) : message, invalid);
        }
    }
}
