package dev.escapement.kubernetes.client;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.OAuthTokenProvider;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Reads the field {@code tokenFile} of a kubeconfig, which the client library ignores. */
record TokenFileReader(Path file) implements OAuthTokenProvider {

    /** Returns the reader for the user of the current context, if the kubeconfig names a token file and no token. */
    static Optional<TokenFileReader> of(Config config) {
        if (config.getFile() == null || config.getCurrentContext() == null) {
            return Optional.empty();
        }
        Path kubeconfig = config.getFile().toPath();
        String user = config.getCurrentContext().getContext().getUser();
        return parse(kubeconfig).getUsers().stream()
                .filter(named -> named.getName().equals(user))
                .map(NamedAuthInfo::getUser)
                .filter(named -> named.getToken() == null)
                .map(AuthInfo::getTokenFile)
                .filter(path -> path != null && !path.isEmpty())
                // As kubectl does: relative to the folder of the kubeconfig.
                .map(path -> new TokenFileReader(kubeconfig.toAbsolutePath().resolveSibling(path)))
                .findFirst();
    }

    private static io.fabric8.kubernetes.api.model.Config parse(Path kubeconfig) {
        try {
            return Serialization.unmarshal(Files.readString(kubeconfig), io.fabric8.kubernetes.api.model.Config.class);
        } catch (IOException unreadable) {
            throw new KubernetesClientException("kubeconfig %s cannot be read".formatted(kubeconfig), unreadable);
        }
    }

    /** Reads the file at every call, because tokens are replaced before they expire. */
    @Override
    public String getToken() {
        try {
            return Files.readString(file, StandardCharsets.UTF_8).strip();
        } catch (IOException unreadable) {
            throw new KubernetesClientException("token file %s cannot be read".formatted(file), unreadable);
        }
    }
}
