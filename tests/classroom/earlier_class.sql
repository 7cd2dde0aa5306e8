BEGIN TRANSACTION;
CREATE TABLE answers (
	id VARCHAR(64) NOT NULL, 
	learner VARCHAR(64) NOT NULL, 
	exercise VARCHAR(80) NOT NULL, 
	round INTEGER NOT NULL, 
	seen BOOLEAN NOT NULL, 
	answer TEXT NOT NULL, 
	confidence VARCHAR(20) NOT NULL, 
	because TEXT, 
	digest VARCHAR(64) NOT NULL, 
	received FLOAT NOT NULL, 
	invented BOOLEAN NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "answers" VALUES('answer-000001','c940bf9ecef290d2b52cdf6be553cbfa','04/ripple',1,0,'"all"','certain','the future flows back — “it must”','91596687728c0a398fe58b8230e8366a4e0c37465e655e47c9ca09990a3a9f34',1.79607971330255126955e+09,0);
INSERT INTO "answers" VALUES('answer-000002','c940bf9ecef290d2b52cdf6be553cbfa','05/first-row',1,0,'[1, 0, 0.0, 0.0005]','certain',NULL,'dde1d0e021cff917f945b492e532f27ccd932f7864be83e314ceb89858058349',1.79607971333402895923e+09,0);
INSERT INTO "answers" VALUES('answer-000003','c940bf9ecef290d2b52cdf6be553cbfa','04/legal',1,0,'[[1, 0], [1, 1]]','certain',NULL,'ad472e9ac45cf7c6147ce79d52e9698397c1da80387818a1462e62a511c53ad1',1.79607971335325384146e+09,0);
INSERT INTO "answers" VALUES('answer-000004','c940bf9ecef290d2b52cdf6be553cbfa','07/split',1,0,'[8, 4, 64]','certain',NULL,'b009c53f1edadc121b683a201306175272477c1e243c968e6ea032d4ee22b8b5',1.79607971337331175803e+09,0);
INSERT INTO "answers" VALUES('answer-000010','69f1aaadcdcefcbada628e91ea9e2da5','04/ripple',1,0,'"all"','guess',NULL,'ff204e222f63ba4c22010483cfbca80160e613484b7ae3a08df775a55ede064a',1.79607971339767789843e+09,0);
INSERT INTO "answers" VALUES('answer-000020','69f1aaadcdcefcbada628e91ea9e2da5','04/ripple',2,0,'"row-4"','certain',NULL,'453241f7a36932770b437e7a1cc659d1ce9090b3790573b26202e90836ae6745',1.79607971341316366192e+09,0);
INSERT INTO "answers" VALUES('answer-000011','5f6a7b3cdf43855eb810377a487470b8','04/ripple',1,0,'"all"','guess',NULL,'626f1080b69a3f2263bd85d8c329b34cdd7f915be6b4bd2f888cce6df3159b13',1.79607971343354630468e+09,0);
INSERT INTO "answers" VALUES('answer-000021','5f6a7b3cdf43855eb810377a487470b8','04/ripple',2,0,'"row-4"','certain',NULL,'4ddfbf194db7018fc8d91c48bd238407595a66b8674fa2d28395350e53ac0161',1.79607971345830106733e+09,0);
INSERT INTO "answers" VALUES('answer-000012','28d18f96bf03bb8d1e68001a375e30a7','04/ripple',1,0,'"all"','guess',NULL,'fc5b2186544ff47959721707ef3baeb497bc039f33c7838c1ee35278b5113464',1.79607971347335791589e+09,0);
INSERT INTO "answers" VALUES('answer-000022','28d18f96bf03bb8d1e68001a375e30a7','04/ripple',2,0,'"row-4"','certain',NULL,'7274c7102946564c6f85575c159ab98268039828363ba5ec6a3b07946a8e7cd2',1.79607971349704885477e+09,0);
INSERT INTO "answers" VALUES('answer-000013','d8481e113d9a4e1f91e9e27663021c5c','04/ripple',1,0,'"all"','guess',NULL,'391015632b31b691f29fcd27863fc8ab24ae63272e13787f72c65616559be277',1.79607971351331567764e+09,0);
INSERT INTO "answers" VALUES('answer-000023','d8481e113d9a4e1f91e9e27663021c5c','04/ripple',2,0,'"row-4"','certain',NULL,'338cf510a4e2a0b272e17b079394234605fea5b12a03a8345d0d76b394f82474',1.79607971353310942649e+09,0);
CREATE TABLE learners (
	learner VARCHAR(64) NOT NULL, 
	joined FLOAT NOT NULL, 
	PRIMARY KEY (learner)
);
INSERT INTO "learners" VALUES('c940bf9ecef290d2b52cdf6be553cbfa',1.79607971329349112507e+09);
INSERT INTO "learners" VALUES('69f1aaadcdcefcbada628e91ea9e2da5',1.79607971339737367629e+09);
INSERT INTO "learners" VALUES('5f6a7b3cdf43855eb810377a487470b8',1.79607971343327426911e+09);
INSERT INTO "learners" VALUES('28d18f96bf03bb8d1e68001a375e30a7',1.79607971347306013109e+09);
INSERT INTO "learners" VALUES('d8481e113d9a4e1f91e9e27663021c5c',1.79607971351304054256e+09);
INSERT INTO "learners" VALUES('d5e1276cdd27ed99ebcc2f8f0a3400f7',1.79607971354745078089e+09);
CREATE TABLE settings (
	"key" VARCHAR(40) NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "settings" VALUES('salt','"5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"');
INSERT INTO "settings" VALUES('code','"KX7Q-2MWD"');
INSERT INTO "settings" VALUES('state','{"phase": "second", "exercise": "04/ripple", "since": 1796079713.5539799}');
INSERT INTO "settings" VALUES('codes','[{"exercise": "04/ripple", "group": {"key": "all", "label": "Every row", "meaning": "", "misconception": "future-flows-back"}, "confidence": "guess", "round": 1}, {"exercise": "04/ripple", "group": {"key": "all", "label": "Every row", "meaning": "", "misconception": "future-flows-back"}, "confidence": "guess", "round": 1}, {"exercise": "04/ripple", "group": {"key": "all", "label": "Every row", "meaning": "", "misconception": "future-flows-back"}, "confidence": "guess", "round": 1}]');
INSERT INTO "settings" VALUES('hands','{"04/legal": {"1": {"computed": 5, "not itself": 2}}}');
INSERT INTO "settings" VALUES('computed','{"05/first-row": "=AB"}');
INSERT INTO "settings" VALUES('link','{"hash": "275ccaa47c7e5ea9142e531346800f3a22a632c043e4a62f87897d06fd06145f", "until": 1796122913.6062737}');
INSERT INTO "settings" VALUES('sessions','["13f1d10824d7495bde27565ff7f810a403ffc94e6e57b5f0e3d36045d4eb2440"]');
CREATE INDEX ix_answers_exercise ON answers (exercise);
COMMIT;
