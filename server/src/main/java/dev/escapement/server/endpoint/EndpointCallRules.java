package dev.escapement.server.endpoint;

import dev.escapement.endpoints.guard.AllowList;
import dev.escapement.endpoints.guard.EndpointUrl;
import dev.escapement.endpoints.http.RequestHeaderRules;
import dev.escapement.endpoints.http.WebhookSigner;
import dev.escapement.endpoints.model.EndpointValidator;
import dev.escapement.storage.SecretText;
import java.util.Map;

/**
 * What can never be called is refused when it is saved, by the same rules that are kept when it is called. Names are
 * judged only then, by the addresses that they lead to.
 *
 * @param allowList of the inside
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

    /** The field is named by whoever reads the document. */
    private static void check(String field, Runnable rule) {
        try {
            rule.run();
        } catch (IllegalArgumentException refused) {
            String message = String.valueOf(refused.getMessage());
            String prefix = field + ": ";
            throw new IllegalArgumentException(
                    message.startsWith(prefix) ? message.substring(prefix.length()) : message, refused);
        }
    }
}
