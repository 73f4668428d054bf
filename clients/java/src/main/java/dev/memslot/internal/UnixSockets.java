package dev.memslot.internal;

import io.grpc.ManagedChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;

/** What differs when a channel leads to a Unix socket. */
final class UnixSockets {
  private UnixSockets() {}

  static void prepare(ManagedChannelBuilder<?> builder) {
    builder.overrideAuthority("localhost");
    if (builder instanceof NettyChannelBuilder netty) {
      // gRPC sets it for TCP; at a Unix socket Netty warns that it knows no such option.
      netty.withOption(ChannelOption.SO_KEEPALIVE, null);
    }
  }
}
