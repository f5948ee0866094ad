package dev.escapement.server.http;

import dev.escapement.common.Json;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Writes the errors of Jetty itself, such as a malformed request line, in the form of all other errors. */
final class JsonErrorHandler extends ErrorHandler {

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int status = response.getStatus() == 0 ? 400 : response.getStatus();
        String message = Optional.ofNullable(request.getAttribute(ERROR_MESSAGE))
                .map(Object::toString)
                .filter(text -> status < 500)
                .orElse("internal error");
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        byte[] body = Json.writeBytes(HttpProblem.of(status, message).toDocument());
        response.write(true, ByteBuffer.wrap(body), callback);
        return true;
    }
}
