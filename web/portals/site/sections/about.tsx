import { company } from '#company';
import { Rosette } from '#web/assets/guilloche.tsx';
import { SectionHeading } from './section-heading.tsx';

const card = 'relative overflow-hidden p-7 sm:p-9';

export function About() {
  return (
    <section id="about" aria-labelledby="about-title" className="site-width site-section">
      <SectionHeading id="about-title" title={`About ${company.name}`} />
      <div className="mt-10 grid gap-5 md:mt-14 lg:grid-cols-12">
        <article className={`${card} site-panel lg:col-span-7`}>
          <Rosette className="absolute -right-40 -bottom-44 w-80 lg:-right-24 lg:-bottom-28 text-brass-500 opacity-35" />
          <h3 className="text-heading font-semibold">Heritage</h3>
          <p className="relative mt-4 max-w-[30rem] font-display text-quote">{company.heritage}</p>
        </article>
        <article className={`${card} site-panel lg:col-span-5`}>
          <h3 className="text-heading font-semibold">Growth</h3>
          <p className="mt-4 text-muted">{company.growth}</p>
        </article>
        <article className={`${card} site-night bg-navy-800 text-white lg:col-span-5`}>
          <h3 className="text-heading font-semibold text-brass-300">Mission</h3>
          <p className="mt-4 font-display text-title">{company.mission}</p>
        </article>
        <article className={`${card} site-panel lg:col-span-7`}>
          <h3 className="text-heading font-semibold">Guiding Principles</h3>
          <dl className="mt-4 grid gap-x-8 gap-y-5 sm:grid-cols-2">
            {company.principles.map(({ name, meaning }) => (
              <div key={name} className="border-t border-line pt-3">
                <dt className="font-semibold text-accent">{name}</dt>
                <dd className="text-muted">{meaning}</dd>
              </div>
            ))}
          </dl>
        </article>
      </div>
    </section>
  );
}
