package dev.escapement.server.http.transport;

import dev.escapement.common.NamedThreadFactory;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps many connections open that send or read as slowly as their kind says; a closed one is opened again. */
final class SlowClients implements AutoCloseable {

    /**
     * What a connection sends at once, then again and again. One that sends nothing then reads a little instead; no
     * other reads anything.
     */
    enum Kind {
        SILENT("", ""),
        HALF_REQUEST_LINE("GET /api/v1/exec", ""),
        DRIPPING_HEAD("GET /api/v1/executions HTTP/1.1\r\nHost: localhost\r\nX-Drip: ", "x"),
        DRIPPING_BODY("""
                POST /api/v1/executions HTTP/1.1\r
                Host: localhost\r
                Authorization: Bearer TOKEN\r
                Content-Type: application/json\r
                Content-Length: 100000\r
                \r
                """, "{"),
        DRIPPING_BODY_WITHOUT_TOKEN("""
                POST /api/v1/session HTTP/1.1\r
                Host: localhost\r
                Content-Type: application/json\r
                Content-Length: 4000\r
                \r
                """, "{"),
        UNREAD_ASSET(
                "GET /assets/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(8),
                "GET /assets/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        UNREAD_PAGE(
                "GET /openapi.yaml HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(8),
                "GET /openapi.yaml HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        UNREAD_LIST(
                "GET /api/v1/executions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer TOKEN\r\n\r\n".repeat(8),
                "\r\n"),
        DRIPPING_READER(
                "GET /api/v1/executions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer TOKEN\r\n\r\n".repeat(8),
                ""),
        UNREAD_STREAM(
                "GET /api/v1/events?after= HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer TOKEN\r\n\r\n", "\r\n");

        private final String first;
        private final String drip;

        Kind(String first, String drip) {
            this.first = first;
            this.drip = drip;
        }
    }

    private static final long DRIP_MILLIS = 500;

    private final InetSocketAddress address;
    private final String token;
    private final Selector selector = Selector.open();
    private final AtomicInteger opened = new AtomicInteger();
    private final Thread thread;
    private volatile boolean stopped;

    /** Opens the connections in turn by their kinds. */
    SlowClients(int port, String token, int count, List<Kind> kinds) throws IOException {
        this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.token = token;
        for (int i = 0; i < count; i++) {
            open(kinds.get(i % kinds.size()));
        }
        thread = NamedThreadFactory.daemonThread("slow-clients", this::run);
        thread.start();
    }

    /** Returns how many connections were opened, those that replaced closed ones included. */
    int openedCount() {
        return opened.get();
    }

    private void open(Kind kind) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 4 << 10);
        channel.configureBlocking(false);
        channel.connect(address);
        channel.register(selector, SelectionKey.OP_CONNECT, kind);
        opened.incrementAndGet();
    }

    private void run() {
        try {
            while (!stopped) {
                selector.select(DRIP_MILLIS);
                for (SelectionKey key : selector.selectedKeys()) {
                    advance(key, ((Kind) key.attachment()).first);
                }
                selector.selectedKeys().clear();
                for (SelectionKey key : List.copyOf(selector.keys())) {
                    if (key.isValid() && key.interestOps() == 0) {
                        advance(key, ((Kind) key.attachment()).drip);
                    }
                }
            }
        } catch (IOException failure) {
            throw new AssertionError("the slow clients stopped", failure);
        }
    }

    private void advance(SelectionKey key, String text) throws IOException {
        SocketChannel channel = (SocketChannel) key.channel();
        try {
            if (key.isConnectable()) {
                channel.finishConnect();
                key.interestOps(0);
            }
            boolean ended = text.isEmpty() && channel.read(ByteBuffer.allocate(1_000)) < 0;
            if (ended) {
                throw new EOFException();
            }
            channel.write(ByteBuffer.wrap(text.replace("TOKEN", token).getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException closedByServer) {
            key.cancel();
            channel.close();
            open((Kind) key.attachment());
        }
    }

    @Override
    public void close() throws IOException {
        stopped = true;
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
    }
}
