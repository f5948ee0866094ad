package dev.escapement.server.http.system;

import dev.escapement.server.BuildInfo;
import dev.escapement.server.http.ApiRequest;
import dev.escapement.server.http.Route;
import dev.escapement.server.http.transport.Asset;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Serves the dashboard, the OpenAPI document and Swagger UI from the jar. */
public final class DashboardRoutes {

    private static final String ASSET_PREFIX = "/assets/";
    private static final String RESOURCE_FOLDER = "/dev/escapement/server/page/";
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
        return List.of(
                Route.page("/", request -> sendPage(request, "index.html", PAGE_POLICY)),
                Route.page("/docs", request -> sendPage(request, "docs.html", DOCS_POLICY)),
                Route.page("/openapi.yaml", request -> send(request, "yaml", OpenApiDocument.yaml())),
                Route.page("/favicon.ico", request -> send(request, RESOURCE_FOLDER + "icon.svg")));
    }

    /** Returns the scripts, styles and images of the pages, by path. */
    public static Map<String, Asset> assets() {
        Map<String, Asset> assets = new HashMap<>();
        ASSETS.forEach(name -> assets.put(ASSET_PREFIX + name, asset(RESOURCE_FOLDER + name)));
        String swagger = SWAGGER_FOLDER + BuildInfo.readVersion(SWAGGER_POM) + "/";
        SWAGGER_ASSETS.forEach(name -> assets.put(ASSET_PREFIX + name, asset(swagger + name)));
        return assets;
    }

    private static Asset asset(String resource) {
        return new Asset(resource, contentType(extension(resource)));
    }

    private static String extension(String resource) {
        return resource.substring(resource.lastIndexOf('.') + 1);
    }

    private static String contentType(String extension) {
        return Objects.requireNonNull(CONTENT_TYPES.get(extension), extension);
    }

    private static void sendPage(ApiRequest request, String name, String policy) throws IOException {
        request.context().header("Content-Security-Policy", policy);
        send(request, RESOURCE_FOLDER + name);
    }

    private static void send(ApiRequest request, String resource) throws IOException {
        try (InputStream in = DashboardRoutes.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("the jar has no " + resource);
            }
            send(request, extension(resource), in.readAllBytes());
        }
    }

    private static void send(ApiRequest request, String extension, byte[] content) {
        request.context()
                .contentType(contentType(extension))
                .header("Cache-Control", "no-cache")
                .result(content);
    }
}
