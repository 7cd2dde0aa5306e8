"""The tables of a class's database, and what an earlier class lacks of them."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Engine,
    Float,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    inspect,
    text,
)

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
    Column("vote", String(10)),  # what was open when it came; a class from before has none
    Column("number", Integer, index=True),  # in the order of coming, whatever a clock says; as vote
)
learners = Table(
    "learners",
    metadata,
    Column("learner", String(64), primary_key=True),
    Column("joined", Float, nullable=False),
    Column("left", Float),
)
settings = Table(
    "settings",
    metadata,
    Column("key", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)


def make_tables(engine: Engine) -> None:
    """Make the tables that are not there, and add the columns that an earlier class lacks."""
    metadata.create_all(engine)
    known = inspect(engine)
    names = engine.dialect.identifier_preparer
    for table in metadata.sorted_tables:
        there = {column["name"] for column in known.get_columns(table.name)}
        for column in table.columns:
            if column.name not in there:
                kind = column.type.compile(engine.dialect)
                what = f"{names.format_table(table)} ADD COLUMN {names.format_column(column)}"
                with engine.begin() as connection:
                    connection.execute(text(f"ALTER TABLE {what} {kind}"))
