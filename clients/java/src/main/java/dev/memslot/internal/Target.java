package dev.memslot.internal;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where a sidecar listens: {@code host:port} or {@code unix:/path}. */
public final class Target {
  private static final String DEFAULT = "127.0.0.1:7420";
  private static final int SOCKET_PATH_LIMIT_BYTES = 107;
  private static final Pattern RESOLVED = Pattern.compile("^(dns|ipv4|ipv6|xds):|://");
  private static final Pattern HOST_AND_PORT =
      Pattern.compile("(?:\\[[^\\]]*\\]|[^:/]+):([0-9]{1,5})");

  private final String text;

  private Target(String text) {
    this.text = text;
  }

  /**
   * {@code target}, else MEMSLOT_TARGET, else 127.0.0.1:7420.
   *
   * @throws IllegalArgumentException for a web address, for a socket path above 107 bytes, and for
   *     what would be taken for a host's name, such as an address without its port
   */
  public static Target of(@Nullable String target) {
    String chosen = first(target, System.getenv("MEMSLOT_TARGET"), DEFAULT);
    String start = chosen.toLowerCase(Locale.ROOT);
    if (start.startsWith("http:") || start.startsWith("https:") || start.startsWith("grpc:")) {
      throw new IllegalArgumentException(
          chosen + " is a web address: write host:port or unix:/path");
    }
    Target made = new Target(chosen);
    int size = made.isUnix() ? made.path().getBytes(StandardCharsets.UTF_8).length : 0;
    if (size > SOCKET_PATH_LIMIT_BYTES) {
      throw new IllegalArgumentException(
          "the socket path has %d bytes, at most %d work: choose a shorter one"
              .formatted(size, SOCKET_PATH_LIMIT_BYTES));
    }
    if (!made.isUnix() && !RESOLVED.matcher(chosen).find() && !isHostAndPort(chosen)) {
      throw new IllegalArgumentException(
          chosen + " is no target: write host:port, [address]:port for IPv6, or unix:/path");
    }
    return made;
  }

  private static boolean isHostAndPort(String target) {
    Matcher parts = HOST_AND_PORT.matcher(target);
    return parts.matches() && Integer.parseInt(parts.group(1)) < 65536;
  }

  static String first(@Nullable String said, @Nullable String configured, String otherwise) {
    if (said != null && !said.isEmpty()) {
      return said;
    }
    return configured != null && !configured.isEmpty() ? configured : otherwise;
  }

  /** {@code namespace}, else MEMSLOT_NAMESPACE, else {@code default}. */
  public static String namespace(@Nullable String namespace) {
    return first(namespace, System.getenv("MEMSLOT_NAMESPACE"), "default");
  }

  /** Whether it is a Unix socket. */
  public boolean isUnix() {
    return text.startsWith("unix:");
  }

  /** Whether what is sent stays on this machine. */
  public boolean isLocal() {
    if (isUnix()) {
      return true;
    }
    String address = text.startsWith("dns:///") ? text.substring("dns:///".length()) : text;
    int colon = address.lastIndexOf(':');
    String host = (colon < 0 ? address : address.substring(0, colon)).toLowerCase(Locale.ROOT);
    return host.equals("localhost")
        || host.equals("[::1]")
        || host.matches("127(\\.[0-9]{1,3}){3}");
  }

  /** As gRPC takes it: a URI, in which a socket's path is escaped. */
  String uri() {
    if (!isUnix()) {
      return text;
    }
    String escaped =
        URLEncoder.encode(path(), StandardCharsets.UTF_8).replace("+", "%20").replace("%2F", "/");
    return (escaped.startsWith("/") ? "unix://" : "unix:") + escaped;
  }

  private String path() {
    String path = text.substring("unix:".length());
    return path.startsWith("//") ? path.substring(2) : path;
  }

  @Override
  public String toString() {
    return text;
  }
}
