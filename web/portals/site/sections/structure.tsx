import { slots } from '#company';
import { Coverage } from './coverage.tsx';
import { SectionHeading } from './frame.tsx';

type Tier = { name: string; duty: string; chevrons: number };

/** Top first. */
const commandChain: Tier[] = [
  {
    name: 'Regional Supervisors',
    duty: 'Answer for every post in their region and inspect without notice.',
    chevrons: 3,
  },
  {
    name: 'Shift Commanders',
    duty: 'Brief each shift, walk the posts and decide on the spot.',
    chevrons: 2,
  },
  {
    name: 'Guards',
    duty: 'In uniform on post and on patrol, never without a commander to call.',
    chevrons: 1,
  },
];

const fieldSupport = [
  { name: 'GPS tracking', meaning: 'We know where each guard clocks in and out.' },
  { name: 'Real-time reporting', meaning: 'Incidents reach command as they happen.' },
  { name: '24/7 emergency response', meaning: 'Help leaves at any hour, on any day.' },
];

const management = [
  { name: 'CEO/Operations Director', duty: 'Leads the firm and answers to every client.' },
  { name: 'Finance Officer', duty: 'Contracts, invoices and pay on time.' },
  { name: 'HR Officer', duty: 'Vetting, hiring and the welfare of our people.' },
  { name: 'Training Officer', duty: 'Drills, courses and certification.' },
  { name: 'Admin/IT Support', duty: 'Records, systems and the operations desk.' },
];

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

export function Structure() {
  return (
    <section aria-labelledby="structure-title" className="site-width site-section">
      <SectionHeading id="structure-title" title="Our Structure">
        One line of command from the guard at your gate to the director. Every post has a name above
        it.
      </SectionHeading>
      <div className="mt-10 grid gap-x-14 gap-y-14 md:mt-14 lg:grid-cols-12">
        <div className="lg:col-span-7">
          <h3 className="text-heading font-semibold">Field Operations</h3>
          <p className="mt-1 mb-6 text-muted">Uniformed guards under a clear command chain.</p>
          <CommandChart />
          <ul className="mt-8 grid gap-6 sm:grid-cols-3">
            {fieldSupport.map(({ name, meaning }) => (
              <li key={name} className="border-t-2 border-accent-fill pt-3">
                <span className="block font-semibold">{name}</span>
                <span className="text-sm text-muted">{meaning}</span>
              </li>
            ))}
          </ul>
        </div>
        <div className="lg:col-span-5">
          <h3 className="text-heading font-semibold">Management</h3>
          <p className="mt-1 mb-6 text-muted">Five officers who run the firm day to day.</p>
          <ul className="site-tree">
            {management.map(({ name, duty }) => (
              <li key={name}>
                <span className="block font-semibold">{name}</span>
                <span className="text-sm text-muted">{duty}</span>
              </li>
            ))}
          </ul>
        </div>
      </div>
      <Coverage regions={slots.regions} />
    </section>
  );
}
