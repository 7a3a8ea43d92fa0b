// The command chain as a chart: each tier wider than the one that commands it.
import { commandChain } from '../content/structure.ts';

const WIDTHS = ['sm:w-[56%]', 'sm:w-[78%]', 'w-full'];
/** Lines from one tier to the next, on a field 100 wide and 24 high. */
const LINES = [
  'M50 0V24M50 10H25V24M50 10H75V24',
  'M50 0V24M25 0V10H12V24M25 10H37V24M75 0V10H63V24M75 10H88V24',
];

/** Heights of the rank chevrons, from the top. */
const CHEVRONS = [0, 8, 16];

function Chevrons({ count }: { count: number }) {
  return (
    <svg
      viewBox="0 0 28 30"
      className="h-7 w-7 shrink-0 text-accent"
      aria-hidden="true"
      focusable="false"
    >
      {CHEVRONS.slice(0, count).map((y) => (
        <path
          key={y}
          fill="none"
          stroke="currentColor"
          strokeWidth="3"
          d="M3 11 14 3l11 8"
          transform={`translate(0 ${y + (3 - count) * 4})`}
        />
      ))}
    </svg>
  );
}

export function CommandChart() {
  return (
    <ol aria-label="Command chain, from the top" className="flex flex-col items-center">
      {commandChain.map(({ name, duty, chevrons }, tier) => (
        <li key={name} className="flex w-full flex-col items-center">
          {tier > 0 && (
            <svg
              viewBox="0 0 100 24"
              preserveAspectRatio="none"
              className="h-9 w-full text-accent-fill"
              aria-hidden="true"
              focusable="false"
            >
              <path
                fill="none"
                stroke="currentColor"
                strokeWidth="1.5"
                vectorEffect="non-scaling-stroke"
                d={LINES[tier - 1]}
              />
            </svg>
          )}
          <div
            className={`flex w-full items-center gap-4 border border-line-strong/60 bg-raised px-5 py-4 ${WIDTHS[tier]}`}
          >
            <Chevrons count={chevrons} />
            <div>
              <h4 className="font-semibold">{name}</h4>
              <p className="text-sm text-muted">{duty}</p>
            </div>
          </div>
        </li>
      ))}
    </ol>
  );
}
