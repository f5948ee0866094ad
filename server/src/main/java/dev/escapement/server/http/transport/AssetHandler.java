package dev.escapement.server.http.transport;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Serves files of the jar without blocking. All responses share one copy of a file, so that clients that do not read
 * occupy neither threads nor memory.
 */
final class AssetHandler extends Handler.Wrapper {

    private final ConnectionGuard guard;
    private final Map<String, Asset> assets;
    private final Map<String, byte[]> contents = new ConcurrentHashMap<>();

    /** @param assets by path */
    AssetHandler(ConnectionGuard guard, Map<String, Asset> assets) {
        this.guard = guard;
        this.assets = Map.copyOf(assets);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Asset asset = assets.get(request.getHttpURI().getPath());
        boolean reads = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
        if (asset == null || !reads) {
            return super.handle(request, response, callback);
        }
        byte[] content = contents.computeIfAbsent(asset.resource(), AssetHandler::load);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, asset.contentType());
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache");
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, content.length);
        guard.awaitReader(request, content.length, 0);
        new ChunkedWrite(response, ByteBuffer.wrap(content), callback).iterate();
        return true;
    }

    private static byte[] load(String resource) {
        try (InputStream in = AssetHandler.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("the jar has no " + resource);
            }
            return in.readAllBytes();
        } catch (IOException unreadable) {
            throw new IllegalStateException("the jar has a damaged " + resource, unreadable);
        }
    }
}
