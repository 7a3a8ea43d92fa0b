import { company } from '#company';
import { Rosette } from '#web/assets/guilloche.tsx';
import { SectionHeading } from './frame.tsx';

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

export function Statistics() {
  return (
    <section
      aria-label="The company in figures"
      className="site-night relative isolate overflow-hidden bg-navy-900 text-white"
    >
      <Rosette
        petals={24}
        line={0.16}
        className="absolute top-1/2 left-1/2 -z-10 w-[64rem] -translate-1/2 text-brass-400 opacity-18 sm:opacity-25 print:hidden"
      />
      <dl className="site-width grid gap-x-6 gap-y-10 py-14 xs:grid-cols-2 lg:grid-cols-4 md:py-20">
        {company.statistics.map(({ value, label, meaning }) => (
          <div
            key={label}
            className="flex flex-col-reverse justify-end gap-2 border-l border-brass-400/50 pl-5 sm:pl-7"
          >
            <dt className="text-sm text-white/75">
              <span className="mb-1 block text-base font-semibold text-white">{label}</span>
              {meaning}
            </dt>
            <dd className="text-figure font-light tracking-tight text-brass-300">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
