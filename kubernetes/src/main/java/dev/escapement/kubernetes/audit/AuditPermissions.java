package dev.escapement.kubernetes.audit;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;

/** What the operator needs for audit records beyond its ordinary permissions. */
public final class AuditPermissions {

    private AuditPermissions() {}

    /** Returns whether the operator may read its position; the permission comes with that to write it. */
    public static boolean mayStorePosition(KubernetesClient client, String namespace) {
        try {
            var unused = new AuditPositionMap(client, namespace).read();
            return true;
        } catch (KubernetesClientException refused) {
            if (refused.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                return false;
            }
            throw refused;
        }
    }
}
