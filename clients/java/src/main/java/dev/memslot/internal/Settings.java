package dev.memslot.internal;

import io.grpc.ChannelCredentials;
import java.util.function.Supplier;

/** Settings of a connection. */
public record Settings(
    Target target,
    ChannelCredentials credentials,
    Supplier<String> token,
    Said said,
    int messageLimitBytes,
    boolean waitForReady) {}
