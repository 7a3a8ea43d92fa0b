import { formatCents } from '#shared/money.ts';
import { cn } from '#web/lib/cn.ts';

type SizeBarsProps = { bars: { name: string; cents: bigint; colour: string }[] };

const sizeOf = (cents: bigint) => (cents < 0n ? -cents : cents);

/** @returns thousandths of the largest */
function share(cents: bigint, largest: bigint): number {
  return largest === 0n ? 0 : Number((sizeOf(cents) * 1000n) / largest);
}

/** Two or three amounts of one currency as lengths. */
export function SizeBars({ bars }: SizeBarsProps) {
  const sizes = bars.map(({ cents }) => sizeOf(cents)).sort((a, b) => (a < b ? -1 : 1));
  const largest = sizes.at(-1) ?? 0n;
  return (
    <dl className="grid gap-2 text-sm">
      {bars.map(({ name, cents, colour }) => (
        <div key={name} className="grid grid-cols-[5rem_1fr] items-center gap-3">
          <dt className="text-muted">{name}</dt>
          <dd className="flex items-center gap-3">
            <span className="h-3 flex-1 rounded-full bg-sunken" aria-hidden="true">
              <span
                className={cn('block h-full rounded-full', cents !== 0n && 'min-w-px')}
                style={{ width: `${share(cents, largest) / 10}%`, background: colour }}
              />
            </span>
            <span className="sr-only">{formatCents(cents)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
