package dev.escapement.server.http.system;

import dev.escapement.server.http.ApiRequest;
import dev.escapement.server.http.HttpProblem;
import dev.escapement.server.http.RequestBodies;
import dev.escapement.server.http.Route;
import dev.escapement.server.http.access.AccessFilter;
import dev.escapement.server.http.access.Authenticator;
import dev.escapement.server.http.access.Caller;
import dev.escapement.server.http.access.Right;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Routes that say who the caller is, and that open the session of a browser. */
public record SessionRoutes(Authenticator authenticator) {

    /**
     * The caller, as it is sent.
     *
     * @param proven whether actions are recorded under this name, whatever a request says
     */
    public record Session(String name, List<String> rights, boolean proven) {

        private static Session of(Caller caller) {
            List<String> rights =
                    caller.effectiveRights().stream().map(Right::toString).toList();
            return new Session(caller.name(), rights, caller.proven());
        }
    }

    public List<Route> routes() {
        return List.of(
                Route.withoutRight(
                        HandlerType.GET,
                        AccessFilter.SESSION_PATH,
                        request -> request.respond(200, Session.of(request.caller()))),
                Route.withoutRight(HandlerType.POST, AccessFilter.SESSION_PATH, this::open));
    }

    /** Exchanges a token, or the code of the address that the server prints, for a cookie that scripts cannot read. */
    private void open(ApiRequest request) throws IOException {
        Map<String, Object> body = request.readBody();
        RequestBodies.rejectUnknown(body, Set.of("token", "code"));
        Optional<String> token = RequestBodies.readText(body, "token");
        Optional<String> code = RequestBodies.readText(body, "code");
        if (token.isPresent() == code.isPresent()) {
            throw HttpProblem.badRequest("a login must have one of token and code");
        }
        String secret = token.flatMap(authenticator::openSessionByToken)
                .or(() -> code.flatMap(authenticator::openSessionByCode))
                .orElseThrow(() -> HttpProblem.unauthorized(
                        token.isPresent() ? "the token is not valid" : "the code is not valid, or was used already"));
        String name = Authenticator.cookieName(request.context().req().getLocalPort());
        request.context()
                .header("Set-Cookie", "%s=%s; Path=/; HttpOnly; SameSite=Strict".formatted(name, secret))
                .status(204);
    }
}
