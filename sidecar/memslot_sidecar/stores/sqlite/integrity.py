"""Whether the file is sound and its tables agree. What is found is told by table and number, never by content."""

from __future__ import annotations

import apsw

from memslot_sidecar.stores.base import IntegrityReport
from memslot_sidecar.stores.sqlite.connection import fetch

_MESSAGES = 20
_DAMAGED = (apsw.CorruptError, apsw.FormatError, apsw.NotADBError)

_READABLE = """CASE WHEN json_valid(task) THEN json_array_length(task) = 4 AND json_type(task, '$[3]') = 'array'
    AND (SELECT count(*) FROM json_each(task) WHERE key < 3 AND type = 'integer' AND value >= 0) = 3 AND task ->> 0 > 0 AND task ->> 1 <= 2
    AND NOT EXISTS (SELECT 1 FROM json_each(task, '$[3]') WHERE type <> 'array' OR json_array_length(value) <> 2
      OR json_type(value, '$[0]') <> 'integer' OR json_type(value, '$[1]') <> 'integer') ELSE 0 END"""
"""Whether a column ``task`` is [attempt, outcome, when to forget it, [[sealed attempt, when to clear it], ...]]."""

_COUNTED = {
    "slots of an unknown namespace": "slots WHERE namespace_id NOT IN (SELECT id FROM namespaces)",
    "slots that share their name": "(SELECT 1 FROM slots GROUP BY namespace_id, name HAVING count(*) > 1)",
    "slots without a body": "slots s WHERE NOT EXISTS (SELECT 1 FROM bodies b WHERE b.slot_id = s.id)",
    "bodies without a slot": "bodies b WHERE NOT EXISTS (SELECT 1 FROM slots s WHERE s.id = b.slot_id)",
    "bodies of another size than said": "bodies b JOIN slots s ON s.id = b.slot_id WHERE length(b.body) <> s.body_bytes",
    "vectors or summaries without a slot": "supplied x WHERE NOT EXISTS (SELECT 1 FROM slots s WHERE s.id = x.slot_id)",
    "vectors or summaries of another size than said": """slots s LEFT JOIN supplied x ON x.slot_id = s.id
        WHERE s.vector_bytes <> coalesce(length(x.vector), 0)
        OR s.summary_bytes <> coalesce(length(CAST(x.summary AS BLOB)), 0)""",
    "namespaces that are wrong about their vectors": """(SELECT n.id FROM namespaces n LEFT JOIN held h ON h.namespace_id = n.id
        WHERE n.vector_count <> coalesce(h.vectors, 0)
        OR (n.vector_dimensions * 4, n.vector_dimensions * 4) IS NOT (h.least, h.most))""",
    "versions without a slot": "versions v WHERE NOT EXISTS (SELECT 1 FROM slots s WHERE s.id = v.slot_id)",
    "versions without a body": "versions v WHERE NOT EXISTS (SELECT 1 FROM version_bodies b WHERE b.version_id = v.id)",
    "bodies without a version": "version_bodies b WHERE NOT EXISTS (SELECT 1 FROM versions v WHERE v.id = b.version_id)",
    "tags that no slot has": """slot_tags t WHERE NOT EXISTS (SELECT 1 FROM slots s WHERE s.id = t.slot_id
        AND s.namespace_id = t.namespace_id AND s.rank = t.rank AND s.name = t.name AND s.expire_ms IS t.expire_ms
        AND t.tag IN (SELECT value FROM json_each(s.tags)))""",
    "tags that are not indexed": """slots s, json_each(s.tags) j WHERE NOT EXISTS (SELECT 1 FROM slot_tags t
        WHERE t.namespace_id = s.namespace_id AND t.tag = j.value AND t.rank = s.rank AND t.name = s.name)""",
    "attributes that no slot has": """slot_attributes a WHERE NOT EXISTS (SELECT 1 FROM slots s, json_each(s.attributes) j
        WHERE s.id = a.slot_id AND j.key = a.key)""",
    "attributes that are not indexed": """slots s, json_each(s.attributes) j WHERE NOT EXISTS
        (SELECT 1 FROM slot_attributes a WHERE a.slot_id = s.id AND a.key = j.key)""",
    "namespaces with wrong counters": """(SELECT n.id FROM namespaces n LEFT JOIN held h ON h.namespace_id = n.id
        WHERE n.slot_count <> coalesce(h.slots, 0) OR n.stored_bytes <> coalesce(h.stored_bytes, 0))""",
    "empty namespaces without settings": "namespaces WHERE slot_count = 0 AND NOT configured AND task IS NULL",
    "tasks that cannot be read": f"namespaces WHERE task IS NOT NULL AND NOT {_READABLE}",
    "tasks with a wrong due time": f"""namespaces WHERE CASE WHEN task IS NULL THEN task_due_ms IS NOT NULL WHEN {_READABLE} THEN
        task_due_ms IS NOT coalesce((SELECT min(value ->> 1) FROM json_each(task, '$[3]')), task ->> 2) END""",  # noqa: S608
    "roots with wrong sums": """(SELECT 1 FROM sums s LEFT JOIN roots r ON r.path = s.path
        WHERE (s.namespaces, s.slots, s.stored_bytes) IS NOT (r.namespaces, r.slots, r.stored_bytes)
        UNION ALL SELECT 1 FROM roots WHERE path NOT IN (SELECT path FROM sums))""",
    "wrong sums over the store": """state WHERE (namespaces, slots, stored_bytes) IS NOT (SELECT
        coalesce(sum(namespaces), 0), coalesce(sum(slots), 0), coalesce(sum(stored_bytes), 0) FROM roots)""",
    "gaps in the change feed": """(SELECT 1 FROM (SELECT count(*) AS n, min(revision) AS low, max(revision) AS high FROM feed)
        WHERE n > 0 AND (high - low + 1 <> n OR high <> (SELECT revision FROM state)))""",
}
_WITH = """WITH held AS (
    SELECT s.namespace_id, count(*) AS slots, sum(s.body_bytes + s.vector_bytes + s.summary_bytes + coalesce(v.bytes, 0)) AS stored_bytes,
    count(nullif(s.vector_bytes, 0)) AS vectors, min(nullif(s.vector_bytes, 0)) AS least, max(nullif(s.vector_bytes, 0)) AS most FROM slots s
    LEFT JOIN (SELECT slot_id, sum(body_bytes) AS bytes FROM versions GROUP BY slot_id) v ON v.slot_id = s.id
    GROUP BY s.namespace_id),
  sums AS (
    SELECT substr(path, 1, instr(path || '/', '/') - 1) AS path, count(*) AS namespaces, sum(slot_count) AS slots,
    sum(stored_bytes) AS stored_bytes FROM namespaces WHERE configured OR slot_count > 0 GROUP BY 1)
"""


def check(connection: apsw.Connection) -> IntegrityReport:
    """Checks one committed state of the store. It reads everything, bodies excepted where it can.

    The tables of a damaged file are not compared.
    """
    try:
        return _checked(connection)
    except _DAMAGED as error:
        return IntegrityReport([f"file: {error}"], 0)


def _checked(connection: apsw.Connection) -> IntegrityReport:
    with connection:
        damage = _damage(connection)
        if damage:
            return IntegrityReport([f"file: {message}" for message in damage], 0)
        problems = []
        for what, rows in _COUNTED.items():
            number = fetch(connection, f"{_WITH} SELECT count(*) FROM {rows}")[0][0]  # noqa: S608
            if number:
                problems.append(f"{number} {what}")
        slots = fetch(connection, "SELECT count(*) FROM slots")[0][0]
    return IntegrityReport(problems, slots)


def _damage(connection: apsw.Connection) -> list[str]:
    found = [row[0] for row in fetch(connection, f"PRAGMA quick_check({_MESSAGES})")]
    return [] if found == ["ok"] else found
