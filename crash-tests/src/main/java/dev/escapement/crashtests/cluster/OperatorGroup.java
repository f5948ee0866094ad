package dev.escapement.crashtests.cluster;

import dev.escapement.crashtests.cluster.proxy.FaultProxy;
import dev.escapement.testkit.cluster.Kubeconfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** The operators that are there. The first one always is. */
final class OperatorGroup implements AutoCloseable {

    private final CrashTestCluster cluster;
    private final Path jar;
    private final Path folder;
    private final SSLSocketFactory tls;
    private final long seed;
    private final List<ProxiedOperatorProcess> operators = new CopyOnWriteArrayList<>();
    private int startedCount;
    private int exitsOfRemoved;

    OperatorGroup(CrashTestCluster stage, Path jar, Path folder, long seed)
            throws IOException, GeneralSecurityException {
        this.cluster = stage;
        this.jar = jar;
        this.folder = folder;
        this.seed = seed;
        this.tls = trustOnlyClusterCa(stage.operatorKubeconfig());
    }

    /** Another one, which is ready when this returns. */
    ProxiedOperatorProcess start() throws IOException, TimeoutException {
        FaultProxy proxy = new FaultProxy(URI.create(cluster.cluster().apiAddress()), tls, seed + startedCount);
        ProxiedOperatorProcess operator = new ProxiedOperatorProcess(
                jar,
                folder.resolve("operator-" + startedCount++),
                cluster.operatorKubeconfig().file(),
                proxy);
        operators.add(operator);
        operator.awaitReady();
        return operator;
    }

    ProxiedOperatorProcess first() {
        return operators.get(0);
    }

    /** How often one ended by itself. */
    int unexpectedExits() {
        return exitsOfRemoved
                + operators.stream()
                        .mapToInt(ProxiedOperatorProcess::unexpectedExits)
                        .sum();
    }

    void remove(ProxiedOperatorProcess operator) {
        operators.remove(operator);
        operator.close();
        exitsOfRemoved += operator.unexpectedExits();
    }

    List<ProxiedOperatorProcess> all() {
        return List.copyOf(operators);
    }

    private static SSLSocketFactory trustOnlyClusterCa(Kubeconfig access) throws IOException, GeneralSecurityException {
        String file = access.config().getCaCertFile();
        byte[] certificates = file == null
                ? Base64.getDecoder().decode(access.config().getCaCertData())
                : Files.readAllBytes(Path.of(file));
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        int number = 0;
        for (var each : new ArrayList<>(
                CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(certificates)))) {
            store.setCertificateEntry("authority-" + number++, each);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context.getSocketFactory();
    }

    @Override
    public void close() {
        operators.forEach(ProxiedOperatorProcess::close);
        operators.clear();
    }
}
