-- Remembers whether this database is a demonstration, decided when it was made: a production database must never
-- receive demo data by a later start, nor a demonstration with its published password be opened to a network.
create table platform.demo (
  state text primary key check (state in ('wanted', 'loaded'))
);
create unique index demo_is_one_row on platform.demo ((true));
