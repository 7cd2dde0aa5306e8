"""The tables of one class: answers, who wrote them (as pseudonyms), and the room's settings."""

from sqlalchemy import Boolean, Column, Float, Integer, MetaData, String, Table, Text

metadata = MetaData()

answers = Table(
    "answers",
    metadata,
    Column("id", String(64), primary_key=True),  # made by the learner: the same answer, sent twice
    Column("learner", String(64), nullable=False),
    Column("exercise", String(80), nullable=False, index=True),
    Column("round", Integer, nullable=False),
    Column("seen", Boolean, nullable=False),
    Column("answer", Text, nullable=False),
    Column("confidence", String(20), nullable=False),
    Column("because", Text),
    Column("digest", String(64), nullable=False),
    Column("received", Float, nullable=False),
    Column("invented", Boolean, nullable=False),
)
learners = Table(
    "learners",
    metadata,
    Column("learner", String(64), primary_key=True),
    Column("joined", Float, nullable=False),
)
settings = Table(
    "settings",
    metadata,
    Column("key", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
