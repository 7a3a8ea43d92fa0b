import { TeamManagement } from '../art/team-management.tsx';
import { TeamNight } from '../art/team-night.tsx';
import { TeamPersonnel } from '../art/team-personnel.tsx';
import { SectionHeading } from './frame.tsx';

const CARDS = [
  {
    Picture: TeamManagement,
    title: 'Management Team',
    text: 'Five officers plan, pay, train and answer for the work of the whole force.',
  },
  {
    Picture: TeamPersonnel,
    title: 'Elite Security Personnel',
    text: 'Vetted, drilled and certified before their first shift, and tested again every year.',
  },
  {
    Picture: TeamNight,
    title: '24/7 Protection',
    text: 'Nights, Sundays and holidays are working days. Relief comes before a guard grows tired.',
  },
];

export function Team() {
  return (
    <section aria-labelledby="team-title" className="bg-sunken">
      <div className="site-width site-section">
        <SectionHeading id="team-title" title="Our Team" />
        <ul className="mt-10 grid gap-6 md:mt-14 md:grid-cols-3 print:grid-cols-3">
          {CARDS.map(({ Picture, title, text }) => (
            <li key={title} className="site-panel overflow-hidden">
              <Picture className="block aspect-4/3 w-full border-b border-line" />
              <div className="p-6 sm:p-7">
                <h3 className="text-heading font-semibold">{title}</h3>
                <p className="mt-2 text-muted">{text}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
