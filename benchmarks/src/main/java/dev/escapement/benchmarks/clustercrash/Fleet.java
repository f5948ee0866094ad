package dev.escapement.benchmarks.clustercrash;

import dev.escapement.benchmarks.clustercrash.proxy.FaultProxy;
import dev.escapement.cluster.Access;
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
final class Fleet implements AutoCloseable {

    private final Stage stage;
    private final Path jar;
    private final Path folder;
    private final SSLSocketFactory tls;
    private final long seed;
    private final List<OperatorProcess> operators = new CopyOnWriteArrayList<>();
    private int made;
    private int gone;

    Fleet(Stage stage, Path jar, Path folder, long seed) throws IOException, GeneralSecurityException {
        this.stage = stage;
        this.jar = jar;
        this.folder = folder;
        this.seed = seed;
        this.tls = trusting(stage.operator());
    }

    /** Another one, which is ready when this returns. */
    OperatorProcess add() throws IOException, TimeoutException {
        FaultProxy proxy = new FaultProxy(URI.create(stage.cluster().apiAddress()), tls, seed + made);
        OperatorProcess operator = new OperatorProcess(
                jar, folder.resolve("operator-" + made++), stage.operator().kubeconfig(), proxy);
        operators.add(operator);
        operator.awaitReady();
        return operator;
    }

    OperatorProcess first() {
        return operators.get(0);
    }

    /** How often one ended by itself. */
    int gaveUp() {
        return gone + operators.stream().mapToInt(OperatorProcess::gaveUp).sum();
    }

    void remove(OperatorProcess operator) {
        operators.remove(operator);
        operator.close();
        gone += operator.gaveUp();
    }

    List<OperatorProcess> all() {
        return List.copyOf(operators);
    }

    private static SSLSocketFactory trusting(Access access) throws IOException, GeneralSecurityException {
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
        operators.forEach(OperatorProcess::close);
        operators.clear();
    }
}
