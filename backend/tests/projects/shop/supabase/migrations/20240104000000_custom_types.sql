-- Casts of domains, media types, types outside the search path, functions that are hard to call.
create schema kinds;
grant usage on schema kinds to anon, authenticated, service_role;

-- Shown as "#rrggbb", kept as a number.
create domain kinds.color as int check (value between 0 and 16777215);
create function kinds.color(text) returns kinds.color language sql immutable as $$
  select ('x' || lpad(ltrim($1, '#'), 8, '0'))::bit(32)::int::kinds.color $$;
create function kinds.color(json) returns kinds.color language sql immutable as $$ select kinds.color($1 #>> '{}') $$;
create function kinds.json(kinds.color) returns json language sql immutable as $$
  select to_json(coalesce('#' || lpad(upper(to_hex($1)), 6, '0'), '')) $$;
create cast (text as kinds.color) with function kinds.color(text) as implicit;
create cast (json as kinds.color) with function kinds.color(json) as implicit;
create cast (kinds.color as json) with function kinds.json(kinds.color) as implicit;
-- Read from JSON only.
create domain kinds.moment as timestamptz;
create function kinds.moment(json) returns kinds.moment language sql stable as $$
  select replace($1 #>> '{}', 'Z', '+00:00')::timestamptz::kinds.moment $$;
create function kinds.json(kinds.moment) returns json language sql stable as $$
  select to_json(to_char($1 at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) $$;
create cast (json as kinds.moment) with function kinds.moment(json) as implicit;
create cast (kinds.moment as json) with function kinds.json(kinds.moment) as implicit;
create type kinds.tone as enum ('loud', 'soft');

create table shop.paints (
  id int primary key,
  name text,
  color kinds.color default kinds.color('#00ff00'::text),
  due kinds.moment default '2018-01-01 00:00Z',
  tone kinds.tone default 'soft'
);
create table shop.walls (
  id int primary key,
  paint_id int references shop.paints (id) deferrable initially deferred
);
create view shop.dark_paints as select id, name, color, (color / 2)::kinds.color as dark from shop.paints;
create function shop.tone_of(tone kinds.tone default 'soft') returns text language sql immutable as $$ select 'so ' || tone $$;
create function shop.place_of(wall int) returns void language sql as $$ insert into shop.walls values (wall, 99) $$;

-- Views whose columns come twice, and from two tables.
create view shop.twin_trips as select id, from_id as from_one, from_id as from_two, to_id from shop.trips;
create view shop.item_manuals as
  select i.id, m.item_id as manual_id, i.name, m.pages from shop.items i left join shop.manuals m on m.item_id = i.id;
create function shop.take_manual() returns trigger language plpgsql as $$ begin return new; end $$;
create trigger take_manual instead of insert on shop.item_manuals for each row execute function shop.take_manual();
create view shop.endless as select 1 as id;
create or replace view shop.endless as select id from shop.endless;

-- Media types.
create domain helpers."text/html" as text;
create domain helpers."image/png" as bytea;
create domain helpers."text/plain" as text;
create domain helpers."text/xml" as xml;
create domain helpers."text/tab-separated-values" as text;
create domain helpers."application/json" as json;
create domain helpers."*/*" as bytea;
create function shop.page() returns helpers."text/html" language sql immutable as $$ select '<h1>Shop</h1>'::helpers."text/html" $$;
create function shop.picture(size int default 1) returns helpers."image/png" language sql immutable as $$
  select decode(repeat('89504e47', size), 'hex')::helpers."image/png" $$;
create function shop.no_picture() returns helpers."image/png" language sql immutable as $$ select null::helpers."image/png" $$;
create function shop.pages() returns setof helpers."text/plain" language sql immutable as $$ values ('a'::helpers."text/plain") $$;
create function shop.anything() returns helpers."*/*" language sql immutable as $$ select 'any'::bytea::helpers."*/*" $$;
create function shop.echo_plain(text) returns helpers."text/plain" language sql immutable as $$ select $1::helpers."text/plain" $$;
create function shop.echo_xml(xml) returns helpers."text/xml" language sql immutable as $$ select $1::helpers."text/xml" $$;
create function shop.tsv_row(state text, row_ anyelement) returns text language sql immutable as $$
  select state || (select string_agg(value, e'\t') from json_each_text(row_to_json(row_))) || e'\n' $$;
create function shop.tsv_end(state text) returns helpers."text/tab-separated-values" language sql immutable as $$
  select state::helpers."text/tab-separated-values" $$;
create aggregate shop.tsv(anyelement) (
  sfunc = shop.tsv_row, stype = text, initcond = '', finalfunc = shop.tsv_end
);
create function shop.group_row(state text, row_ shop.groups) returns text language sql immutable as $$
  select state || '[' || row_.title || ']' $$;
create function shop.group_end(state text) returns helpers."text/plain" language sql immutable as $$ select state::helpers."text/plain" $$;
create aggregate shop.group_text(shop.groups) (
  sfunc = shop.group_row, stype = text, initcond = '', finalfunc = shop.group_end
);
create function shop.all_groups() returns setof shop.groups language sql stable as $$ select * from shop.groups order by id $$;
create function shop.place_row(state text, row_ shop.places) returns text language sql immutable as $$ select '{"own": true}' $$;
create function shop.place_end(state text) returns helpers."application/json" language sql immutable as $$
  select state::json::helpers."application/json" $$;
create aggregate shop.place_json(shop.places) (
  sfunc = shop.place_row, stype = text, initcond = '', finalfunc = shop.place_end
);
-- As PostGIS would have it.
create function helpers.st_asgeojson(anyelement) returns text language sql immutable as $$
  select json_build_object('type', 'Feature', 'properties', row_to_json($1))::text $$;

-- Functions.
create function shop.any_record() returns record language sql stable as $$ select id, title from shop.groups where id = 1 $$;
create function shop.any_records() returns setof record language sql stable as $$ select id, title from shop.groups order by id limit 2 $$;
create function shop.letters(one char, many char[], bits bit) returns json language sql immutable as $$
  select json_build_array(one, many, bits) $$;
create function shop.groups_below(id int) returns setof shop.groups language sql stable as $$
  select * from shop.groups g where g.id < $1 $$;
create function shop.unnamed(bool) returns int language sql immutable as $$ select 1 $$;
create function shop.unnamed(text) returns text language sql immutable as $$ select 'text ' || $1 $$;
create function shop.unnamed_int(int) returns int language sql immutable as $$ select 1 $$;
create function shop.unclear() returns int language sql immutable as $$ select 1 $$;
create function shop.unclear(text default 'x') returns text language sql immutable as $$ select 'foo' $$;
create function shop.vague(a text, b int default 1) returns int language sql immutable as $$ select 1 $$;
create function shop.vague(a text) returns int language sql immutable as $$ select 2 $$;
create function shop.vague(a int) returns int language sql immutable as $$ select 3 $$;
create function shop.either(json) returns int language sql immutable as $$ select 1 $$;
create function shop.either(jsonb) returns int language sql immutable as $$ select 2 $$;
create function shop.refuse_oddly(message text, detail text default null) returns void language plpgsql as $$ begin
  if detail is null then raise sqlstate 'PGRST' using message = message; end if;
  raise sqlstate 'PGRST' using message = message, detail = detail; end $$;

grant select on all tables in schema shop to anon;
grant select, insert, update, delete on shop.paints, shop.walls, shop.dark_paints, shop.twin_trips, shop.item_manuals to authenticated;
grant select on shop.endless to authenticated;
grant all on shop.paints, shop.walls, shop.dark_paints, shop.twin_trips, shop.item_manuals, shop.endless to service_role;
revoke all on shop.vault, shop.diary from anon;
