package dev.escapement.server.http.system;

import dev.escapement.server.BuildInfo;
import dev.escapement.server.http.Route;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Serves the dashboard, the OpenAPI document and Swagger UI from the jar. */
public final class DashboardRoutes {

    static final String RESOURCE_FOLDER = "/dev/escapement/server/page/";
    private static final String SWAGGER_FOLDER = "/META-INF/resources/webjars/swagger-ui/";

    private static final String SWAGGER_POM = "/META-INF/maven/org.webjars/swagger-ui/pom.properties";

    private static final String PAGE_POLICY = "default-src 'none'; script-src 'self'; style-src 'self';"
            + " connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /** Swagger UI sets styles on its elements. */
    private static final String DOCS_POLICY =
            PAGE_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'");

    private static final Map<String, String> CONTENT_TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml",
            "yaml", "application/yaml; charset=utf-8");

    private static final List<String> ASSETS = List.of(
            "app.js", "api.js", "stream.js", "view.js", "endpoints.js", "clear.js", "style.css", "icon.svg", "docs.js");

    private static final List<String> SWAGGER_ASSETS = List.of("swagger-ui-bundle.js", "swagger-ui.css");

    private DashboardRoutes() {}

    public static List<Route> routes() {
        List<Route> routes = new ArrayList<>(List.of(
                Route.get("/", context -> sendPage(context, "index.html", PAGE_POLICY)),
                Route.get("/docs", context -> sendPage(context, "docs.html", DOCS_POLICY)),
                Route.get("/openapi.yaml", context -> send(context, "yaml", OpenApiDocument.yaml())),
                Route.get("/favicon.ico", context -> send(context, RESOURCE_FOLDER + "icon.svg"))));
        for (String name : ASSETS) {
            routes.add(Route.get("/assets/" + name, context -> send(context, RESOURCE_FOLDER + name)));
        }
        for (String name : SWAGGER_ASSETS) {
            routes.add(Route.get(
                    "/assets/" + name,
                    context -> send(context, SWAGGER_FOLDER + BuildInfo.readVersion(SWAGGER_POM) + "/" + name)));
        }
        return routes;
    }

    private static void sendPage(Context context, String name, String policy) throws IOException {
        context.header("Content-Security-Policy", policy);
        send(context, RESOURCE_FOLDER + name);
    }

    private static void send(Context context, String resource) throws IOException {
        try (InputStream in = DashboardRoutes.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("the jar has no " + resource);
            }
            send(context, resource.substring(resource.lastIndexOf('.') + 1), in.readAllBytes());
        }
    }

    private static void send(Context context, String extension, byte[] content) {
        String type = Objects.requireNonNull(CONTENT_TYPES.get(extension), extension);
        context.contentType(type).header("Cache-Control", "no-cache").result(content);
    }
}
