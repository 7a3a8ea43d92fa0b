-- For deleted rows: the condition under which the current role can read a row, as SQL over the columns in `known`, whose
-- old values the WAL contains. A policy that needs another column, the whole row or a system column can't be evaluated and
-- counts as not met. The empty search_path makes all printed names qualified, so that they mean the same for every caller.
create function realtime.read_condition(relation oid, known text[]) returns text
language sql stable set search_path = '' as $$
  select format(
    '(%s) and (%s)',
    coalesce(string_agg(format('(%s and %s)', applies, met), ' or ') filter (where permissive), 'false'),
    coalesce(string_agg(format('(not %s or %s)', applies, met), ' and ') filter (where not permissive), 'true')
  )
  from (
    select
      p.polpermissive as permissive,
      case
        when 0 = any (p.polroles) then 'true'
        else format(
          '(select pg_catalog.bool_or(pg_catalog.pg_has_role(r, ''USAGE'')) from pg_catalog.unnest(%L::oid[]) as r)',
          p.polroles
        )
      end as applies,
      case
        when p.polqual is null then 'true'
        when p.polqual::text ~ ':varattno (0|-)' or exists (
          select from pg_depend d join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
          where d.classid = 'pg_policy'::regclass and d.objid = p.oid
            and d.refclassid = 'pg_class'::regclass and d.refobjid = p.polrelid
            and a.attname <> all (known)
        ) then 'false'
        else format('((%s) is true)', pg_get_expr(p.polqual, p.polrelid))
      end as met
    from pg_policy p
    where p.polrelid = relation and p.polcmd in ('r', '*')
  ) as policies
$$;
revoke execute on function realtime.read_condition(oid, text[]) from public;
