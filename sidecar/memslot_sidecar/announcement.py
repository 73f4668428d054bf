"""What a person should know about a server that has started: where it listens, its store, its limits."""

from __future__ import annotations

from collections.abc import Sequence

from memslot_sidecar.app import Sidecar
from memslot_sidecar.config import Config
from memslot_sidecar.parts import AUDIT_FILE_NAME
from memslot_sidecar.quantities import spoken_time


def announcement(
    sidecar: Sidecar,
    listening: Sequence[str],
    probes: Sequence[str],
    http: Sequence[str] = (),
    metrics: Sequence[str] = (),
) -> str:
    """Several lines of text; each line ``listening on ADDRESS`` has a real port, and so have the other addresses."""
    config = sidecar.config
    lines = [f"memslot {sidecar.facts.version} is serving"]
    lines += [f"  listening on  {address}" for address in listening]
    lines += [f"  health on     {address}" for address in probes]
    lines += [f"  http on       {address}" for address in http]
    lines += [f"  metrics on    {address}" for address in metrics]
    lines += [f"  store         {_store(config)}, at revision {sidecar.store.revision}"]
    lines += [f"  audit         {_audit(config)}"]
    lines += [f"  namespace     {_namespace(config)}"]
    lines += [f"  whole store   {_bounds(config)}"]
    if config.insecure_listen:
        lines += ["  warning       --insecure-listen: whoever reaches the address may read and write every slot"]
    if config.store != "ram" and sidecar.facts.store_warning:
        lines += [f"  warning       {sidecar.facts.store_warning}"]
    return "\n".join(lines)


def _store(config: Config) -> str:
    return "ram, which is empty after a restart" if config.store == "ram" else f"sqlite in {config.data_dir}"


def _audit(config: Config) -> str:
    where = "standard output" if config.audit_file == "-" else config.audit_file or config.data_dir / AUDIT_FILE_NAME
    return f"{where}, up to {config.audit_queue_limit:,} events wait, then: {config.audit_overflow}"


def _namespace(config: Config) -> str:
    versions = "" if config.versions_kept == 1 else f", {config.versions_kept} versions"
    longest = "" if config.ttl_max_s is None else f" (at most {spoken_time(config.ttl_max_s)})"
    rules = f"; namespace rules: {len(config.rules)}" if config.rules else ""
    return (
        f"{config.slot_limit:,} slots of up to {config.body_limit_bytes:,} bytes, kept {spoken_time(config.ttl_default_s)}"
        f"{longest}{versions}; when full: {config.overflow}{rules}"
    )


def _bounds(config: Config) -> str:
    bounds = {
        "namespaces": config.namespace_limit,
        "namespaces a root": config.namespace_limit_per_root,
        "bytes": config.store_limit_bytes,
        "bytes a root": config.store_limit_bytes_per_root,
    }
    said = [f"{bound:,} {what}" for what, bound in bounds.items() if bound is not None]
    return "at most " + ", ".join(said) if said else "no bound"
