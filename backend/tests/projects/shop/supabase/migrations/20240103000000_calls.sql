-- Functions to call: overloads, defaults, every kind of argument and result, and every way to refuse.
create function shop.area(side int) returns int language sql immutable as $$ select side * side $$;
create function shop.area(wide int, high int) returns int language sql immutable as $$ select wide * high $$;
create function shop.same(a int) returns text language sql immutable as $$ select 'int' $$;
create function shop.same(a text) returns text language sql immutable as $$ select 'text' $$;
create function shop.greet(name text default 'you', "Times" int default 1) returns text language sql stable as $$
  select repeat('hi ' || name || ';', "Times") $$;
create function shop.pi() returns numeric language sql immutable as $$ select 3.14 $$;
create function shop.nothing() returns void language sql volatile as $$ select $$;
create function shop.nullable() returns int language sql immutable as $$ select null::int $$;
create function shop.numbers(upto int default 3) returns setof int language sql immutable as $$ select generate_series(1, upto) $$;
create function shop.words() returns text[] language sql immutable as $$ select array['a', 'b'] $$;
create function shop.one_item(wanted int) returns shop.items language sql stable as $$ select * from shop.items where id = wanted $$;
create function shop.items_of(maker int) returns setof shop.items language sql stable as $$
  select * from shop.items where maker_id = maker order by id $$;
create function shop.pair() returns table (a int, b text) language sql immutable as $$ values (1, 'x'), (2, 'y') $$;
create function shop.outs(given int, out twice int, out thrice int) language sql immutable as $$ select given * 2, given * 3 $$;
create function shop.size_up(box shop.size) returns numeric language sql immutable as $$ select box.wide * box.high $$;
create function shop.sum_of(variadic numbers int[]) returns int language sql immutable as $$ select sum(n)::int from unnest(numbers) n $$;
create function shop.total(list int[]) returns int language sql immutable as $$ select sum(n)::int from unnest(list) n $$;
create function shop.mood(state shop.item_state) returns text language sql immutable as $$ select 'it is ' || state $$;
create function shop.body(json) returns json language sql immutable as $$ select $1 $$;
create function shop.body_text(text) returns text language sql immutable as $$ select $1 $$;
create function shop.body_bytes(bytea) returns int language sql immutable as $$ select length($1) $$;
create function shop.doc(value jsonb) returns jsonb language sql immutable as $$ select value $$;
create function shop.add_scrap(note text) returns shop.scraps language sql volatile as $$
  insert into shop.scraps values (note, 1) returning * $$;
create function shop.add_scraps(notes text[]) returns setof shop.scraps language sql volatile as $$
  insert into shop.scraps select n, 2 from unnest(notes) n returning * $$;
create function shop.loud() returns text language plpgsql stable as $$ begin return helpers.shout('a') || shout('b'); end $$;
create function shop.where_am_i() returns text language sql stable as $$ select current_setting('search_path') $$;
create function shop.who() returns json language sql stable as $$ select json_build_object(
  'role', current_user, 'claims', current_setting('request.jwt.claims', true)::json,
  'method', current_setting('request.method', true), 'path', current_setting('request.path', true)) $$;
create function shop.header(name text) returns text language sql stable as $$
  select current_setting('request.headers', true)::json ->> name $$;
create function shop.cookie(name text) returns text language sql stable as $$
  select current_setting('request.cookies', true)::json ->> name $$;
create function shop.teapot() returns text language plpgsql as $$ begin
  perform set_config('response.status', '418', true);
  perform set_config('response.headers', '[{"X-Pot": "brown"}, {"Set-Cookie": "a=1"}, {"Set-Cookie": "b=2"}, {"Cache-Control": "max-age=9"}]', true);
  return 'short and stout'; end $$;
create function shop.bad_status() returns text language sql as $$ select set_config('response.status', 'seven', true) $$;
create function shop.bad_headers() returns text language sql as $$ select set_config('response.headers', '{"a": 1}', true) $$;
create function shop.refuse(state text) returns void language plpgsql as $$ begin
  raise exception using errcode = state, message = 'refused', detail = 'the detail', hint = 'the hint'; end $$;
create function shop.refuse_all() returns void language plpgsql as $$ begin
  raise sqlstate 'PGRST' using
    message = '{"code": "PAY", "message": "Pay first", "details": "no card", "hint": "get one"}',
    detail = '{"status": 402, "headers": {"X-Price": "9"}}'; end $$;
create function shop.refuse_badly() returns void language plpgsql as $$ begin
  raise sqlstate 'PGRST' using message = 'not json', detail = '{"status": 402, "headers": {}}'; end $$;
create function shop.hidden() returns int language sql as $$ select 1 $$;
revoke execute on function shop.hidden() from public;
