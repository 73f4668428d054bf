/** How calls are retried: the content of `service_config.json`, which all clients share (a test compares them). */

/** Five attempts over about three seconds, with jitter, while the sidecar is UNAVAILABLE; it may push back (gRPC proposal A6). */
export const SERVICE_CONFIG = {
  methodConfig: [
    {
      name: [
        { service: "memslot.v1.SlotService" },
        { service: "memslot.v1.NamespaceService" },
        { service: "memslot.v1.AdminService" },
        { service: "memslot.v1.AgentService" },
      ],
      retryPolicy: {
        maxAttempts: 5,
        initialBackoff: "0.1s",
        maxBackoff: "2s",
        backoffMultiplier: 3,
        retryableStatusCodes: ["UNAVAILABLE"],
      },
    },
  ],
} as const;
