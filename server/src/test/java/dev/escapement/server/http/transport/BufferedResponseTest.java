package dev.escapement.server.http.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;

/** A request is completed once: Jetty would begin the next request of the connection twice. */
class BufferedResponseTest {

    private final List<String> completions = new ArrayList<>();
    private final List<Callback> writes = new ArrayList<>();
    private final BufferedResponse response = new BufferedResponse(
            request(), wrapped(), Callback.from(() -> completions.add("succeeded"), this::recordFailure), guard());

    private void recordFailure(Throwable failure) {
        completions.add("failed: " + failure.getMessage());
    }

    private static ConnectionGuard guard() {
        return new ConnectionGuard(10, 1 << 20, () -> 0);
    }

    private static Request request() {
        Connection connection = stub(Connection.class, Map.of());
        ConnectionMetaData metaData = stub(ConnectionMetaData.class, Map.of("getConnection", connection));
        return stub(Request.class, Map.of("getConnectionMetaData", metaData));
    }

    /** Returns fixed values by the names of methods, and nothing from all others. */
    private static <T> T stub(Class<T> type, Map<String, Object> values) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> {
            return switch (method.getName()) {
                case "hashCode" -> System.identityHashCode(self);
                case "equals" -> self == given[0];
                default -> values.get(method.getName());
            };
        }));
    }

    /** A client that reads the response when the test says so. */
    private Response wrapped() {
        return (Response) Proxy.newProxyInstance(
                Response.class.getClassLoader(), new Class<?>[] {Response.class}, (self, method, given) -> {
                    if (method.getName().equals("write")) {
                        writes.add((Callback) given[2]);
                    }
                    return null;
                });
    }

    private void writeBody() {
        response.write(true, ByteBuffer.wrap(new byte[] {1}), Callback.NOOP);
    }

    @Test
    void completesWhenHandlerHasEndedAndResponseIsSent() {
        writeBody();
        response.succeeded();
        assertThat(completions).isEmpty();
        writes.get(0).succeeded();
        assertThat(completions).containsExactly("succeeded");
    }

    @Test
    void lateFailureDoesNotCompleteAgain() {
        writeBody();
        writes.get(0).succeeded();
        response.succeeded();
        response.failed(new IllegalStateException("late"));
        assertThat(completions).containsExactly("succeeded");
    }
}
