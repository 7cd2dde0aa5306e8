-- A store as attn_lab 0.1.0 wrote it before `refusal` and `mistake_name` had columns: its dump,
-- and the two pragmas that a dump leaves out.
BEGIN TRANSACTION;
CREATE TABLE attempts (
        id TEXT PRIMARY KEY, exercise TEXT NOT NULL, round INTEGER NOT NULL, seen INTEGER NOT NULL,
        answer TEXT NOT NULL, confidence TEXT NOT NULL, because TEXT NOT NULL,
        afterwards TEXT NOT NULL, time TEXT NOT NULL, version TEXT NOT NULL, sent TEXT NOT NULL, to_class TEXT NOT NULL DEFAULT '',
        UNIQUE (exercise, round));
INSERT INTO "attempts" VALUES('cc5d2cfd-c8b9-4e55-973a-c5668b8d68f6','05/first-row',1,0,'[1, 0, 0, 0]','certain','only key 1','the mask leaves one key','2026-11-30T22:41:31.274+00:00','0.1.0','refused: it is too late: the vote is over','KX7Q-2MWD 2026-11-30T22:41:31.232+00:00');
INSERT INTO "attempts" VALUES('90b1b623-6efb-479c-b2e5-9c9775aea574','05/hotter',1,0,'[1, 0, 0, 0]','certain','only key 1','','2026-11-30T22:41:31.307+00:00','0.1.0','refused','KX7Q-2MWD 2026-11-30T22:41:31.232+00:00');
INSERT INTO "attempts" VALUES('b368b15f-44dd-49cf-9f68-6ea98f2dd4de','05/third-row',1,0,'[1, 0, 0, 0]','certain','only key 1','','2026-11-30T22:41:31.342+00:00','0.1.0','sent','KX7Q-2MWD 2026-11-30T22:41:31.232+00:00');
INSERT INTO "attempts" VALUES('23a59598-a1ca-4a0a-b9f0-431ed54ce183','05/very-hot',1,0,'[1, 0, 0, 0]','certain','only key 1','','2026-11-30T22:41:31.375+00:00','0.1.0','waiting','KX7Q-2MWD 2026-11-30T22:41:31.232+00:00');
INSERT INTO "attempts" VALUES('f536a71a-9c54-4ac0-aefb-d214b4039682','01/zero-score',1,0,'"none"','guess','','','2026-11-30T22:41:31.507+00:00','0.1.0','','');
CREATE TABLE classes (
    address TEXT NOT NULL, code TEXT NOT NULL, because INTEGER NOT NULL,
    secret TEXT NOT NULL, joined TEXT NOT NULL);
INSERT INTO "classes" VALUES('http://192.168.1.20:8765','KX7Q-2MWD',0,'00000000000000000000000000000000','2026-11-30T22:41:31.232+00:00');
CREATE TABLE reveals (
        id TEXT PRIMARY KEY, exercise TEXT NOT NULL, attempt TEXT NOT NULL, computed TEXT NOT NULL,
        verdict TEXT NOT NULL, time TEXT NOT NULL);
INSERT INTO "reveals" VALUES('d505ed75-881b-40cf-a090-1556b7e911d2','05/first-row','cc5d2cfd-c8b9-4e55-973a-c5668b8d68f6','[1.0, 0.0, 0.0, 0.0]','same','2026-11-30T22:41:31.534+00:00');
CREATE TABLE tasks (
        id TEXT PRIMARY KEY, task TEXT NOT NULL, passed INTEGER NOT NULL, mistake TEXT NOT NULL,
        message TEXT NOT NULL, time TEXT NOT NULL, version TEXT NOT NULL);
INSERT INTO "tasks" VALUES('0baddd45-d348-44c1-b105-4a69ec2f3f1c','04/causal-mask',0,'mask_all_true','Make 04/causal-mask: not yet

The same comes out of a known mistake, “all open”. Everything may be read.','2026-11-30T22:41:31.590+00:00','0.1.0');
INSERT INTO "tasks" VALUES('42009d1c-1c89-4267-9d0f-c6c7b006d1d1','04/causal-mask',0,'mask_transposed','','2026-11-30T22:41:31.615+00:00','0.1.0');
INSERT INTO "tasks" VALUES('c3c50896-3022-45cb-8ac2-39bcd6d02a63','04/causal-mask',0,'','Make 04/causal-mask: not yet','2026-11-30T22:41:31.657+00:00','0.1.0');
INSERT INTO "tasks" VALUES('6f39ab9b-9967-437d-bd01-b55235f70251','04/causal-mask',1,'','Make 04/causal-mask: passed','2026-11-30T22:41:31.690+00:00','0.1.0');
COMMIT;
PRAGMA application_id = 1098151022;
PRAGMA user_version = 1;
