package dev.escapement.server.http;

import dev.escapement.server.text.Json;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** What Jetty refuses before any route is asked: in the form of all other problems, without a trace of the inside. */
final class PlainErrors extends ErrorHandler {

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int status = response.getStatus() == 0 ? 400 : response.getStatus();
        String message = Optional.ofNullable(request.getAttribute(ERROR_MESSAGE))
                .map(Object::toString)
                .filter(text -> status < 500)
                .orElse("the request could not be answered");
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        response.write(
                true, ByteBuffer.wrap(Json.bytes(Problem.of(status, message).document())), callback);
        return true;
    }
}
