-- What many queries share: days in the company's time zone, checks of date arguments, and the words of a search.

-- Today in the company's time zone. Definer, like the other functions here that read the settings, which callers can't.
create function private.company_date() returns date
language sql stable security definer set search_path = '' as $$
  select (now() at time zone s.time_zone)::date from private.settings s;
$$;

-- The instant at which a day of the company begins.
create function private.company_midnight(day date) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select day::timestamp at time zone s.time_zone from private.settings s;
$$;

-- A day of the company, from midnight to midnight.
create function private.company_day(day date) returns tstzrange
language sql stable security definer set search_path = '' as $$
  select tstzrange(day::timestamp at time zone s.time_zone, (day + 1)::timestamp at time zone s.time_zone)
  from private.settings s;
$$;

-- The days of the company that a period touches, both ends included. A night shift touches two.
create function private.days_of(work tstzrange) returns daterange
language sql stable security definer set search_path = '' as $$
  select daterange(
    (lower(work) at time zone s.time_zone)::date,
    ((upper(work) - interval '1 microsecond') at time zone s.time_zone)::date,
    '[]'
  )
  from private.settings s;
$$;

-- Refuses a day that no roster or timesheet can have, before it reaches date arithmetic or a series of days.
create function private.require_day(day date, label text default 'day') returns void
language plpgsql immutable set search_path = '' as $$
begin
  if day is null or not isfinite(day) or day not between '1900-01-01' and '2199-12-31' then
    raise exception 'The % must be a date from 1900 to 2199.', label using errcode = 'invalid_parameter_value';
  end if;
end
$$;

-- Refuses a period without an end or longer than 400 days, so that one call can't read years of shifts.
create function private.require_period(from_at timestamptz, to_at timestamptz) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if from_at is null or to_at is null or not isfinite(from_at) or not isfinite(to_at) then
    raise exception 'The period needs a start and an end.' using errcode = 'invalid_parameter_value';
  end if;
  if to_at - from_at > interval '400 days' then
    raise exception 'The period must be at most 400 days.' using errcode = 'invalid_parameter_value';
  end if;
end
$$;

-- A time as messages show it: "Nov 21, 6:00 PM", like the screens.
create function private.time_text(at timestamptz, zone text) returns text
language sql stable set search_path = ''
return to_char(at at time zone zone, 'Mon FMDD, FMHH12:MI AM');

-- The words of a search as patterns for `ilike all`: a text matches if it contains every word, in any case. At most
-- eight words of the first 200 characters; `*` is a wildcard, as in the filters of PostgREST. Lists send the same
-- patterns, from searchPatterns in web/lib/data/search-filter.ts; tests/rules/search.test.ts compares both.
create function private.search_patterns(search text) returns text[]
language sql immutable set search_path = ''
return array(
  select '%' || replace(replace(replace(replace(found.word, '\', '\\'), '%', '\%'), '_', '\_'), '*', '%') || '%'
  -- What \s matches in JavaScript.
  from regexp_split_to_table(
    left(search, 200), '[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+'
  ) with ordinality found (word, place)
  where found.word <> ''
  order by found.place
  limit 8
);

revoke all on all functions in schema private from public;
-- Column defaults and views run these with the rights of the caller.
grant execute on function private.company_date to authenticated, service_role;
grant execute on function
  private.company_midnight, private.company_day, private.days_of, private.require_day, private.require_period,
  private.search_patterns
to authenticated;
