package dev.memslot;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A way to a sidecar on which replies can be lost, while requests still arrive. */
final class LossyWay implements AutoCloseable {
  private static final int PIECE = 65536;

  private final ServerSocket listener;
  private final int port;
  private volatile boolean losing;

  LossyWay(String target) throws IOException {
    this.port = Integer.parseInt(target.substring(target.lastIndexOf(':') + 1));
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    started(this::accept);
  }

  String target() {
    return "127.0.0.1:" + listener.getLocalPort();
  }

  void loseReplies() {
    losing = true;
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
        started(() -> forward(client, server, false));
        started(() -> forward(server, client, true));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void forward(Socket from, Socket to, boolean replies) {
    try (from;
        to) {
      InputStream input = from.getInputStream();
      OutputStream output = to.getOutputStream();
      byte[] piece = new byte[PIECE];
      for (int size = input.read(piece); size >= 0; size = input.read(piece)) {
        if (!replies || !losing) {
          output.write(piece, 0, size);
        }
      }
    } catch (IOException broken) {
      // Both ends are closed.
    }
  }

  private static void started(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
