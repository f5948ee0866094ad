package dev.escapement.server.http.transport;

import dev.escapement.server.http.HttpProblem;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Processes requests on threads that never wait for a client: the body has arrived, and the response is buffered. Each
 * probe has its own thread, so that it is answered while all others wait for a database.
 */
final class RequestDispatcher extends Handler.Wrapper {

    private static final int MAX_THREADS = 32;

    private final ConnectionGuard guard;
    private final Set<String> resources;
    private final RequestPool requests = new RequestPool("http", MAX_THREADS);
    private final RequestPool liveness = new RequestPool("http-live", 1);
    private final RequestPool readiness = new RequestPool("http-ready", 1);

    /** @param paths of all routes */
    RequestDispatcher(ConnectionGuard guard, List<String> paths) {
        this.guard = guard;
        this.resources = paths.stream().map(RequestFlow::resourceOf).collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        guard.awaitServer(request);
        choosePool(request).execute(RequestFlow.of(request, resources), new HandlerTask(request, response, callback));
        return true;
    }

    private RequestPool choosePool(Request request) {
        return switch (request.getHttpURI().getPath()) {
            case "/health/live" -> liveness;
            case "/health/ready" -> readiness;
            default -> requests;
        };
    }

    private boolean handleNext(Request request, BufferedResponse response) throws Exception {
        return super.handle(request, response, response);
    }

    @Override
    protected void doStop() throws Exception {
        List.of(requests, liveness, readiness).forEach(RequestPool::stop);
        super.doStop();
    }

    private final class HandlerTask implements RequestPool.RequestTask {

        private final Request request;
        private final Response response;
        private final Callback callback;

        HandlerTask(Request request, Response response, Callback callback) {
            this.request = request;
            this.response = response;
            this.callback = callback;
        }

        @Override
        public void run() {
            BufferedResponse buffered = new BufferedResponse(request, response, callback, guard);
            try {
                if (!handleNext(request, buffered)) {
                    Response.writeError(request, buffered, buffered, 404);
                }
            } catch (Exception failure) {
                Response.writeError(request, buffered, buffered, failure);
            }
        }

        @Override
        public void reject() {
            guard.awaitReader(request, 0, 0);
            response.getHeaders().put(HttpHeader.RETRY_AFTER, "1");
            HttpProblem.of(503, "the server has too many requests: retry").write(response, callback);
        }
    }
}
