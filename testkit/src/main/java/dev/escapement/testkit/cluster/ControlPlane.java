package dev.escapement.testkit.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The command lines of the three programs, which are those of a production cluster where this matters.
 *
 * @param directory of the files
 * @param keys sign the tokens of service accounts
 * @param etcdPort for clients
 * @param peerPort required by etcd
 * @param apiPort of the API server
 * @param managerPort for the health checks of the controller manager
 */
record ControlPlane(
        ClusterBinaries binaries,
        ClusterDirectory directory,
        ServiceAccountKeys keys,
        boolean durable,
        boolean jsonStorage,
        int etcdPort,
        int peerPort,
        int apiPort,
        int managerPort) {

    private static final String LOOPBACK = "127.0.0.1";

    /** Controllers that need machines, disks or a cloud, or that would mark the simulated node as dead. */
    private static final List<String> DISABLED_CONTROLLERS = List.of(
            "node-lifecycle-controller",
            "node-ipam-controller",
            "persistentvolume-binder-controller",
            "persistentvolume-attach-detach-controller",
            "persistentvolume-expander-controller",
            "horizontal-pod-autoscaler-controller",
            "bootstrap-signer-controller",
            "token-cleaner-controller");

    String etcdAddress() {
        return "http://" + LOOPBACK + ":" + etcdPort;
    }

    String apiAddress() {
        return "https://" + LOOPBACK + ":" + apiPort;
    }

    ManagedProcess startEtcd() {
        String peers = "http://" + LOOPBACK + ":" + peerPort;
        List<String> command = new ArrayList<>(List.of(
                program("etcd"),
                "--name=escapement",
                "--data-dir=" + directory.etcdData(),
                "--listen-client-urls=" + etcdAddress(),
                "--advertise-client-urls=" + etcdAddress(),
                "--listen-peer-urls=" + peers,
                "--initial-advertise-peer-urls=" + peers,
                "--initial-cluster=escapement=" + peers,
                // No compaction, because tests read the whole history.
                "--auto-compaction-retention=0",
                "--quota-backend-bytes=" + 6L * 1024 * 1024 * 1024,
                "--max-txn-ops=10000",
                "--log-level=warn"));
        if (!durable) {
            command.add("--unsafe-no-fsync");
        }
        return ManagedProcess.start("etcd", command, Map.of(), directory.path());
    }

    ManagedProcess startApiServer() {
        return ManagedProcess.start(
                "kube-apiserver",
                List.of(
                        program("kube-apiserver"),
                        "--storage-media-type=application/" + (jsonStorage ? "json" : "vnd.kubernetes.protobuf"),
                        "--etcd-servers=" + etcdAddress(),
                        "--etcd-compaction-interval=0",
                        "--bind-address=" + LOOPBACK,
                        "--advertise-address=" + LOOPBACK,
                        "--secure-port=" + apiPort,
                        "--endpoint-reconciler-type=none",
                        "--cert-dir=" + directory.certificates(),
                        "--service-cluster-ip-range=10.0.0.0/16",
                        "--service-account-issuer=https://kubernetes.default.svc",
                        "--service-account-signing-key-file=" + keys.privateKey(),
                        "--service-account-key-file=" + keys.publicKey(),
                        "--token-auth-file=" + directory.tokenFile(),
                        "--authorization-mode=Node,RBAC",
                        "--allow-privileged=true",
                        "--audit-policy-file=" + directory.auditPolicy(),
                        "--audit-log-path=" + directory.auditLog(),
                        "--audit-log-maxsize=4096",
                        // No throttling: a test that needs a 429 configures it itself.
                        "--max-requests-inflight=4000",
                        "--max-mutating-requests-inflight=2000",
                        "--enable-priority-and-fairness=false",
                        "--profiling=false"),
                Map.of(),
                directory.path());
    }

    ManagedProcess startControllerManager(Path kubeconfig) {
        return ManagedProcess.start(
                "kube-controller-manager",
                List.of(
                        program("kube-controller-manager"),
                        "--kubeconfig=" + kubeconfig,
                        "--authentication-kubeconfig=" + kubeconfig,
                        "--authorization-kubeconfig=" + kubeconfig,
                        "--bind-address=" + LOOPBACK,
                        "--secure-port=" + managerPort,
                        "--leader-elect=false",
                        "--use-service-account-credentials=true",
                        "--service-account-private-key-file=" + keys.privateKey(),
                        "--root-ca-file=" + directory.certificateAuthority(),
                        "--controllers=*,-" + String.join(",-", DISABLED_CONTROLLERS),
                        "--concurrent-job-syncs=20",
                        "--concurrent-gc-syncs=20",
                        "--concurrent-namespace-syncs=20",
                        "--concurrent-serviceaccount-token-syncs=20",
                        "--kube-api-qps=1000",
                        "--kube-api-burst=2000",
                        "--profiling=false"),
                Map.of(),
                directory.path());
    }

    private String program(String name) {
        return binaries.program(name).toString();
    }
}
