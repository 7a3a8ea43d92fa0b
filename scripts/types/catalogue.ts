// Reads tables, views, foreign keys and functions of schema public from pg_catalog.
import type { ClientBase } from 'pg';
import { z } from 'zod';

const Typed = z.object({ name: z.string(), type: z.string(), isArray: z.boolean() });
const Column = Typed.extend({
  nullable: z.boolean(),
  /** Whether an insert may omit it: it has a default, is an identity, or is set by a trigger. */
  optional: z.boolean(),
  /** Values allowed by a check constraint on this column alone. */
  values: z.array(z.string()).nullable(),
});

const Relationship = z.object({
  foreignKeyName: z.string(),
  columns: z.array(z.string()),
  isOneToOne: z.boolean(),
  referencedRelation: z.string(),
  referencedColumns: z.array(z.string()),
});

const Relation = z.object({
  name: z.string(),
  isView: z.boolean(),
  columns: z.array(Column),
  relationships: z.array(Relationship),
});

const Routine = z.object({
  name: z.string(),
  arguments: z.array(Typed.extend({ optional: z.boolean() })),
  /** Columns of `returns table (…)`; otherwise empty. */
  results: z.array(Typed.extend({ nullable: z.boolean() })),
  returns: z.string(),
  returnsArray: z.boolean(),
  isSet: z.boolean(),
  /** Table in schema public whose row type is returned. */
  relation: z.string().nullable(),
});

export type Column = z.infer<typeof Column>;
export type Relation = z.infer<typeof Relation>;
export type Routine = z.infer<typeof Routine>;
export interface Catalogue {
  relations: Relation[];
  routines: Routine[];
}

// A column comment that begins with "Derived" marks a value that a trigger always writes; "Never null" marks a view
// column whose nullability PostgreSQL can't infer. On a function, "Nullable: a, b" names result columns that may be null.
const RELATIONS = `
  select c.relname as name, c.relkind in ('v', 'm') as "isView",
    (select json_agg(json_build_object(
        'name', a.attname,
        'type', coalesce(e.typname, t.typname),
        'isArray', e.oid is not null,
        'nullable', not a.attnotnull and coalesce(col_description(c.oid, a.attnum), '') not like 'Never null%',
        'optional', a.atthasdef or a.attidentity <> '' or coalesce(col_description(c.oid, a.attnum) like 'Derived%', false),
        'values', (
          select json_agg(value[1] order by value[1] collate "C")
          from pg_constraint k,
            regexp_matches(pg_get_constraintdef(k.oid), '''([^'']*)''::text', 'g') value
          where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
            and pg_get_constraintdef(k.oid) ~ '^CHECK \\(\\(\\w+ = ANY \\(ARRAY\\[[^\\]]*\\]\\)\\)\\)$'
        )
      ) order by a.attname)
      from pg_attribute a
      join pg_type t on t.oid = a.atttypid
      left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ) as columns,
    coalesce((
      select json_agg(json_build_object(
        'foreignKeyName', f.conname,
        'columns', (select json_agg(a.attname order by k.at) from unnest(f.conkey) with ordinality k (num, at)
          join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.num),
        'isOneToOne', exists (select from pg_index i where i.indrelid = f.conrelid and i.indisunique
          and i.indpred is null and string_to_array(i.indkey::text, ' ')::int2[] = f.conkey),
        'referencedRelation', target.relname,
        'referencedColumns', (select json_agg(a.attname order by k.at) from unnest(f.confkey) with ordinality k (num, at)
          join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.num)
      ) order by f.conname)
      from pg_constraint f
      join pg_class target on target.oid = f.confrelid and target.relnamespace = c.relnamespace
      where f.conrelid = c.oid and f.contype = 'f'
    ), '[]') as relationships
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
  order by c.relname`;

// Only functions a caller's role may execute; not trigger or internal functions.
const ROUTINES = `
  select p.proname as name,
    coalesce((
      select json_agg(json_build_object(
        'name', arg.name, 'type', coalesce(e.typname, t.typname), 'isArray', e.oid is not null,
        'optional', arg.at > p.pronargs - p.pronargdefaults
      ) order by arg.at)
      from unnest(p.proargtypes::oid[], p.proargnames[1:p.pronargs]) with ordinality arg (type, name, at)
      join pg_type t on t.oid = arg.type
      left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
    ), '[]') as arguments,
    coalesce((
      select json_agg(json_build_object(
          'name', r.name, 'type', coalesce(e.typname, t.typname), 'isArray', e.oid is not null,
          'nullable', r.name = any (string_to_array(substring(obj_description(p.oid) from '^Nullable: (.*)$'), ', '))
            is true
        )
        order by r.name)
      from unnest(p.proallargtypes, p.proargmodes, p.proargnames) r (type, mode, name)
      join pg_type t on t.oid = r.type
      left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
      where r.mode in ('t', 'b', 'o')
    ), '[]') as results,
    coalesce(element.typname, result.typname) as returns,
    element.oid is not null as "returnsArray",
    p.proretset as "isSet",
    (select c.relname from pg_class c where c.oid = result.typrelid and c.relnamespace = p.pronamespace) as relation
  from pg_proc p
  join pg_type result on result.oid = p.prorettype
  left join pg_type element on element.oid = result.typelem and result.typcategory = 'A'
  where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
    and (has_function_privilege('authenticated', p.oid, 'execute') or has_function_privilege('anon', p.oid, 'execute'))
  order by p.proname, p.oid`;

/** @param client connected to a fully migrated database */
export async function readCatalogue(client: ClientBase): Promise<Catalogue> {
  const relations = await client.query(RELATIONS);
  const routines = await client.query(ROUTINES);
  return {
    relations: z.array(Relation).parse(relations.rows),
    routines: z.array(Routine).parse(routines.rows),
  };
}
