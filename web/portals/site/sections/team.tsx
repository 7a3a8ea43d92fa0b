import { type Photograph, slots } from '#company';
import management from '../art/team-management.svg?url';
import night from '../art/team-night.svg?url';
import personnel from '../art/team-personnel.svg?url';
import { SectionHeading } from './frame.tsx';
import { Leaders } from './slots.tsx';

const CARDS = [
  {
    name: 'management',
    drawing: management,
    alt: 'Five officers of the management around a table, a map of the counties on the wall',
    title: 'Management Team',
    text: 'Five officers plan, pay, train and answer for the work of the whole force.',
  },
  {
    name: 'personnel',
    drawing: personnel,
    alt: 'Three uniformed officers in front of a colonnade at sunrise',
    title: 'Elite Security Personnel',
    text: 'Vetted, drilled and certified before their first shift, and tested again every year.',
  },
  {
    name: 'night',
    drawing: night,
    alt: 'A guard at a lit gate at night, with a colleague in the guardhouse and a patrol car',
    title: '24/7 Protection',
    text: 'Nights, Sundays and holidays are working days. Relief comes before a guard grows tired.',
  },
] as const;

type TeamProps = { photographs: Partial<Record<(typeof CARDS)[number]['name'], Photograph>> };

/** A photograph where the company has one, else the drawing. */
export function Team({ photographs }: TeamProps) {
  return (
    <section aria-labelledby="team-title" className="bg-sunken">
      <div className="site-width site-section">
        <SectionHeading id="team-title" title="Our Team" />
        <ul className="mt-10 grid gap-6 md:mt-14 md:grid-cols-3 print:grid-cols-3">
          {CARDS.map(({ name, drawing, alt, title, text }) => (
            <li key={title} className="site-panel overflow-hidden">
              <img
                src={photographs[name]?.file ?? drawing}
                alt={photographs[name]?.alt ?? alt}
                width={480}
                height={360}
                loading="lazy"
                decoding="async"
                className="block aspect-4/3 w-full border-b border-line object-cover"
              />
              <div className="p-6 sm:p-7">
                <h3 className="text-heading font-semibold">{title}</h3>
                <p className="mt-2 text-muted">{text}</p>
              </div>
            </li>
          ))}
        </ul>
        <Leaders leaders={slots.leaders} />
      </div>
    </section>
  );
}
