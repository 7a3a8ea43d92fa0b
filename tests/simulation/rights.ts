// Invariant of rights: what people read is what the matrix gives them, by the facts of the rows. Of each role somebody reads a
// few tables each day.
import { Random } from '#demo/random.ts';
import type { Grants, Role, Rows, Subject } from '#shared/grants.ts';
import { type TableName, tables } from '#shared/permissions.ts';
import { addresses } from './announcements.ts';
import { dayOf } from './clock.ts';
import { type Broken, brokenOf, type Facts } from './invariant.ts';
import type { Person } from './person.ts';
import type { World } from './world.ts';

/** Of the row `t`: whether it is the reader's, who is $1, its site, and whether it addresses the reader. */
interface Scope {
  owner?: string;
  site?: string;
  addressed?: string;
}

const USER = { owner: 't.user_id = $1' };
const USER_AT_SITE = { ...USER, site: 't.site_id' };
const SITE = { site: 't.site_id' };
const OF_SHIFT = { site: '(select s.site_id from shifts s where s.id = t.shift_id)' };

const SCOPES = {
  profiles: { owner: 't.id = $1' },
  user_roles: USER,
  clients: {},
  sites: { site: 't.id' },
  shifts: SITE,
  assignments: USER_AT_SITE,
  attendance: USER_AT_SITE,
  clock_events: USER_AT_SITE,
  incidents: { owner: 't.raised_by_user_id = $1', site: 't.site_id' },
  certifications: USER,
  leave_requests: USER,
  staff: {},
  payroll: { owner: '$1 = (select s.user_id from staff s where s.id = t.staff_id)' },
  pay_adjustments: {},
  pay_accounts: {},
  pay_bases: {},
  pay_runs: {},
  payslips: USER,
  payslip_lines: { owner: '$1 = (select s.user_id from payslips s where s.id = t.payslip_id)' },
  payments: {},
  contracts: {},
  rates: {},
  invoices: {},
  invoice_lines: {},
  billed_time: {},
  receipts: {},
  posts: SITE,
  post_pages: SITE,
  withheld_lines: SITE,
  roster_changes: OF_SHIFT,
  offers: { owner: '(t.user_id = $1 or t.partner_id = $1)', ...OF_SHIFT },
  alerts: SITE,
  notices: USER,
  welfare_checks: USER_AT_SITE,
  inbound_messages: SITE,
  unit_members: USER,
  announcements: { addressed: addresses('$1::uuid') },
  announcement_readings: USER,
  sos_events: USER_AT_SITE,
  quotes: {},
  quote_lines: {},
  contact_messages: {},
} as const satisfies Partial<Record<TableName, Scope>>;
type Sampled = keyof typeof SCOPES;
const SAMPLED = Object.keys(SCOPES) as Sampled[];

/** Read by a person in one day. */
const TABLES_A_DAY = 4;
/** As many rows as one answer has. */
const MOST_ROWS = 1000;

interface Reader extends Pick<Person, 'id' | 'name' | 'client'> {
  roles: readonly Role[];
  /** What else the matrix gives rights to. */
  subjects: readonly Subject[];
  /** Of a supervisor. */
  siteId?: string;
}

/** @returns an SQL condition for the rows of a grant; $1 is the reader, $2 the reader's site */
function conditionOf(rows: Rows, { owner, site, addressed }: Scope): string {
  const own = owner ?? 'false';
  switch (rows) {
    case 'all':
      return 'true';
    case 'own':
      return own;
    case 'others':
      return `not (${own})`;
    case 'site':
      return `($2::uuid is null or ${site === undefined ? 'false' : `${site} = $2`})`;
    case 'unscoped':
      return '$2::uuid is null';
    case 'assigned':
      return site === undefined
        ? 'false'
        : `exists (select from assignments mine where mine.user_id = $1 and mine.site_id = ${site})`;
    case 'addressed':
      return addressed ?? 'false';
    case 'client':
      return 'false';
  }
}

/** @returns the condition for the rows that the matrix gives, and whether it gives all of them */
function grantOf(table: Sampled, { roles, subjects }: Reader): { sql: string; isAll: boolean } {
  const grants: Grants = tables[table].select;
  const given = [...subjects, ...roles].flatMap((subject) => grants[subject] ?? []).flat();
  const conditions = given.map((rows) => `(${conditionOf(rows, SCOPES[table])})`);
  return {
    sql: conditions.length === 0 ? 'false' : conditions.join(' or '),
    isAll: given.includes('all'),
  };
}

/** @returns what a person reads beside the matrix: rows too many, or too few where all are given */
async function read(reader: Reader, table: Sampled, facts: Facts): Promise<string[]> {
  const { data, status } = await reader.client
    .from(table)
    .select('id')
    .order('id', { ascending: false })
    .limit(MOST_ROWS);
  // Who has no right to a table may be refused, and who has left has no session.
  if (data === null && status !== 403 && status !== 401)
    throw new Error(`${table} answered ${status}`);
  const seen = (data ?? []).map(({ id }) => id);
  const { sql, isAll } = grantOf(table, reader);
  const values = [reader.id, reader.siteId ?? null, seen];
  const beyond = await facts.sql<{ id: string }>(
    `select t.id::text from ${table} t
     where $1::uuid is not null and ($2::uuid is null or true) and t.id::text = any ($3::text[]) and not coalesce(${sql}, false)`,
    values,
  );
  const missing = !isAll
    ? []
    : await facts.sql<{ id: string }>(
        `select n.id::text from (
           select t.id from ${table} t where $1::uuid is not null and ($2::uuid is null or true)
           order by t.id desc limit ${MOST_ROWS}) n
         where n.id::text <> all ($3::text[])`,
        values,
      );
  const who = `${reader.name} (${[...reader.roles, ...reader.subjects].join(', ')})`;
  return [
    ...beyond.map(({ id }) => `${who} reads ${table} ${id}`),
    ...missing.map(({ id }) => `${who} does not read ${table} ${id}`),
  ];
}

/** Of nobody's row. */
const NOBODY = '00000000-0000-4000-8000-000000000000';

/** The office, and two guards, other ones each day, with the roles that are stored; who has left, and a visitor. */
async function readersOf(
  { company, left, door }: World,
  facts: Facts,
  random: Random,
): Promise<Reader[]> {
  const { admin, operations, hr, finance, supervisor, dispatcher, guards } = company;
  const office = [admin, operations, hr, finance, supervisor, dispatcher];
  const people = [...office, random.pick(guards), random.pick(guards)];
  const held = await facts.sql<{ user_id: string; role: Role; site_id: string | null }>(
    'select user_id, role, site_id from user_roles where user_id = any ($1)',
    [people.map(({ id }) => id)],
  );
  const members = people.map((person): Reader => {
    const roles = held.filter(({ user_id }) => user_id === person.id);
    const siteId = roles.find(({ site_id }) => site_id !== null)?.site_id;
    const { id, name, client } = person;
    const subjects = ['member', 'proved', 'account'] as const;
    return {
      id,
      name,
      client,
      subjects,
      roles: roles.map(({ role }) => role),
      ...(siteId && { siteId }),
    };
  });
  const visitor = { id: NOBODY, name: 'A visitor', client: door.client() };
  return [
    ...members,
    ...(left ? [{ ...left, roles: [], subjects: ['account'] as const }] : []),
    { ...visitor, roles: [], subjects: ['visitor'] },
  ];
}

/** Compares with what is committed, since people read through sessions of their own. */
export async function checkRights(world: World): Promise<Broken[]> {
  const facts: Facts = world.product;
  const random = new Random(`simulation/${world.size.seed}/rights/${dayOf(Date.now())}`);
  const sampled = (await readersOf(world, facts, random)).map((reader) => ({
    reader,
    picked: Array.from({ length: TABLES_A_DAY }, () => random.pick(SAMPLED)),
  }));
  // Side by side: they change nothing.
  const found = await Promise.all(
    sampled.map(async ({ reader, picked }) => {
      const rows: string[] = [];
      for (const table of picked) rows.push(...(await read(reader, table, facts)));
      return rows;
    }),
  );
  return brokenOf([
    { name: 'nobody reads a row outside the permission matrix', rows: found.flat() },
  ]);
}
