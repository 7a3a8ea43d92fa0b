// Our Structure: field operations under their command chain, and the management team.
import { fieldSupport, management } from '../content/structure.ts';
import { CommandChart } from './command-chart.tsx';
import { SectionHeading } from './section-heading.tsx';

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
    </section>
  );
}
