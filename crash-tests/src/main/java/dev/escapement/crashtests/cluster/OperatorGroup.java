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
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** The running operators. The first one runs until the end of the test. */
final class OperatorGroup implements AutoCloseable {

    private final CrashTestCluster cluster;
    private final Path jar;
    private final Path folder;
    private final Map<String, String> environment;
    private final SSLSocketFactory tls;
    private final long seed;
    private final List<ProxiedOperatorProcess> operators = new CopyOnWriteArrayList<>();
    private int startedCount;
    private int exitsOfRemoved;

    OperatorGroup(CrashTestCluster cluster, Path jar, Path folder, Map<String, String> environment, long seed)
            throws IOException, GeneralSecurityException {
        this.cluster = cluster;
        this.jar = jar;
        this.folder = folder;
        this.environment = Map.copyOf(environment);
        this.seed = seed;
        this.tls = trustOnlyClusterCa(cluster.operatorKubeconfig());
    }

    /** Starts another operator and waits until it is ready. */
    ProxiedOperatorProcess start() throws IOException, TimeoutException {
        FaultProxy proxy = new FaultProxy(URI.create(cluster.cluster().apiAddress()), tls, seed + startedCount);
        ProxiedOperatorProcess operator = ProxiedOperatorProcess.start(
                jar,
                folder.resolve("operator-" + startedCount++),
                cluster.operatorKubeconfig().file(),
                environment,
                proxy);
        operators.add(operator);
        operator.awaitReady();
        return operator;
    }

    ProxiedOperatorProcess first() {
        return operators.get(0);
    }

    /** Returns how often an operator exited without being stopped. */
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

    private static SSLSocketFactory trustOnlyClusterCa(Kubeconfig kubeconfig)
            throws IOException, GeneralSecurityException {
        String file = kubeconfig.config().getCaCertFile();
        byte[] certificates = file == null
                ? Base64.getDecoder().decode(kubeconfig.config().getCaCertData())
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
