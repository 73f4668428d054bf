BEGIN TRANSACTION;
CREATE TABLE answers(
  caller TEXT NOT NULL, request_id TEXT NOT NULL, method TEXT NOT NULL, digest BLOB NOT NULL, reply BLOB NOT NULL,
  expire_ms INTEGER NOT NULL, PRIMARY KEY (caller, request_id)) WITHOUT ROWID;
CREATE INDEX answers_by_expiry ON answers(expire_ms);
CREATE TABLE bodies(slot_id INTEGER PRIMARY KEY, body BLOB NOT NULL);
INSERT INTO bodies VALUES(1,X'7365636F6E64');
INSERT INTO bodies VALUES(2,X'6D696E65');
CREATE TABLE feed(revision INTEGER PRIMARY KEY, time_ms INTEGER NOT NULL, record TEXT NOT NULL);
INSERT INTO feed VALUES(1,1800000000000,'["acme/a","CREATED",[["x","CREATED",0,5]],["agent","token",true],["event","Write",7,"request","bot","talk","3","trace"]]');
INSERT INTO feed VALUES(2,1800000000000,'["acme/a","OVERWRITTEN",[["x","OVERWRITTEN",0,6]],["agent","token",true],["event","Write",7,"request","bot","talk","3","trace"]]');
INSERT INTO feed VALUES(3,1800000000000,'["acme/a/attempt-1","CREATED",[["y","CREATED",0,4]],["agent","token",true],["event","Write",7,"request","bot","talk","3","trace"]]');
INSERT INTO feed VALUES(4,1800000000000,'["set","CONFIGURED",[["","CONFIGURED",0,0]],["agent","token",true],["event","Write",7,"request","bot","talk","3","trace"]]');
CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
INSERT INTO meta VALUES('digest_key',X'D526E21E8B1FD9BBED914F61B01BE7CB7BDD011BCD9A0B8B9170B8A906531584');
INSERT INTO meta VALUES('store_id','be07bd6df1774fa5b848d45870c35fe6');
INSERT INTO meta VALUES('watermark.audit',3);
CREATE TABLE namespaces(
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, settings TEXT NOT NULL, configured INTEGER NOT NULL,
  slot_count INTEGER NOT NULL, stored_bytes INTEGER NOT NULL, created_ms INTEGER NOT NULL, vector_count INTEGER NOT NULL DEFAULT 0, vector_dimensions INTEGER);
INSERT INTO namespaces VALUES(1,'acme/a','{}',0,1,27,1800000000000,1,2);
INSERT INTO namespaces VALUES(2,'acme/a/attempt-1','{}',0,1,4,1800000000000,0,NULL);
INSERT INTO namespaces VALUES(3,'set','{"index_mode":3,"embedder":"hashing"}',1,0,0,1800000000000,0,NULL);
CREATE TABLE roots(
  path TEXT PRIMARY KEY, namespaces INTEGER NOT NULL, slots INTEGER NOT NULL, stored_bytes INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO roots VALUES('acme',2,2,31);
INSERT INTO roots VALUES('set',1,0,0);
CREATE TABLE slot_attributes(
  slot_id INTEGER NOT NULL, key TEXT NOT NULL, type TEXT NOT NULL, value, PRIMARY KEY (slot_id, key)) WITHOUT ROWID;
CREATE TABLE slot_tags(
  namespace_id INTEGER NOT NULL, tag TEXT NOT NULL, rank REAL NOT NULL, name TEXT NOT NULL, slot_id INTEGER NOT NULL,
  expire_ms INTEGER, PRIMARY KEY (namespace_id, tag, rank DESC, name)) WITHOUT ROWID;
INSERT INTO slot_tags VALUES(1,'t',1.0,'x',1,NULL);
CREATE TABLE slots(
  id INTEGER PRIMARY KEY, namespace_id INTEGER NOT NULL, name TEXT NOT NULL, revision INTEGER NOT NULL, version INTEGER NOT NULL,
  content_type TEXT NOT NULL, body_bytes INTEGER NOT NULL, description TEXT NOT NULL, task_type TEXT NOT NULL, tags TEXT NOT NULL,
  attributes TEXT NOT NULL, importance REAL NOT NULL, pinned INTEGER NOT NULL, origin INTEGER NOT NULL, written_by TEXT NOT NULL,
  rank REAL NOT NULL, access_count INTEGER NOT NULL, created_revision INTEGER NOT NULL, created_ms INTEGER NOT NULL,
  updated_ms INTEGER NOT NULL, accessed_ms INTEGER, expire_ms INTEGER, lifetime INTEGER NOT NULL, ttl_ms INTEGER, vector_bytes INTEGER NOT NULL DEFAULT 0, summary_bytes INTEGER NOT NULL DEFAULT 0);
INSERT INTO slots VALUES(1,1,'x',2,2,'text/plain',6,'','','["t"]','{}',0.0,0,3,'agent',1.0,0,1,1800000000000,1800000000000,NULL,NULL,3,NULL,8,8);
INSERT INTO slots VALUES(2,2,'y',3,1,'text/plain',4,'','','[]','{}',0.0,0,3,'agent',1.0,0,3,1800000000000,1800000000000,NULL,NULL,3,NULL,0,0);
CREATE INDEX slots_by_creation ON slots(namespace_id, created_revision, name);
CREATE INDEX slots_by_expiry ON slots(namespace_id, expire_ms);
CREATE INDEX slots_by_name ON slots(namespace_id, name, expire_ms);
CREATE INDEX slots_by_rank ON slots(namespace_id, rank DESC, name, expire_ms);
CREATE INDEX slots_by_task_type ON slots(namespace_id, task_type, rank DESC, name, expire_ms) WHERE task_type <> '';
CREATE INDEX slots_by_update ON slots(namespace_id, updated_ms DESC, name, expire_ms);
CREATE INDEX slots_expiring ON slots(expire_ms) WHERE expire_ms IS NOT NULL;
CREATE TABLE state(
  id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL, time_ms INTEGER NOT NULL,
  namespaces INTEGER NOT NULL, slots INTEGER NOT NULL, stored_bytes INTEGER NOT NULL);
INSERT INTO state VALUES(1,4,1800000000000,3,2,31);
CREATE TABLE supplied(slot_id INTEGER PRIMARY KEY, vector BLOB, summary TEXT);
INSERT INTO supplied VALUES(1,X'0000803F00000000','in short');
CREATE TABLE version_bodies(version_id INTEGER PRIMARY KEY, body BLOB NOT NULL);
INSERT INTO version_bodies VALUES(1,X'6669727374');
CREATE TABLE versions(
  id INTEGER PRIMARY KEY, slot_id INTEGER NOT NULL, revision INTEGER NOT NULL, version INTEGER NOT NULL, content_type TEXT NOT NULL,
  body_bytes INTEGER NOT NULL, description TEXT NOT NULL, updated_ms INTEGER NOT NULL, written_by TEXT NOT NULL,
  origin INTEGER NOT NULL);
INSERT INTO versions VALUES(1,1,1,1,'text/plain',5,'',1800000000000,'agent',3);
CREATE UNIQUE INDEX versions_by_slot ON versions(slot_id, revision DESC);
COMMIT;
