// npm run simulate: one life from a seed (scripts/simulate.mjs sets the clock up).
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { addDays, Clock, instantOf, monthAfter } from './clock.ts';
import { settle } from './company.ts';
import { Door } from './door.ts';
import { Broke, Life } from './life.ts';
import { Product } from './product.ts';
import { proveInvariants } from './prove.ts';
import { planWeek } from './roster.ts';
import { World } from './world.ts';

const count = z.coerce.number().int().positive();
const Options = z.object({
  seed: z.coerce.number().int().default(1),
  months: count.default(1),
  guards: count.max(700).default(20),
  sites: count.max(90).default(4),
  /** Any free one unless given. */
  port: z.coerce.number().int().default(0),
  /** The Monday on which the company is set up; it opens a week later. */
  from: z.iso.date().default('2027-01-25'),
  /** Instead of all of the months. */
  days: count.optional(),
  /** Last day; the product stays up then. */
  until: z.iso.date().optional(),
  /** Last day; the product stops then. */
  last: z.iso.date().optional(),
  /** File that gets the list of events. */
  events: z.string().optional(),
  /** File with a list of events that are left out, and one for what has failed: scripts/simulate.mjs shrinks with them. */
  skip: z.string().optional(),
  failure: z.string().optional(),
  /** How many lines are printed of what took longest. */
  times: count.optional(),
  /** At the end, breaks a fact for each invariant, which must report it. */
  prove: z.literal('invariants').optional(),
});

const { values } = parseArgs({
  options: Object.fromEntries(
    Object.keys(Options.shape).map((name) => [name, { type: 'string' as const }]),
  ),
});
const options = Options.parse(values);
const clockFile = process.env.CLOCK_FILE;
if (clockFile === undefined) throw new Error('Start it with: npm run simulate');

const seconds = (ms: number) => (ms / 1000).toFixed(1);
const clock = new Clock(clockFile);
const dataDir = await mkdtemp(path.join(tmpdir(), 'simulation-'));
clock.moveTo(instantOf(options.from, '08:00'), true);
const product = new Product({ port: options.port, dataDir, clockFile });
const command = `npm run simulate -- --seed ${options.seed} --months ${options.months} --guards ${options.guards} --sites ${options.sites} --from ${options.from}`;

async function run(): Promise<void> {
  const began = performance.now();
  await product.start();
  const door = new Door(product.url);
  await door.open();
  const started = performance.now();
  const company = await settle(product, door, options, options.from);
  const world = new World(options, clock, product, door, company);
  if (options.skip !== undefined)
    world.skipped = new Set(
      z.array(z.string()).parse(JSON.parse(await readFile(options.skip, 'utf8'))),
    );
  world.agenda.begin(instantOf(options.from, '08:00'));
  world.note(world.agenda.now, await planWeek(world, company.opensOn));
  const opened = performance.now();
  console.log(
    `Seed ${options.seed}: ${options.guards} guards, ${options.sites} sites. Started in ${seconds(started - began)} s, set up in ${seconds(opened - started)} s.`,
  );
  const life = new Life(world);
  let end = company.opensOn;
  for (let month = 0; month < options.months; month += 1) end = monthAfter(end);
  if (options.days !== undefined) end = addDays(company.opensOn, options.days);
  let days = 0;
  let day = company.opensOn;
  try {
    for (; day < end; day = addDays(day, 1)) {
      await life.live(day);
      days += 1;
      if (days % 7 === 0) console.log(`${day}: ${world.events.length} events`);
      if (day === options.until || day === options.last) break;
    }
    if (options.prove !== undefined) {
      const told = await proveInvariants(world);
      console.log(
        `Of ${told.count} invariants ${told.wrong.length} failed to report what breaks them alone.`,
      );
      if (told.wrong.length > 0) throw new Broke(told.wrong.join('\n'), ['proof']);
    }
  } catch (error) {
    console.error(error instanceof Broke ? error.message : error);
    console.error(`\nThe last events:\n${world.events.slice(-25).join('\n')}`);
    console.error(
      `\nRepeat it, and stop there with the product running:\n  ${command} --until ${day}`,
    );
    process.exitCode = 1;
    if (options.failure !== undefined) {
      const { ran } = world;
      const what = error instanceof Broke ? error.invariants : [String(error)];
      await writeFile(options.failure, JSON.stringify({ day, what, ran }));
    }
  } finally {
    const took = performance.now() - opened;
    const hash = createHash('sha256').update(world.events.join('\n')).digest('hex').slice(0, 12);
    if (options.events !== undefined)
      await writeFile(options.events, `${world.events.join('\n')}\n`);
    for (const line of world.times.longest(options.times ?? 0)) console.log(line);
    const spent = Object.entries(life.spent).map(([what, ms]) => `${what} ${seconds(ms)}`);
    console.log(
      `${days} days, ${world.events.length} events (${hash}), ${product.requests} requests in ${seconds(took)} s: ${spent.join(', ')}.`,
    );
  }
}

const interrupted = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
});

try {
  await Promise.race([run(), interrupted]);
  if (options.until !== undefined) {
    console.log(
      `\nThe product runs at ${product.url}, data in ${dataDir}, clock in ${clockFile}. Ctrl-C ends it.`,
    );
    await interrupted;
  }
} finally {
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
}
// An interrupted life would go on.
process.exit();
