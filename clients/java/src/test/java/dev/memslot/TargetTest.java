package dev.memslot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.memslot.internal.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be a target is told when the client is made, not at the deadline. */
class TargetTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "localhost",
        "/run/memslot.sock",
        "memslot:7420x",
        "127.0.0.1:99999",
        "127.0.0.1:",
        ":7420",
        "::1"
      })
  void noTarget(String target) {
    var error = assertThrows(IllegalArgumentException.class, () -> MemslotClient.connect(target));
    assertEquals(
        target + " is no target: write host:port, [address]:port for IPv6, or unix:/path",
        error.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"memslot:1", "[::1]:7420", "unix:here.sock", "dns:///memslot:1"})
  void allThatGrpcResolves(String target) {
    assertEquals(target, Target.of(target).toString());
  }
}
