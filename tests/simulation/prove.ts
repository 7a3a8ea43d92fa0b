// Proves that each invariant can fail: breaks a fact in a transaction that is rolled back, and looks at who reports it.
import type { Breakage } from './breakage.ts';
import { BREAKAGES } from './breakages.ts';
import { addDays, dayOf } from './clock.ts';
import { type Facts, NAMES } from './invariant.ts';
import { check } from './invariants.ts';
import type { Person } from './person.ts';
import type { World } from './world.ts';

/** @returns the claims of the session's access token, as PostgREST hands them to PostgreSQL */
async function claimsOf({ client }: Person): Promise<string> {
  const { data } = await client.auth.getSession();
  const [, payload = ''] = data.session?.access_token.split('.') ?? [];
  return Buffer.from(payload, 'base64url').toString();
}

/** The journal as finance gets it within the transaction. */
async function journalWithin(facts: Facts, { company }: World): Promise<unknown> {
  await facts.sql(`select set_config('request.jwt.claims', $1, true)`, [
    await claimsOf(company.finance),
  ]);
  await facts.sql('set local role authenticated');
  const [row] = await facts.sql<{ journal: unknown }>(
    'select public.journal_lines($1, $2) as journal',
    [company.opensOn, addDays(dayOf(Date.now()), 40)],
  );
  await facts.sql('reset role');
  return row?.journal;
}

/** @returns what is wrong with the reports of one breakage */
async function prove(
  world: World,
  { breaks, sql = [], act, also = [] }: Breakage,
  billedOn: string,
): Promise<string[]> {
  const undo = await act?.(world);
  try {
    return await world.product.rolledBack(async (facts) => {
      let changed = 1;
      for (const statement of sql) changed = await facts.change(statement);
      if (changed === 0) return [`${breaks}: no fact that could be broken`];
      const broken = await check(world, facts, {
        documents: new Map(world.documents),
        fetchJournal: () => journalWithin(facts, world),
        billedOn,
        areTablesFree: !sql.some((statement) => statement.startsWith('alter table')),
      });
      const reported = broken.map(({ name }) => name);
      const others = reported.filter((name) => name !== breaks && !also.includes(name));
      return [
        ...(reported.includes(breaks) ? [] : [`${breaks}: not reported`]),
        ...others.map((name) => `${breaks}: also reported by "${name}"`),
      ];
    });
  } catch (error) {
    return [`${breaks}: ${error instanceof Error ? error.message : String(error)}`];
  } finally {
    await undo?.();
  }
}

export async function proveInvariants(world: World): Promise<{ count: number; wrong: string[] }> {
  const wrong: string[] = [];
  const [last] = await world.product.sql<{ day: string | null }>(
    'select max(issued_on)::text as day from invoices',
  );
  const billedOn = last?.day ?? dayOf(Date.now());
  for (const breakage of BREAKAGES) wrong.push(...(await prove(world, breakage, billedOn)));
  const broken = new Set(BREAKAGES.map(({ breaks }) => breaks));
  const unproved = [...NAMES].filter((name) => !broken.has(name));
  wrong.push(...unproved.map((name) => `${name}: has no breakage`));
  return { count: NAMES.size, wrong };
}
