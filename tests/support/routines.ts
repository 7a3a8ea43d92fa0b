// The functions that callers can execute, read from the catalogue, and arguments for them.
import type { Pool } from 'pg';
import { guardHere } from './people.ts';
import type { Scene } from './scene.ts';

const LONG_TEXT = 'all work and no play '.repeat(20_000);

/** SQL values of each type: an ordinary one first, then edge cases. */
export const VALUES: Record<string, [ordinary: string, ...odd: string[]]> = {
  boolean: ['true', 'null'],
  date: [
    'current_date',
    'null',
    `'infinity'`,
    `'-infinity'`,
    `'4713-01-01 BC'`,
    `'5874897-12-31'`,
    `'0001-01-01'`,
    `'9999-12-31'`,
  ],
  'timestamp with time zone': [
    'now()',
    'null',
    `'infinity'`,
    `'-infinity'`,
    `'4713-01-01 BC'`,
    `'294276-12-31'`,
    `'0001-01-01'`,
    `'9999-12-31'`,
  ],
  integer: ['1', 'null', '0', '-1', '2147483647', '-2147483648'],
  bigint: ['1', 'null', '-1', '9223372036854775807', '-9223372036854775808'],
  real: ['1', 'null', `'NaN'`, `'Infinity'`, `'-Infinity'`, '3e38', '-1'],
  'double precision': ['1', 'null', `'NaN'`, `'Infinity'`, `'-Infinity'`, '1e308', '-1'],
  numeric: ['100', 'null', `'NaN'`, `'Infinity'`, `'-Infinity'`, '1e300', '1e-300', '-1'],
  uuid: ['gen_random_uuid()', 'null', `'00000000-0000-0000-0000-000000000000'`],
  text: [
    `'ordinary'`,
    'null',
    `''`,
    `' '`,
    `'%'`,
    `'(.*)*\\1'`,
    `'${LONG_TEXT}'`,
    `repeat('x', 1000000)`,
  ],
  'uuid[]': [
    'array[gen_random_uuid()]',
    'null',
    `'{}'`,
    'array[null]::uuid[]',
    'array(select gen_random_uuid() from generate_series(1, 50000))',
  ],
  'integer[]': [
    'array[1]',
    'null',
    `'{}'`,
    'array[null]::integer[]',
    'array[-2147483648, 2147483647]',
    'array(select generate_series(1, 100000))',
  ],
  'text[]': [
    `array['ordinary']`,
    'null',
    `'{}'`,
    'array[null]::text[]',
    `array_fill('x'::text, array[100000])`,
  ],
  jsonb: [
    `'{}'`,
    'null',
    `'null'`,
    '1',
    `'[]'`,
    `'[null]'`,
    `'{"id": "infinity", "start_time": "-infinity", "amount": "NaN"}'`,
    `(select jsonb_agg(jsonb_build_object('name', n)) from generate_series(1, 50000) n)`,
    `(repeat('[', 1000) || repeat(']', 1000))::jsonb`,
  ].map((value) => (value === '1' ? `'1'` : value)) as [string, ...string[]],
};

export interface Routine {
  name: string;
  /** Whether it may change rows: declared volatile. */
  writes: boolean;
  /** Except functions of a table's row type, which callers reach by selecting. */
  parameters: { name: string; type: string; hasDefault: boolean }[];
}

/** Every function that callers can execute, except computed columns. */
export async function readRoutines(owner: Pool): Promise<Routine[]> {
  const { rows } = await owner.query<Routine>(`
    select p.proname as name, p.provolatile = 'v' as writes, coalesce(jsonb_agg(jsonb_build_object(
      'name', coalesce(p.proargnames[a.n], ''),
      'type', format_type(a.type, null),
      'hasDefault', a.n > p.pronargs - p.pronargdefaults
    ) order by a.n) filter (where a.n is not null), '[]') as parameters
    from pg_proc p
    left join lateral unnest(p.proargtypes::oid[]) with ordinality a (type, n) on true
    where p.pronamespace = 'public'::regnamespace
      and p.prorettype <> 'trigger'::regtype
      and (has_function_privilege('anon', p.oid, 'execute') or has_function_privilege('authenticated', p.oid, 'execute'))
      and not exists (
        select from unnest(p.proargtypes::oid[]) one (type) join pg_type t on t.oid = one.type where t.typtype = 'c'
      )
    group by p.oid
    order by p.proname`);
  return rows;
}

/** A value that passes the function's first checks, guessed from the parameter's name. */
export function ordinary(
  scene: Scene,
  { name, type, hasDefault }: Routine['parameters'][number],
): string {
  const [value = 'null'] = VALUES[type] ?? [];
  if (type === 'uuid') {
    if (name.includes('client')) return `'${scene.clients.here}'`;
    if (name.includes('site')) return `'${scene.sites.here}'`;
    if (name.includes('shift')) return `'${scene.openShifts.here}'`;
    if (name.includes('assignment')) return `'${scene.unattended.get(`${guardHere.id} here`)}'`;
    if (name.includes('user')) return `'${guardHere.id}'`;
    return value;
  }
  // An optional text usually filters.
  if (type === 'text' && hasDefault && !name.endsWith('gps') && !name.endsWith('reason'))
    return 'null';
  if (name.endsWith('gps')) return `'6.3,-10.8'`;
  if (name.includes('kind')) return `'in'`;
  if (name.includes('table')) return `'clients'`;
  if (name.includes('frequency')) return `'monthly'`;
  if (/_(to|end|until)$/.test(name) && type === 'date') return `current_date + 6`;
  if (name.endsWith('_to')) return `now() + interval '300 days'`;
  if (/_(end|until)$/.test(name)) return `now() + interval '6 hours'`;
  return value;
}
