// The product or its PostgreSQL is killed, is off for most of a day, or is restored from a backup. Phones and people go on, and send when it is there again.
import { Random } from '#demo/random.ts';
import { instantOf, MINUTE_MS } from './clock.ts';
import type { World } from './world.ts';

type Outage = 'none' | 'killed' | 'off' | 'database' | 'restored';

function stop(world: World, outage: Outage, minutes: number): void {
  const { agenda, product } = world;
  world.offUntil = agenda.now + minutes * MINUTE_MS;
  agenda.add(
    world.offUntil,
    `the product starts after ${minutes} minutes (${outage})`,
    async () => {
      await product.start();
      return undefined;
    },
  );
}

export function planOutage(world: World, day: string): void {
  const { agenda, product, size } = world;
  const random = new Random(`simulation/${size.seed}/outage/${day}`);
  const outage = random.among<Outage>({
    none: 84,
    killed: 6,
    off: 3,
    database: 4,
    restored: 3,
  });
  if (outage === 'none') return;
  // A shift change is in the longer ones.
  const at = instantOf(day, `0${random.int(1, 4)}:${random.int(10, 50)}`) + 40_000;
  if (outage === 'database' || outage === 'restored') {
    const what = { database: 'PostgreSQL is killed', restored: 'a backup is restored' }[outage];
    agenda.add(at, what, async () => {
      if (outage === 'database') await product.killDatabase();
      else await product.restoreBackup();
      return undefined;
    });
    return;
  }
  const minutes = outage === 'killed' ? random.int(2, 20) : random.int(5, 12) * 60;
  agenda.add(at, `the product is ${outage}`, async () => {
    stop(world, outage, minutes);
    await product.stop(outage === 'killed' ? 'SIGKILL' : 'SIGTERM');
    return undefined;
  });
}
